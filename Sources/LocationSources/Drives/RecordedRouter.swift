import Geo
import Navigation
public import Routing
import Synchronization

/// Answers with the routes of a recorded drive. Each request gets the first unused route to its destinations, or else the route that
/// another router returns.
public final class RecordedRouter: Router {
    /// Largest distance at which a stop and a recorded stop count as the same stop, in metres.
    private static let sameMeters = 30.0

    /// The name of the router, `recorded drive`.
    public let name = "recorded drive"
    private let other: any Router
    private let left: Mutex<[PlannedRoute]>

    /// - Parameter other: the router for requests that the recording cannot answer.
    public init(_ recording: DriveRecording, other: any Router) {
        self.other = other
        left = Mutex(recording.routes.compactMap { try? PlannedRoute(planner: "recorded drive", legs: DriveRoute($0).legs.map(\.leg)) })
    }

    /// Finds a route.
    /// - Throws: the error of the other router.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        let recorded = left.withLock { left -> PlannedRoute? in
            let index = left.firstIndex { $0.leads(to: request.destinations, within: Self.sameMeters) }
            return index.map { left.remove(at: $0) }
        }
        if let recorded { return recorded }
        return try await other.route(request)
    }
}

extension PlannedRoute {
    fileprivate func leads(to destinations: [NavigationWaypoint], within meters: Double) -> Bool {
        legs.count == destinations.count
            && zip(legs, destinations).allSatisfy { $0.destination.coordinate.distanceMeters(to: $1.coordinate) <= meters }
    }
}
