public import Geo

/// A request to a router: a way from `origin` through all destinations in their order.
public struct RouteRequest: Hashable, Sendable {
    /// Where the vehicle is.
    public var origin: Coordinate
    /// Direction in which the vehicle moves now, degrees clockwise from north; nil while it stands or the direction is unknown.
    public var originCourseDegrees: Double?
    /// Where to go, in this order; a router refuses an empty list.
    public var destinations: [NavigationWaypoint]

    /// A request from `origin` through `destinations`, for a vehicle that stands unless a course is given.
    public init(origin: Coordinate, originCourseDegrees: Double? = nil, destinations: [NavigationWaypoint]) {
        self.origin = origin
        self.originCourseDegrees = originCourseDegrees
        self.destinations = destinations
    }
}

/// Why there is no route.
public struct RoutingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String
    /// Whether the same request may succeed later without anyone doing something.
    public let isRetryable: Bool
    /// Before that the router will not even try again, seconds; nil where it does not say.
    public let retryAfterSeconds: Double?

    /// An error with its sentence for people and whether a later try may succeed.
    public init(_ description: String, isRetryable: Bool, retryAfterSeconds: Double? = nil) {
        self.description = description
        self.isRetryable = isRetryable
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Finds ways on roads, or the next best way.
///
/// A router may be slow: callers ask it outside of every lock and actor that others wait for.
public protocol Router: Sendable {
    /// For people, such as `OSRM` or `straight line`.
    var name: String { get }
    /// - Throws: `RoutingError`; also for a request without destinations.
    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute
    /// The nearest place on a road for cars; nil unless a router says otherwise.
    /// - Parameter meters: the longest distance from `place` to the road.
    /// - Returns: nil where no known road is that near.
    func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate?
}

extension Router {
    /// Nil: this router knows no roads.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? { nil }
}
