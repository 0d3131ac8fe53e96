import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineWire

@Suite("Hostile messages in logs")
struct HostileMessageTests {
    /// All member names that the readers look for.
    private static let keys = [
        "name", "status", "tripstatus", "triptype", "vehicleid", "numberofpassengers", "pickuppoint", "dropoffpoint", "point", "latitude",
        "longitude", "intermediatedestinations", "intermediatedestinationindex", "pickuptime", "seconds", "nanos", "lastlocation",
        "location",
        "rawlocation", "heading", "speed", "speedkmph", "latlngaccuracy", "altitude", "updatetime", "servertime", "isroadsnapped",
        "actualpickuppoint", "timestamp", "attributes", "key", "value", "boolvalue", "currentroutesegment", "route",
        "currentroutesegmenttraffic", "speedreadinginterval", "startpolylinepointindex", "endpolylinepointindex", "trafficrendering",
        "roadstretch", "style", "offsetmeters", "lengthmeters", "remainingdistancemeters", "etatofirstwaypoint",
        "remainingtimetofirstwaypoint", "remainingtimeseconds", "remainingwaypoints", "waypoints", "tripid", "type",
        "encodedpathtowaypoint",
        "pathtowaypoint", "traffictowaypoint", "distancemeters", "eta", "duration", "state", "supportedtrips", "maximumcapacity",
        "vehicletype", "category", "currenttrips", "backtobackenabled", "navstatus", "licenseplate", "lastcharacter", "plannedlocation",
        "taskduration", "journeysharinginfo", "remainingvehiclejourneysegments", "stop", "tasks", "taskid", "path", "drivingduration",
        "drivingdistancemeters", "targettimewindow", "starttime", "endtime", "taskoutcome", "remainingduration",
    ]

    private static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch random.int(in: 0...(depth > 0 ? 9 : 6)) {
        case 0: .null
        case 1: .bool(random.chance(0.5))
        case 2: .number(random.element(of: [0, -1, 1, 3, 90.5, -181, 1e300, -1e300, .nan, .infinity, 2_147_483_648, -9.3e18]) ?? 0)
        case 3, 4: .string(random.element(of: ["", "x", "NEW", "-1", "1e999", "NaN", "2025-02-05T17:02:31Z", "9s", "SLOW", route]) ?? "")
        case 5, 6: .number(random.double(in: -200...200))
        case 7: .array((0..<random.int(in: 0...5)).map { _ in value(&random, depth: depth - 1) })
        default: object(&random, depth: depth - 1)
        }
    }

    private static func object(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for _ in 0..<random.int(in: 0...25) { members[random.element(of: keys) ?? ""] = value(&random, depth: depth) }
        return .object(members)
    }

    private static let route = S2Polyline.encode((0..<5).map { Coordinate(latitude: 1, longitude: Double($0) * 0.01) })

    /// Reads a JSON value as each of the types that can be read from JSON.
    private func exercise(_ value: JSONValue) throws {
        let trip = Trip(WireTrip(log: value), name: try TripName(provider: "demo", trip: "t"))
        let vehicle = Vehicle(WireVehicle(log: value), name: try VehicleName(provider: "demo", vehicle: "v"))
        for location in [trip.lastLocation, vehicle.lastLocation].compactMap(\.self) {
            #expect(location.coordinate.isValid && (0...150).contains(location.speedMetersPerSecond ?? 0))
            #expect((0..<360).contains(location.headingDegrees ?? 0) && (0...1e6).contains(location.accuracyMeters ?? 0))
        }
        for route in [trip.activeRoute] + trip.remainingWaypoints.map(\.path) + vehicle.waypoints.map(\.path) {
            let length = route.isEmpty ? .infinity : route.lengthMeters
            #expect(route.traffic.allSatisfy { 0 <= $0.startMeters && $0.startMeters < $0.endMeters && $0.endMeters <= length })
            #expect(zip(route.traffic, route.traffic.dropFirst()).allSatisfy { $0.endMeters <= $1.startMeters })
        }
        #expect(trip.numberOfPassengers >= 0 && (trip.remainingDistanceMeters ?? 0) >= 0)
        try exerciseDeliveries(value)
    }

    private func exerciseDeliveries(_ value: JSONValue) throws {
        let task = DeliveryTask(WireTask(log: value), name: try TaskName(provider: "demo", task: "t"))
        let vehicle = DeliveryVehicle(WireDeliveryVehicle(log: value), name: try DeliveryVehicleName(provider: "demo", vehicle: "v"))
        for segment in vehicle.remainingSegments + (task.journeySharing?.remainingSegments ?? []) {
            #expect(segment.stop.plannedLocation.isValid && segment.path.coordinates.allSatisfy(\.isValid))
            #expect((segment.drivingDistanceMeters ?? 0) >= 0 && (segment.drivingDurationSeconds ?? 0) >= 0)
            #expect(segment.stop.tasks.allSatisfy { ($0.durationSeconds ?? 0) >= 0 })
        }
        #expect((vehicle.remainingDurationSeconds ?? 0) >= 0 && (task.durationSeconds ?? 0) >= 0)
    }

    @Test("any message is read within limits and never ends the program", arguments: 0..<20)
    func random(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<50 { try exercise(Self.object(&random, depth: 5)) }
    }

    @Test("a text that is cut off or changed anywhere is refused or read")
    func damaged() throws {
        let text = """
            {"name":"providers/demo/trips/t","status":"NEW","lastLocation":{"location":{"latitude":1,"longitude":2},"heading":7,"speed":3.5,
            "serverTime":"2025-02-05T17:02:31.483732Z"},"currentRouteSegment":"\(Self.route)","currentRouteSegmentTraffic":
            {"speedReadingInterval":[{"startPolylinePointIndex":1,"endPolylinePointIndex":4,"speed":"SLOW"}]},"remainingWaypoints":[{"location":
            {"point":{"latitude":1,"longitude":2}},"duration":"9.5s","distanceMeters":70}],"remainingTimeToFirstWaypoint":"60s"}
            """
        let bytes = Array(text.utf8)
        func read(_ bytes: some Sequence<UInt8>) throws -> Bool {
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return false }
            try exercise(value)
            return true
        }
        #expect(try read(bytes))
        for count in bytes.indices { #expect(try !read(bytes.prefix(count))) }
        var random = SeededRandom(seed: 3)
        var readCount = 0
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0..<random.int(in: 1...4) {
                damaged[random.int(in: 0...damaged.count - 1)] = UInt8(truncatingIfNeeded: random.int(in: 32...126))
            }
            if try read(damaged) { readCount += 1 }
        }
        #expect(readCount > 100)
    }
}
