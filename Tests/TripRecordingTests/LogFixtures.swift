import FleetEngine
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

@testable import TripRecording

/// Creates entries of a small invented log: trip `t1` and vehicle `CAR-1` of the provider `demo`, on the morning of 2026-03-14.
enum Entry {
    static let tripName = "providers/demo/trips/t1"
    static let pickup = Coordinate(latitude: -47, longitude: -20)
    static let dropoff = Coordinate(latitude: -47, longitude: -19.98)
    static let way = [Coordinate(latitude: -47.01, longitude: -20), Coordinate(latitude: -47.005, longitude: -20), pickup]

    /// Returns the time `seconds` after nine o'clock.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds), fraction = Int(((seconds - Double(whole)) * 1e6).rounded())
        let digits = String(1_000_000 + fraction).dropFirst()
        return "2026-03-14T\(two(9 + whole / 3600)):\(two(whole / 60 % 60)):\(two(whole % 60)).\(digits)Z"
    }

    private static func two(_ number: Int) -> String { String(String(100 + number).dropFirst()) }

    static func date(_ seconds: Double) -> Date { LogInstant(text: time(seconds))?.date ?? .distantPast }

    static func point(_ place: Coordinate) -> LogDocument {
        ["latitude": .number(place.latitude), "longitude": .number(place.longitude)]
    }

    static func entry(_ kind: String, at seconds: Double, _ payload: [(String, LogDocument)]) -> LogDocument {
        let type = LogDocument.text("type.googleapis.com/maps.fleetengine.v1.\(kind)Log")
        return ["timestamp": .text(time(seconds)), "jsonPayload": .members([("@type", type)] + payload)]
    }

    static func createTrip(at seconds: Double, trip: String = "t1", stops: [Coordinate] = []) -> LogDocument {
        let response: LogDocument = [
            "name": .text("providers/demo/trips/\(trip)"), "status": "TRIP_STATUS_NEW", "tripType": "EXCLUSIVE_TRIP",
            "numberOfPassengers": 2, "pickupPoint": ["point": point(pickup)], "dropoffPoint": ["point": point(dropoff)],
            "intermediateDestinations": .list(stops.map { ["point": point($0)] }),
        ]
        return entry("CreateTrip", at: seconds, [("request", ["tripId": .text(trip)]), ("response", response)])
    }

    static func updateTrip(
        at seconds: Double, trip: String = "t1", status: String = "NEW", mask: String = "tripStatus", _ more: [(String, LogDocument)] = []
    ) -> LogDocument {
        let response = [("name", LogDocument.text("providers/demo/trips/\(trip)")), ("status", .text("TRIP_STATUS_\(status)"))] + more
        return entry("UpdateTrip", at: seconds, [("request", ["updateMask": .text(mask)]), ("response", .members(response))])
    }

    static func assign(at seconds: Double, trip: String = "t1", _ more: [(String, LogDocument)] = []) -> LogDocument {
        updateTrip(at: seconds, trip: trip, mask: "vehicleId", [("vehicleId", "CAR-1")] + more)
    }

    /// Creates a location report. The server received it a tenth of a second before the time of the log entry.
    static func fix(
        at seconds: Double, _ place: Coordinate, vehicle: String = "CAR-1", mask: String = "vehicleState,lastLocation",
        sent: [(String, LogDocument)] = [], answered: [(String, LogDocument)] = []
    ) -> LogDocument {
        let location: LogDocument = ["location": point(place), "heading": 90, "speed": 8.5, "serverTime": .text(time(seconds - 0.1))]
        let name = LogDocument.text("providers/demo/vehicles/\(vehicle)")
        let answer = [("name", name), ("state", "VEHICLE_STATE_LOG_ONLINE"), ("lastLocation", location)] + answered
        return entry(
            "UpdateVehicle", at: seconds,
            [
                ("request", ["vehicleId": .text(vehicle), "updateMask": .text(mask), "vehicle": .members(sent)]),
                ("response", .members(answer)),
            ])
    }

    /// The nine entries of a complete ride: new, assigned, on the way to the pickup, a fix with a route, two more fixes, arrived, on the
    /// ride, complete.
    static var ride: [LogDocument] {
        let route = LogDocument.text(S2Polyline.encode(way))
        let eta = ("etaToFirstWaypoint", LogDocument.text(time(130)))
        return [
            createTrip(at: 1),
            assign(at: 2, [eta, ("pickupTime", .text(time(130))), ("dropoffTime", .text(time(430)))]),
            updateTrip(at: 3, status: "ENROUTE_TO_PICKUP"),
            fix(at: 10, way[0], mask: "lastLocation,currentRouteSegment", sent: [("currentRouteSegment", route)], answered: [eta]),
            fix(at: 20, way[1], answered: [("etaToFirstWaypoint", .text(time(140))), ("remainingDistanceMeters", 556)]),
            fix(at: 30, pickup),
            updateTrip(at: 31, status: "ARRIVED_AT_PICKUP"),
            updateTrip(at: 60, status: "ENROUTE_TO_DROPOFF", [("pickupTime", .text(time(59)))]),
            updateTrip(at: 90, status: "COMPLETE", [("dropoffTime", .text(time(89)))]),
        ]
    }

    static var recordedRide: RecordedTrip { get throws { try readLog(ride).recordedTrip(matching: "t1") } }
}

extension LogInstant {
    init?(text: String) { self.init(Google_Protobuf_Timestamp(rfc3339: text)) }
}

/// The files that the tests read.
enum TestFile {
    private static var package: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    static var madeUpRide: Data {
        get throws { try Data(contentsOf: package.appending(path: "Tests/TripRecordingTests/Fixtures/made-up-ride.json")) }
    }

    /// A log of a real Fleet Engine; nil on machines without it, because it is not part of the project.
    static var realLog: Data? {
        try? Data(contentsOf: package.deletingLastPathComponent().appending(path: "shared/data/fleet-logs/bay-area-trip1.json"))
    }
}
