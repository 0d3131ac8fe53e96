public import Routing

/// The limits of a navigator. The defaults of the two thresholds are the SDK's; the others were measured on drives with simulated errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// The least change of the remaining time that is reported, seconds.
    public var timeUpdateThreshold = 1.0
    /// The least change of the remaining distance that is reported, metres.
    public var distanceUpdateThreshold = 1.0
    /// From here on the state is `arrivedAtDestination`, metres along the route. Fleet Engine's comment says about 50 m.
    public var arrivalZoneMeters = 50.0
    /// From here on `didArriveAt` is reported at once, metres along the route.
    public var arrivalMeters = 25.0
    /// A fix this far from the line speaks against the route, metres; more when the fix is inaccurate.
    public var offRouteMeters = 30.0
    /// The same as a multiple of the fix's accuracy; the larger of both counts.
    public var offRouteAccuracyFactor = 2.5
    /// Fixes that are less accurate than this, or that do not say how accurate they are, neither raise nor clear the alarm, metres.
    public var alarmAccuracyMeters = 50.0

    /// The defaults.
    public init() {}

    /// How far from the line a fix may be, metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? 0))
    }
}

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
    /// Drops the current leg and ends guidance; after the last leg there is no route.
    case continueToNextDestination
    /// Sets all limits, from the next fix on.
    case configure(NavigatorConfiguration)
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
}
