public import FleetEngine
public import FoundationEssentials
import Synchronization

/// The clock of a replay: it shows the recorded time, runs `speed` times as fast as the clock beneath, and stops at every recorded
/// moment until the moment was asked for.
///
/// A poll loop that sleeps for its interval and then calls GetTrip would skip moments that are closer together than its interval, and at
/// high speed nearly all moments. So
/// * `sleep(until:)` returns at the deadline or at the next recorded moment, whichever is first;
/// * the clock does not pass a moment for which no GetTrip was answered yet, and shows exactly its time;
/// * from that answer to the next `sleep(until:)` the clock stands, so that the work on the answer has the moment's time too.
///
/// The clock catches up with time that the poll loop takes, but by a second at most: a stopped process goes on at its moment. After the
/// last moment the clock runs freely. One playback serves one poll loop. Other tasks may read the clock and sleep on it, but may then wake
/// at a recorded moment before their deadline; a loop of sleeps gets no tighter by that than one in 10 ms.
public final class PlaybackTimeSource: TimeSource {
    /// The slowest and the fastest speed; other values are clamped.
    public static let speeds = 0.01...1_000_000.0

    /// The recording that is played.
    public let trip: RecordedTrip
    /// Recorded seconds in a second of the clock beneath.
    public let speed: Double

    private let base: any TimeSource
    private let tape: Mutex<Tape>
    private let answered = Mutex<Date?>(nil)

    /// The moment that the poll loop has the last answer of: another task's sleep may have moved the clock on since.
    package var lastMoment: Date? { answered.withLock { $0 } }

    /// A clock that shows the start of `trip` until it is first asked.
    /// - Parameters:
    ///   - speed: recorded seconds in a second; not a number counts as 1.
    ///   - base: the clock that paces this one.
    public init(_ trip: RecordedTrip, speed: Double = 1, base: any TimeSource = SystemTimeSource()) {
        self.trip = trip
        self.speed = speed.isNaN ? 1 : min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        self.base = base
        tape = Mutex(Tape(moments: trip.moments, start: trip.start, speed: self.speed))
    }

    /// The recorded time that the clock shows now.
    public func now() -> Date {
        let baseNow = base.now()
        return tape.withLock { $0.shown(at: baseNow) }
    }

    /// Returns at `deadline` or at the next recorded moment, whichever comes first.
    /// - Throws: `CancellationError` when the task is cancelled.
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

    /// The time that GetTrip answers for. The moment at which the clock stands counts as asked for.
    func timeOfAnswer() -> Date { answer().time }

    /// Waits for a recorded moment that was not asked for yet; from now on it counts as asked for.
    /// - Throws: `CancellationError` when the task is cancelled, which after the last moment is the only end.
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

/// The state of a playback. "Base" is the clock beneath, "shown" is recorded time.
private struct Tape {
    /// The most that the clock catches up, seconds of the clock beneath.
    private static let longestDelaySeconds = 1.0
    /// A waiting task looks again after this at the earliest, seconds of the clock beneath, while the clock stands.
    private static let standingPauseSeconds = 0.01
    /// The same while it runs: less than what a sleep can be off.
    private static let shortestPauseSeconds = 0.000_1
    /// No pause is longer; dates far away stay computable.
    private static let longestPauseSeconds = 3600.0
    /// The pause before a sleep ends at a moment that was not asked for yet, by the number of such sleeps at the moment: the first is the
    /// poll loop itself, which was busy when the clock came there; many in a row show that it has ended.
    private static func unansweredPauseSeconds(count: Int) -> Double? {
        count <= 1 ? nil : count <= 100 ? standingPauseSeconds : 0.25
    }

    private let moments: [Date]
    private let speed: Double
    /// The first moment that was not asked for yet.
    private var next = 0
    /// Shown time at `anchorBase`, or all the time while the clock stands.
    private var anchor: Date
    /// Nil while the clock stands.
    private var anchorBase: Date?
    /// When `anchor` was due.
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

    /// - Returns: where the sleep ends, and how long to wait before looking whether it has (nil: not at all).
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

    /// Lets a standing clock run.
    private mutating func run(from base: Date) {
        guard anchorBase == nil, nextMoment != anchor else { return }
        let earliest = base.addingTimeInterval(-Self.longestDelaySeconds)
        anchorBase = nextMoment == nil ? base : max(dueBase ?? base, earliest)
    }

    /// How long to wait before looking again whether the clock has come to `target`; nil when it has.
    func pause(until target: Date, at base: Date) -> Double? {
        let left = target.timeIntervalSince(shown(at: base))
        guard left > 0 else { return nil }
        let shortest = anchorBase == nil ? Self.standingPauseSeconds : Self.shortestPauseSeconds
        return min(max(left / speed, shortest), Self.longestPauseSeconds)
    }
}
