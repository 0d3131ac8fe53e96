public import FleetEngine
public import FoundationEssentials

/// The clock of a replay. It shows the recorded time and runs `speed` times as fast as its base clock. At every recorded moment it stops
/// until a call has asked for that moment.
///
/// A poll loop sleeps for its interval and then calls GetTrip. Without special rules, the loop would skip moments that are closer together
/// than its interval. At high speed, it would skip nearly all moments. Therefore:
///
/// - `sleep(until:)` returns at the deadline or at the next recorded moment, whichever is first.
/// - The clock stops at a recorded moment until a GetTrip has been answered for it, and shows exactly the moment's time.
/// - After that answer the clock stands still until the next `sleep(until:)`, so that the answer is also processed at the moment's time.
///
/// The clock makes up for the time that the poll loop takes, but for at most one second. A process that was suspended therefore continues
/// at the moment at which it was suspended. After the last moment the clock does not stop again.
///
/// A playback serves only one poll loop. Other tasks may read the clock and sleep on it, but their sleeps may end early, at a recorded
/// moment. Such a task wakes at most once every 10 ms.
public final class PlaybackTimeSource: TimeSource {
    /// The range of speeds. Values outside it are clamped.
    public static let speeds = 0.01...1_000_000.0

    /// The recording that is played.
    public let trip: RecordedTrip
    /// Number of recorded seconds that pass per second of the base clock.
    public let speed: Double

    let clock: PlaybackClock

    /// The recorded time of the last answer to the poll loop; nil before the first answer, and in the replay of a log. The clock may
    /// already show a later time, because another task has slept since.
    package var lastMoment: Date? { clock.lastMoment }

    /// Creates a clock that shows the start of `trip` until a call first asks for the trip.
    /// - Parameters:
    ///   - speed: number of recorded seconds that pass per second of the base clock; not-a-number counts as 1.
    ///   - base: the clock from which this one is computed.
    public init(_ trip: RecordedTrip, speed: Double = 1, base: any TimeSource = SystemTimeSource()) {
        self.trip = trip
        clock = PlaybackClock(moments: trip.moments, start: trip.start, speed: speed, base: base)
        self.speed = clock.speed
    }

    /// Returns the recorded time that the clock shows now.
    public func now() -> Date { clock.now() }

    /// Returns at `deadline` or at the next recorded moment, whichever comes first.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Date) async throws { try await clock.sleep(until: deadline) }
}
