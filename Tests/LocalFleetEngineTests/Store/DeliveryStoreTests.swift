import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Deliveries in a store", .timeLimit(.minutes(1)))
struct DeliveryStoreTests {
    private let folder: StoreFolder
    private let van: DeliveryVehicleName

    init() throws {
        folder = try StoreFolder()
        van = try DeliveryVehicleName(provider: "plain", vehicle: "van")
    }

    private func task(_ id: String, _ change: (inout DeliveryTask) -> Void = { _ in }) throws -> DeliveryTask {
        var task = DeliveryTask(
            name: try TaskName(provider: "plain", task: id), type: .delivery, state: .open, trackingID: "p-\(id)",
            plannedLocation: World.centre, durationSeconds: 60.25)
        change(&task)
        return task
    }

    private func update(
        _ state: inout FleetEngineState, _ paths: [String], at seconds: Double, _ change: (inout DeliveryVehicleValues) -> Void
    ) throws {
        var values = DeliveryVehicleValues()
        change(&values)
        let now = World.start.addingTimeInterval(seconds)
        _ = try state.updateDeliveryVehicle(van, values, mask: .with { $0.paths = paths }, now: now)
    }

    private func stop(_ east: Double, _ tasks: [String], _ state: VehicleStopState = .new) -> DeliveryVehicleValues.Stop {
        DeliveryVehicleValues.Stop(place: World.place(east: east), taskIDs: tasks, state: state)
    }

    /// Creates five tasks, and a van with three stops, an uploaded route and a remaining time. The van is at its first stop, whose task
    /// has an outcome.
    private func fill(_ state: inout FleetEngineState) throws {
        let window = TimeWindow(start: World.start, end: World.start.addingTimeInterval(3_600))
        let tasks = [
            try task("t1") { $0.attributes = [DeliveryAttribute(key: "floor", value: .number(3))] },
            try task("t2") { $0.trackingViewConfig = TaskTrackingViewConfig(route: .never, arrivalTime: .secondsToArrival(atMost: 90)) },
            try task("t3") { $0.targetTimeWindow = window }, try task("free"),
            try task("lunch") {
                $0.type = .unavailable
                $0.trackingID = nil
                $0.plannedLocation = nil
            },
        ]
        _ = try state.createTasks(tasks, of: try ProviderName("providers/plain"), account: "desk", now: World.start)
        var values = DeliveryVehicleValues()
        values.type = .bicycle
        values.lastLocation = .at(World.centre)
        values.attributes = [DeliveryAttribute(key: "electric", value: .truth(true))]
        _ = try state.createDeliveryVehicle(van, values, account: "desk", now: World.start)
        try update(&state, ["remaining_vehicle_journey_segments"], at: 1) {
            $0.stops = [stop(1_000, ["t1"], .enroute), stop(2_000, ["t2", "lunch"]), stop(3_000, ["t3"])]
        }
        try update(&state, ["last_location"], at: 20) { $0.lastLocation = .at(World.place(east: 300)) }
        let way = EncodedPolyline.encode([World.place(east: 300), World.place(east: 1_000)])
        try update(&state, ["current_route_segment", "remaining_duration", "remaining_distance_meters", "navigation_status"], at: 21) {
            $0.currentRouteSegment = way
            $0.remainingDurationSeconds = 66.5
            $0.remainingDistanceMeters = 705
            $0.navigationStatus = .enrouteToDestination
        }
        try update(&state, ["remaining_vehicle_journey_segments"], at: 90) {
            $0.stops = [stop(1_000, ["t1"], .arrived), stop(2_000, ["t2", "lunch"]), stop(3_000, ["t3"])]
        }
        let done = try task("t1") { $0.outcome = .succeeded }
        _ = try state.updateTask(done, mask: .with { $0.paths = ["task_outcome"] }, now: World.start.addingTimeInterval(100))
    }

    @Test("after a restart, tasks and delivery vehicles are as they were: stops, routes, figures and outcomes")
    func start() throws {
        let before: FleetEngineState
        do {
            var (store, state) = try folder.open()
            try fill(&state)
            try store.write(state)
            before = state
        }
        let state = try folder.open().state
        #expect(state == before && state.taskCount == 5 && state.deliveryVehicleCount == 1)
        let record = try #require(state.deliveries.vehicles[van])
        #expect(record.run.between.count == 2 && record.run.arrivedAt == World.start.addingTimeInterval(90))
        #expect(record.account == "desk" && record.upload?.remainingMeters == 705)
        let now = World.start.addingTimeInterval(120)
        for id in ["p-t1", "p-t3"] {
            let name = try TaskTrackingName(provider: "plain", trackingID: id)
            #expect(try state.getTaskTrackingInfo(name, now: now) == before.getTaskTrackingInfo(name, now: now))
        }
    }

