public import Geo

/// What a router is asked for: a way from here through all destinations in their order.
public struct RouteRequest: Hashable, Sendable {
    public var origin: Coordinate
    /// Direction in which the vehicle moves now, degrees clockwise from north; nil while it stands or nobody knows.
    public var originCourseDegrees: Double?
    public var destinations: [NavigationWaypoint]

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

    public init(_ description: String, isRetryable: Bool) {
        self.description = description
        self.isRetryable = isRetryable
    }
}

/// Finds ways on roads, or the next best there is.
///
/// A router may take its time: whoever asks does so off every lock and actor that others wait for.
public protocol Router: Sendable {
    /// For people, such as `OSRM` or `straight line`.
    var name: String { get }
    /// - Throws: `RoutingError`; also for a request without destinations.
    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute
}
