public import FoundationEssentials
public import Routing

/// What a navigator is doing (`NavigationStatus` of Fleet Engine).
public enum NavigatorStatus: Hashable, Sendable {
    /// There is no route, or guidance is off.
    case noGuidance
    /// The vehicle is guided towards its destination.
    case enrouteToDestination
    /// The vehicle has left its route; the remaining figures are held.
    case offRoute
    /// The vehicle is at its destination, or within `arrivalZoneMeters` of it.
    case arrivedAtDestination
}

/// Why the vehicle is off its route.
public enum OffRouteReason: Hashable, Sendable {
    /// It is too far from the line.
    case distance
    /// It drives along the line in the wrong direction.
    case wrongWay
}

/// Why another way is asked for.
public enum RerouteReason: Hashable, Sendable {
    /// The vehicle is too far from the line.
    case offRoute
    /// The vehicle drives along the line in the wrong direction.
    case wrongWay
    /// The app wants another way although the vehicle is on its route.
    case requested

    /// The reason that follows from where the vehicle is.
    public init(_ reason: OffRouteReason) {
        switch reason {
        case .distance: self = .offRoute
        case .wrongWay: self = .wrongWay
        }
    }
}

/// Why the route changed.
public enum RouteChange: Hashable, Sendable {
    /// The app set a route to other destinations.
    case newDestinations
    /// The app set another way to the same destination.
    case reroute
    /// The vehicle goes on to the next leg of the same route.
    case nextDestination
    /// There is no route any more.
    case cleared
}

/// A command of the app to a navigator.
public enum NavigatorCommand: Hashable, Sendable {
    /// Nil removes the route and ends guidance. A re-route keeps guidance on or off.
    case setRoute(NavigationRoute?, RouteChange)
    /// Switches the telling of remaining figures and arrival; without a route it stays off.
    case setGuidanceActive(Bool)
    /// Another way is asked for now; a new route, or the vehicle's return to the old one, ends it. Saying it again is no news.
    case reroute(RerouteReason)
    /// Drops the current leg and ends guidance; after the last leg there is no route.
    case continueToNextDestination
    /// The same way with other traffic: only a route along the very line of the present one is taken, and progress is kept.
    case updateTraffic(NavigationRoute)
    /// Sets all limits, from the next fix on.
    case configure(NavigatorConfiguration)
    /// Time passes: what depends on it is looked at, with a fix or without. About once a second, by the caller's clock.
    case tick(Date)
}

/// An event of a navigator.
public enum NavigatorEvent: Hashable, Sendable {
    /// A fix was used: here it is, on the road where that was possible.
    case didUpdateLocation(RoadSnappedLocation)
    /// Another route or leg, or no route; the progress along the one before is gone.
    case didChangeRoute(RouteChange)
    /// The current leg's destination was reached.
    case didArrive(NavigationWaypoint)
    /// Seconds to the next destination.
    case didUpdateRemainingTime(Double)
    /// Metres to the next destination.
    case didUpdateRemainingDistance(Double)
    /// The vehicle is off its route.
    case didLeaveRoute(OffRouteReason)
    /// The vehicle is back on the route that it had left. Another route is reported by `didChangeRoute` alone.
    case didReturnToRoute
    /// Another way is being looked for; `didChangeRoute(.reroute)` follows when it is found.
    case didBeginRerouting(RerouteReason)
    /// Traffic on the route, or the times that follow from it, are others now.
    case didUpdateTraffic
    /// Traffic delays the way to the next destination more, or less, than before: by this many seconds, 0 where it is unknown.
    case didUpdateDelayCategory(DelayCategory, delaySeconds: Double)
    /// The map is better lit in this way from now on.
    case didChangeSuggestedLightingMode(LightingMode)
    /// The vehicle's speed in percent above the limit: 12.5 is an eighth more than allowed, 0 the end of speeding.
    case didUpdateSpeedingPercentage(Double)
    /// Speeding has become a minor or a major matter, or none; with the percent above the limit.
    case didUpdateSpeedAlertSeverity(SpeedAlertSeverity, percentage: Double)
    /// The next manoeuvre is another one or nearer than before.
    case didUpdateNavInfo(NavInfo)
    /// For so many seconds there was no usable fix.
    case didLoseLocation(afterSeconds: Double)
    /// Usable fixes come again, after so many seconds.
    case didRegainLocation(afterSeconds: Double)
}
