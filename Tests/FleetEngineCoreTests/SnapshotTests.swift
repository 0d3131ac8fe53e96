import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Snapshots of an engine")
struct SnapshotTests {
    private func text(_ snapshot: FleetSnapshot) -> String { String(decoding: snapshot.json, as: UTF8.self) }

    private func seeded(_ json: String, _ engine: FleetEngineState = World().engine) throws -> FleetEngineState {
        var engine = engine
        _ = try engine.load(try FleetSnapshot(json: Array(json.utf8)), now: World.start)
        return engine
    }

    private func trip(_ id: String, _ members: String = "") -> String {
        "{\"name\":\"providers/plain/trips/\(id)\",\"tripType\":\"EXCLUSIVE\",\"pickupPoint\":{\"point\":{\"latitude\":10,\"longitude\":20}}\(members)}"
    }

    private func vehicle(_ id: String, _ members: String = "") -> String {
        "{\"name\":\"providers/plain/vehicles/\(id)\",\"vehicleState\":\"ONLINE\"\(members)}"
    }

    private func snapshot(_ trips: [String], _ vehicles: [String] = []) -> String {
        "{\"version\":1,\"trips\":[\(trips.joined(separator: ","))],\"vehicles\":[\(vehicles.joined(separator: ","))]}"
    }

    @Test("after any changes to an engine, another one that loads its export exports the same", arguments: 0..<6 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var caller = RandomCaller(seed: seed)
        for step in 0..<400 {
            caller.step()
            guard step.isMultiple(of: 20) else { continue }
            caller.sweep()
            let exported = text(caller.world.engine.export())
            var other = FleetEngineState(options: caller.world.engine.options)
            let changes = try other.load(try FleetSnapshot(json: Array(exported.utf8)), now: caller.world.now)
            #expect(text(other.export()) == exported)
            var copy = FleetEngineState(options: other.options)
            for change in changes { copy.apply(change) }
            #expect(copy == other)
            _ = try other.load(other.export(), now: caller.world.now)
            #expect(text(other.export()) == exported)
            try restart(other, to: caller.world.engine, now: caller.world.now)
        }
    }

    private func restart(_ state: FleetEngineState, to start: FleetEngineState, now: Date) throws {
        var state = state
        let changes = try state.restart(with: EngineStart(snapshot: start.export()), now: now)
        #expect(text(state.export()) == text(start.export()))
        #expect(!changes.isEmpty || start.vehicleCount + start.tripCount == 0)
    }

    @Test("a trip states its status and vehicle; the vehicle gets its stops, route and figures from its trips")
    func assigned() throws {
        let car = vehicle("car", ",\"lastLocation\":{\"location\":{\"latitude\":10,\"longitude\":19.99}},\"maximumCapacity\":4")
        let ride = trip(
            "t1",
            ",\"vehicleId\":\"car\",\"tripStatus\":\"ENROUTE_TO_PICKUP\",\"dropoffPoint\":{\"point\":{\"latitude\":10.01,\"longitude\":20}}"
        )
        var world = World()
        world.engine = try seeded(snapshot([ride, trip("t2")], [car]))
        let answer = try world.getTrip("t1")
        #expect(answer.tripStatus == .enrouteToPickup && answer.remainingWaypoints.count == 2 && answer.hasEtaToFirstWaypoint)
        #expect(try world.getVehicle("car").currentTrips == ["t1"])
        #expect(try world.getTrip("t2").tripStatus == .new)
        try world.setStatus("t1", .canceled)
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
    }

    @Test("values that only the server sets are ignored, wherever they occur")
    func ignored() throws {
        let ride = trip(
            "t1",
            """
            ,"remainingDistanceMeters":5,"etaToFirstWaypoint":"2026-01-01T00:00:00Z","pickupTime":"2026-01-01T00:00:00Z",\
            "currentRouteSegment":"x","lastLocation":{"speedKmph":3},"view":"SDK","remainingWaypoints":[{"tripId":"other"}]
            """)
        let car = vehicle(
            "car",
            """
            ,"currentTrips":["nobody"],"waypoints":[{"tripId":"nobody"}],"currentRouteSegmentVersion":"2026-01-01T00:00:00Z"
            """)
        let plain = snapshot([trip("t1", ",\"tripStatus\":\"NEW\"")], [vehicle("car")])
        let (loaded, expected) = (try seeded(snapshot([ride], [car])), try seeded(plain))
        #expect(text(loaded.export()) == text(expected.export()))
    }

    @Test("stops keep the order in which the vehicle visits them")
    func order() throws {
        var world = World()
        try world.createVehicle("car")
        for id in ["t1", "t2"] {
            try world.createTrip(id) { $0.trip.tripType = .shared }
            try world.assign(id, to: "car")
        }
        let order: [WireTripWaypoint] = [
            .of("t2", .pickupWaypointType), .of("t1", .pickupWaypointType), .of("t1", .dropOffWaypointType),
            .of("t2", .dropOffWaypointType),
        ]
        try world.updateVehicle("car", ["waypoints"]) { $0.waypoints = order }
        var other = World()
        other.engine = try seeded(text(world.engine.export()))
        #expect(try other.getVehicle("car").waypoints.map(\.tripID) == ["t2", "t1", "t1", "t2"])
    }

