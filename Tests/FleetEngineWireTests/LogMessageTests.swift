import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Messages in logs")
struct LogMessageTests {
    @Test("times are read to the nanosecond, with offsets and in every precision")
    func times() {
        let cases: [(String, Int64, Int32)] = [
            ("2025-02-05T17:02:31.483732Z", 1_738_774_951, 483_732_000), ("2025-02-05T17:02:31Z", 1_738_774_951, 0),
            ("2025-02-05T18:02:31.930882511+01:00", 1_738_774_951, 930_882_511),
            ("2025-02-05t11:32:31.5-05:30", 1_738_774_951, 500_000_000),
            ("1970-01-01T00:00:00Z", 0, 0), ("2024-02-29T23:59:59.9999999999Z", 1_709_251_199, 999_999_999),
            ("2000-03-01T00:00:00Z", 951_868_800, 0), ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("2100-03-01T00:00:00Z", 4_107_542_400, 0),
        ]
        for (text, seconds, nanoseconds) in cases {
            let time = Google_Protobuf_Timestamp(rfc3339: text)
            #expect(time?.seconds == seconds && time?.nanos == nanoseconds, "\(text)")
        }
    }

    @Test("a time may be an object of seconds and nanoseconds; an impossible one is ignored")
    func timeObjects() {
        func time(_ members: [String: JSONValue]) -> Google_Protobuf_Timestamp? { JSONValue.object(members).timestamp }
        #expect(time(["seconds": .string("1738774951"), "nanos": .number(5)])?.nanos == 5)
        #expect(time(["seconds": .number(1_738_774_951)])?.seconds == 1_738_774_951)
        for (seconds, nanos) in [(-1.0, 0.0), (1e300, 0), (.nan, 0), (0, -1), (0, 1e9), (253_402_300_800, 0)] {
            #expect(time(["seconds": .number(seconds), "nanos": .number(nanos)])?.plausibleDate == nil, "\(seconds) \(nanos)")
        }
        #expect(time([:]) == nil && JSONValue.array([]).timestamp == nil)
    }

