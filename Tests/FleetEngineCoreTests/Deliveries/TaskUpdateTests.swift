import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineCore

@Suite("Changes of tasks")
struct TaskUpdateTests {
    @Test("a mask is required, in either spelling, and must not name a field that cannot change")
    func masks() throws {
        var world = try World.delivering(tasks: ["t1"])
        refusal(.invalidArgument, field: "update_mask") { try world.updateTask("t1", []) }
        let fixed = [
            "type", "tracking_id", "planned_location", "task_duration", "name", "delivery_vehicle_id", "journey_sharing_info",
            "task_outcome_location_source", "nonsense",
        ]
        for path in fixed { refusal(.invalidArgument, field: "update_mask") { try world.updateTask("t1", [path]) } }
        try world.updateTask("t1", ["taskOutcome"]) { $0.outcome = .succeeded }
        #expect(try world.task("t1").task.outcome == .succeeded)
        refusal(.notFound) { try world.updateTask("t9", ["task_outcome"]) { $0.outcome = .succeeded } }
    }

    @Test("an outcome does not close a task, cannot change, and may be sent again with a new time")
    func outcome() throws {
        var world = try World.delivering(tasks: ["t1"])
        refusal(.invalidArgument, field: "task.task_outcome") { try world.updateTask("t1", ["task_outcome"]) }
        try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .succeeded }
        var task = try world.task("t1").task
        #expect(task.state == .open && task.outcome == .succeeded && task.outcomeTime == world.now)
        #expect(task.outcomeLocation == nil && task.outcomeLocationSource == nil)
        refusal(.failedPrecondition) { try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .failed } }
        refusal(.failedPrecondition) { try world.updateTask("t1", ["task_outcome"]) }
        try world.updateTask("t1", ["state"]) { $0.state = .closed }
        let later = world.now.addingTimeInterval(9)
        try world.updateTask("t1", ["task_outcome", "task_outcome_time"]) {
            $0.outcome = .succeeded
            $0.outcomeTime = later
        }
        task = try world.task("t1").task
        #expect(task.state == .closed && task.outcome == .succeeded && task.outcomeTime == later)
    }

    @Test("the place of an outcome is the one from the provider, or else the vehicle's last raw position")
    func outcomePlace() throws {
        var world = try World.delivering(tasks: ["t1", "t2"])
        try world.setStops([.at(0, ["t1", "t2"])])
        let (raw, given) = (World.place(east: 30), World.place(east: 60))
        try world.updateVan(["last_location"]) {
            $0.lastLocation = .at(World.place(east: 33))
            $0.lastLocation?.rawLocation = WireLatLng(raw)
        }
        let own = try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .succeeded }.task
        #expect(own.outcomeLocation == raw && own.outcomeLocationSource == .lastVehicleLocation)
        let provided = try world.updateTask("t2", ["task_outcome", "task_outcome_location"]) {
            $0.outcome = .failed
            $0.outcomeLocation = given
        }.task
        #expect(provided.outcomeLocation == given && provided.outcomeLocationSource == .provider)
        refusal(.invalidArgument, field: "task.task_outcome_location") {
            try world.updateTask("t2", ["task_outcome_location"]) { $0.outcomeLocation = Coordinate(latitude: 0, longitude: 181) }
        }
    }

    @Test("a task that closed without an outcome can still get one, with the position of its former vehicle")
    func lateOutcome() throws {
        var world = try World.delivering(tasks: ["t1"])
        try world.setStops([.at(0, ["t1"], .arrived)])
        try world.setStops([])
        let task = try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .succeeded }.task
        #expect(task.state == .closed && task.outcome == .succeeded && task.outcomeLocation == World.centre)
        #expect(task.outcomeLocationSource == .lastVehicleLocation && task.vehicleID == "van")
    }

    @Test("an unassigned task can be closed, an assigned one cannot, and no task opens again")
    func states() throws {
        var world = try World.delivering(tasks: ["free", "held"])
        try world.setStops([.at(0, ["held"])])
        refusal(.failedPrecondition) { try world.updateTask("held", ["state"]) { $0.state = .closed } }
        try world.updateTask("held", ["state"]) { $0.state = .open }
        refusal(.invalidArgument, field: "task.state") { try world.updateTask("free", ["state"]) }
        try world.updateTask("free", ["state", "task_outcome", "task_outcome_time"]) {
            $0.state = .closed
            $0.outcome = .failed
            $0.outcomeTime = World.start
        }
        #expect(try world.task("free").task.state == .closed)
        #expect(try world.task("free").task.outcome == .failed)
        refusal(.failedPrecondition) { try world.updateTask("free", ["state"]) { $0.state = .open } }
        try world.updateTask("free", ["state"]) { $0.state = .closed }
    }

    @Test("window, view config and attributes are replaced while a task is open")
    func settings() throws {
        var world = try World.delivering(tasks: ["t1"])
        let paths = ["target_time_window", "task_tracking_view_config", "attributes"]
        let window = TimeWindow(start: World.start, end: World.start)
        let task = try world.updateTask("t1", paths) {
            $0.targetTimeWindow = window
            $0.trackingViewConfig = TaskTrackingViewConfig(remainingStopCount: .never)
            $0.attributes = [DeliveryAttribute(key: "zone", text: "south")]
        }.task
        #expect(task.targetTimeWindow == window && task.trackingViewConfig?.remainingStopCount == .never)
        #expect(task.attributes == [DeliveryAttribute(key: "zone", text: "south")])
        let cleared = try world.updateTask("t1", paths).task
        #expect(cleared.targetTimeWindow == nil && cleared.trackingViewConfig == nil && cleared.attributes.isEmpty)
        refusal(.invalidArgument, field: "task.target_time_window") {
            try world.updateTask("t1", paths) {
                $0.targetTimeWindow = TimeWindow(start: World.start, end: World.start.addingTimeInterval(-1))
            }
        }
        try world.updateTask("t1", ["state"]) { $0.state = .closed }
        for path in paths { refusal(.failedPrecondition) { try world.updateTask("t1", [path]) } }
    }

    @Test("a task can be deleted unless it is open and on a vehicle")
    func deletion() throws {
        var world = try World.delivering(tasks: ["t1"])
        try world.setStops([.at(0, ["t1"])])
        refusal(.failedPrecondition) { try world.deleteTask("t1") }
        try world.setStops([])
        try world.deleteTask("t1")
        refusal(.notFound) { _ = try world.task("t1") }
        refusal(.notFound) { try world.deleteTask("t1") }
        refusal(.notFound) { _ = try world.track("p-t1") }
    }
}
