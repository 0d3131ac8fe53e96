import EngineWorld
import FleetEngine
import FoundationEssentials
import Geo
import Routing
import Testing

@testable import FleetEngineCore

@Suite("The list of stops of a delivery vehicle")
struct StopListTests {
    private static let field = "delivery_vehicle.remaining_vehicle_journey_segments"

    private func states(_ world: World, _ ids: [String]) throws -> [DeliveryTaskState] {
        try ids.map { try world.task($0).task.state }
    }

    @Test("a task in the list is assigned; a task that is removed from it is closed and keeps its vehicle")
    func assignment() throws {
        var world = try World.delivering(tasks: ["t1", "t2", "t3", "free"])
        try world.setStops([.at(0, ["t1", "t2"], .enroute), .at(1, ["t3"])])
        #expect(try world.task("t1").task.vehicleID == "van")
        #expect(try world.task("t1").journey?.segments.count == 1)
        #expect(try world.task("t3").journey?.segments.count == 2)
        #expect(try world.task("free").task.vehicleID == nil)
        try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .succeeded }
        // One task is removed from its stop.
        try world.setStops([.at(0, ["t2"], .enroute), .at(1, ["t3"])])
        #expect(try states(world, ["t1", "t2", "t3"]) == [.closed, .open, .open])
        #expect(try world.task("t1").task.outcome == .succeeded)
        // The stop is removed from the list.
        try world.setStops([.at(1, ["t3"])])
        let closed = try world.task("t2")
        #expect(closed.task.state == .closed && closed.task.outcome == nil)
        #expect(closed.task.vehicleID == "van" && closed.journey == nil)
        try world.setStops([])
        #expect(try states(world, ["t3", "free"]) == [.closed, .open])
        #expect(try world.van().segments.isEmpty)
    }

    @Test("invalid lists are refused")
    func refused() throws {
        var world = try World.delivering(tasks: ["t1", "t2", "closed"])
        try world.updateTask("closed", ["state"]) { $0.state = .closed }
        func isInvalid(_ field: String, _ stops: [DeliveryVehicleValues.Stop]) {
            refusal(.invalidArgument, field: field) { try world.setStops(stops) }
        }
        isInvalid("\(Self.field)[0].stop.tasks", [.at(0, [])])
        isInvalid("\(Self.field)[1].stop.tasks", [.at(0, ["t1"]), .at(1, ["nobody"])])
        isInvalid("\(Self.field)[1].stop.tasks", [.at(0, ["t1"]), .at(1, ["t1"])])
        isInvalid("\(Self.field)[0].stop.state", [.at(0, ["t1"], .unknown)])
        isInvalid("\(Self.field)[1].stop.state", [.at(0, ["t1"]), .at(1, ["t2"], .enroute)])
        isInvalid("\(Self.field)[1].stop.state", [.at(0, ["t1"], .arrived), .at(1, ["t2"], .arrived)])
        isInvalid("\(Self.field)[0].stop.planned_location", [DeliveryVehicleValues.Stop(place: nil, taskIDs: ["t1"])])
        refusal(.failedPrecondition) { try world.setStops([.at(0, ["t1"]), .at(1, ["closed"])]) }
        #expect(try world.task("t1").task.vehicleID == nil)
        #expect(try world.van().segments.isEmpty)
    }

    @Test("a task of another vehicle is refused, even after that vehicle has given it up")
    func otherVehicle() throws {
        var world = try World.delivering(tasks: ["t1"])
        try world.createVan("other")
        try world.setStops([.at(0, ["t1"])], of: "other")
        refusal(.failedPrecondition) { try world.setStops([.at(0, ["t1"])]) }
        try world.setStops([], of: "other")
        refusal(.failedPrecondition) { try world.setStops([.at(0, ["t1"])]) }
        #expect(try world.van().segments.isEmpty)
    }

    @Test("a vehicle has at most 300 stops and 500 tasks")
    func limits() throws {
        var world = try World.delivering()
        try world.createTasks(try (0..<500).map { try DeliveryTask.new("t\($0)") })
        try world.createTask("t500")
        let stops = (0..<301).map { DeliveryVehicleValues.Stop.at($0, ["t\($0)"]) }
        refusal(.invalidArgument, field: Self.field) { try world.setStops(stops) }
        let van = try world.setStops(Array(stops.prefix(300)))
        #expect(van.segments.count == 300)
        refusal(.invalidArgument, field: "\(Self.field).stop.tasks") { try world.setStops([.at(0, (0..<501).map { "t\($0)" })]) }
        try world.setStops([.at(0, (0..<500).map { "t\($0)" })])
        #expect(try states(world, ["t0", "t499", "t500"]) == [.open, .open, .open])
    }

    @Test("the first stop goes from NEW through ENROUTE to ARRIVED, and from ENROUTE back")
    func firstStop() throws {
        var world = try World.delivering(tasks: ["t1"], strict: true)
        for state in [VehicleStopState.new, .enroute, .new, .enroute, .arrived, .arrived] {
            let van = try world.setStops([.at(0, ["t1"], state)])
            #expect(van.segments.map(\.stop.state) == [state])
        }
        refusal(.failedPrecondition) { try world.setStops([.at(0, ["t1"], .enroute)]) }
        refusal(.failedPrecondition) { try world.setStops([.at(0, ["t1"])]) }
    }

    @Test("any order of states is accepted unless the engine is strict")
    func anyOrder() throws {
        var world = try World.delivering(tasks: ["t1"])
        for state in [VehicleStopState.new, .arrived, .enroute, .arrived, .new] {
            let van = try world.setStops([.at(0, ["t1"], state)])
            #expect(van.segments.map(\.stop.state) == [state])
        }
        var strict = try World.delivering(tasks: ["t1"], strict: true)
        try strict.setStops([.at(0, ["t1"])])
        refusal(.failedPrecondition) { try strict.setStops([.at(0, ["t1"], .arrived)]) }
    }

    @Test("segments have the route from the previous stop, and the first from the vehicle's position when the stop was added")
    func segments() throws {
        var world = try World.delivering(tasks: ["t1", "t2"])
        try world.updateTask("t2", ["target_time_window"]) { $0.targetTimeWindow = TimeWindow(start: World.start, end: World.start) }
        try world.setStops([.at(0, ["t1"]), .at(2, ["t2"])])
        let moved = try world.drive(to: World.place(east: 400))
        let segments = try world.van().segments
        #expect(segments.map { ($0.drivingDistanceMeters ?? 0).rounded() } == [1_000, 2_000])
        #expect(segments.map { ($0.drivingDurationSeconds ?? 0).rounded() } == [100, 200])
        #expect(segments.map(\.path.coordinates.first) == [World.centre, World.place(east: 1_000)])
        #expect(segments.map(\.path.coordinates.last) == [World.place(east: 1_000), World.place(east: 3_000)])
        #expect(segments.flatMap(\.stop.tasks).map(\.durationSeconds) == [60, 60])
        // Only GetDeliveryVehicle returns time windows.
        #expect(moved.segments.last?.stop.tasks.first?.targetTimeWindow == nil)
        #expect(segments.last?.stop.tasks.first?.targetTimeWindow?.start == World.start)
        #expect(try world.task("t2").journey?.segments.last?.stop.tasks.first?.targetTimeWindow == nil)
    }

    @Test("the first segment's time grows with each list; on arrival it is the real driving time, and the route is removed")
    func firstSegment() throws {
        var world = try World.delivering(tasks: ["t1", "t2"])
        try world.setStops([.at(0, ["t1"]), .at(1, ["t2"])])
        world.wait(40)
        #expect(try (world.van().segments.first?.drivingDurationSeconds ?? 0).rounded() == 100)
        try world.drive(to: World.place(east: 100))
        let enroute = try world.setStops([.at(0, ["t1"], .enroute), .at(1, ["t2"])])
        #expect((enroute.segments.first?.drivingDurationSeconds ?? 0).rounded() == 40 + 90)
        world.wait(25)
        for _ in 0..<2 {
            let arrived = try world.setStops([.at(0, ["t1"], .arrived), .at(1, ["t2"])])
            let first = try #require(arrived.segments.first)
            #expect(first.drivingDurationSeconds == 65 && first.drivingDistanceMeters == nil && first.path.isEmpty)
            world.wait(10)
        }
        // The route to the next stop starts at the vehicle's position.
        let next = try world.setStops([.at(1, ["t2"])])
        #expect((next.segments.first?.drivingDistanceMeters ?? 0).rounded() == 1_900)
        #expect((next.segments.first?.drivingDurationSeconds ?? 0).rounded() == 190)
    }

    @Test("without a position the first segment has no route, until a position is reported")
    func withoutPosition() throws {
        var world = World()
        try world.createVan("van") { _ in }
        try world.createTask("t1")
        let van = try world.setStops([.at(0, ["t1"])])
        let first = try #require(van.segments.first)
        #expect(first.drivingDistanceMeters == nil && first.path.isEmpty && first.drivingDurationSeconds == 0)
        #expect(try world.task("t1").journey?.lastLocation == nil)
        #expect(try world.track("p-t1").info.remainingStopCount == 1)
        #expect(try world.track("p-t1").info.estimatedArrivalTime == nil)
        try world.drive(to: World.centre)
        #expect(try (world.van().segments.first?.drivingDistanceMeters ?? 0).rounded() == 1_000)
    }

    @Test("routes come later from the router, and routes between stops that remain neighbours are kept")
    func ways() throws {
        var world = try World.delivering(tasks: ["t1", "t2", "t3"])
        try world.setStops([.at(0, ["t1"]), .at(1, ["t2"]), .at(2, ["t3"])])
        let name = try World.van()
        let ways = try world.engine.deliveryVehicleRecord(name).missingWays
        #expect(ways.map(\.start) == [World.centre, World.place(east: 1_000), World.place(east: 2_000)])
        for way in ways {
            let route = try Self.detour(way)
            world.change { engine, now in ((), engine.settle(way, with: route, for: [name], now: now)) }
        }
        let settled = try world.van().segments
        #expect(settled.map(\.drivingDistanceMeters) == [1_500, 1_500, 1_500])
        #expect(settled.map(\.path.coordinates.count) == [3, 3, 3])
        #expect(try world.engine.deliveryVehicleRecord(name).missingWays.isEmpty)
        // The first stop becomes the last. Only the route from t2 to t3 is then still known.
        try world.setStops([.at(1, ["t2"]), .at(2, ["t3"]), .at(0, ["t1"])])
        let missing = try world.engine.deliveryVehicleRecord(name).missingWays
        #expect(missing.map(\.start) == [World.centre, World.place(east: 3_000)])
        #expect(missing.map(\.end) == [World.place(east: 2_000), World.place(east: 1_000)])
        // If the router finds no route, the straight line stays, and the router is not asked again.
        for way in missing { world.change { engine, now in ((), engine.settle(way, with: nil, for: [name], now: now)) } }
        #expect(try world.engine.deliveryVehicleRecord(name).missingWays.isEmpty)
        #expect(try world.van().segments.map { ($0.drivingDistanceMeters ?? 0).rounded() } == [2_000, 1_500, 2_000])
        #expect(try states(world, ["t1", "t2", "t3"]) == [.open, .open, .open])
    }

    /// Returns a route of 1,500 m and 300 s through a third place.
    private static func detour(_ way: Way) throws -> PlannedRoute {
        let middle = way.start.offset(eastMeters: 500, northMeters: 500)
        return try PlannedRoute(
            planner: "test",
            legs: [
                RouterLeg(
                    path: [way.start, middle, way.end], destination: NavigationWaypoint(coordinate: way.end), distanceMeters: 1_500,
                    durationSeconds: 300)
            ])
    }

    @Test("a vehicle that leaves its route gets another one, and the first segment stays as it was added")
    func leftWay() throws {
        var world = try World.delivering(tasks: ["t1"])
        try world.setStops([.at(0, ["t1"])])
        world.wait(10)
        try world.drive(to: World.place(east: 500, north: 500))
        let info = try world.track("p-t1").info
        #expect((info.remainingDistanceMeters ?? 0).rounded() == 707)
        #expect(info.route?.coordinates.first == World.place(east: 500, north: 500))
        #expect(try (world.van().segments.first?.drivingDistanceMeters ?? 0).rounded() == 1_000)
    }
}
