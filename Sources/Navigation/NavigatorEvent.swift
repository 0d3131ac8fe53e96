public import FoundationEssentials
public import Routing

/// Status of a navigator (`NavigationStatus` of Fleet Engine).
public enum NavigatorStatus: Hashable, Sendable {
    /// There is no route, or guidance is off.
    case noGuidance
    /// The vehicle is guided towards its destination.
    case enrouteToDestination
    /// The vehicle has left its route. The remaining distance and time keep their last values.
    case offRoute
    /// The vehicle is at its destination, or within `arrivalZoneMeters` of it.
    case arrivedAtDestination
}

/// The reason the vehicle is off its route.
public enum OffRouteReason: Hashable, Sendable {
    /// The vehicle is too far from the line.
    case distance
    /// The vehicle is driving along the line in the wrong direction.
    case wrongWay
}

/// The reason a new route is requested.
public enum RerouteReason: Hashable, Sendable {
    /// The vehicle is too far from the line.
    case offRoute
    /// The vehicle is driving along the line in the wrong direction.
    case wrongWay
    /// The app wants a new route although the vehicle is on its route.
    case requested

    /// Creates the reason that matches an off-route reason.
    public init(_ reason: OffRouteReason) {
        switch reason {
        case .distance: self = .offRoute
        case .wrongWay: self = .wrongWay
        }
    }
}

/// The reason the route changed.
public enum RouteChange: Hashable, Sendable {
    /// The app set a route to other destinations.
    case newDestinations
    /// The app set a new route to the same destination.
    case reroute
    /// The vehicle goes on to the next leg of the same route.
    case nextDestination
    /// The route was cleared.
    case cleared
}

/// A command from the app to a navigator.
public enum NavigatorCommand: Hashable, Sendable {
    /// Sets a route. Nil clears the route and ends guidance. A new route leaves guidance on or off, as it was.
    case setRoute(NavigationRoute?, RouteChange)
    /// Switches the reports of remaining time, remaining distance and arrival on or off. Without a route they stay off.
    case setGuidanceActive(Bool)
    /// Tells listeners that a new route is being requested. The request ends with a new route, with the next leg, or with the next fix that
    /// is not off the route. Until then, repeating the command with the same reason has no effect.
    case reroute(RerouteReason)
    /// Ends the current leg and guidance. If this was the last leg, clears the route.
    case continueToNextDestination
    /// Replaces the traffic of the current route. Only a route with an identical line and the same number of legs is accepted. The progress
    /// is kept.
    case updateTraffic(NavigationRoute)
    /// Replaces all limits, from the next fix on.
    case configure(NavigatorConfiguration)
    /// Tells the navigator the current time by the caller's clock. Send it about once a second, even if no fixes come, because some events
    /// depend on the time alone.
    case tick(Date)
}

/// An event of a navigator.
public enum NavigatorEvent: Hashable, Sendable {
    /// A fix was used. The location is on the road if it could be snapped.
    case didUpdateLocation(RoadSnappedLocation)
    /// The route or the leg has changed, or the route was cleared. The progress along the old route or leg is forgotten.
    case didChangeRoute(RouteChange)
    /// The current leg's destination was reached.
    case didArrive(NavigationWaypoint)
    /// The remaining time to the next destination, in seconds.
    case didUpdateRemainingTime(Double)
    /// The remaining distance to the next destination, in metres.
    case didUpdateRemainingDistance(Double)
    /// The vehicle is off its route.
    case didLeaveRoute(OffRouteReason)
    /// The vehicle is back on the route that it had left. If a new route was set instead, only `didChangeRoute` is reported.
    case didReturnToRoute
    /// A new route is requested; `didChangeRoute(.reroute)` follows when it is found.
    case didBeginRerouting(RerouteReason)
    /// Traffic on the route has changed, or the times computed from it have.
    case didUpdateTraffic
    /// The category of the traffic delay on the route to the next destination has changed. The delay is in seconds; 0 if it is unknown.
    case didUpdateDelayCategory(DelayCategory, delaySeconds: Double)
    /// The suggested lighting of the map has changed.
    case didChangeSuggestedLightingMode(LightingMode)
    /// The percentage by which the speed is above the limit; 0 when the vehicle is no longer speeding.
    case didUpdateSpeedingPercentage(Double)
    /// The severity of speeding has changed. `percentage` is how far the speed is above the limit, as a percentage of the limit.
    case didUpdateSpeedAlertSeverity(SpeedAlertSeverity, percentage: Double)
    /// The next manoeuvre, or the distance to it, has changed.
    case didUpdateNavInfo(NavInfo)
    /// No usable fix has arrived for the given number of seconds.
    case didLoseLocation(afterSeconds: Double)
    /// A usable fix has arrived after the given number of seconds without one.
    case didRegainLocation(afterSeconds: Double)
}
