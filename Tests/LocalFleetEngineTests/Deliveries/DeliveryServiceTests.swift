import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FoundationEssentials
import GRPCCore
import Geo
import SwiftProtobuf
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("The deliveries service over gRPC", .timeLimit(.minutes(2)))
struct DeliveryServiceTests {
    @Test("a round from the first task to the last deletion, through every call")
    func round() async throws {
        try await DeliveryCaller.with { caller, _ in
            let van = try await caller.createVan("van") { $0.lastLocation = .at(World.centre) }
            #expect(van.name == DeliveryCaller.van("van") && van.type == .auto)
            let first = try await caller.createTask("t1")
            #expect(first.name == DeliveryCaller.task("t1") && first.state == .open && first.deliveryVehicleID.isEmpty)
            let others = try await caller.createTasks(["t2", "t3"].map { DeliveryCaller.newTask($0) })
            #expect(others.map(\.name) == ["t2", "t3"].map(DeliveryCaller.task))
            let moving = try await caller.setStops([DeliveryCaller.stop(0, ["t1", "t2"], .enroute), DeliveryCaller.stop(1, ["t3"])])
            #expect(moving.remainingVehicleJourneySegments.count == 2)
            let last = try await caller.task("t3")
            #expect(last.deliveryVehicleID == "van" && last.journeySharingInfo.remainingVehicleJourneySegments.count == 2)
            #expect(last.journeySharingInfo.lastLocation.location.latitude == World.centre.latitude)
            let shown = try await caller.track("parcel-t3")
            #expect(shown.state == .open && shown.remainingStopCount.value == 2 && shown.trackingID == "parcel-t3")
            #expect(shown.hasVehicleLocation && !shown.routePolylinePoints.isEmpty && shown.hasEstimatedArrivalTime)
            let tasks = try await caller.service.listTasks(
                .with {
                    $0.parent = DeliveryCaller.provider
                    $0.filter = "delivery_vehicle_id=\"van\""
                    $0.pageSize = 2
                })
            #expect(tasks.totalSize == 3 && tasks.tasks.count == 2 && !tasks.nextPageToken.isEmpty)
            let vans = try await caller.service.listDeliveryVehicles(.with { $0.parent = DeliveryCaller.provider })
            #expect(vans.deliveryVehicles.map(\.name) == [DeliveryCaller.van("van")] && vans.totalSize == 1)
            #expect(vans.deliveryVehicles.first?.remainingVehicleJourneySegments.isEmpty == true)
            let done = try await caller.updateTask("t1", ["task_outcome"]) { $0.taskOutcome = .succeeded }
            #expect(done.state == .open && done.taskOutcomeLocationSource == .lastVehicleLocation)
            try await caller.setStops([])
            #expect(try await caller.task("t1").state == .closed)
            #expect(try await caller.van("van").remainingVehicleJourneySegments.isEmpty)
            for id in ["t1", "t2", "t3"] { try await caller.deleteTask(id) }
            try await caller.deleteVan("van")
            #expect(try await DeliveryCaller.code { try await caller.van("van") } == .notFound)
        }
    }

    @Test("the driver's route is returned as he sent it, and the remaining time decreases")
    func report() async throws {
        let time = ManualTimeSource(World.start)
        try await DeliveryCaller.with(time: time) { caller, _ in
            try await caller.createVan("van")
            let paths = ["current_route_segment", "current_route_segment_end_point", "remaining_distance_meters", "remaining_duration"]
            let sent = try await caller.updateVan("van", paths) {
                $0.currentRouteSegment = Data("_p~iF~ps|U_ulLnnqC".utf8)
                $0.currentRouteSegmentEndPoint.latitude = 40.7
                $0.remainingDistanceMeters = .init(900)
                $0.remainingDuration.seconds = 120
            }
            #expect(sent.currentRouteSegment == Data("_p~iF~ps|U_ulLnnqC".utf8) && sent.currentRouteSegmentEndPoint.latitude == 40.7)
            time.advance(by: 20)
            let later = try await caller.van("van")
            #expect(later.remainingDistanceMeters.value == 900 && later.remainingDuration.seconds == 100)
        }
    }

