public import Routing

/// What became of a request for a route (`GMSRouteStatus`). In all cases but `ok` the navigator keeps the route that it had.
public enum RouteStatus: Hashable, Sendable {
    /// The route was found, and the navigator has it.
    case ok
    /// The router knows no way there.
    case noRouteFound(RoutingError)
    /// The router cannot be reached, or is not ready; asking again may help.
    case networkError(RoutingError)
    /// Another request, or another route, came first, or the task was cancelled.
    case canceled
    /// There were no destinations.
    case noWaypoints
    /// A destination is no place on earth.
    case invalidWaypoint
    /// The vehicle has no position yet.
    case locationUnavailable
}