    @Test("durations are read in each form")
    func durations() {
        #expect(JSONValue.string("53.076652s").duration?.lengthSeconds == 53.076652)
        #expect(JSONValue.number(9).duration?.lengthSeconds == 9)
        #expect(JSONValue.object(["seconds": .string("3"), "nanos": .number(500_000_000)]).duration?.lengthSeconds == 3.5)
        for text in ["", "s", "nans", "infs", "1e300s", "3 s", "0x"] { #expect(JSONValue.string(text).duration == nil, "\(text)") }
    }

    @Test("places must be valid; a missing number is 0")
    func places() {
        func place(_ latitude: JSONValue?, _ longitude: JSONValue?) -> Coordinate? {
            var members: [String: JSONValue] = [:]
            members["latitude"] = latitude
            members["longitude"] = longitude
            return JSONValue.object(members).latLng.flatMap { Coordinate($0) }
        }
        #expect(place(.number(-47), .number(-20)) == Coordinate(latitude: -47, longitude: -20))
        #expect(place(.number(-47), nil) == Coordinate(latitude: -47, longitude: 0))
        #expect(place(.string("1.5"), .string("2")) == Coordinate(latitude: 1.5, longitude: 2))
        #expect(place(nil, nil) == nil)
        #expect(place(.number(91), .number(0)) == nil)
        #expect(place(.string("NaN"), .number(0)) == nil)
        #expect(place(.string("1e999"), .number(0)) == nil)
        #expect(place(.bool(true), .number(0)) == nil)
    }

    @Test("speeds, headings and accuracies are read within reasonable limits, as on the wire")
    func figures() {
        func read(_ members: [String: JSONValue]) -> VehicleLocation? {
            let place = JSONValue.object(["latitude": .number(1), "longitude": .number(2)])
            return VehicleLocation(WireVehicleLocation(log: .object(members.merging(["location": place]) { own, _ in own })))
        }
        let speeds: [(Double, Double?)] = [(-2.89, 0), (-0.016, 0), (0, 0), (8.5, 8.5), (151, nil), (1e300, nil)]
        for (recorded, taken) in speeds { #expect(read(["speed": .number(recorded)])?.speedMetersPerSecond == taken, "\(recorded)") }
        #expect(read(["speedkmph": .number(36)])?.speedMetersPerSecond == 10)
        let headings: [(Double, Double?)] = [(-1, 359), (359.6, 0), (720, 0), (1e300, nil)]
        for (recorded, taken) in headings { #expect(read(["heading": .number(recorded)])?.headingDegrees == taken, "\(recorded)") }
        for key in ["latlngaccuracy", "horizontalaccuracy", "rawlocationaccuracy"] {
            #expect(read([key: .number(4.5)])?.accuracyMeters == 4.5 && read([key: .number(-1)])?.accuracyMeters == nil)
        }
        #expect(read(["location": .string("x"), "rawlocation": .null]) == nil)
    }

    @Test("endless lists are read up to a limit")
    func longLists() {
        let place = JSONValue.object(["point": .object(["latitude": .number(1), "longitude": .number(2)])])
        let list = JSONValue.array(Array(repeating: place, count: 100_000))
        #expect(WireTrip(log: .object(["intermediatedestinations": list])).intermediateDestinations.count == JSONValue.maximumListCount)
        #expect(JSONValue.maximumListCount < 1_000)
    }

    @Test("statuses are read in all forms of their names", arguments: TripStatus.allCases)
    func statuses(status: TripStatus) {
        let texts = [status.name, "TRIP_STATUS_\(status.name)", "TRIP_STATUS_LOG_\(status.name)", status.name.lowercased()]
        for value in texts.map(JSONValue.string) + [.number(Double(status.wireNumber))] {
            #expect(WireTrip(log: .object(["status": value])).tripStatus == status.wire)
            #expect(WireTrip(log: .object(["tripstatus": value])).tripStatus == status.wire)
        }
        #expect(status.wire.name == status.name)
    }

    @Test("other values are read in all forms of their names")
    func names() {
        func read<Value>(_ names: WireNames<Value>, _ texts: [String]) -> [Value?] { texts.map { JSONValue.string($0).value(names) } }
        #expect(read(WireName.tripType, ["EXCLUSIVE", "EXCLUSIVE_TRIP", "TRIP_TYPE_LOG_SHARED"]) == [.exclusive, .exclusive, .shared])
        #expect(
            read(WireName.vehicleState, ["ONLINE", "VEHICLE_STATE_OFFLINE", "VEHICLE_STATE_LOG_ONLINE"]) == [.online, .offline, .online])
        let types = [
            "PICKUP_WAYPOINT_TYPE", "WAYPOINT_TYPE_DROP_OFF", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", "WAYPOINT_TYPE_LOG_PICKUP",
            "WAYPOINT_TYPE_INTERMEDIATE", "?", "",
        ]
        #expect(
            read(WireName.waypointType, types) == [
                .pickupWaypointType, .dropOffWaypointType, .intermediateDestinationWaypointType, .pickupWaypointType,
                .intermediateDestinationWaypointType, nil, nil,
            ])
        #expect(read(WireName.navigationStatus, ["NAVIGATION_STATUS_LOG_OFF_ROUTE"]) == [.offRoute])
        #expect(read(WireName.category, ["TWO_WHEELER"]) == [.twoWheeler])
        #expect(read(WireName.speed, ["SPEED_NORMAL", "SLOW", "TRAFFIC_JAM", "x"]) == [.normal, .slow, .trafficJam, nil])
        #expect(read(WireName.stretchStyle, ["STYLE_LOG_SLOWER_TRAFFIC", "TRAFFIC_JAM", "x"]) == [.slowerTraffic, .trafficJam, nil])
        #expect(read(WireName.tripStatus, ["CANCELLED", String(repeating: "N", count: 10_000)]) == [.canceled, nil])
        #expect(JSONValue.number(1e300).value(WireName.tripStatus) == nil)
        #expect(JSONValue.number(99).value(WireName.category) == .UNRECOGNIZED(99))
    }

    @Test("every enum is written with the names of the API")
    func written() {
        #expect(WireWaypointType.allCases.map(\.name).contains("DROP_OFF_WAYPOINT_TYPE"))
        #expect(WireVehicleState.allCases.map(\.name) == ["UNKNOWN_VEHICLE_STATE", "OFFLINE", "ONLINE"])
        #expect(WireTripType.UNRECOGNIZED(77).name == "UNKNOWN_TRIP_TYPE")
    }

    @Test("a whole trip and a whole vehicle are read, with keys in any spelling")
    func whole() throws {
        func read(_ text: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        let route = S2Polyline.encode([Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 1, longitude: 2.01)])
        let trip = WireTrip(
            log: try read(
                """
                {"vehicle_id": "car", "numberOfPassengers": "2", "currentroutesegment": "\(route)", "remainingDistanceMeters": 900.4,
                 "currentRouteSegmentTraffic": {"speedReadingInterval": [{"endPolylinePointIndex": 1, "speed": "SPEED_SLOW"}]},
                 "remaining_waypoints": [{"type": "WAYPOINT_TYPE_PICKUP", "location": {"point": {"latitude": 1}}}, {}],
                 "attributes": [{"key": "k", "boolValue": true}, {"value": "no key"}, 7], "unheardOf": {"x": [1]}}
                """))
        #expect(trip.vehicleID == "car" && trip.numberOfPassengers == 2 && trip.remainingDistanceMeters.value == 900)
        let read1 = Trip(trip, name: try TripName(provider: "demo", trip: "t"))
        #expect(read1.activeRoute.coordinates.count == 2 && read1.activeRoute.traffic.map(\.speed) == [.slow])
        #expect(
            trip.remainingWaypoints.count == 2 && read1.remainingWaypoints.map(\.type) == [.pickup] && read1.attributes == ["k": "true"])
        let vehicle = WireVehicle(
            log: try read(
                """
                {"state": "VEHICLE_STATE_ONLINE", "supportedTrips": ["EXCLUSIVE_TRIP"], "maximumCapacity": 4, "remainingTimeSeconds": 60,
                 "vehicleType": {"vehicleCategory": "AUTO"}, "navStatus": "NAVIGATION_STATUS_NO_GUIDANCE", "currentTrips": ["t", "", 3],
                 "currentRouteSegmentTraffic": {"trafficRendering": {"roadStretch": [{"style": "STYLE_TRAFFIC_JAM", "lengthMeters": 50}]}}}
                """))
        #expect(vehicle.vehicleState == .online && vehicle.supportedTripTypes == [.exclusive] && vehicle.maximumCapacity == 4)
        #expect(vehicle.remainingTimeSeconds.value == 60 && vehicle.vehicleType.category == .auto && vehicle.currentTrips == ["t"])
        #expect(vehicle.navigationStatus == .noGuidance)
        let jam = TrafficStretch(startMeters: 0, endMeters: 50, speed: .trafficJam)
        #expect(vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch.stretches == [jam])
    }
}
