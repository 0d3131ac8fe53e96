import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Creating trips, names and ids")
struct TripCreationTests {
    @Test("a new trip is NEW, whatever status was sent, and nothing is computed without a vehicle")
    func bornNew() throws {
        var world = World()
        let trip = try world.createTrip("t1") {
            $0.trip.name = "providers/elsewhere/trips/x"
            $0.trip.tripStatus = .complete
            $0.trip.remainingDistanceMeters = Google_Protobuf_Int32Value(9)
            $0.trip.route = [WireLatLng(World.centre)]
        }
        #expect(trip.name == "providers/plain/trips/t1")
        #expect(trip.tripStatus == .new)
        #expect(trip.tripType == .exclusive)
        #expect(trip.numberOfPassengers == 1)
        #expect(trip.pickupPoint.point.coordinate == World.pickup)
        #expect(trip.view == .sdk)
        #expect(trip.route.isEmpty && trip.remainingWaypoints.isEmpty && trip.vehicleWaypoints.isEmpty)
        #expect(!trip.hasRemainingDistanceMeters && !trip.hasEtaToFirstWaypoint && !trip.hasPickupTime && !trip.hasDropoffTime)
        #expect(!trip.hasCurrentRouteSegmentVersion && !trip.hasLastLocation)
        #expect(try world.getTrip("t1") == trip)
    }

    @Test(
        "CreateTrip refuses a request without a required value",
        arguments: [
            .init("parent") { $0.parent = "" }, .init("parent") { $0.parent = "providers/a/trips/b" },
            .init("trip_id") { $0.tripID = "" }, .init("trip") { $0.clearTrip() },
            .init("trip.trip_type") { $0.trip.tripType = .unknownTripType },
            .init("trip.trip_type") { $0.trip.tripType = .UNRECOGNIZED(7) },
            .init("trip.pickup_point") { $0.trip.clearPickupPoint() },
            .init("trip.pickup_point.point") { $0.trip.pickupPoint.clearPoint() },
            .init("trip.pickup_point.point.latitude") { $0.trip.pickupPoint.point.latitude = 90.5 },
            .init("trip.pickup_point.point.latitude") { $0.trip.pickupPoint.point.latitude = .nan },
            .init("trip.dropoff_point.point.longitude") { $0.trip.dropoffPoint.point.longitude = -.infinity },
            .init("trip.number_of_passengers") { $0.trip.numberOfPassengers = -1 },
        ] as [Fault<WireCreateTripRequest>])
    func required(fault: Fault<WireCreateTripRequest>) throws {
        var world = World()
        refusal(.invalidArgument, field: fault.field) { try world.createTrip("t1", fault.change) }
        #expect(world.engine.tripCount == 0)
    }

    @Test(
        "ids have at most 64 characters, in NFC, without / : ? , #",
        arguments: ["a/b", "a:b", "a?b", "a,b", "a#b", String(repeating: "x", count: 65), "e\u{301}", "a\u{0}b"])
    func badIDs(id: String) {
        var world = World()
        refusal(.invalidArgument, field: "trip_id") { try world.createTrip(id) }
        refusal(.invalidArgument, field: "vehicle_id") { try world.createVehicle(id) }
    }

    @Test(
        "letter case matters in ids, and any other Unicode is allowed",
        arguments: [String(repeating: "ü", count: 64), "Trip", "trip", "旅", "a b.c-d_e"])
    func goodIDs(id: String) throws {
        var world = World()
        #expect(try world.createTrip(id).name == "providers/plain/trips/\(id)")
        refusal(.notFound) { _ = try world.getTrip(id == "trip" ? "Trip" : "trip") }
        #expect(try world.getTrip(id).tripStatus == .new)
    }

