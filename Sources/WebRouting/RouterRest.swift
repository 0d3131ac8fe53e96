import FleetEngine
import FoundationEssentials
import Geo

/// Leaves a router alone that is in trouble: after a failure it is asked again when the wait of `RetryPace` is over, which
/// is never less than the router asked for, by one caller first.
struct RouterRest: Sendable {
    /// Why a router is not asked now, and seconds until it may be.
    struct Refusal: Error, Equatable {
        let cause: WebRoutingError
        let seconds: Double
    }

    /// While another caller finds out whether the router answers again, seconds.
    private static let trialSeconds = 1.0

    private static let longestAskedSeconds = 3_600.0

    private var pace = RetryPace(longestServerWaitSeconds: longestAskedSeconds)
    private var random: SeededRandom
    private var trouble: (cause: WebRoutingError, until: Date)?
    private var isTrying = false

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A caller that is let through tells the outcome.
    mutating func enter(now: Date) throws(Refusal) {
        guard let trouble else { return }
        let seconds = trouble.until.timeIntervalSince(now)
        guard seconds <= 0, !isTrying else { throw Refusal(cause: trouble.cause, seconds: max(seconds, Self.trialSeconds)) }
        isTrying = true
    }

    /// The router has answered, though maybe that it knows no way.
    mutating func didAnswer() {
        pace.reset()
        (trouble, isTrying) = (nil, false)
    }

    /// A caller went away without an answer.
    mutating func didStop() { isTrying = false }

    /// The router is in trouble. Callers that were let through together count once.
    /// - Returns: seconds until it may be asked again.
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
