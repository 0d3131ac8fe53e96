import ConsumerMap
import FleetEngine
package import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchWords

/// The next visible change that happens only because time passes. Until then, the program can sleep.
extension AppState {
    /// Longest time between two checks of a moving vehicle, in seconds. It is limited because the vehicle may speed up.
    private static let longestStepSeconds = 1.0
    /// Speed below which a vehicle counts as stationary, in metres per second. Its remaining movement is shorter than a dot.
    private static let standingMetersPerSecond = 0.05
    /// Delay between the moment at which a text changes and the next frame, in seconds. It ensures that the frame shows the new text.
    private static let afterChangeSeconds = 0.002

    /// Returns the next moment at which the screen may change without an update from the server: a text changes, the vehicle moves to
    /// another dot, or an event is due. Returns nil if nothing will change.
    /// - Parameter stepSeconds: minimum time between two checks of the vehicle, in seconds.
    package func nextChange(stepSeconds: Double) -> Date? {
        let words = secondsToNextWords.map { max(0, $0) + Self.afterChangeSeconds }
        if list != nil { return secondsToNextList.map(now.addingTimeInterval) }
        let motion = secondsToNextDot.map { max(stepSeconds, min($0, Self.longestStepSeconds)) }
        // If a movement is due shortly before a text changes, it is delayed and drawn together with the text.
        let step = motion.flatMap { motion in words.map { $0 < 1.5 * motion } == true ? nil : motion }
        return [words, step].compactMap { $0 }.min().map(now.addingTimeInterval)
    }

    /// Time of the next check of the pages in the background; nil if they need no check before the next update.
    package var nextRound: Date? { newsDueAt.map { max($0, nextRoundAt) } }

    /// Seconds until a text changes, or until news about the trip in front can arise merely because time passes. May be negative; nil if
    /// neither is expected.
    private var secondsToNextWords: Double? {
        if let drive { return ([secondsToNextMinute] + secondsToNextWords(drive)).compactMap { $0 }.filter(\.isFinite).min() }
        if let shipment { return [secondsToNext(shipment), secondsToNextMinute, secondsToNextMapNote].compactMap { $0 }.min() }
        guard let page else { return secondsToNextMapNote }
        let age = page.journey.ageSeconds(now: now) ?? page.journey.lastAnswerAt.map { now.timeIntervalSince($0) }
        let own = [
            secondsToNextMinute, age.map(TripWords.secondsToNextAge), page.journey.secondsToNextFreshness(now: now),
            secondsToNextNumber(page), page.retrySeconds(now: now).flatMap(TripWords.secondsToNextCountdown),
            page.newsDueAt.map { $0.timeIntervalSince(now) }, secondsAsFreshlyHere(page), secondsToNextMapNote,
            secondsToNextPosition,
        ]
        let tabs = hasTabs ? pages.map { $0.journey.secondsToNextETAText(clock: $0.clockTime(now)) } + shipments.map(secondsToNext) : []
        return (own + tabs).compactMap { $0 }.filter(\.isFinite).min()
    }

    /// Time until the list of trips is drawn again, in seconds: 1, or the time until the next minute if all trips and shipments have ended.
    private var secondsToNextList: Double? {
        let isOver = pages.allSatisfy(\.status.isFinal) && shipments.allSatisfy { $0.tracker.isOver(now: now) }
        return isOver ? secondsToNextMinute : 1
    }

    /// Returns the seconds until a shipment's page changes: 1, because the page shows how old its data is; nil after the end.
    private func secondsToNext(_ shipment: ShipmentPage) -> Double? { shipment.tracker.isOver(now: now) ? nil : 1 }

    /// Time until the next minute of the clock in the user's zone, in seconds.
    private var secondsToNextMinute: Double {
        60 - (shownNow.timeIntervalSince1970 + Double(options.secondsFromGMT(shownNow))).truncatingRemainder(dividingBy: 60)
    }

    /// Returns the time until the shown number changes, in seconds. The number is the countdown, the stopwatch that replaces it, or the
    /// waiting time before the first answer. Returns nil if no number changes.
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

    /// Time until the vehicle of the page in front has moved by a dot of the map, in seconds; nil while it is stationary.
    private var secondsToNextDot: Double? {
        guard let speed = journeys.first?.drawnMetersPerSecond, speed > Self.standingMetersPerSecond else { return nil }
        return map.camera.metersPerColumn / Double(painter.dotsPerCell.columns) / speed
    }
}