    @Test("each refusal has its code")
    func refusals() async throws {
        try await DeliveryCaller.with { caller, _ in
            try await caller.createVan("van")
            try await caller.createTask("t1")
            func code(_ work: () async throws -> some Sendable) async throws -> RPCError.Code? { try await DeliveryCaller.code(work) }
            #expect(try await code { try await caller.createVan("van") } == .alreadyExists)
            #expect(try await code { try await caller.createTask("t1") } == .alreadyExists)
            #expect(try await code { try await caller.createVan("new") { $0.remainingDuration.seconds = 1 } } == .invalidArgument)
            #expect(try await code { try await caller.createVan("a/b") } == .invalidArgument)
            #expect(try await code { try await caller.task("none") } == .notFound)
            #expect(try await code { try await caller.track("none") } == .notFound)
            #expect(try await code { try await caller.updateVan("none", ["type"]) } == .notFound)
            #expect(try await code { try await caller.updateVan("van", []) } == .invalidArgument)
            #expect(try await code { try await caller.updateVan("van", ["name"]) } == .invalidArgument)
            try await caller.setStops([DeliveryCaller.stop(0, ["t1"])])
            #expect(try await code { try await caller.deleteVan("van") } == .failedPrecondition)
            #expect(try await code { try await caller.deleteTask("t1") } == .failedPrecondition)
            #expect(try await code { try await caller.updateTask("t1", ["state"]) { $0.state = .closed } } == .failedPrecondition)
            #expect(try await code { try await caller.service.listTasks(.with { $0.parent = "nobody" }) } == .invalidArgument)
        }
    }