    @Test("each change is there after a restart, also the deletion of tasks and vehicles", arguments: [false, true])
    func changes(isKilled: Bool) throws {
        var (store, state) = try folder.open()
        func keep() throws {
            try store.write(state)
            state.forgetChanges()
        }
        try fill(&state)
        try keep()
        try update(&state, ["last_location"], at: 130) { $0.lastLocation = .at(World.place(east: 1_400)) }
        try keep()
        try update(&state, ["remaining_vehicle_journey_segments"], at: 140) { $0.stops = [stop(3_000, ["t3"])] }
        try keep()
        _ = try state.deleteTask(try TaskName(provider: "plain", task: "free"))
        try keep()
        if isKilled {
            try update(&state, ["remaining_vehicle_journey_segments"], at: 150) { $0.stops = [] }
            try keep()
            _ = try state.deleteDeliveryVehicle(van)
            try keep()
        }
        // If a server were killed now, the file and its log would stay as they are.
        let copy = try StoreFolder()
        for (name, bytes) in try folder.contents { try bytes.write(to: URL(filePath: copy.path + "/" + name)) }
        #expect(try copy.open().state == state)
        withExtendedLifetime(store) {}
    }

    @Test("a backup has the deliveries, and a restore says how many there are")
    func backup() throws {
        let copy = folder.path + "/backup.db"
        var (store, state) = try folder.open()
        try fill(&state)
        try store.write(state)
        try EngineStore.backUp(folder.file, to: copy)
        let other = try StoreFolder()
        let restored = try EngineStore.restore(copy, to: other.file)
        #expect(restored.tasks == 5 && restored.deliveryVehicles == 1)
        #expect(try other.open().state == state)
    }

    @Test("a store of version 3 gets the tables of the deliveries, and its backups can be read")
    func olderVersion() throws {
        do {
            var (store, state) = try folder.open()
            _ = try state.createVehicle(.new("car"), now: World.start)
            try store.write(state)
        }
        try folder.bringToVersion3()
        let copy = folder.path + "/backup.db"
        try EngineStore.backUp(folder.file, to: copy)
        let other = try StoreFolder()
        #expect(try EngineStore.restore(copy, to: other.file).vehicles == 1)
        for place in [folder, other] {
            let before: FleetEngineState
            do {
                var (store, state) = try place.open()
                #expect(state.vehicleCount == 1 && state.taskCount == 0)
                state.forgetChanges()
                try fill(&state)
                try store.write(state)
                before = state
            }
            #expect(try place.version() == 4)
            #expect(try place.open().state == before)
        }
    }

    @Test("an inconsistent record is reported, and no part of it is used")
    func damaged() throws {
        var state = FleetEngineState()
        try fill(&state)
        let record = try #require(state.deliveries.vehicles[van])
        let ways = try #require(StoredDeliveryWays(record))
        #expect(try StoredDeliveryVehicle(record).record(ways: ways) == record)
        #expect(throws: DamagedRecordError.self) { try StoredDeliveryVehicle(record).record(ways: nil) }
        var other = ways
        other.between.removeLast()
        #expect(throws: DamagedRecordError.self) { try StoredDeliveryVehicle(record).record(ways: other) }
        other = ways
        other.serial += 1
        #expect(throws: DamagedRecordError.self) { try StoredDeliveryVehicle(record).record(ways: other) }
        other = ways
        other.added.points.removeLast()
        #expect(throws: DamagedRecordError.self) { try StoredDeliveryVehicle(record).record(ways: other) }
        var vehicle = StoredDeliveryVehicle(record)
        vehicle.stops[0].latitude = 91
        #expect(throws: DamagedRecordError.self) { try vehicle.record(ways: ways) }
        vehicle = StoredDeliveryVehicle(record)
        vehicle.firstSince = .infinity
        #expect(throws: DamagedRecordError.self) { try vehicle.record(ways: ways) }
    }
}
