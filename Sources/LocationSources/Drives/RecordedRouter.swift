import Geo
import Navigation
public import Routing
import Synchronization

/// Answers with the ways of a recorded drive: to each destination the first one that was driven there and was not given yet. Another
/// router answers for destinations to which none is left.
public final class RecordedRouter: Router {
    /// A stop that is no farther from the recorded one is the same, metres.
    private static let sameMeters = 30.0

    /// `recorded drive`.
    public let name = "recorded drive"
    private let other: any Router
    private let left: Mutex<[PlannedRoute]>

    /// - Parameter other: for destinations that were not driven to.
    public init(_ recording: DriveRecording, other: any Router) {
        self.other = other
        left = Mutex(recording.routes.compactMap { try? PlannedRoute(planner: "recorded drive", legs: DriveRoute($0).legs.map(\.leg)) })
    }

    /// - Throws: what the other router throws.
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