    @Test(
        "a task with a value that no task can hold is refused",
        arguments: [
            { $0.trackingID = "" }, { $0.type = .unavailable }, { $0.state = .closed }, { $0.taskDuration.seconds = -1 },
            { $0.clearTaskDuration() }, { $0.clearPlannedLocation() }, { $0.plannedLocation.clearPoint() },
            { $0.plannedLocation.point.latitude = 91 }, { $0.deliveryVehicleID = "van" }, { $0.taskOutcome = .succeeded },
            { $0.taskOutcomeTime.seconds = 1 }, { $0.targetTimeWindow.startTime.seconds = 1 },
            {
                $0.targetTimeWindow.startTime.seconds = 1
                $0.targetTimeWindow.endTime.seconds = 253_402_300_800
            },
            {
                $0.targetTimeWindow.startTime.seconds = 2
                $0.targetTimeWindow.endTime.seconds = 1
            },
            { $0.taskTrackingViewConfig.vehicleLocationVisibility.always = false },
            { $0.taskTrackingViewConfig.remainingStopCountVisibility.never = false },
            { $0.taskTrackingViewConfig.remainingStopCountVisibility.remainingStopCountThreshold = -1 },
            { $0.attributes = [.with { $0.key = "a" }, .with { $0.key = "a" }] },
            { $0.journeySharingInfo = .init() },
        ] as [@Sendable (inout WireTask) -> Void])
    func wrongTask(change: @Sendable (inout WireTask) -> Void) async throws {
        let engine = LocalFleetEngine(time: ManualTimeSource(World.start))
        do throws(FleetEngineError) {
            _ = try await engine.createTask(DeliveryCaller.newTask("t1", change))
            Issue.record("taken")
        } catch { #expect(error.code == .invalidArgument && !error.details.isEmpty, "\(error)") }
        #expect(await engine.snapshot.taskCount == 0)
    }

    @Test("an update reads only the fields in its mask")
    func masked() async throws {
        try await DeliveryCaller.with { caller, _ in
            try await caller.createVan("van")
            try await caller.createTask("t1")
            let task = try await caller.updateTask("t1", ["targetTimeWindow"]) {
                $0.taskTrackingViewConfig.vehicleLocationVisibility.always = false
                $0.targetTimeWindow.startTime.seconds = 100
                $0.targetTimeWindow.endTime.seconds = 200
            }
            #expect(task.targetTimeWindow.endTime.seconds == 200 && !task.hasTaskTrackingViewConfig)
            let van = try await caller.updateVan("van", ["type"]) {
                $0.type = .bicycle
                $0.attributes = [
                    .with {
                        $0.key = "a"
                        $0.value = "one"
                        $0.stringValue = "two"
                    }
                ]
            }
            #expect(van.type == .bicycle && van.attributes.isEmpty)
            let code = try await DeliveryCaller.code {
                try await caller.updateVan("van", ["attributes"]) {
                    $0.attributes = [
                        .with {
                            $0.key = "a"
                            $0.value = "one"
                            $0.stringValue = "two"
                        }
                    ]
                }
            }
            #expect(code == .invalidArgument)
        }
    }

    @Test("a batch succeeds as a whole or not at all; each of its requests has the batch's parent and header, or none")
    func batch() async throws {
        try await DeliveryCaller.with { caller, _ in
            let (one, two) = (DeliveryCaller.newTask("t1"), DeliveryCaller.newTask("t2"))
            func code(
                _ second: WireCreateTaskRequest?, _ change: (inout WireBatchCreateTasksRequest) -> Void = { _ in }
            ) async throws -> RPCError.Code? {
                try await DeliveryCaller.code { try await caller.createTasks([one] + (second.map { [$0] } ?? []), change) }
            }
            func changed(_ change: (inout WireCreateTaskRequest) -> Void) -> WireCreateTaskRequest {
                var request = two
                change(&request)
                return request
            }
            let wrong = [
                changed { $0.parent = "providers/else" }, changed { $0.header.languageCode = "de" }, changed { $0.taskID = "t1" },
                changed { $0.taskID = "" }, changed { $0.task.state = .closed },
            ]
            for request in wrong {
                let refusal = try await code(request)
                #expect(refusal == .invalidArgument, "\(request)")
            }
            let empty = try await code(nil) { $0.requests = [] }
            let long = try await code(nil) { $0.requests = (0..<501).map { DeliveryCaller.newTask("n\($0)") } }
            #expect(empty == .invalidArgument && long == .invalidArgument)
            #expect(try await caller.service.listTasks(.with { $0.parent = DeliveryCaller.provider }).totalSize == 0)
            let same = changed {
                $0.parent = ""
                $0.header.languageCode = "de"
            }
            let taken = try await code(same) { $0.header.languageCode = "de" }
            #expect(taken == nil)
            #expect(try await caller.task("t2").name == DeliveryCaller.task("t2"))
        }
    }

    @Test("a list obeys its page token, filter and map window")
    func lists() async throws {
        try await DeliveryCaller.with { caller, _ in
            for (id, east) in [("a", 0.0), ("b", 5_000)] {
                try await caller.createVan(id) { $0.lastLocation = .at(World.place(east: east)) }
            }
            func vans(_ change: (inout WireListDeliveryVehiclesRequest) -> Void) async throws -> [String] {
                var request = WireListDeliveryVehiclesRequest()
                request.parent = DeliveryCaller.provider
                change(&request)
                return try await caller.service.listDeliveryVehicles(request).deliveryVehicles.map(\.name)
            }
            let near = try await vans {
                $0.viewport.low = DeliveryCaller.point(World.place(east: -100, north: -100))
                $0.viewport.high = DeliveryCaller.point(World.place(east: 100, north: 100))
            }
            #expect(near == [DeliveryCaller.van("a")])
            let code = try await DeliveryCaller.code { try await vans { $0.viewport.low.latitude = 1 } }
            #expect(code == .invalidArgument)
            #expect(try await DeliveryCaller.code { try await vans { $0.filter = "state=OPEN" } } == .invalidArgument)
            #expect(try await DeliveryCaller.code { try await vans { $0.pageToken = "x" } } == .invalidArgument)
        }
    }
}
