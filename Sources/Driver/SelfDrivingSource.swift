public import FleetEngine
public import Geo
public import Navigation

/// A source of positions that follows the driver's routes, as a simulated vehicle does.
public protocol SelfDrivingSource: LocationSource {
    /// The position of the vehicle; nil until it is set.
    var place: Coordinate? { get }
    /// The activity of the vehicle; nil until its position is set.
    var activity: DrivingSimulator.Activity? { get }
    /// Sets the vehicle's first position. If no position is known, none is set, and the vehicle starts at its first stop.
    ///
    /// - Parameter lastSeen: reads the vehicle from the server. If `isOptional` is true, the result may be nil.
    func begin(lastSeen: @Sendable (_ isOptional: Bool) async throws -> Vehicle?) async throws
    /// Follows a route from now on.
    ///
    /// - Parameter change: `.reroute` for a new route to the same stop.
    /// - Returns: the route with the times and the traffic of the drive.
    func follow(_ route: NavigationRoute, to stop: TripStop, change: RouteChange) -> NavigationRoute
}
