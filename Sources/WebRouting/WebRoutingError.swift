import FleetEngine
public import Geo
import Routing

/// The reason why a router on the network gives no route.
public enum WebRoutingError: Error, Hashable, Sendable {
    /// The request has no destination, or an invalid coordinate.
    case invalidRequest
    /// The router gave no usable answer. The text continues a sentence that begins with "the router at …".
    case noAnswer(String)
    /// The router answered without a route: with an HTTP status, a message (which may be empty), and the seconds that callers should
    /// wait (nil if not given).
    case refused(status: Int, String, askedSeconds: Double? = nil)
    /// The router has no route between the coordinates. The text is the router's message.
    case noWay(String)
    /// The router's nearest road is farther than ``WebRouter/reachMeters`` from the coordinate. `meters` is the distance to the road.
    case tooFar(from: Coordinate, meters: Double)
    /// The answer is larger than ``WebRouter/largestAnswer``, has more values than ``WebRouter/maximumValueCount``, or has more coordinates
    /// than a route may have.
    case tooLarge
    /// The answer is not in the router's format. The text gives the details.
    case notUnderstood(String)
    /// The task was cancelled.
    case cancelled
}

extension WebRoutingError {
    /// Whether the cause is the router rather than the requested coordinates.
    var isTrouble: Bool {
        switch self {
        case .noAnswer, .refused, .notUnderstood: true
        case .invalidRequest, .noWay, .tooFar, .tooLarge, .cancelled: false
        }
    }

    /// Whether the same request may succeed later without a change by the user.
    var isRetryable: Bool {
        switch self {
        case .noAnswer, .notUnderstood, .cancelled: true
        case .refused(let status, _, _): status >= 500 || status == 429 || status == 408
        case .invalidRequest, .noWay, .tooFar, .tooLarge: false
        }
    }

    /// Seconds that the router asks callers to wait; nil if it does not say.
    var askedSeconds: Double? { if case .refused(_, _, let seconds) = self { seconds } else { nil } }

    /// Converts this error to the error type that all routers share. Its text is one sentence.
    func routingError(_ address: WebRouterAddress, retryAfterSeconds: Double? = nil) -> RoutingError {
        RoutingError(words("the router at \(address)"), isRetryable: isRetryable, retryAfterSeconds: retryAfterSeconds)
    }

    private func words(_ router: String) -> String {
        switch self {
        case .invalidRequest: "the request has no destination, or an invalid place"
        case .noAnswer(let predicate): "\(router) \(predicate)"
        case .refused(let status, let said, _): "\(router) answers with HTTP \(status)\(said.isEmpty ? "" : ": \(said)")"
        case .noWay(let said): "\(router) found no route\(said.isEmpty ? "" : " (\(said))")"
        case .tooFar(_, let meters):
            "\(router) has no road near one of the places; the nearest road is \(Int(clamping: Int64(min(meters, 1e9) / 1_000))) km away"
        case .tooLarge: "the answer from \(router) is too large"
        case .notUnderstood(let how): "the answer from \(router) is not a route (\(how))"
        case .cancelled: "the search was stopped"
        }
    }
}
