import EngineWorld
import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineCore

@Suite("The creation of tasks")
struct TaskCreationTests {
    @Test("a task is created as sent, and has no vehicle")
    func creation() throws {
        var world = World()
        let window = TimeWindow(start: World.start, end: World.start.addingTimeInterval(3_600))
        let task = try DeliveryTask.new("t1") {
            $0.targetTimeWindow = window
            $0.attributes = [DeliveryAttribute(key: "zone", text: "north"), DeliveryAttribute(key: "floor", value: .number(3))]
            $0.trackingViewConfig = TaskTrackingViewConfig(route: .never)
        }
        let made = try world.createTasks([task])
        #expect(made.map(\.task) == [task])
        #expect(try world.task("t1").task == task)
        #expect(try world.task("t1").journey == nil)
        refusal(.alreadyExists) { try world.createTask("t1") }
        #expect(world.engine.taskCount == 1)
    }

    @Test(
        "invalid requests to CreateTask are refused",
        arguments: [
            .init("task.type") { $0.type = .unknown }, .init("task.state") { $0.state = .unknown },
            .init("task.state") { $0.state = .closed }, .init("task.tracking_id") { $0.trackingID = nil },
            .init("task.tracking_id") { $0.trackingID = "a/b" }, .init("task.tracking_id") { $0.trackingID = "" },
            .init("task.tracking_id") { $0.type = .scheduledStop }, .init("task.tracking_id") { $0.type = .unavailable },
            .init("task.task_duration") { $0.durationSeconds = nil }, .init("task.task_duration") { $0.durationSeconds = -1 },
            .init("task.task_duration") { $0.durationSeconds = .nan }, .init("task.planned_location") { $0.plannedLocation = nil },
            .init("task.planned_location") { $0.plannedLocation = Coordinate(latitude: 91, longitude: 0) },
            .init("task.planned_location") {
                $0.type = .scheduledStop
                $0.trackingID = nil
                $0.plannedLocation = nil
            },
            .init("task.target_time_window") {
                $0.targetTimeWindow = TimeWindow(start: World.start, end: World.start.addingTimeInterval(-1))
            },
            .init("task.task_tracking_view_config") {
                $0.trackingViewConfig = TaskTrackingViewConfig(arrivalTime: .remainingStops(atMost: -1))
            },
            .init("task.task_tracking_view_config") {
                $0.type = .scheduledStop
                $0.trackingID = nil
                $0.trackingViewConfig = TaskTrackingViewConfig(arrivalTime: .always)
            },
            .init("task.delivery_vehicle_id") { $0.vehicleID = "van" },
            .init("task.journey_sharing_info") { $0.journeySharing = TaskJourneySharing() },
            .init("task.task_outcome") { $0.outcome = .failed }, .init("task.task_outcome_time") { $0.outcomeTime = World.start },
            .init("task.task_outcome_location") { $0.outcomeLocation = World.centre },
            .init("task.task_outcome_location_source") { $0.outcomeLocationSource = .provider },
            .init("attributes") { $0.attributes = [DeliveryAttribute(key: "a:b", text: "")] },
            .init("attributes") { $0.attributes = [DeliveryAttribute(key: "a", text: "1"), DeliveryAttribute(key: "a", text: "2")] },
            .init("attributes") { $0.attributes = [DeliveryAttribute(key: "a", text: String(repeating: "x", count: 255))] },
        ] as [Fault<DeliveryTask>])
    func refused(fault: Fault<DeliveryTask>) {
        var world = World()
        refusal(.invalidArgument, field: fault.field) { try world.createTask("t1", fault.change) }
        #expect(world.engine.taskCount == 0)
    }

    @Test("a task at the depot needs a place, a break needs none, and neither has a tracking id")
    func othersThanShipments() throws {
        var world = World()
        try world.createTask("depot") {
            $0.type = .scheduledStop
            $0.trackingID = nil
        }
        let lunch = try world.createTask("lunch") {
            $0.type = .unavailable
            $0.trackingID = nil
            $0.plannedLocation = nil
        }
        #expect(lunch.task.plannedLocation == nil && lunch.task.trackingID == nil)
    }

    @Test("a batch of 500 tasks is created as a whole, and a larger one is refused")
    func batch() throws {
        var world = World()
        let tasks = try (0...500).map { try DeliveryTask.new("t\($0)") }
        refusal(.invalidArgument, field: "requests") { try world.createTasks(tasks) }
        #expect(world.engine.taskCount == 0)
        let made = try world.createTasks(Array(tasks.prefix(500)))
        #expect(made.map(\.task) == Array(tasks.prefix(500)))
    }

    @Test("if one task of a batch is invalid, none is created")
    func badBatch() throws {
        var world = World()
        try world.createTask("old")
        let good = try DeliveryTask.new("good")
        let bad = try DeliveryTask.new("bad") { $0.type = .unknown }
        refusal(.invalidArgument, field: "requests[1].task.type") { try world.createTasks([good, bad]) }
        refusal(.invalidArgument, field: "requests[1].task_id") { try world.createTasks([good, good]) }
        let foreign = try DeliveryTask.new("good", provider: "other")
        refusal(.invalidArgument, field: "requests[0].parent") { try world.createTasks([foreign]) }
        let old = try DeliveryTask.new("old")
        refusal(.alreadyExists) { try world.createTasks([good, old]) }
        #expect(world.engine.taskCount == 1)
    }

    @Test("an engine holds a limited number of tasks")
    func room() throws {
        var limits = EngineLimits()
        limits.tasks = 2
        var world = World(limits: limits)
        try world.createTask("t1")
        let more = [try DeliveryTask.new("t2"), try DeliveryTask.new("t3")]
        refusal(.resourceExhausted) { try world.createTasks(more) }
        try world.createTask("t2")
        refusal(.resourceExhausted) { try world.createTask("t3") }
        try world.deleteTask("t1")
        try world.createTask("t3")
    }
}
