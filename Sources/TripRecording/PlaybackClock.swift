package import FleetEngine
package import FoundationEssentials
import Synchronization

/// The clock of a ``PlaybackTimeSource``, for recorded moments of any kind. The clock's rules are documented there.
package final class PlaybackClock: TimeSource {
    /// Recorded seconds per second of the base clock.
    let speed: Double

    private let base: any TimeSource
    private let tape: Mutex<Tape>
    private let answered = Mutex<Date?>(nil)

    /// Moment of the poll loop's last answer. Another task's sleep may have moved the clock on since.
    package var lastMoment: Date? { answered.withLock { $0 } }

    /// Creates a clock that shows `start` until the first call asks for a moment.
    /// - Parameters:
    ///   - moments: strictly increasing times.
    ///   - speed: recorded seconds per second; not-a-number counts as 1.
    ///   - base: clock that drives this one.
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

    /// The recorded time for which a call answers. If the clock stands at a moment, this call counts as asking for the moment.
    func timeOfAnswer() -> Date { answer().time }

    /// Waits for the next recorded moment that no call has asked for. This call counts as asking for it.
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

/// State of a playback. "Base" is time of the base clock, "shown" is recorded time.
private struct Tape {
    /// The longest delay that the clock makes up for, seconds of the base clock.
    private static let longestDelaySeconds = 1.0
    /// Shortest pause of a waiting task while the clock stands still, seconds of the base clock.
    private static let standingPauseSeconds = 0.01
    /// Shortest pause while the clock runs, seconds. It is less than the error of a sleep.
    private static let shortestPauseSeconds = 0.000_1
    /// Longest pause, seconds. It keeps the wait for a distant date within the range of a sleep.
    private static let longestPauseSeconds = 3600.0
    /// Pause before the end of a sleep at a moment that no call has asked for, by the number of such sleeps at this moment. The first is
    /// the poll loop's own sleep: the loop was busy when the clock reached the moment. Many in a row show that the loop has ended.
    private static func unansweredPauseSeconds(count: Int) -> Double? {
        count <= 1 ? nil : count <= 100 ? standingPauseSeconds : 0.25
    }

    private let moments: [Date]
    private let speed: Double
    /// Index of the first moment that no call has asked for.
    private var next = 0
    /// Shown time at `anchorBase`, or the constant time while the clock stands.
    private var anchor: Date
    /// Base time of `anchor`; nil while the clock stands.
    private var anchorBase: Date?
    /// Base time at which `anchor` was due.
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
    /// - Returns: end of the sleep, and the pause before the next check; nil for no pause.
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

    /// Starts the clock if it stands still.
    private mutating func run(from base: Date) {
        guard anchorBase == nil, nextMoment != anchor else { return }
        let earliest = base.addingTimeInterval(-Self.longestDelaySeconds)
        anchorBase = nextMoment == nil ? base : max(dueBase ?? base, earliest)
    }

    /// Pause before the next check whether the clock has reached `target`; nil if it has.
    func pause(until target: Date, at base: Date) -> Double? {
        let left = target.timeIntervalSince(shown(at: base))
        guard left > 0 else { return nil }
        let shortest = anchorBase == nil ? Self.standingPauseSeconds : Self.shortestPauseSeconds
        return min(max(left / speed, shortest), Self.longestPauseSeconds)
    }
}
