import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Testing

@testable import TripRecording

@Suite("Deliveries in a log")
struct LoggedDeliveriesTests {
    private static let recordings = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/deliveries")
    private static let hasRecordings = FileManager.default.fileExists(atPath: recordings.path)

    private func recording(_ name: String) throws -> FleetEngineLog {
        try FleetEngineLog(Data(contentsOf: Self.recordings.appending(path: name)))
    }

    private func task(_ id: String, _ state: String = "OPEN", outcome: String? = nil) -> LogDocument {
        let facts: [(String, LogDocument)] = [
            ("name", .text("providers/demo/tasks/\(id)")), ("type", "TASK_TYPE_LOG_DELIVERY"), ("state", .text("TASK_STATE_LOG_\(state)")),
            ("trackingId", .text("p-\(id)")), ("taskDuration", "60s"), ("plannedLocation", ["point": ["latitude": 1, "longitude": 2]]),
        ]
        return .members(facts + (outcome.map { [("taskOutcome", .text("TASK_OUTCOME_LOG_\($0)"))] } ?? []))
    }

    private func van(_ tasks: [String]) -> LogDocument {
        let stops: [LogDocument] = tasks.map { id in
            ["stop": ["state": "VEHICLE_STOP_STATE_LOG_NEW", "tasks": [["taskId": .text(id), "taskDuration": "60s"]]]]
        }
        let name: LogDocument = "providers/demo/deliveryVehicles/van"
        return .members([("name", name)] + (stops.isEmpty ? [] : [("remainingVehicleJourneySegments", .list(stops))]))
    }

    /// Creates an entry in the format of Cloud Logging, with the type names of the new or the old API.
    private func entry(_ call: String, at second: Int, isNew: Bool, _ members: [(String, LogDocument)]) -> LogDocument {
        let type = "type.googleapis.com/maps.fleetengine.\(isNew ? "delivery.log.v1" : "v1").\(call)Log"
        return .members([
            ("timestamp", .text("2026-01-31T12:00:\(second)Z")), ("jsonPayload", .members([("@type", .text(type))] + members)),
        ])
    }

    @Test(
        "a task that leaves its vehicle's list is closed with its current outcome", arguments: [false, true],
        LogDocument.KeyStyle.allCases)
    func closing(isNew: Bool, style: LogDocument.KeyStyle) throws {
        let update: LogDocument = ["updateMask": "remainingVehicleJourneySegments"]
        let entries = [
            entry("DeleteTask", at: 35, isNew: isNew, [("request", ["name": "providers/demo/tasks/t3"]), ("response", [:])]),
            entry("UpdateDeliveryVehicle", at: 40, isNew: isNew, [("request", update), ("response", van(["t2"]))]),
            entry("UpdateTask", at: 30, isNew: isNew, [("response", task("t1", outcome: "SUCCEEDED"))]),
            entry("UpdateDeliveryVehicle", at: 20, isNew: isNew, [("request", update), ("response", van(["t1", "t2"]))]),
            entry("UpdateDeliveryVehicle", at: 50, isNew: isNew, [("request", update), ("errorResponse", ["code": "NOT_FOUND"])]),
            entry("BatchCreateTasks", at: 10, isNew: isNew, [("response", ["tasks": .list([task("t1"), task("t2"), task("t3")])])]),
        ]
        let log = try readLog(LogForm.entries.text(entries.map { $0.rendered(style) }))
        let fleet = log.fleet
        #expect(log.refusedCallCount == 1 && log.unknownEntryCount == 0 && log.unusableEntryCount == 0)
        #expect(fleet.tasks.map(\.name) == ["providers/demo/tasks/t1", "providers/demo/tasks/t2"])
        #expect(fleet.tasks.map(\.state) == [.closed, .open] && fleet.tasks.first?.deliveryVehicleID == "van")
        #expect(fleet.tasks.first?.taskOutcome == .succeeded && fleet.tasks.first?.plannedLocation.point.longitude == 2)
        #expect(fleet.deliveryVehicles.map(\.name) == ["providers/demo/deliveryVehicles/van"])
        #expect(fleet.deliveryVehicles.first?.remainingVehicleJourneySegments.first?.stop.tasks.map(\.taskID) == ["t2"])
        #expect(fleet.trips.isEmpty && fleet.vehicles.isEmpty)
    }

