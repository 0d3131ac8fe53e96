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
public struct RouteProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String
    /// Whether the same request may succeed later without anyone doing something.
    public let isRetryable: Bool

    public init(_ description: String, isRetryable: Bool) {
        self.description = description
        self.isRetryable = isRetryable
    }
}

/// A router.
public protocol RouteProvider: Sendable {
    /// For people, such as `OSRM` or `straight line`.
    var name: String { get }
    func route(_ request: RouteRequest) async throws(RouteProviderError) -> NavigationRoute
}

/// The last resort: straight lines from place to place, at one speed. Its name says what it is.
public struct StraightLineRouter: RouteProvider {
    public let name = "straight line"
    private let speedMetersPerSecond: Double

    /// - Parameter speedMetersPerSecond: 1 to 60; outside values are clamped.
    public init(speedMetersPerSecond: Double = 11) {
        self.speedMetersPerSecond = speedMetersPerSecond.isFinite ? min(max(speedMetersPerSecond, 1), 60) : 11
    }

    public func route(_ request: RouteRequest) async throws(RouteProviderError) -> NavigationRoute {
        var legs: [RouterLeg] = []
        var from = request.origin
        for destination in request.destinations {
            let path = [from, destination.coordinate]
            let seconds = Polyline(path).lengthMeters / speedMetersPerSecond
            legs.append(RouterLeg(path: path, destination: destination, durationSeconds: seconds, segmentSeconds: [seconds]))
            from = destination.coordinate
        }
        do {
            return try NavigationRoute(legs: legs)
        } catch {
            throw RouteProviderError("no straight line: \(error)", isRetryable: false)
        }
    }
}
