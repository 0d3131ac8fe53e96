import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineSnapshot
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Deliveries in a snapshot")
struct DeliverySnapshotTests {
    private func text(_ state: FleetEngineState) -> String { String(decoding: state.export().json, as: UTF8.self) }

    private func seeded(_ json: String, _ engine: FleetEngineState = World().engine, isPartial: Bool = false) throws -> World {
        var world = World()
        world.engine = engine
        _ = try world.engine.load(try FleetSnapshot(json: Array(json.utf8)), isPartial: isPartial, now: World.start)
        return world
    }

    private func snapshot(_ tasks: [String], _ vehicles: [String] = []) -> String {
        "{\"version\":1,\"tasks\":[\(tasks.joined(separator: ","))],\"deliveryVehicles\":[\(vehicles.joined(separator: ","))]}"
    }

    private func task(_ id: String, _ members: String = "", place: String = "{\"point\":{\"latitude\":10,\"longitude\":20}}") -> String {
        """
        {"name":"providers/plain/tasks/\(id)","type":"DELIVERY","state":"OPEN","trackingId":"p-\(id)","taskDuration":"60s",\
        "plannedLocation":\(place)\(members)}
        """
    }

    private func stop(_ tasks: [String], _ state: String = "NEW", east: Double = 20.01) -> String {
        let ids = tasks.map { "{\"taskId\":\"\($0)\"}" }.joined(separator: ",")
        return """
            {"stop":{"plannedLocation":{"point":{"latitude":10,"longitude":\(east)}},"tasks":[\(ids)],"state":"\(state)"}}
            """
    }

    private func van(_ stops: [String], _ members: String = "", id: String = "van") -> String {
        """
        {"name":"providers/plain/deliveryVehicles/\(id)","lastLocation":{"location":{"latitude":10,"longitude":20}},\
        "remainingVehicleJourneySegments":[\(stops.joined(separator: ","))]\(members)}
        """
    }