    @Test("without an answer, the request's fields are used, and bare ids belong to the vehicle's provider")
    func requests() throws {
        let bare: LogDocument = ["taskId": "t1", "task": ["taskOutcome": "TASK_OUTCOME_LOG_FAILED"], "updateMask": "taskOutcome"]
        let sent: LogDocument = ["deliveryVehicle": ["name": "providers/demo/deliveryVehicles/van", "navigationStatus": "NO_GUIDANCE"]]
        let project: (String, LogDocument) = ("logName", "projects/p/logs/update_task")
        guard case .members(let outcome) = entry("UpdateTask", at: 30, isNew: true, [("request", bare)]) else { return }
        let entries: [LogDocument] = [
            entry("CreateTask", at: 10, isNew: true, [("response", task("t1"))]),
            entry("GetDeliveryVehicle", at: 20, isNew: true, [("response", van(["t1"]))]),
            .members(outcome + [project]), entry("UpdateDeliveryVehicle", at: 40, isNew: true, [("request", sent)]),
        ]
        let fleet = try readLog(LogForm.lines.text(entries.map { $0.rendered() })).fleet
        #expect(fleet.tasks.map(\.taskOutcome) == [.failed] && fleet.tasks.map(\.trackingID) == ["p-t1"])
        #expect(fleet.deliveryVehicles.first?.navigationStatus == .noGuidance)
        #expect(fleet.deliveryVehicles.first?.remainingVehicleJourneySegments.count == 1)
    }

    @Test("for a log with deliveries and no trips, the error of a replay names the command that loads it")
    func replay() throws {
        let log = try readLog([entry("CreateTask", at: 10, isNew: true, [("response", task("t1"))])])
        let words = "the recording has no trip in its 1 entry; it has deliveries, which 'tripwatch serve --import FILE' loads"
        #expect(sentence { _ = try log.recordedTrip(matching: nil) } == words)
    }

    @Test("an outcome without a time has the time of the first entry with this outcome")
    func outcomeTimes() throws {
        func time(_ last: LogDocument) throws -> String? {
            let done = entry("UpdateTask", at: 20, isNew: true, [("response", task("t1", outcome: "FAILED"))])
            let created = entry("CreateTask", at: 10, isNew: true, [("response", task("t1"))])
            let fleet = try readLog([created, done, last]).fleet
            return try fleet.tasks.first?.taskOutcomeTime.jsonString()
        }
        #expect(
            try time(entry("GetTask", at: 30, isNew: true, [("response", task("t1", outcome: "FAILED"))])) == "\"2026-01-31T12:00:20Z\"")
        let changed: LogDocument = ["name": "providers/demo/tasks/t1", "taskOutcome": "TASK_OUTCOME_LOG_SUCCEEDED"]
        #expect(
            try time(entry("UpdateTask", at: 30, isNew: true, [("request", ["task": changed])])) == "\"2026-01-31T12:00:30Z\"")
        let timed: LogDocument = [
            "name": "providers/demo/tasks/t1", "taskOutcome": "TASK_OUTCOME_LOG_FAILED", "taskOutcomeTime": "2026-01-31T11:00:00Z",
        ]
        #expect(try time(entry("UpdateTask", at: 30, isNew: true, [("response", timed)])) == "\"2026-01-31T11:00:00Z\"")
    }

    @Test("after a recorded day, eight tasks are closed and three stops are left", .enabled(if: Self.hasRecordings))
    func fieldDay() throws {
        let log = try recording("lmfs-field-day-2022.json")
        let fleet = log.fleet
        #expect(log.unknownEntryCount == 0 && log.unusableEntryCount == 0)
        #expect(fleet.tasks.count == 11 && fleet.tasks.filter { $0.state == .closed }.count == 8)
        #expect(
            fleet.tasks.filter { $0.taskOutcome == .succeeded }.count == 7 && fleet.tasks.filter { $0.taskOutcome == .failed }.count == 1)
        #expect(fleet.deliveryVehicles.first?.remainingVehicleJourneySegments.count == 3)
    }

    @Test("the archive of 2021 and the log of today are read", .enabled(if: Self.hasRecordings))
    func otherForms() throws {
        let archive = try recording("fleet-archive-delivery-2021.json").fleet
        let done = try #require(archive.tasks.first { $0.name.hasSuffix("/sample-vehicle-id-1") })
        #expect(done.type == .pickup && done.state == .closed && done.taskOutcome == .succeeded)
        #expect(archive.deliveryVehicles.count == 1)
        let today = try recording("events-1-stop-2-task.json").fleet
        #expect(today.tasks.count == 2 && today.tasks.allSatisfy { $0.state == .closed && $0.taskOutcome == .succeeded })
        #expect(today.deliveryVehicles.first?.remainingVehicleJourneySegments.isEmpty == true)
    }
}
