public import Geo

/// A way that was given: it is driven from the place nearest to the vehicle to the place nearest to each destination, in either direction.
/// Where it does not lead another router may be asked.
public struct GivenWayRouter: Router {
    /// Farther from the given way than this a place is reached by the other router, or by the straight line, metres.
    public static let reachMeters = 250.0

    /// `given route`.
    public let name = "given route"
    /// The way to drive along, in either direction.
    public let way: Polyline
    private let elsewhere: (any Router)?

    /// A router along `way`.
    /// - Parameter elsewhere: asked where the way does not lead to each place of a request; nil leaves straight lines.
    public init(way: Polyline, elsewhere: (any Router)? = nil) { (self.way, self.elsewhere) = (way, elsewhere) }

    /// For each destination the given way between the places nearest to start and end, at 30 km/h, or a straight line where one of them is
    /// farther from it than `reachMeters`; in place of these the whole answer of the other router, if there is one.
    /// - Throws: `RoutingError`, not retryable, for a request without destinations or with an invalid coordinate; or what the other router
    ///   throws.
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
        places.allSatisfy { place in way.nearest(to: place).map { $0.distanceMeters < Self.reachMeters } ?? false }
    }

    private func path(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
        guard let first = way.nearest(to: start), let last = way.nearest(to: end), first.distanceMeters < Self.reachMeters,
            last.distanceMeters < Self.reachMeters
        else { return [start, end] }
        let isForward = first.alongMeters <= last.alongMeters
        let part = way.slice(
            fromMeters: min(first.alongMeters, last.alongMeters), toMeters: max(first.alongMeters, last.alongMeters)
        ).coordinates
        return [start] + (isForward ? part : part.reversed()) + [end]
    }
}
