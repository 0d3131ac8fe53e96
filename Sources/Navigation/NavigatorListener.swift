public import Routing

/// Receives a navigator's events (`GMSNavigatorListener`). All methods have empty defaults. They are called on the thread that gave the
/// navigator its input.
public protocol NavigatorListener: AnyObject, Sendable {
    /// The vehicle has reached a destination. Called once per destination.
    func navigator(_ navigator: Navigator, didArriveAt waypoint: NavigationWaypoint)
    /// The destinations, their route or the current leg has changed, or the route was cleared.
    func navigatorDidChangeRoute(_ navigator: Navigator)
    /// - Parameter time: seconds to the next destination.
    func navigator(_ navigator: Navigator, didUpdateRemainingTime time: Double)
    /// - Parameter distance: metres to the next destination.
    func navigator(_ navigator: Navigator, didUpdateRemainingDistance distance: Double)
    /// The vehicle is off its route. `ReroutePolicy` decides whether to request a new route.
    func navigator(_ navigator: Navigator, didLeaveRoute reason: OffRouteReason)
    /// The vehicle is on its route again.
    func navigatorDidReturnToRoute(_ navigator: Navigator)
    /// A new route is requested; `navigatorDidChangeRoute` follows when it is found.
    func navigator(_ navigator: Navigator, didBeginRerouting reason: RerouteReason)
    /// Traffic on the route has changed, or the times computed from it have.
    func navigatorDidUpdateTraffic(_ navigator: Navigator)
    /// - Parameter delayCategory: traffic delay on the route to the next destination.
    func navigator(_ navigator: Navigator, didUpdate delayCategory: DelayCategory)
    /// The suggested lighting of the map has changed.
    func navigator(_ navigator: Navigator, didChangeSuggestedLightingMode lightingMode: LightingMode)
    /// - Parameter percentageAboveLimit: 12.5 is an eighth above the limit; 0 means that the vehicle is no longer speeding.
    func navigator(_ navigator: Navigator, didUpdateSpeedingPercentage percentageAboveLimit: Double)
    /// The severity of speeding has changed: see `NavigatorConfiguration.speedAlerts`.
    func navigator(
        _ navigator: Navigator, didUpdateSpeedAlertSeverity severity: SpeedAlertSeverity, speedingPercentage: Double)
    /// The next manoeuvre, or the distance to it, has changed.
    func navigator(_ navigator: Navigator, didUpdate navInfo: NavInfo)
    /// No usable fix has arrived for the given number of seconds.
    func navigator(_ navigator: Navigator, didLoseLocationAfter seconds: Double)
    /// A usable fix has arrived after the given number of seconds without one.
    func navigator(_ navigator: Navigator, didRegainLocationAfter seconds: Double)
    /// An event of any kind has occurred. Called before the event's own method.
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
    public func navigatorDidUpdateTraffic(_ navigator: Navigator) {}
    public func navigator(_ navigator: Navigator, didUpdate delayCategory: DelayCategory) {}
    public func navigator(_ navigator: Navigator, didChangeSuggestedLightingMode lightingMode: LightingMode) {}
    public func navigator(_ navigator: Navigator, didUpdateSpeedingPercentage percentageAboveLimit: Double) {}
    /// Does nothing.
    public func navigator(
        _ navigator: Navigator, didUpdateSpeedAlertSeverity severity: SpeedAlertSeverity, speedingPercentage: Double
    ) {}
    public func navigator(_ navigator: Navigator, didUpdate navInfo: NavInfo) {}
    public func navigator(_ navigator: Navigator, didLoseLocationAfter seconds: Double) {}
    public func navigator(_ navigator: Navigator, didRegainLocationAfter seconds: Double) {}
    public func navigator(_ navigator: Navigator, didProduce event: NavigatorEvent) {}
}

extension Navigator {
    /// Calls the listener's general method and the event's own method.
    func tell(_ listener: any NavigatorListener, _ event: NavigatorEvent) {
        listener.navigator(self, didProduce: event)
        switch event {
        case .didUpdateLocation: break
        case .didChangeRoute: listener.navigatorDidChangeRoute(self)
        case .didArrive(let waypoint): listener.navigator(self, didArriveAt: waypoint)
        case .didUpdateRemainingTime(let seconds): listener.navigator(self, didUpdateRemainingTime: seconds)
        case .didUpdateRemainingDistance(let meters): listener.navigator(self, didUpdateRemainingDistance: meters)
        case .didLeaveRoute(let reason): listener.navigator(self, didLeaveRoute: reason)
        case .didReturnToRoute: listener.navigatorDidReturnToRoute(self)
        case .didBeginRerouting(let reason): listener.navigator(self, didBeginRerouting: reason)
        case .didUpdateTraffic: listener.navigatorDidUpdateTraffic(self)
        case .didUpdateDelayCategory(let category, _): listener.navigator(self, didUpdate: category)
        case .didChangeSuggestedLightingMode(let mode): listener.navigator(self, didChangeSuggestedLightingMode: mode)
        case .didUpdateSpeedingPercentage(let percent): listener.navigator(self, didUpdateSpeedingPercentage: percent)
        case .didUpdateSpeedAlertSeverity(let severity, let percent):
            listener.navigator(self, didUpdateSpeedAlertSeverity: severity, speedingPercentage: percent)
        case .didUpdateNavInfo(let info): listener.navigator(self, didUpdate: info)
        case .didLoseLocation(let seconds): listener.navigator(self, didLoseLocationAfter: seconds)
        case .didRegainLocation(let seconds): listener.navigator(self, didRegainLocationAfter: seconds)
        }
    }
}

/// Receives the locations that a provider reports (`GMSRoadSnappedLocationProviderListener`).
public protocol RoadSnappedLocationProviderListener: AnyObject, Sendable {
    /// A usable fix has arrived. `location` is on the road if it could be snapped.
    func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation)
}
