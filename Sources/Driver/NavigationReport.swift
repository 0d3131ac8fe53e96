public import FleetEngine
public import Geo
public import Navigation
import Routing

/// What a reporter sends of the navigation: status, what is left, and the path to the next stop.
public struct NavigationReport: Hashable, Sendable {
    /// The path to the next stop.
    public struct Route: Hashable, Sendable {
        public var path: RouteLine
        public var endPoint: Coordinate

        public init(path: RouteLine, endPoint: Coordinate) {
            self.path = path
            self.endPoint = endPoint
        }
    }

    public var status: NavigationStatus
    public var remainingTimeSeconds: Double?
    public var remainingDistanceMeters: Double?
    /// Another number means another route.
    public var routeRevision: Int
    public var route: Route?

    public init(
        status: NavigationStatus, remainingTimeSeconds: Double? = nil, remainingDistanceMeters: Double? = nil, routeRevision: Int = 0,
        route: Route? = nil
    ) {
        self.status = status
        self.remainingTimeSeconds = remainingTimeSeconds
        self.remainingDistanceMeters = remainingDistanceMeters
        self.routeRevision = routeRevision
        self.route = route
    }

    /// What `state` says. Figures are reported while guidance is on.
    /// - Parameter last: an earlier report, whose path is taken over if it is still the same.
    public init(_ state: NavigatorState, after last: NavigationReport? = nil) {
        let remaining = state.isGuidanceActive ? state.remaining : nil
        self.init(
            status: NavigationStatus(state.status), remainingTimeSeconds: remaining?.timeSeconds,
            remainingDistanceMeters: remaining?.distanceMeters, routeRevision: state.routeRevision)
        if let last, last.routeRevision == routeRevision {
            route = last.route
        } else if let whole = state.route, let leg = state.currentRouteLeg {
            route = Route(path: whole.route(ofLeg: state.legIndex), endPoint: leg.destination.coordinate)
        }
    }
}

extension NavigationStatus {
    init(_ status: NavigatorStatus) {
        switch status {
        case .noGuidance: self = .noGuidance
        case .enrouteToDestination: self = .enrouteToDestination
        case .offRoute: self = .offRoute
        case .arrivedAtDestination: self = .arrivedAtDestination
        }
    }
}

extension VehicleLocation {
    /// The report of a location. The heading is a whole number of degrees on the wire: it is rounded first and brought below 360 then.
    public init(_ location: RoadSnappedLocation) {
        self.init(
            coordinate: location.coordinate,
            headingDegrees: location.courseDegrees.map { $0.rounded().truncatingRemainder(dividingBy: 360) },
            speedMetersPerSecond: location.speedMetersPerSecond, accuracyMeters: location.accuracyMeters,
            altitudeMeters: location.altitudeMeters, updateTime: location.timestamp, rawCoordinate: location.rawCoordinate,
            rawLocationTime: location.timestamp, isRoadSnapped: location.isSnapped)
    }
}
