public import Routing

/// The outcome of a request for a route (`GMSRouteStatus`). In all cases except `ok`, the navigator keeps its current route.
public enum RouteStatus: Hashable, Sendable {
    /// The route was found and set.
    case ok
    /// The router found no route.
    case noRouteFound(RoutingError)
    /// The router cannot be reached, or is not ready. A later request may succeed.
    case networkError(RoutingError)
    /// The route, its traffic or the current leg changed before the router answered, or the task was cancelled.
    case canceled
    /// The list of destinations was empty.
    case noWaypoints
    /// A destination has an invalid coordinate.
    case invalidWaypoint
    /// The vehicle has no position yet.
    case locationUnavailable
}
