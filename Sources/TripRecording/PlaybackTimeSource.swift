public import FleetEngine
public import FoundationEssentials
import Synchronization

/// The clock of a replay. It shows the recorded time, runs `speed` times as fast as its base clock, and stops at every recorded moment
/// until a call has asked for it.
///
/// A poll loop that sleeps for its interval and then calls GetTrip would skip moments that are closer together than its interval, and at
/// high speed nearly all moments. Therefore:
///
/// - `sleep(until:)` returns at the deadline or at the next recorded moment, whichever is first.
/// - The clock stops at a moment until a GetTrip has been answered for it, and shows exactly its time.
/// - From that answer to the next `sleep(until:)` the clock stands, so that the work on the answer has the moment's time too.
///
/// The clock catches up with the time that the poll loop takes, but by a second at most, so a stopped process resumes at its moment. After
/// the last moment the clock runs freely.
///
/// One playback serves one poll loop. Other tasks may read the clock and sleep on it, but they may wake at a recorded moment before their
/// deadline. A loop of such sleeps runs at most once in 10 ms.
public final class PlaybackTimeSource: TimeSource {
    /// Range of speeds; values outside are clamped.
    public static let speeds = 0.01...1_000_000.0

    /// The played recording.
    public let trip: RecordedTrip
    /// Recorded seconds per second of the base clock.
    public let speed: Double

    private let base: any TimeSource
    private let tape: Mutex<Tape>
    private let answered = Mutex<Date?>(nil)

    /// Moment of the poll loop's last answer. Another task's sleep may have moved the clock on since.
    package var lastMoment: Date? { answered.withLock { $0 } }

    /// Creates a clock that shows the start of `trip` until the first call asks for it.
    /// - Parameters:
    ///   - speed: recorded seconds per second; not-a-number counts as 1.
    ///   - base: clock that drives this one.
    public init(_ trip: RecordedTrip, speed: Double = 1, base: any TimeSource = SystemTimeSource()) {
        self.trip = trip
        self.speed = speed.isNaN ? 1 : min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        self.base = base
        tape = Mutex(Tape(moments: trip.moments, start: trip.start, speed: self.speed))
    }

    /// Recorded time that the clock shows now.
    public func now() -> Date {
        let baseNow = base.now()
        return tape.withLock { $0.shown(at: baseNow) }
    }

    /// Returns at `deadline` or at the next recorded moment, whichever comes first.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        let baseNow = base.now()
        var (target, pause) = tape.withLock { $0.startSleep(until: deadline, at: baseNow) }
        while let seconds = pause {
            try await base.sleep(until: base.now().addingTimeInterval(seconds))
            let baseNow = base.now()
            pause = tape.withLock { $0.pause(until: target, at: baseNow) }
        }
    }

    /// Time for which GetTrip answers. The moment at which the clock stands counts as asked for.
    func timeOfAnswer() -> Date { answer().time }

    /// Waits for the next recorded moment that no call has asked for. From now on it counts as asked for.
    /// - Throws: `CancellationError` if the task is cancelled. After the last moment there is no other end.
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
    /// Most time that the clock catches up, seconds of the base clock.
    private static let longestDelaySeconds = 1.0
    /// Least pause of a waiting task while the clock stands, seconds of the base clock.
    private static let standingPauseSeconds = 0.01
    /// Least pause while the clock runs, below the error of a sleep.
    private static let shortestPauseSeconds = 0.000_1
    /// Longest pause, which keeps distant dates computable.
    private static let longestPauseSeconds = 3600.0
    /// Pause before a sleep ends at a moment that no call has asked for, by the number of such sleeps at the moment. The first sleep is the
    /// poll loop's, which was busy when the clock arrived there. Many in a row show that the loop has ended.
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

    /// Starts a standing clock.
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