    @Test("members of the same name are replaced, others remain")
    func beside() throws {
        var world = try World.assigned()
        world.engine = try seeded(snapshot([trip("t1", ",\"tripStatus\":\"COMPLETE\"")], [vehicle("van")]), world.engine)
        #expect(try world.getTrip("t1").tripStatus == .complete)
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
        #expect(world.engine.vehicleCount == 2)
    }

    @Test("the error names the first bad member, and nothing is loaded")
    func badMembers() throws {
        let good = trip("t1")
        for (json, place, words) in [
            (snapshot([good, trip("a/b")]), "trips[1]", "providers/plain/trips/a/b"),
            (snapshot([good, good]), "trips[1]", "occurs twice"),
            (snapshot([good, trip("t2", ",\"colour\":1")]), "trips[1]", "colour"),
            (snapshot([trip("t2", ",\"dropoffPoint\":{\"point\":{\"latitude\":91}}")]), "trips[0]", "dropoff_point.point.latitude"),
            (snapshot([trip("t2", ",\"tripStatus\":\"LATE\"")]), "trips[0]", "tripStatus"),
            (snapshot([trip("t2", ",\"vehicleId\":\"car\"")]), "trips[0]", "providers/plain/vehicles/car"),
            (snapshot(["{\"name\":\"providers/plain/trips/t2\",\"tripType\":\"SHARED\"}"]), "trips[0]", "pickup_point"),
            (snapshot(["5"]), "trips[0]", "JSON object"),
            (snapshot([good], [vehicle("car", ",\"maximumCapacity\":-1")]), "vehicles[0]", "maximum_capacity"),
            (snapshot([good], [vehicle("car"), vehicle("van", ",\"lastLocation\":{}")]), "vehicles[1]", "last_location"),
            (snapshot([good], [vehicle("car", ",\"currentRouteSegment\":\"?\"")]), "vehicles[0]", "current_route_segment"),
        ] {
            var engine = World().engine
            let error = refusal(.invalidArgument, field: place) {
                _ = try engine.load(try FleetSnapshot(json: Array(json.utf8)), now: World.start)
            }
            #expect(error?.message.contains(place) == true && error?.message.contains(words) == true, "\(json)")
            #expect(engine == World().engine)
        }
    }

    @Test(
        "text that is not a snapshot is refused with an explanation",
        arguments: [
            "", " ", "[]", "{", "{}", "{\"version\":2}", "{\"version\":1,\"trips\":{}}", "{\"version\":1,\"trips\":[", "{\"version\":1}x",
            "{\"version\":1,\"version\":1}", "{\"version\":1,\"cars\":[]}", "{\"version\":1,\"trips\":[{]}",
            "{\"version\":1,\"trips\":[,]}",
            "{\"version\":1,\"trips\":[\"", "{\"version\":1,}", "{\"version\":1 \"trips\":[]}", "{\"version\":\"1\"}", "\"\\",
            "{\"version\":1,\"trips\":\(String(repeating: "[", count: 100_000))",
        ])
    func noSnapshot(json: String) {
        refusal(.invalidArgument) { _ = try FleetSnapshot(json: Array(json.utf8)) }
    }

    @Test("the error states the line that is not JSON")
    func line() {
        let error = refusal(.invalidArgument) { _ = try FleetSnapshot(json: Array("{\"version\":1,\n\"trips\":[{}\n{}]}".utf8)) }
        #expect(error?.message.hasPrefix("line 3 is not valid: the file must be JSON") == true, "\(error?.message ?? "")")
    }

    @Test("a list with too many members, and a plan with too many values, are refused before their members are read")
    func tooMany() {
        let members = Array(("{\"version\":1,\"tasks\":[" + String(repeating: "{},", count: 500_000) + "{}]}").utf8)
        let first = refusal(.invalidArgument) { _ = try FleetSnapshot(json: members) }
        #expect(first?.message == "the list 'tasks' has more than 500000 members")
        let plan = Array(("[" + String(repeating: "{},", count: 1_000_000) + "{}]").utf8)
        let second = refusal(.invalidArgument) { _ = try DeliveryManifest(json: plan, provider: "p") }
        #expect(second?.message == "it has more than 2000000 JSON values")
    }

    @Test("damaged texts never trap: they are refused or loaded", arguments: 0..<4 as Range<UInt64>)
    func spoilt(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var caller = RandomCaller(seed: seed)
        for _ in 0..<200 { caller.step() }
        let good = caller.world.engine.export().json
        let marks = Array("{}[]\",:\\0e-n".utf8) + [0, 0xFF]
        for _ in 0..<120 {
            var bytes = good
            for _ in 0..<random.int(in: 1...4) {
                let place = random.int(in: 0...max(0, bytes.count - 1))
                switch random.int(in: 0...3) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(random.element(of: marks) ?? 0, at: place)
                case 2: bytes[place] = random.element(of: marks) ?? 0
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = good }
            }
            var engine = World().engine
            do throws(FleetEngineError) {
                _ = try engine.load(try FleetSnapshot(json: bytes), now: World.start)
            } catch {
                #expect(!error.message.isEmpty && error.message.utf8.count < 2_000)
            }
        }
    }
}
