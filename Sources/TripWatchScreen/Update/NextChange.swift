import ConsumerMap
import FleetEngine
package import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchWords

/// When the passing of time alone changes what is seen: until then the program can sleep.
extension AppState {
    /// A moving vehicle is looked at this often at least, seconds: it may go faster than it did.
    private static let longestStepSeconds = 1.0
    /// Slower than this a vehicle stands, metres a second: what is left of its way is less than a dot.
    private static let standingMetersPerSecond = 0.05
    /// Words change a moment after the last instant of what they told before, seconds.
    private static let afterChangeSeconds = 0.002

    /// The next moment at which a word changes, the vehicle has moved by a dot, or time makes news; nil for never.
    /// - Parameter stepSeconds: between two looks at the vehicle at least.
    package func nextChange(stepSeconds: Double) -> Date? {
        let words = secondsToNextWords.map { max(0, $0) + Self.afterChangeSeconds }
        if list != nil { return secondsToNextList.map(now.addingTimeInterval) }
        let motion = secondsToNextDot.map { max(stepSeconds, min($0, Self.longestStepSeconds)) }
        // A step shortly before the words change is made with them.
        let step = motion.flatMap { motion in words.map { $0 < 1.5 * motion } == true ? nil : motion }
        return [words, step].compactMap { $0 }.min().map(now.addingTimeInterval)
    }

    /// The next moment at which the pages behind are asked for news; nil where time alone makes none.
    package var nextRound: Date? { newsDueAt.map { max($0, nextRoundAt) } }

    /// Until a word changes or time makes news of the trip in front, seconds; may lie in the past.
    private var secondsToNextWords: Double? {
        if let drive { return ([secondsToNextMinute] + secondsToNextWords(drive)).compactMap { $0 }.filter(\.isFinite).min() }
        guard let page else { return secondsToNextMapNote }
        let age = page.journey.ageSeconds(now: now) ?? page.journey.lastAnswerAt.map { now.timeIntervalSince($0) }
        let own = [
            secondsToNextMinute, age.map(TripWords.secondsToNextAge), page.journey.secondsToNextFreshness(now: now),
            secondsToNextNumber(page), page.retrySeconds(now: now).flatMap(TripWords.secondsToNextCountdown),
            page.newsDueAt.map { $0.timeIntervalSince(now) }, secondsAsFreshlyHere(page), secondsToNextMapNote,
            secondsToNextPosition,
        ]
        let tabs = hasTabs ? pages.map { $0.journey.secondsToNextETAText(clock: $0.clockTime(now)) } : []
        return (own + tabs).compactMap { $0 }.filter(\.isFinite).min()
    }

    /// The list of trips moves once a second, whatever happens in between.
    private var secondsToNextList: Double? { pages.allSatisfy(\.status.isFinal) ? secondsToNextMinute : 1 }

    /// Of the clock in the user's zone.
    private var secondsToNextMinute: Double {
        60 - (shownNow.timeIntervalSince1970 + Double(options.secondsFromGMT(shownNow))).truncatingRemainder(dividingBy: 60)
    }

    /// Of the number that everything turns around, or the stopwatch in its place.
    private func secondsToNextNumber(_ page: TripPage) -> Double? {
        guard page.trip != nil else { return TripWords.secondsToNextAge(now.timeIntervalSince(page.openedAt)) }
        guard page.phrases.panel != nil else { return page.journey.secondsToNextETAText(clock: page.clockTime(now)) }
        guard let since = stopwatchBase(page) else { return nil }
        let seconds = page.clockTime(now).timeIntervalSince(since)
        return max(0, seconds).rounded(.down) + 1 - seconds
    }

    private func secondsAsFreshlyHere(_ page: TripPage) -> Double? {
        guard page.isFreshlyHere(now: now), let since = page.history.enteredAt[.arrivedAtPickup] else { return nil }
        return 1 - page.clockTime(now).timeIntervalSince(since)
    }

    /// Until the vehicle in front has moved by a dot of the map, seconds; nil while it stands.
    private var secondsToNextDot: Double? {
        guard let speed = journeys.first?.drawnMetersPerSecond, speed > Self.standingMetersPerSecond else { return nil }
        return map.camera.metersPerColumn / Double(painter.dotsPerCell.columns) / speed
    }
}
