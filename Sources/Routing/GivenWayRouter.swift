public import Geo

/// A way that was given: it is driven from the place nearest to the vehicle to the place nearest to each destination, in either direction.
public struct GivenWayRouter: Router {
    /// Farther from the given way than this a place is reached by the straight line, metres.
    public static let reachMeters = 250.0

    /// `given route`.
    public let name = "given route"
    /// The way to drive along, in either direction.
    public let way: Polyline

    /// A router along `way`; with an empty one it answers with straight lines.
    public init(way: Polyline) { self.way = way }

    /// For each destination the given way between the places nearest to start and end, at 30 km/h, or a straight line where one of them is
    /// farther from it than `reachMeters`.
    /// - Throws: `RoutingError`, not retryable, for a request without destinations or with an invalid coordinate.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        try request.planned(by: self) { start, destination in
            RouterLeg(
                path: path(from: start, to: destination.coordinate), destination: destination,
                metersPerSecond: StraightLineRouter.townSpeedMetersPerSecond)
        }
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
