public import Routing

/// Outcome of a request for a route (`GMSRouteStatus`). In all cases but `ok` the navigator keeps its present route.
public enum RouteStatus: Hashable, Sendable {
    /// The route was found and set.
    case ok
    /// The router found no route.
    case noRouteFound(RoutingError)
    /// The router cannot be reached, or is not ready. A new request may help.
    case networkError(RoutingError)
    /// Another request or another route came first, or the task was cancelled.
    case canceled
    /// There were no destinations.
    case noWaypoints
    /// A destination has an invalid coordinate.
    case invalidWaypoint
    /// The vehicle has no position yet.
    case locationUnavailable
}