    @Test(
        "a malformed name is INVALID_ARGUMENT, an unknown one NOT_FOUND",
        arguments: ["", "bogus", "providers/p/vehicles/t", "providers//trips/t"])
    func names(name: String) {
        let world = World()
        var request = WireGetTripRequest()
        request.name = name
        refusal(.invalidArgument, field: "name") { _ = try world.engine.getTrip(request, now: world.now) }
        refusal(.notFound) { _ = try world.getTrip("nobody") }
    }

    @Test("the same id twice is ALREADY_EXISTS; under another provider it is another trip")
    func duplicates() throws {
        var world = World()
        try world.createTrip("t1")
        refusal(.alreadyExists) { try world.createTrip("t1") }
        let other = try world.createTrip("t1") { $0.parent = "providers/other" }
        #expect(other.name == "providers/other/trips/t1")
        #expect(world.engine.tripCount == 2)
    }

    @Test("intermediate destinations are allowed only with EXCLUSIVE, and get a version")
    func intermediates() throws {
        var world = World()
        let stops = [WireTerminalLocation.at(World.place(east: 2_000)), .at(World.place(east: 3_000))]
        refusal(.invalidArgument, field: "trip.intermediate_destinations") {
            try world.createTrip("shared") {
                $0.trip.tripType = .shared
                $0.trip.intermediateDestinations = stops
            }
        }
        let trip = try world.createTrip("t1") { $0.trip.intermediateDestinations = stops }
        #expect(trip.intermediateDestinations == stops)
        #expect(trip.hasIntermediateDestinationsVersion)
        #expect(try !world.createTrip("t2").hasIntermediateDestinationsVersion)
    }

    @Test("a drop-off may be added later")
    func laterDropoff() throws {
        var world = try World.assigned { $0.trip.clearDropoffPoint() }
        #expect(try world.getTrip("t1").remainingWaypoints.map(\.waypointType) == [.pickupWaypointType])
        let trip = try world.updateTrip("t1", ["dropoff_point"]) { $0.dropoffPoint = .at(World.dropoff) }
        #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickupWaypointType, .dropOffWaypointType])
        #expect(trip.hasDropoffTime)
    }

    @Test("attributes are kept; keys are unique, short and without a colon")
    func attributes() throws {
        func attribute(_ key: String, _ value: String) -> WireTripAttribute {
            var attribute = WireTripAttribute()
            attribute.key = key
            attribute.stringValue = value
            return attribute
        }
        var world = World()
        let good = [attribute("plate", "XX-0000"), attribute("colour", "grey")]
        #expect(try world.createTrip("t1") { $0.trip.attributes = good }.attributes == good)
        for bad in [
            [attribute("", "x")], [attribute("a:b", "x")], [attribute("a", "1"), attribute("a", "2")],
            [attribute("k", String(repeating: "v", count: 255))], (0...100).map { attribute("k\($0)", "") },
        ] {
            refusal(.invalidArgument, field: "attributes") { try world.createTrip("t2") { $0.trip.attributes = bad } }
        }
        var infinite = WireTripAttribute()
        infinite.key = "n"
        infinite.numberValue = .infinity
        refusal(.invalidArgument, field: "attributes") { try world.createTrip("t2") { $0.trip.attributes = [infinite] } }
    }

    @Test("fields of a later version of the API are kept")
    func unknownFields() throws {
        // These bytes encode field 99 with the text "hi".
        let extra = Data([0x9A, 0x06, 0x02, 0x68, 0x69])
        var world = World()
        var point = try WireTerminalLocation(serializedBytes: Data([0x9A, 0x06, 0x01, 0x21]))
        point.point = WireLatLng(World.pickup)
        let sent = try WireTrip(serializedBytes: extra)
        try world.createTrip("t1") {
            $0.trip.unknownFields = sent.unknownFields
            $0.trip.pickupPoint = point
        }
        let trip = try world.getTrip("t1")
        #expect(trip.unknownFields == sent.unknownFields)
        #expect(trip.pickupPoint == point)
        #expect(try WireTrip(serializedBytes: try trip.serializedBytes() as Data) == trip)
    }
}
