public import Routing

/// The limits of a navigator. The defaults of the two thresholds are the SDK's; the others were measured on drives with simulated errors.
public struct NavigatorConfiguration: Hashable, Sendable {
    /// The remaining time is told again when it has changed by this much, seconds.
    public var timeUpdateThreshold = 1.0
    /// The remaining distance is told again when it has changed by this much, metres.
    public var distanceUpdateThreshold = 1.0
    /// From here on the state is `arrivedAtDestination`, metres along the route. Fleet Engine's comment says about 50 m.
    public var arrivalZoneMeters = 50.0
    /// Here `didArriveAt` is told at once, metres along the route.
    public var arrivalMeters = 25.0
    /// A fix this far from the line speaks against the route, metres; more when the fix is inaccurate.
    public var offRouteMeters = 30.0
    /// The same as a multiple of the fix's accuracy; the larger of both counts.
    public var offRouteAccuracyFactor = 2.5
    /// Fixes that are less accurate than this, or that do not say how accurate they are, neither raise nor clear the alarm, metres.
    public var alarmAccuracyMeters = 50.0

    public init() {}

    /// How far from the line a fix may be, metres.
    func limitMeters(accuracyMeters: Double?) -> Double {
        max(offRouteMeters, offRouteAccuracyFactor * (accuracyMeters ?? 0))
    }
}

/// What a navigator is doing (`NavigationStatus` of Fleet Engine).
public enum NavigatorStatus: Hashable, Sendable {
    case noGuidance
    case enrouteToDestination
    case offRoute
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
    case newDestinations
    case reroute
    case nextDestination
    case cleared
}

/// What an app tells a navigator.
public enum NavigatorCommand: Hashable, Sendable {
    /// Nil takes the route away and ends guidance. A re-route keeps guidance as it is.
    case setRoute(NavigationRoute?, RouteChange)
    case setGuidanceActive(Bool)
    /// Drops the current leg and ends guidance; after the last leg there is no route.
    case continueToNextDestination
    case configure(NavigatorConfiguration)
}

/// What a navigator tells its listeners.
public enum NavigatorEvent: Hashable, Sendable {
    case didUpdateLocation(RoadSnappedLocation)
    case didChangeRoute(RouteChange)
    case didArrive(NavigationWaypoint)
    /// Seconds to the next destination.
    case didUpdateRemainingTime(Double)
    /// Metres to the next destination.
    case didUpdateRemainingDistance(Double)
    case didLeaveRoute(OffRouteReason)
    case didReturnToRoute
}
