public import Geo

/// Plans routes along a given path, in either direction. A leg leads straight from its start to the nearest point of the path, along the
/// path, and straight to its end. A request that contains a location farther than `reachMeters` from the path goes to another router, if
/// there is one.
public struct GivenWayRouter: Router {
    /// Maximum distance of a location from the path, in metres. If a location is farther away, the other router answers the request.
    /// Without another router, a straight line leads to the location.
    public static let reachMeters = 250.0

    /// Name of the router, `given route`.
    public let name = "given route"
    /// The path to drive along. It can be driven in both directions.
    public let way: Polyline
    private let elsewhere: (any Router)?

    /// Creates a router along `way`.
    /// - Parameter elsewhere: router for requests with a location that is not on the path; nil means straight lines.
    public init(way: Polyline, elsewhere: (any Router)? = nil) { (self.way, self.elsewhere) = (way, elsewhere) }

    /// Finds one leg to each destination, driven at 30 km/h. If a location in the request is more than `reachMeters` from the path,
    /// the other router answers the whole request. Without another router, the legs from and to that location are straight lines.
    /// - Throws: `RoutingError`, not retryable, for a request without destinations or with an invalid coordinate; or the error of the other
    ///   router.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        if let elsewhere, !leads(to: [request.origin] + request.destinations.map(\.coordinate)) {
            return try await elsewhere.route(request)
        }
        return try request.planned(by: self) { start, destination in
            RouterLeg(
                path: path(from: start, to: destination.coordinate), destination: destination,
                metersPerSecond: StraightLineRouter.townSpeedMetersPerSecond)
        }
    }

    private func leads(to places: [Coordinate]) -> Bool {
        places.allSatisfy { place in way.nearest(to: place).map { $0.distanceMeters <= Self.reachMeters } ?? false }
    }

    private func path(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
        guard let first = way.nearest(to: start), let last = way.nearest(to: end), first.distanceMeters <= Self.reachMeters,
            last.distanceMeters <= Self.reachMeters
        else { return [start, end] }
        let isForward = first.alongMeters <= last.alongMeters
        let part = way.slice(
            fromMeters: min(first.alongMeters, last.alongMeters), toMeters: max(first.alongMeters, last.alongMeters)
        ).coordinates
        return [start] + (isForward ? part : part.reversed()) + [end]
    }
}
