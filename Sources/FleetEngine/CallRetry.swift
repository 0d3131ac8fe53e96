public import Geo

/// Retries of one call, with the limits of Fleet Engine's own service config. Polling has its own pace, `RetryPace`.
///
/// A call is attempted at most 5 times. Only UNAVAILABLE is retried, and only if its error class is retryable. The first wait is 1
/// s; each further wait is 1.3 times as long, up to 10 s. Every wait varies by ± 20 %.
public struct CallRetry: Hashable, Sendable {
    private static let maximumAttempts = 5
    private static let initialSeconds = 1.0
    private static let multiplier = 1.3
    private static let longestSeconds = 10.0

    private var attempts = 0

    /// Creates the state of a call that has not been tried yet.
    public init() {}

    /// Counts a failed attempt. Returns the seconds to wait before the next attempt; nil if the call must not be tried again.
    public mutating func delaySeconds(after error: FleetEngineError, random: inout SeededRandom) -> Double? {
        attempts += 1
        guard error.code == .unavailable, error.errorClass() == .retryable, attempts < Self.maximumAttempts else { return nil }
        let plain = (1..<attempts).reduce(Self.initialSeconds) { wait, _ in wait * Self.multiplier }
        return min(plain, Self.longestSeconds) * random.double(in: 0.8...1.2)
    }
}