    /// Returns a world with a van on its way to the first of two stops. The van has a route. One task succeeded, one failed, and one has no
    /// vehicle.
    private func busy() throws -> World {
        var world = try World.delivering(tasks: ["t1", "t2", "t3", "t4", "t5"])
        try world.setStops([.at(0, ["t1"]), .at(1, ["t2", "t3"]), .at(2, ["t4"])])
        try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .failed }
        try world.setStops([.at(1, ["t2", "t3"], .enroute), .at(2, ["t4"])])
        try world.updateTask("t2", ["task_outcome"]) { $0.outcome = .succeeded }
        let way = EncodedPolyline.encode([World.centre, World.place(east: 2_000)])
        try world.updateVan(["current_route_segment", "remaining_distance_meters", "attributes"]) {
            $0.currentRouteSegment = way
            $0.remainingDistanceMeters = 2_010
            $0.attributes = [DeliveryAttribute(key: "doors", value: .number(2))]
        }
        return world
    }

    @Test("another engine that loads an export exports the same, and a reset returns to it")
    func roundTrip() async throws {
        let world = try busy()
        let exported = text(world.engine)
        #expect(await world.engine.exportedText() == Array(exported.utf8))
        var other = try seeded(exported)
        #expect(text(other.engine) == exported)
        #expect(try other.task("t1").task.state == .closed && other.task("t1").task.outcome == .failed)
        #expect(try other.task("t2").task.outcome == .succeeded && other.task("t2").journey?.segments.count == 1)
        #expect(try other.track("p-t4").info.remainingStopCount == 2)
        #expect(try other.van().attributes == [DeliveryAttribute(key: "doors", value: .number(2))])
        // The test loads the export again, changes the engine, and resets it to the export.
        _ = try other.engine.load(world.engine.export(), now: other.now)
        let start = EngineStart(other.engine)
        try other.setStops([])
        try other.createTask("t6")
        _ = try other.engine.restart(with: start, now: other.now)
        #expect(text(other.engine) == text(world.engine))
    }

    @Test("a snapshot without deliveries contains only lists of trips and vehicles, so an earlier program can read it")
    func withoutDeliveries() {
        #expect(text(World().engine) == "{\"version\":1,\"trips\":[],\"vehicles\":[]}\n")
    }

    @Test("an open task is on the vehicle whose list contains it, whatever vehicle the task itself names")
    func assigned() throws {
        let json = snapshot([task("t1"), task("t2", ",\"deliveryVehicleId\":\"other\"")], [van([stop(["t1"], "ENROUTE")])])
        let world = try seeded(json)
        #expect(try world.task("t1").task.vehicleID == "van" && world.task("t2").task.vehicleID == nil)
        #expect(try world.van().segments.first?.stop.state == .enroute)
        let tracked = try world.track("p-t1")
        #expect(tracked.info.remainingStopCount == 1 && tracked.info.estimatedArrivalTime != nil)
    }

    @Test("deliveries are added to those in the engine: the same names are replaced, and an ended task stays without being in a list")
    func beside() throws {
        let world = try busy()
        let again = try seeded(snapshot([task("t1"), task("t2"), task("t9")], [van([stop(["t1"]), stop(["t2", "t9"])])]), world.engine)
        #expect(try again.task("t1").task.state == .closed && again.task("t2").task.outcome == .succeeded)
        // A task that is missing from the new list is closed.
        #expect(try again.task("t4").task.state == .closed && again.task("t5").task.state == .open)
        #expect(try again.van().segments.map { $0.stop.tasks.map(\.taskID) } == [["t2", "t9"]])
        // A task that the snapshot closes is removed from its vehicle.
        let closed = task("t4").replacing("OPEN", with: "CLOSED")
        let other = try seeded(snapshot([closed]), world.engine)
        #expect(try other.van().segments.count == 1 && other.task("t4").task.state == .closed)
    }

    @Test("a stop without tasks is refused, also if the engine has ended a task of the snapshot")
    func stopWithoutTasks() throws {
        let json = snapshot([task("t1"), task("t9")], [van([stop(["t9"]), stop([])])])
        var engine = try busy().engine
        let error = refusal(.invalidArgument, field: "deliveryVehicles[0]") {
            _ = try engine.load(try FleetSnapshot(json: Array(json.utf8)), now: World.start)
        }
        #expect(error?.message.contains("segments[1].stop must have at least one task") == true, "\(error?.message ?? "")")
    }

    @Test("loading a plan twice does not change the run")
    func keeps() throws {
        var world = try busy()
        let before = world.engine
        let plan = try FleetSnapshot(json: Array(snapshot([task("t1"), task("t9")], [van([stop(["t1"])])]).utf8))
        _ = try world.engine.load(plan, keepsDeliveries: true, now: world.now)
        #expect(try world.van() == before.getDeliveryVehicle(World.van(), now: world.now))
        #expect(try world.task("t1").task.outcome == .failed && world.task("t9").task.vehicleID == nil)
    }

    @Test("a task from a log needs no place, and its stop supplies the place; without any place the stop is omitted")
    func partial() throws {
        let bare = task("t1", place: "{}")
        #expect(throws: FleetEngineError.self) { try seeded(snapshot([bare])) }
        let nowhere = "{\"stop\":{\"tasks\":[{\"taskId\":\"%\"}],\"state\":\"NEW\"}}"
        let stops = ["t1", "t2", "t9"].map { nowhere.replacing("%", with: $0) }
        let json = snapshot([bare, task("t2")], [van(stops, ",\"remainingDistanceMeters\":-5")])
        let world = try seeded(json, isPartial: true)
        #expect(try world.task("t1").task.vehicleID == nil && world.task("t1").task.plannedLocation == nil)
        #expect(try world.van().segments.map(\.stop.plannedLocation) == [World.centre])
        // A task without a place has no stop. If this state is exported and loaded again, it stays the same.
        #expect(text(try seeded(text(world.engine), isPartial: true).engine) == text(world.engine))
    }

    @Test("the error names the first bad member, and nothing is loaded")
    func badMembers() throws {
        let good = task("t1")
        for (json, place, words) in [
            (snapshot([good, task("a/b")]), "tasks[1]", "providers/plain/tasks/a/b"),
            (snapshot([good, good]), "tasks[1]", "occurs twice"),
            (snapshot([good, task("t2", ",\"colour\":1")]), "tasks[1]", "colour"),
            (snapshot([task("t2", place: "{\"point\":{\"latitude\":91}}")]), "tasks[0]", "planned_location.point.latitude"),
            (snapshot([task("t2").replacing("60s", with: "-60s")]), "tasks[0]", "task_duration"),
            (snapshot([task("t2").replacing("DELIVERY", with: "UNAVAILABLE")]), "tasks[0]", "tracking_id"),
            (snapshot([task("t2").replacing("OPEN", with: "LATE")]), "tasks[0]", "state"),
            (snapshot([task("t2", ",\"targetTimeWindow\":{}")]), "tasks[0]", "target_time_window"),
            (snapshot([good], [van([stop(["t2"])])]), "deliveryVehicles[0]", "there is no task"),
            (snapshot([good], [van([stop([])])]), "deliveryVehicles[0]", "must have at least one task"),
            (
                snapshot([good], [van([stop(["t1"])]), van([stop(["t1"])], id: "bus")]), "deliveryVehicles[1]",
                "is already assigned to delivery vehicle van"
            ),
            (snapshot([good], [van([stop(["t1"], east: 181)])]), "deliveryVehicles[0]", "planned_location"),
            (snapshot([good], [van([], ",\"currentRouteSegment\":\"AAAA\"")]), "deliveryVehicles[0]", "current_route_segment"),
        ] {
            var engine = World().engine
            let error = refusal(.invalidArgument, field: place) {
                _ = try engine.load(try FleetSnapshot(json: Array(json.utf8)), now: World.start)
            }
            #expect(error?.message.hasPrefix(place) == true && error?.message.contains(words) == true, "\(json)")
            #expect(engine == World().engine)
        }
    }
}
