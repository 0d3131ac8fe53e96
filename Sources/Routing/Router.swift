public import Geo

/// A request to a router for a route that starts at `origin` and passes through all destinations in order.
public struct RouteRequest: Hashable, Sendable {
    /// Location of the vehicle.
    public var origin: Coordinate
    /// Current direction of the vehicle, in degrees clockwise from north; nil while the vehicle is stationary or the direction is unknown.
    public var originCourseDegrees: Double?
    /// Destinations in driving order. A router refuses an empty list.
    public var destinations: [NavigationWaypoint]
    /// Whether the steps of the route are needed. If not, a router may leave them out, because finding the names of the roads takes time.
    public var needsSteps: Bool

    /// Creates a request from `origin` to `destinations`. Without a course, the vehicle is assumed to be stationary.
    public init(
        origin: Coordinate, originCourseDegrees: Double? = nil, destinations: [NavigationWaypoint], needsSteps: Bool = true
    ) {
        self.origin = origin
        self.originCourseDegrees = originCourseDegrees
        self.destinations = destinations
        self.needsSteps = needsSteps
    }
}

/// The reason why a router found no route.
public struct RoutingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Description in one sentence for users.
    public let description: String
    /// Whether the same request may succeed later even if the user changes nothing.
    public let isRetryable: Bool
    /// Seconds until the router can be called again; nil if unknown.
    public let retryAfterSeconds: Double?

    /// Creates an error from a sentence for users.
    public init(_ description: String, isRetryable: Bool, retryAfterSeconds: Double? = nil) {
        self.description = description
        self.isRetryable = isRetryable
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Finds routes on roads, or approximations of such routes.
///
/// A router may be slow. Do not call it while holding a lock, or on an actor that other code waits for.
public protocol Router: Sendable {
    /// Name to show to users, such as `OSRM` or `straight line`.
    var name: String { get }
    /// - Throws: `RoutingError`, also for a request without destinations.
    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute
    /// Returns the nearest point on a road for cars. The default implementation returns nil.
    /// - Parameter meters: the largest distance between `place` and the road, in metres.
    /// - Returns: nil if no known road is within `meters`.
    func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate?
}

extension Router {
    /// Returns nil, because the router knows no roads.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? { nil }
}
