public import Geo

/// Plans straight lines between locations at one speed, for cases in which no other router works. Its name shows that the lines are
/// straight.
public struct StraightLineRouter: Router, Hashable {
    /// 30 km/h, which is about the average speed of cars in towns, including stops. Routes of unknown speed use this speed.
    public static let townSpeedMetersPerSecond = 30 / 3.6

    /// Name of the router, `straight line`.
    public let name = "straight line"
    /// Speed of every leg, in metres per second, 1 to 60.
    public let speedMetersPerSecond: Double

    /// - Parameter speedMetersPerSecond: 1 to 60. Other values are clamped, and a value that is not finite becomes the default.
    public init(speedMetersPerSecond: Double = Self.townSpeedMetersPerSecond) {
        self.speedMetersPerSecond =
            speedMetersPerSecond.isFinite ? min(max(speedMetersPerSecond, 1), 60) : Self.townSpeedMetersPerSecond
    }

    /// Creates a straight leg to each destination in turn.
    /// - Throws: `RoutingError`, not retryable, for a request without destinations or with an invalid coordinate.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        try request.planned(by: self) { leg(from: $0, to: $1) }
    }

    /// Returns a straight leg between two locations. It is computed immediately, for callers that cannot wait.
    public func leg(from start: Coordinate, to end: NavigationWaypoint) -> RouterLeg {
        RouterLeg(path: [start, end.coordinate], destination: end, metersPerSecond: speedMetersPerSecond)
    }
}

extension RouteRequest {
    /// Creates a route with one leg per destination. `leg` creates each leg.
    /// - Throws: `RoutingError`, not retryable, if the request has no destinations or `PlannedRoute` refuses the legs.
    func planned(
        by router: some Router, _ leg: (Coordinate, NavigationWaypoint) -> RouterLeg
    ) throws(RoutingError) -> PlannedRoute {
        var legs: [RouterLeg] = []
        var from = origin
        for destination in destinations {
            legs.append(leg(from, destination))
            from = destination.coordinate
        }
        do throws(RouteError) {
            return try PlannedRoute(planner: router.name, legs: legs)
        } catch {
            throw RoutingError("no usable route (\(router.name)): \(error)", isRetryable: false)
        }
    }
}
