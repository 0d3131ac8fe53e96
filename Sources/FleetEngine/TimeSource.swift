public import FoundationEssentials

/// A clock for code that waits or compares times: the real clock, a faster one, or a test's clock.
public protocol TimeSource: Sendable {
    /// Returns the time that this clock shows.
    func now() -> Date
    /// Waits until this clock has reached `deadline`.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Date) async throws
}

/// A clock that starts at a given time, by default the computer's time, and runs at `speed` times the real speed.
public struct SystemTimeSource: TimeSource {
    /// The number of seconds that this clock advances in one real second; 1 for normal speed.
    public let speed: Double
    private let origin: Date
    private let start: ContinuousClock.Instant

    /// Creates a clock.
    /// - Parameters:
    ///   - speed: the seconds that the clock advances in one real second, 0.01 to 10,000. Other values are clamped, and a value that is not
    ///     finite becomes 1.
    ///   - origin: the time at which the clock starts.
    public init(speed: Double = 1, origin: Date = Date()) {
        self.speed = speed.isFinite ? min(max(speed, 0.01), 10_000) : 1
        self.origin = origin
        self.start = ContinuousClock.now
    }

    /// Returns `origin` plus `speed` times the real time since this clock was made. Setting the computer's clock does not change
    /// the result.
    public func now() -> Date {
        origin.addingTimeInterval((ContinuousClock.now - start).seconds * speed)
    }

    /// Waits until this clock reaches `deadline`, but no longer than 366 real days. The clock also runs while the machine is suspended.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        let seconds = deadline.timeIntervalSince(now()) / speed
        guard seconds > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(min(seconds, 366 * 86_400)))
    }
}

extension TimeSource {
    /// Waits for a number of seconds on this clock.
    public func sleep(seconds: Double) async throws {
        try await sleep(until: now().addingTimeInterval(max(0, seconds)))
    }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
