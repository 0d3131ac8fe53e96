import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

@testable import LocalFleetEngine

/// Rows of Fleet Engine's cloud log, in the lower-case keys of one kind of export: what was asked and what the real server answered.
struct RecordedTraffic: Decodable {
    struct Row: Decodable {
        var timestamp: String
        var jsonpayload: Payload

        /// The last word of the type, such as `UpdateTripLog`.
        var kind: Substring { jsonpayload.type.split(separator: ".").last ?? "" }
    }

    /// The rows in the order in which the server took the requests up, and when that was. A row's own time stamp is when the answer
    /// went out; where the answer tells an earlier moment of its own, that is the better one.
    func inOrder() throws -> [(row: Row, time: Date)] {
        let timed = try rawLogs.map { row in
            let answer = row.jsonpayload.response
            let moment: String? =
                switch (row.kind, answer.status) {
                case ("UpdateVehicleLog", _): answer.lastlocation?.servertime
                case (_, "TRIP_STATUS_ENROUTE_TO_DROPOFF"): answer.pickuptime
                case (_, "TRIP_STATUS_COMPLETE"): answer.dropofftime
                default: nil
                }
            return (row: row, time: try Self.time(moment ?? row.timestamp))
        }
        return timed.sorted { $0.time < $1.time }
    }

    struct Payload: Decodable {
        var type: String
        var request: Request
        var response: Answer

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case request, response
        }
    }

    struct Request: Decodable {
        var tripid: String?
        var vehicleid: String?
        var updatemask: String?
        var trip: Answer?
        var vehicle: Answer?
    }

    /// A trip or a vehicle.
    struct Answer: Decodable {
        var name: String?
        var status: String?
        var triptype: String?
        var vehicleid: String?
        var numberofpassengers: Int32?
        var pickuppoint: Terminal?
        var dropoffpoint: Terminal?
        var pickuptime: String?
        var dropofftime: String?
        var etatofirstwaypoint: String?
        var remainingdistancemeters: Int32?
        var remainingtimetofirstwaypoint: String?
        var remainingtimeseconds: Int32?
        var currentroutesegment: String?
        var currentroutesegmentendpoint: Waypoint?
        var currentroutesegmenttraffic: Traffic?
        var remainingwaypoints: [Waypoint]?
        var vehiclewaypoints: [Waypoint]?
        var waypoints: [Waypoint]?
        var actualpickuppoint: Stop?
        var actualdropoffpoint: Stop?
        var lastlocation: Location?
        var state: String?
        var navstatus: String?
        var currenttrips: [String]?
    }

    struct Place: Decodable {
        var latitude: Double
        var longitude: Double
        var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    struct Terminal: Decodable { var point: Place }

    struct Stop: Decodable {
        var point: Place
        var timestamp: String
    }

    struct Waypoint: Decodable {
        var type: String?
        var tripid: String?
        var location: Terminal?
    }

    struct Traffic: Decodable {
        var trafficrendering: Rendering?

        struct Rendering: Decodable { var roadstretch: [Stretch]? }

        struct Stretch: Decodable {
            var offsetmeters: Int32?
            var lengthmeters: Int32?
            var style: String
        }
    }

    struct Location: Decodable {
        var location: Place?
        var rawlocation: Place?
        var rawlocationtime: String?
        var heading: Int32?
        var speed: Double?
        var latlngaccuracy: Double?
        var headingaccuracy: Double?
        var servertime: String?
    }

    var rawLogs: [Row]

    static func time(_ text: String) throws -> Date {
        let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try (try? fraction.parse(text)) ?? Date.ISO8601FormatStyle().parse(text)
    }
}

extension RecordedTraffic.Answer {
    /// The request's trip on the wire.
    func trip() -> WireTrip {
        var trip = WireTrip()
        trip.name = name ?? ""
        trip.vehicleID = vehicleid ?? ""
        trip.tripType = triptype == "EXCLUSIVE_TRIP" ? .exclusive : .unknownTripType
        trip.numberOfPassengers = numberofpassengers ?? 0
        if let pickuppoint { trip.pickupPoint = .at(pickuppoint.point.coordinate) }
        if let dropoffpoint { trip.dropoffPoint = .at(dropoffpoint.point.coordinate) }
        let wanted = status.map { String($0.dropFirst("TRIP_STATUS_".count)) }
        let found = TripStatus.allCases.first { $0.name == wanted }
        trip.tripStatus = WireTripStatus(rawValue: found?.wireNumber ?? 0) ?? .unknownTripStatus
        return trip
    }

    /// The request's vehicle on the wire.
    func vehicle() throws -> WireVehicle {
        var vehicle = WireVehicle()
        vehicle.vehicleState = state == "VEHICLE_STATE_ONLINE" ? .online : .offline
        if let lastlocation { vehicle.lastLocation = try lastlocation.wire() }
        if let remainingdistancemeters { vehicle.remainingDistanceMeters = Google_Protobuf_Int32Value(remainingdistancemeters) }
        if let remainingtimeseconds { vehicle.remainingTimeSeconds = Google_Protobuf_Int32Value(remainingtimeseconds) }
        vehicle.currentRouteSegment = currentroutesegment ?? ""
        vehicle.navigationStatus =
            switch navstatus {
            case "NAVIGATION_STATUS_NO_GUIDANCE": .noGuidance
            case "NAVIGATION_STATUS_ENROUTE_TO_DESTINATION": .enrouteToDestination
            case "NAVIGATION_STATUS_OFF_ROUTE": .offRoute
            case "NAVIGATION_STATUS_ARRIVED_AT_DESTINATION": .arrivedAtDestination
            default: .unknownNavigationStatus
            }
        for recorded in currentroutesegmenttraffic?.trafficrendering?.roadstretch ?? [] {
            var stretch = WireVisualTrafficReportPolylineRendering.RoadStretch()
            stretch.offsetMeters = recorded.offsetmeters ?? 0
            stretch.lengthMeters = recorded.lengthmeters ?? 0
            stretch.style = recorded.style == "STYLE_TRAFFIC_JAM" ? .trafficJam : .slowerTraffic
            vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch.append(stretch)
        }
        return vehicle
    }
}

extension RecordedTraffic.Location {
    func wire() throws -> WireVehicleLocation {
        var wire = WireVehicleLocation()
        if let location { wire.location = WireLatLng(location.coordinate) }
        if let rawlocation { wire.rawLocation = WireLatLng(rawlocation.coordinate) }
        if let rawlocationtime { wire.rawLocationTime = Google_Protobuf_Timestamp(moment: try RecordedTraffic.time(rawlocationtime)) }
        if let heading { wire.heading = Google_Protobuf_Int32Value(heading) }
        if let speed { wire.speed = Google_Protobuf_DoubleValue(speed) }
        if let latlngaccuracy { wire.latlngAccuracy = Google_Protobuf_DoubleValue(latlngaccuracy) }
        if let headingaccuracy { wire.headingAccuracy = Google_Protobuf_DoubleValue(headingaccuracy) }
        wire.locationSensor = .roadSnappedLocationProvider
        return wire
    }
}
