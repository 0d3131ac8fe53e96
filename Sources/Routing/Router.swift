public import Geo

/// A request to a router for a route from `origin` through all destinations in their order.
public struct RouteRequest: Hashable, Sendable {
    /// Place of the vehicle.
    public var origin: Coordinate
    /// Present direction of the vehicle, degrees clockwise from north; nil while it stands or the direction is unknown.
    public var originCourseDegrees: Double?
    /// Destinations in driving order. A router refuses an empty list.
    public var destinations: [NavigationWaypoint]

    /// Creates a request from `origin` through `destinations`, for a standing vehicle unless a course is given.
    public init(origin: Coordinate, originCourseDegrees: Double? = nil, destinations: [NavigationWaypoint]) {
        self.origin = origin
        self.originCourseDegrees = originCourseDegrees
        self.destinations = destinations
    }
}

/// The reason there is no route.
public struct RoutingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Description, one sentence for users.
    public let description: String
    /// Whether the same request may succeed later without a change by the user.
    public let isRetryable: Bool
    /// Seconds during which the router will not try again; nil if they are not known.
    public let retryAfterSeconds: Double?

    /// Creates an error from a sentence for users.
    public init(_ description: String, isRetryable: Bool, retryAfterSeconds: Double? = nil) {
        self.description = description
        self.isRetryable = isRetryable
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Finds routes on roads, or the next best route.
///
/// A router may be slow, so callers use it outside of any lock or actor that others wait for.
public protocol Router: Sendable {
    /// Name to show to users, such as `OSRM` or `straight line`.
    var name: String { get }
    /// - Throws: `RoutingError`, also for a request without destinations.
    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute
    /// The nearest place on a road for cars. The default implementation returns nil.
    /// - Parameter meters: the longest distance from `place` to the road.
    /// - Returns: nil if no known road is that near.
    func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate?
}

extension Router {
    /// Returns nil, because the router knows no roads.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? { nil }
}
