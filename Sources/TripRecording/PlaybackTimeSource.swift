public import FleetEngine
public import FoundationEssentials

/// The clock of a replay. It shows the recorded time, runs `speed` times as fast as its base clock, and stops at every recorded moment
/// until a call has asked for it.
///
/// A poll loop that sleeps for its interval and then calls GetTrip would skip moments that are closer together than its interval, and at
/// high speed nearly all moments. Therefore:
///
/// - `sleep(until:)` returns at the deadline or at the next recorded moment, whichever is first.
/// - The clock stops at a moment until a GetTrip has been answered for it, and shows exactly the moment's time.
/// - From that answer to the next `sleep(until:)` the clock stands, so that the answer is processed at the moment's time too.
///
/// The clock makes up for the time that the poll loop takes, but for at most one second, so a process that was stopped resumes at the
/// moment where it was. After the last moment the clock runs freely.
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

    let clock: PlaybackClock

    /// Moment of the poll loop's last answer. Another task's sleep may have moved the clock on since.
    package var lastMoment: Date? { clock.lastMoment }

    /// Creates a clock that shows the start of `trip` until the first call asks for it.
    /// - Parameters:
    ///   - speed: recorded seconds per second; not-a-number counts as 1.
    ///   - base: clock that drives this one.
    public init(_ trip: RecordedTrip, speed: Double = 1, base: any TimeSource = SystemTimeSource()) {
        self.trip = trip
        clock = PlaybackClock(moments: trip.moments, start: trip.start, speed: speed, base: base)
        self.speed = clock.speed
    }

    /// Recorded time that the clock shows now.
    public func now() -> Date { clock.now() }

    /// Returns at `deadline` or at the next recorded moment, whichever comes first.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Date) async throws { try await clock.sleep(until: deadline) }
}
