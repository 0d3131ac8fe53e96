import FleetEngine
import FoundationEssentials
import Geo

/// Holds back requests to a router after a failure. The pause follows `RetryPace`. If the router asks for a longer pause, the pause is that
/// long, but at most an hour. After the pause, a single request tests the router.
struct RouterRest: Sendable {
    /// The error that stopped the requests, and the seconds until the next request is allowed.
    struct Refusal: Error, Equatable {
        let cause: WebRoutingError
        let seconds: Double
    }

    /// Minimum wait of a refused caller, in seconds. It matters while another caller's request tests the router.
    private static let trialSeconds = 1.0

    private static let longestAskedSeconds = 3_600.0

    private var pace = RetryPace(longestServerWaitSeconds: longestAskedSeconds)
    private var random: SeededRandom
    private var trouble: (cause: WebRoutingError, until: Date)?
    private var isTrying = false

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Throws unless a request may be sent now. The caller must report the outcome of the request.
    mutating func enter(now: Date) throws(Refusal) {
        guard let trouble else { return }
        let seconds = trouble.until.timeIntervalSince(now)
        guard seconds <= 0, !isTrying else { throw Refusal(cause: trouble.cause, seconds: max(seconds, Self.trialSeconds)) }
        isTrying = true
    }

    /// Records that the router has answered, even without a route.
    mutating func didAnswer() {
        pace.reset()
        (trouble, isTrying) = (nil, false)
    }

    /// Records that a request ended without showing whether the router answers: it was cancelled, or invalid.
    mutating func didStop() { isTrying = false }

    /// Records a failure of the router. Failures of requests that ran at the same time count as one.
    /// - Returns: seconds until the next request is allowed.
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
