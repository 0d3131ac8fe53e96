public import FleetEngine
package import Geo
public import Navigation
import Routing

/// The values in an update that come from navigation: status, remaining time and distance, and the path to the next stop.
package struct NavigationReport: Hashable, Sendable {
    /// The path to the next stop.
    package struct Route: Hashable, Sendable {
        package var path: RouteLine
        package var endPoint: Coordinate

        package init(path: RouteLine, endPoint: Coordinate) {
            self.path = path
            self.endPoint = endPoint
        }
    }

    package var status: NavigationStatus
    package var remainingTimeSeconds: Double?
    package var remainingDistanceMeters: Double?
    /// The number of the route. A new number means a new route.
    package var routeRevision: Int
    package var route: Route?

    package init(
        status: NavigationStatus, remainingTimeSeconds: Double? = nil, remainingDistanceMeters: Double? = nil, routeRevision: Int = 0,
        route: Route? = nil
    ) {
        self.status = status
        self.remainingTimeSeconds = remainingTimeSeconds
        self.remainingDistanceMeters = remainingDistanceMeters
        self.routeRevision = routeRevision
        self.route = route
    }

    /// Creates the report for a navigator's state. The report has the remaining time and distance only while guidance is on.
    /// - Parameter last: an earlier report; its path is used again if the route is the same.
    package init(_ state: NavigatorState, after last: NavigationReport? = nil) {
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
    /// Creates the value to report for a position. The heading is sent as a whole number of degrees, so it is first rounded and then
    /// wrapped to less than 360.
    public init(_ location: RoadSnappedLocation) {
        self.init(
            coordinate: location.coordinate,
            headingDegrees: location.courseDegrees.map { $0.rounded().truncatingRemainder(dividingBy: 360) },
            speedMetersPerSecond: location.speedMetersPerSecond, accuracyMeters: location.accuracyMeters,
            altitudeMeters: location.altitudeMeters, updateTime: location.timestamp, rawCoordinate: location.rawCoordinate,
            rawLocationTime: location.timestamp, isRoadSnapped: location.isSnapped)
    }
}
