public import Routing

/// Hears a navigator's events (`GMSNavigatorListener`). All methods have empty defaults. They are called on the thread that fed the
/// navigator.
public protocol NavigatorListener: AnyObject, Sendable {
    /// A destination was reached; once for each.
    func navigator(_ navigator: Navigator, didArriveAt waypoint: NavigationWaypoint)
    /// Other destinations, another way to them, the next leg, or no route any more.
    func navigatorDidChangeRoute(_ navigator: Navigator)
    /// - Parameter time: seconds to the next destination.
    func navigator(_ navigator: Navigator, didUpdateRemainingTime time: Double)
    /// - Parameter distance: metres to the next destination.
    func navigator(_ navigator: Navigator, didUpdateRemainingDistance distance: Double)
    /// The vehicle is off its route. Whether to ask for another one is a separate decision: see `ReroutePolicy`.
    func navigator(_ navigator: Navigator, didLeaveRoute reason: OffRouteReason)
    /// The vehicle is on its route again.
    func navigatorDidReturnToRoute(_ navigator: Navigator)
    /// Another way is being looked for; the changed route follows when it is found.
    func navigator(_ navigator: Navigator, didBeginRerouting reason: RerouteReason)
    /// Every event, before the method that is its own; for listeners that take all of them.
    func navigator(_ navigator: Navigator, didProduce event: NavigatorEvent)
}

extension NavigatorListener {
    public func navigator(_ navigator: Navigator, didArriveAt waypoint: NavigationWaypoint) {}
    public func navigatorDidChangeRoute(_ navigator: Navigator) {}
    public func navigator(_ navigator: Navigator, didUpdateRemainingTime time: Double) {}
    public func navigator(_ navigator: Navigator, didUpdateRemainingDistance distance: Double) {}
    public func navigator(_ navigator: Navigator, didLeaveRoute reason: OffRouteReason) {}
    public func navigatorDidReturnToRoute(_ navigator: Navigator) {}
    public func navigator(_ navigator: Navigator, didBeginRerouting reason: RerouteReason) {}
    public func navigator(_ navigator: Navigator, didProduce event: NavigatorEvent) {}
}

/// Hears every location (`GMSRoadSnappedLocationProviderListener`).
public protocol RoadSnappedLocationProviderListener: AnyObject, Sendable {
    /// A fix came that the navigator could use; `location` is on the road where that was possible.
    func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation)
}
