public import FleetEngine
public import Geo

/// How long to wait after a failure before the next try. One success resets it.
///
/// Transient failure n: max(interval, min(60 s, 5 s × 1.6^(n−1))) ± 20 %. Failures that need someone to do something: 30, 60, 120, 300 s ± 20 %.
/// Quota: 30 s doubling to 300 s. Method unknown: 300 s. A wait that the server asked for is never undercut.
public struct RetryPace: Hashable, Sendable {
    /// A server may ask for more; it gets no more than this, seconds.
    public static let longestSeconds = 3_600.0
    private static let actionSeconds = [30.0, 60, 120, 300]

    private var transientFailures = 0
    private var actionFailures = 0
    private var quotaFailures = 0

    public init() {}

    public mutating func reset() { self = RetryPace() }

    /// - Parameters:
    ///   - intervalSeconds: the pace without failures.
    ///   - random: one draw.
    public mutating func delaySeconds(
        after error: FleetEngineError, intervalSeconds: Double, random: inout SeededRandom
    ) -> Double {
        let jitter = random.double(in: 0.8...1.2)
        let asked = min(error.retryDelaySeconds ?? 0, Self.longestSeconds)
        switch error.code {
        case .resourceExhausted:
            quotaFailures += 1
            let own = min(300, 30 * Self.power(2, quotaFailures - 1))
            return max(own, asked) * max(1, jitter)
        case .unimplemented:
            return max(300 * jitter, asked)
        default:
            break
        }
        switch error.errorClass() {
        case .retryable:
            transientFailures += 1
            let own = min(60, 5 * Self.power(1.6, transientFailures - 1))
            return max(max(intervalSeconds, own) * jitter, asked)
        case .actionRequired:
            actionFailures += 1
            let own = Self.actionSeconds.prefix(actionFailures).last ?? 30
            return max(own * jitter, asked)
        }
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<min(max(exponent, 0), 16)).reduce(1) { result, _ in result * base }
    }
}
