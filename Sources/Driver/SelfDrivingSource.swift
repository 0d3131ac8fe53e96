public import FleetEngine
public import Geo
public import Navigation

/// A source of positions that goes where the driver's ways lead, as a simulated vehicle does. All others go where their driver takes them.
public protocol SelfDrivingSource: LocationSource {
    /// Where the vehicle is; nil before it has a place.
    var place: Coordinate? { get }
    /// Its activity; nil before it has a place.
    var activity: DrivingSimulator.Activity? { get }
    /// Takes its first place. A source without one starts at the first stop when it gets its first route.
    ///
    /// - Parameter lastSeen: reads the vehicle from the server. `isOptional` says that the place is known without it: then the result may
    ///   be nil.
    func begin(lastSeen: @Sendable (_ isOptional: Bool) async throws -> Vehicle?) async throws
    /// Goes along a way from now on.
    ///
    /// - Parameter change: `.reroute` for another way to the same stop.
    /// - Returns: the way with the times at which it is driven and the traffic that is met.
    func follow(_ route: NavigationRoute, to stop: TripStop, change: RouteChange) -> NavigationRoute
}
