import FleetEngine
import FoundationEssentials
import Geo

/// Holds back requests to a router after a failure. The next request waits as long as `RetryPace` says, and at least as long as the router
/// asks. A single caller tries first.
struct RouterRest: Sendable {
    /// The reason a router is not asked now, and the seconds until the next request is allowed.
    struct Refusal: Error, Equatable {
        let cause: WebRoutingError
        let seconds: Double
    }

    /// Least wait of a caller while another one tries whether the router answers again, seconds.
    private static let trialSeconds = 1.0

    private static let longestAskedSeconds = 3_600.0

    private var pace = RetryPace(longestServerWaitSeconds: longestAskedSeconds)
    private var random: SeededRandom
    private var trouble: (cause: WebRoutingError, until: Date)?
    private var isTrying = false

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Lets a caller through or throws. The caller must report the outcome.
    mutating func enter(now: Date) throws(Refusal) {
        guard let trouble else { return }
        let seconds = trouble.until.timeIntervalSince(now)
        guard seconds <= 0, !isTrying else { throw Refusal(cause: trouble.cause, seconds: max(seconds, Self.trialSeconds)) }
        isTrying = true
    }

    /// Reports an answer of the router, even one without a route.
    mutating func didAnswer() {
        pace.reset()
        (trouble, isTrying) = (nil, false)
    }

    /// Reports that a caller stopped before the answer.
    mutating func didStop() { isTrying = false }

    /// Reports a failure of the router. Failures of concurrent requests count once.
    /// - Returns: seconds until the next request.
    mutating func didFail(_ cause: WebRoutingError, now: Date) -> Double {
        isTrying = false
        let details = cause.askedSeconds.map { [ErrorDetail.retryInfo(delaySeconds: $0)] } ?? []
        let failure = FleetEngineError(code: .unavailable, message: "", details: details)
        if let trouble, trouble.until > now {
            let seconds = max(trouble.until.timeIntervalSince(now), pace.serverWaitSeconds(of: failure))
            self.trouble?.until = now.addingTimeInterval(seconds)
            return seconds
        }
        let seconds = pace.delaySeconds(after: failure, intervalSeconds: 1, random: &random)
        trouble = (cause, now.addingTimeInterval(seconds))
        return seconds
    }
}
