public import Geo

/// The last resort: straight lines from place to place, at one speed. Its name says what it is.
public struct StraightLineRouter: Router, Hashable {
    /// 30 km/h, about the speed of cars in towns with lights and turns counted in. Ways of unknown speed take it.
    public static let townSpeedMetersPerSecond = 30 / 3.6

    /// `straight line`.
    public let name = "straight line"
    /// The one speed of every leg, metres per second, 1 to 60.
    public let speedMetersPerSecond: Double

    /// - Parameter speedMetersPerSecond: 1 to 60; outside values are clamped.
    public init(speedMetersPerSecond: Double = Self.townSpeedMetersPerSecond) {
        self.speedMetersPerSecond =
            speedMetersPerSecond.isFinite ? min(max(speedMetersPerSecond, 1), 60) : Self.townSpeedMetersPerSecond
    }

    /// A straight leg to each destination in turn.
    /// - Throws: `RoutingError`, not retryable, for a request without destinations or with an invalid coordinate.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        try request.planned(by: self) { leg(from: $0, to: $1) }
    }

    /// The line between two places at once, for callers that cannot wait.
    public func leg(from start: Coordinate, to end: NavigationWaypoint) -> RouterLeg {
        RouterLeg(path: [start, end.coordinate], destination: end, metersPerSecond: speedMetersPerSecond)
    }
}

extension RouteRequest {
    /// The route whose legs are made one by one.
    /// - Throws: `RoutingError` for what cannot be driven.
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
            throw RoutingError("no way by \(router.name): \(error)", isRetryable: false)
        }
    }
}
