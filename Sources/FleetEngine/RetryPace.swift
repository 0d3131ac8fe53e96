public import Geo

/// The wait between a failed call and its next attempt, for calls that are repeated until they succeed.
///
/// - After the n-th retryable failure: max(interval, min(60 s, 5 s × 1.6^(n−1))) × jitter.
/// - After the n-th failure that needs the user: max(interval, w × jitter), where w is 30, 60, 120, and from the fourth failure on 300 s.
/// - After the n-th failure because of an exceeded quota: max(w, min(300 s, w × 2^(n−1)) × jitter), where w is 30 s, or the wait that the
///   server asked for if that is longer.
/// - After an unknown method: 300 s.
///
/// Jitter is 0.8...1.2. Every wait is at least as long as the server asked for, up to 300 s by default.
public struct RetryPace: Hashable, Sendable {
    /// Longest wait that a server may ask for, in seconds. One wrong answer must not stop all calls for longer than this.
    public static let longestServerWaitSeconds = 300.0
    private static let jitter = 0.8...1.2
    private static let actionSeconds = [30.0, 60, 120, 300]

    private let longestAskedSeconds: Double
    private var retryableFailures = 0
    private var actionFailures = 0
    private var quotaFailures = 0

    /// Creates a pace that has counted no failure.
    /// - Parameter longestServerWaitSeconds: the longest wait that a server may ask for; a longer wait is shortened to this limit.
    public init(longestServerWaitSeconds: Double = RetryPace.longestServerWaitSeconds) { longestAskedSeconds = longestServerWaitSeconds }

    /// Forgets all failures. Called when a call has succeeded.
    public mutating func reset() { self = RetryPace(longestServerWaitSeconds: longestAskedSeconds) }

    /// Counts a failure.
    /// - Parameters:
    ///   - intervalSeconds: the time between two calls without failures, in seconds.
    ///   - minimumSeconds: the shortest wait after a retryable failure, jitter included, in seconds.
    ///   - random: the source of the jitter; one number is drawn.
    /// - Returns: seconds until the next attempt.
    public mutating func delaySeconds(
        after error: FleetEngineError, intervalSeconds: Double, minimumSeconds: Double = 0, random: inout SeededRandom
    ) -> Double {
        let jitter = random.double(in: Self.jitter)
        let asked = serverWaitSeconds(of: error)
        switch error.errorClass() {
        case .retryable:
            retryableFailures += 1
            return max(max(intervalSeconds, Self.retryableSeconds(retryableFailures)) * jitter, minimumSeconds, asked)
        case .actionRequired where error.code == .resourceExhausted:
            quotaFailures += 1
            let least = max(30, asked)
            return max(least, min(300, least * Self.power(2, quotaFailures - 1)) * jitter)
        case .actionRequired where error.code == .unimplemented:
            return max(300, asked)
        case .actionRequired:
            actionFailures += 1
            let own = Self.actionSeconds.prefix(actionFailures).last ?? 30
            return max(intervalSeconds, own * jitter, asked)
        }
    }

    /// Returns the wait after `failures` retryable failures in a row, without jitter, in seconds; 0 for 0 failures.
    public static func retryableSeconds(_ failures: Int) -> Double { failures < 1 ? 0 : min(60, 5 * power(1.6, failures - 1)) }

    /// Returns the wait that the server asked for, at most `longestServerWaitSeconds`, in seconds; 0 if it asked for no wait.
    public func serverWaitSeconds(of error: FleetEngineError) -> Double { min(error.retryDelaySeconds ?? 0, longestAskedSeconds) }

    /// Returns the longest possible wait after a failure, in seconds.
    public func longestDelaySeconds(intervalSeconds: Double) -> Double {
        max(intervalSeconds, 300, longestAskedSeconds) * Self.jitter.upperBound
    }

    /// Returns `base` raised to an integer power, without libm. An exponent above 64 is replaced by 64, and a negative one by 0.
    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<min(max(exponent, 0), 64)).reduce(1) { result, _ in result * base }
    }
}
