import FleetEngine
import Geo

/// Merges an incremental answer into the trip as known so far.
///
/// An empty part with a new version was cleared. An empty part without a version, or with the version in the request, is
/// unchanged (source: the comments of `GetTripRequest`'s version fields). If the vehicle has changed, the old vehicle's route is
/// dropped, and the next request asks for the missing parts.
enum TripMerge {
    static func merge(_ answer: Trip, over known: Trip?, request: GetTripRequest) -> Trip {
        var trip = answer
        WaypointTypes.complete(&trip)
        guard let known, known.name == answer.name, !answer.status.isFinal else { return trip }
        guard known.vehicleID == answer.vehicleID else { return withoutUnseenParts(trip, request) }
        let (isRouteKept, isTrafficKept) = (isRouteLeftOut(answer, request), isTrafficLeftOut(answer, request))
        trip.activeRoute = answer.activeRoute.keeping(line: isRouteKept, traffic: isTrafficKept, of: known.activeRoute)
        if isRouteKept { trip.activeRouteVersion = answer.activeRouteVersion ?? known.activeRouteVersion }
        if isTrafficKept { trip.activeRouteTrafficVersion = answer.activeRouteTrafficVersion ?? known.activeRouteTrafficVersion }
        if isUnchanged(sent: request.remainingWaypointsRouteVersion, answered: answer.remainingWaypointsRouteVersion) {
            keepPaths(in: &trip.remainingWaypoints, from: known.remainingWaypoints)
            trip.remainingWaypointsRouteVersion = answer.remainingWaypointsRouteVersion ?? known.remainingWaypointsRouteVersion
        }
        return trip
    }

    /// Removes the version numbers of the parts that are missing from this answer. The server left them out because it had already
    /// sent them for the previous vehicle.
    private static func withoutUnseenParts(_ answer: Trip, _ request: GetTripRequest) -> Trip {
        var trip = answer
        if isRouteLeftOut(answer, request) { trip.activeRouteVersion = nil }
        if isTrafficLeftOut(answer, request) { trip.activeRouteTrafficVersion = nil }
        if isUnchanged(sent: request.remainingWaypointsRouteVersion, answered: answer.remainingWaypointsRouteVersion),
            answer.remainingWaypoints.contains(where: \.path.isEmpty)
        {
            trip.remainingWaypointsRouteVersion = nil
        }
        return trip
    }

    private static func isRouteLeftOut(_ answer: Trip, _ request: GetTripRequest) -> Bool {
        answer.activeRoute.isEmpty && isUnchanged(sent: request.activeRouteVersion, answered: answer.activeRouteVersion)
    }

    private static func isTrafficLeftOut(_ answer: Trip, _ request: GetTripRequest) -> Bool {
        answer.activeRoute.traffic.isEmpty
            && isUnchanged(sent: request.activeRouteTrafficVersion, answered: answer.activeRouteTrafficVersion)
    }

    private static func isUnchanged(sent: DataVersion?, answered: DataVersion?) -> Bool {
        guard let sent else { return false }
        return answered == nil || answered == sent
    }

    /// Keeps the paths to the stops that are still in the list. Stops are matched from the end, because stops leave the list at its front.
    private static func keepPaths(in waypoints: inout [TripWaypoint], from known: [TripWaypoint]) {
        for offset in 1...max(waypoints.count, 1) where offset <= waypoints.count && offset <= known.count {
            let index = waypoints.count - offset
            let old = known[known.count - offset]
            guard waypoints[index].tripID == old.tripID, waypoints[index].coordinate == old.coordinate else { continue }
            let path = waypoints[index].path
            waypoints[index].path = path.keeping(line: path.isEmpty, traffic: path.traffic.isEmpty, of: old.path)
        }
    }
}

extension RouteLine {
    /// Returns this route with the line, the traffic or both replaced by those of a known route.
    fileprivate func keeping(line isLineKept: Bool, traffic isTrafficKept: Bool, of known: RouteLine) -> RouteLine {
        if isLineKept && isTrafficKept { return known }
        if !isLineKept && !isTrafficKept { return self }
        return RouteLine(isLineKept ? known.line : line, traffic: isTrafficKept ? known.traffic : traffic)
    }
}

/// Fills in the waypoint types that an answer lacks, from the order of this trip's own stops.
enum WaypointTypes {
    static func complete(_ trip: inout Trip) {
        guard trip.remainingWaypoints.contains(where: { $0.type == .unknown && trip.owns($0) }) else { return }
        let own = trip.remainingWaypoints.indices.filter { trip.owns(trip.remainingWaypoints[$0]) }
        for (place, index) in own.enumerated() where trip.remainingWaypoints[index].type == .unknown {
            if place == own.count - 1, trip.dropoffPoint != nil || own.count > 1 || !trip.status.isBeforePickup {
                trip.remainingWaypoints[index].type = .dropoff
            } else if place == 0, trip.status.isBeforePickup {
                trip.remainingWaypoints[index].type = .pickup
            } else {
                trip.remainingWaypoints[index].type = .intermediate
            }
        }
    }
}

extension GetTripRequest {
    /// Creates the next request. It states the versions of the parts in `known`, the trip as known so far.
    init(after known: Trip?, name: TripName) {
        self.init(
            name: name, activeRouteVersion: known?.activeRouteVersion, activeRouteTrafficVersion: known?.activeRouteTrafficVersion,
            remainingWaypointsRouteVersion: known?.remainingWaypointsRouteVersion,
            knownRoute: known.flatMap { $0.activeRoute.isEmpty ? nil : $0.activeRoute.line })
    }
}
