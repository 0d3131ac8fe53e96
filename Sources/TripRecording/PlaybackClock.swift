package import FleetEngine
package import FoundationEssentials
import Synchronization

/// The clock of a replay, for recordings of trips and of shipments. ``PlaybackTimeSource`` documents its rules.
package final class PlaybackClock: TimeSource {
    /// Number of recorded seconds that pass per second of the base clock.
    let speed: Double

    private let base: any TimeSource
    private let tape: Mutex<Tape>
    private let answered = Mutex<Date?>(nil)

    /// The recorded time of the last answer to the poll loop; nil before the first answer, and in the replay of a log. The clock may
    /// already show a later time, because another task has slept since.
    package var lastMoment: Date? { answered.withLock { $0 } }

    /// Creates a clock that shows `start` until a call first asks for a recorded moment.
    /// - Parameters:
    ///   - moments: the recorded times; each is later than the one before.
    ///   - speed: number of recorded seconds that pass per second of the base clock; not-a-number counts as 1.
    ///   - base: the clock from which this one is computed.
    package init(moments: [Date], start: Date, speed: Double = 1, base: any TimeSource = SystemTimeSource()) {
        let range = PlaybackTimeSource.speeds
        self.speed = speed.isNaN ? 1 : min(max(speed, range.lowerBound), range.upperBound)
        self.base = base
        tape = Mutex(Tape(moments: moments, start: start, speed: self.speed))
    }

    package func now() -> Date {
        let baseNow = base.now()
        return tape.withLock { $0.shown(at: baseNow) }
    }

    package func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        let baseNow = base.now()
        var (target, pause) = tape.withLock { $0.startSleep(until: deadline, at: baseNow) }
        while let seconds = pause {
            try await base.sleep(until: base.now().addingTimeInterval(seconds))
            let baseNow = base.now()
            pause = tape.withLock { $0.pause(until: target, at: baseNow) }
        }
    }

    /// Returns the recorded time for which a call is answered. If the clock waits for a call at a recorded moment, this call ends the
    /// wait.
    func timeOfAnswer() -> Date { answer().time }

    /// Waits until the clock has reached the next recorded moment that no call has asked for, and returns that moment. The clock then no
    /// longer waits for a call at that moment, because this method counts as the call.
    /// - Throws: `CancellationError` if the task is cancelled. After the last moment, only a cancellation ends the wait.
    func nextMoment() async throws -> Date {
        while true {
            let (time, isMoment) = answer()
            if isMoment {
                answered.withLock { $0 = time }
                return time
            }
            try await sleep(until: .distantFuture)
        }
    }

    private func answer() -> (time: Date, isMoment: Bool) {
        let baseNow = base.now()
        return tape.withLock { $0.answer(at: baseNow) }
    }
}

/// State of a playback. "Base" is a time of the base clock, and "shown" is the recorded time that the playback shows.
private struct Tape {
    /// The longest delay of the poll loop that the clock makes up for, in seconds of the base clock. If a delay is longer, the clock makes
    /// up for only this much.
    private static let longestDelaySeconds = 1.0
    /// Shortest pause of a waiting task while the clock stands still, in seconds of the base clock.
    private static let standingPauseSeconds = 0.01
    /// Shortest pause while the clock runs, in seconds. It is shorter than the inaccuracy of a sleep.
    private static let shortestPauseSeconds = 0.000_1
    /// Longest pause, in seconds. It keeps the wait for a distant date within the range of a sleep.
    private static let longestPauseSeconds = 3600.0
    /// The clock stands still at a recorded moment until a call asks for it. Returns the pause of a sleep that starts meanwhile, in
    /// seconds; nil for no pause. `count` is the number of such sleeps since the clock stopped at the recorded moment, including this one.
    /// The first one does not pause, because it may come from the poll loop, which may have been busy when the clock reached the moment.
    /// After many sleeps, the poll loop has probably ended, so the pauses become longer.
    private static func unansweredPauseSeconds(count: Int) -> Double? {
        count <= 1 ? nil : count <= 100 ? standingPauseSeconds : 0.25
    }

    private let moments: [Date]
    private let speed: Double
    /// Index of the first moment that no call has asked for.
    private var next = 0
    /// The recorded time shown at `anchorBase`. While the clock stands still, the recorded time that it shows.
    private var anchor: Date
    /// The time of the base clock that belongs to `anchor`; nil while the clock stands still.
    private var anchorBase: Date?
    /// The time of the base clock at which the clock should have shown `anchor`.
    private var dueBase: Date?
    private var unansweredSleeps = 0

    init(moments: [Date], start: Date, speed: Double) {
        self.moments = moments
        self.speed = speed
        anchor = start
    }

    private var nextMoment: Date? { next < moments.count ? moments[next] : nil }

    func shown(at base: Date) -> Date {
        let running = anchorBase.map { anchor.addingTimeInterval(max(0, base.timeIntervalSince($0)) * speed) } ?? anchor
        return nextMoment.map { min($0, running) } ?? running
    }

    mutating func answer(at base: Date) -> (time: Date, isMoment: Bool) {
        let shown = shown(at: base)
        guard nextMoment == shown else { return (shown, false) }
        dueBase = anchorBase.map { $0.addingTimeInterval(shown.timeIntervalSince(anchor) / speed) } ?? base
        anchor = shown
        anchorBase = nil
        next += 1
        unansweredSleeps = 0
        return (shown, true)
    }

    /// Starts a sleep.
    /// - Returns: the recorded time at which the sleep ends, and the seconds until the next check; nil for no pause.
    mutating func startSleep(until deadline: Date, at base: Date) -> (target: Date, pauseSeconds: Double?) {
        let shown = shown(at: base)
        if nextMoment == shown, deadline > shown {
            unansweredSleeps = min(unansweredSleeps + 1, 1000)
            return (shown, Self.unansweredPauseSeconds(count: unansweredSleeps))
        }
        run(from: base)
        let target = nextMoment.map { min($0, deadline) } ?? deadline
        return (target, pause(until: target, at: base))
    }

    /// Starts the clock if it is stopped. Does nothing at a recorded moment that no call has asked for.
    private mutating func run(from base: Date) {
        guard anchorBase == nil, nextMoment != anchor else { return }
        let earliest = base.addingTimeInterval(-Self.longestDelaySeconds)
        anchorBase = nextMoment == nil ? base : max(dueBase ?? base, earliest)
    }

    /// Returns the number of seconds until the clock must be checked again; nil if the clock has reached `target`.
    func pause(until target: Date, at base: Date) -> Double? {
        let left = target.timeIntervalSince(shown(at: base))
        guard left > 0 else { return nil }
        let shortest = anchorBase == nil ? Self.standingPauseSeconds : Self.shortestPauseSeconds
        return min(max(left / speed, shortest), Self.longestPauseSeconds)
    }
}
