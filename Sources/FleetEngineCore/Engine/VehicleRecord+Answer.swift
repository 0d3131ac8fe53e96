import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import SwiftProtobuf

/// The form of the paths in an answer.
struct PathForm: OptionSet, Sendable {
    let rawValue: UInt8
    /// Paths as lists of coordinates.
    static let list = PathForm(rawValue: 1)
    /// Paths as S2 text.
    static let encoded = PathForm(rawValue: 2)
    /// The traffic on the path to each stop, as a separate polyline (`trafficToWaypoint`).
    static let traffic = PathForm(rawValue: 4)
    static let whole: PathForm = [.list, .encoded, .traffic]
}

extension VehicleRecord {
    /// Returns the vehicle for the answers to calls that write, list or search for vehicles. Paths are S2 text without traffic, as in
    /// recorded answers to `UpdateVehicle`.
    package func answer(now: Date) -> WireVehicle { answer(now: now, request: WireGetVehicleRequest(), paths: .encoded) }

    /// Returns the answer to `GetVehicle`.
    ///
    /// - Parameter request: the request with the versions that the caller has. Fields that have not changed since then are omitted.
    package func answer(now: Date, request: WireGetVehicleRequest) -> WireVehicle {
        answer(now: now, request: request, paths: [.encoded, .traffic])
    }

    private func answer(now: Date, request: WireGetVehicleRequest, paths: PathForm) -> WireVehicle {
        var answer = vehicle
        answer.name = name.description
        answer.currentTrips = currentTrips
        if answer.hasLastLocation { answer.lastLocation = vehicle.lastLocation.forVehicleAnswer }
        if !stops.isEmpty {
            // While the driver has guidance, the answer repeats the driver's distance and time unchanged.
            let (first, own) = (figures(now: now).first, isGuided ? report : Report())
            if let meters = own.remainingMeters.map(Double.init) ?? first?.legMeters {
                answer.remainingDistanceMeters = Google_Protobuf_Int32Value(rounding: meters)
            }
            if let arrival = own.arrival ?? first?.arrival {
                answer.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival)
            }
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
                answer.waypoints = waypoints(count: stops.count, paths: paths, now: now)
            }
        }
        return answer
    }

    /// The end point of the path in answers; nil if it is unknown. Values that the driver left out are taken from the stop at the end.
    var endPoint: WireTripWaypoint? {
        guard approach != nil else { return nil }
        var point = upload?.endPoint ?? WireTripWaypoint()
        let index = upload.map(\.lastStopIndex) ?? 0
        guard let index, stops.indices.contains(index), point.tripID.isEmpty || point.tripID == stops[index].tripID else {
            return point.tripID.isEmpty && !point.hasLocation ? nil : point
        }
        let stop = stops[index]
        if point.tripID.isEmpty { point.tripID = stop.tripID }
        if point.waypointType == .unknownWaypointType { point.waypointType = stop.waypointType }
        if !point.hasLocation, point.waypointType == stop.waypointType { point.location = stop.location }
        return point
    }

    /// Returns the first stops as waypoints. Each has the distance, time and path from the previous stop, or from the vehicle for the first
    /// stop.
    ///
    /// - Parameter figures: the current distances and times of all stops; nil to compute them.
    func waypoints(count: Int, paths: PathForm, figures known: [StopFigures]? = nil, now: Date) -> [WireTripWaypoint] {
        let figures = known ?? figures(now: now)
        return stops.prefix(count).indices.map { index in
            var waypoint = WireTripWaypoint()
            waypoint.tripID = stops[index].tripID
            waypoint.waypointType = stops[index].waypointType
            waypoint.location = stops[index].location
            let (arrival, meters) = (figures[index].arrival, figures[index].legMeters)
            if let arrival { waypoint.eta = Google_Protobuf_Timestamp(moment: arrival) }
            if let meters { waypoint.distanceMeters = Google_Protobuf_Int32Value(rounding: meters) }
            let seconds = index == 0 ? arrival?.timeIntervalSince(now) : figures[index].legSeconds
            if let seconds { waypoint.duration = Google_Protobuf_Duration(lengthSeconds: max(0, seconds)) }
            let leg = index == 0 ? approach : between[index - 1].leg
            waypoint.setPath(of: leg, paths)
            return waypoint
        }
    }
}

extension WireTripWaypoint {
    fileprivate mutating func setPath(of leg: StopPath?, _ paths: PathForm) {
        guard let leg else { return }
        if paths.contains(.list) { pathToWaypoint = leg.points }
        if paths.contains(.encoded) { encodedPathToWaypoint = leg.encoded }
        if paths.contains(.traffic) { trafficToWaypoint = leg.traffic }
    }
}
