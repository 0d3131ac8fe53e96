import FleetEngine
public import Geo
import Routing

/// Why a router on the network gives no way. Callers then take the straight line and say so.
public enum WebRoutingError: Error, Hashable, Sendable {
    /// The request has no destination, or a place that is none.
    case invalidRequest
    /// No answer: the words continue "the router at … does not answer".
    case noAnswer(String)
    /// An answer that is no route: an HTTP status, what the router says, which may be empty, and for how many seconds it asks to be left
    /// alone; nil where it does not.
    case refused(status: Int, String, askedSeconds: Double? = nil)
    /// The router has no way between the places; what it says.
    case noWay(String)
    /// The router's nearest road is farther than ``WebRouter/reachMeters`` from the place, metres.
    case tooFar(from: Coordinate, meters: Double)
    /// The answer is larger than ``WebRouter/largestAnswer`` or has more places than a route may have.
    case tooLarge
    /// The answer is not what such a router answers: how.
    case notUnderstood(String)
    /// The task was cancelled.
    case cancelled
}

extension WebRoutingError {
    /// Whether the fault is the router's, and not that of the places that it was asked for.
    var isTrouble: Bool {
        switch self {
        case .noAnswer, .refused, .notUnderstood: true
        case .invalidRequest, .noWay, .tooFar, .tooLarge, .cancelled: false
        }
    }

    /// Whether the same request may succeed later without anyone doing something.
    var isRetryable: Bool {
        switch self {
        case .noAnswer, .notUnderstood, .cancelled: true
        case .refused(let status, _, _): status >= 500 || status == 429 || status == 408
        case .invalidRequest, .noWay, .tooFar, .tooLarge: false
        }
    }

    /// For how long the router asks to be left alone, seconds.
    var askedSeconds: Double? { if case .refused(_, _, let seconds) = self { seconds } else { nil } }

    /// The same as the one error of all routers, in one sentence.
    func routingError(_ address: WebRouterAddress, retryAfterSeconds: Double? = nil) -> RoutingError {
        RoutingError(words("the router at \(address)"), isRetryable: isRetryable, retryAfterSeconds: retryAfterSeconds)
    }

    private func words(_ router: String) -> String {
        switch self {
        case .invalidRequest: "a place of the request is none"
        case .noAnswer(let why): "\(router) does not answer (\(why))"
        case .refused(let status, let said, _): "\(router) refuses to answer (HTTP \(status)\(said.isEmpty ? "" : ": \(said)"))"
        case .noWay(let said): "\(router) knows no way\(said.isEmpty ? "" : " (\(said))")"
        case .tooFar(_, let meters):
            "\(router) has no road near a place, the nearest is \(Int(clamping: Int64(min(meters, 1e9) / 1_000))) km away"
        case .tooLarge: "the answer of \(router) is too large"
        case .notUnderstood(let how): "the answer of \(router) is no route (\(how))"
        case .cancelled: "the search was stopped"
        }
    }
}
