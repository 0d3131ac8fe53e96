import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf

/// In which form paths go into an answer.
struct PathForm: OptionSet, Sendable {
    let rawValue: UInt8
    /// Lists of coordinates.
    static let list = PathForm(rawValue: 1)
    /// S2 text.
    static let encoded = PathForm(rawValue: 2)
}

extension VehicleRecord {
    /// The vehicle as `GetVehicle` and `UpdateVehicle` answer it: routes encoded, input-only fields left out.
    ///
    /// - Parameter request: its versions keep unchanged parts out.
    func answer(now: Date, request: WireGetVehicleRequest = WireGetVehicleRequest()) -> WireVehicle {
        var answer = vehicle
        answer.name = name.description
        answer.currentTrips = currentTrips
        if answer.hasLastLocation { answer.lastLocation = vehicle.lastLocation.forVehicleAnswer }
        if !stops.isEmpty {
            if let meters = report.remainingMeters.map(Double.init) ?? remainingMeters {
                answer.remainingDistanceMeters = Google_Protobuf_Int32Value(rounding: meters)
            }
            if let firstArrival { answer.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: firstArrival) }
        }
        if let approachStamp {
            answer.currentRouteSegmentVersion = Google_Protobuf_Timestamp(stamp: approachStamp)
            let known = request.hasCurrentRouteSegmentVersion ? request.currentRouteSegmentVersion : nil
            if approachStamp.isNewer(than: known), let approach {
                answer.currentRouteSegment = approach.encoded
                if let endPoint { answer.currentRouteSegmentEndPoint = endPoint }
            }
        }
        if let stopsStamp {
            answer.waypointsVersion = Google_Protobuf_Timestamp(stamp: stopsStamp)
            let known = request.hasWaypointsVersion ? request.waypointsVersion : nil
            if stopsStamp.isNewer(than: known) {
                answer.waypoints = waypoints(count: stops.count, paths: .encoded, now: now)
            }
        }
        return answer
    }

    /// Where the way to the first stop ends: what the driver said, completed from the stop.
    var endPoint: WireTripWaypoint? {
        guard approach != nil else { return nil }
        var point = upload?.endPoint ?? WireTripWaypoint()
        guard let first = stops.first, point.tripID.isEmpty || point.tripID == first.tripID else {
            return point.tripID.isEmpty && !point.hasLocation ? nil : point
        }
        if point.tripID.isEmpty { point.tripID = first.tripID }
        if point.waypointType == .unknownWaypointType { point.waypointType = first.waypointType }
        if !point.hasLocation, point.waypointType == first.waypointType { point.location = first.location }
        return point
    }

    /// The first stops as waypoints. Distance, time and path are those of the leg from the stop before; the first one's are from
    /// the vehicle.
    func waypoints(count: Int, paths: PathForm, now: Date) -> [WireTripWaypoint] {
        let arrivals = arrivals(now: now)
        return stops.prefix(count).indices.map { index in
            var waypoint = WireTripWaypoint()
            waypoint.tripID = stops[index].tripID
            waypoint.waypointType = stops[index].waypointType
            waypoint.location = stops[index].location
            if let arrival = arrivals[index] { waypoint.eta = Google_Protobuf_Timestamp(moment: arrival) }
            let leg = index == 0 ? approach : between[index - 1].leg
            if index == 0 {
                if let remainingMeters { waypoint.distanceMeters = Google_Protobuf_Int32Value(rounding: remainingMeters) }
                if let arrival = arrivals[0] {
                    waypoint.duration = Google_Protobuf_Duration(lengthSeconds: max(0, arrival.timeIntervalSince(now)))
                }
            } else if let leg {
                waypoint.distanceMeters = Google_Protobuf_Int32Value(rounding: leg.lengthMeters)
                waypoint.duration = Google_Protobuf_Duration(lengthSeconds: leg.durationSeconds)
            }
            waypoint.setPath(of: leg, paths)
            return waypoint
        }
    }
}

extension WireTripWaypoint {
    /// Path and traffic together: one version gates both.
    fileprivate mutating func setPath(of leg: RouteLeg?, _ paths: PathForm) {
        guard let leg, !paths.isEmpty else { return }
        if paths.contains(.list) { pathToWaypoint = leg.points }
        if paths.contains(.encoded) { encodedPathToWaypoint = leg.encoded }
        trafficToWaypoint = leg.traffic
    }
}
