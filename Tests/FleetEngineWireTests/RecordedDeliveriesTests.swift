import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("Recorded deliveries")
struct RecordedDeliveriesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/deliveries")
    private static let isThere = FileManager.default.fileExists(atPath: folder.path)

    private static func read(_ file: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.appending(path: file)))
    }

    /// Returns the answers to calls of the given kinds in a log, in the order of the log.
    private static func answers(_ entries: [JSONValue], of kinds: String...) -> [JSONValue] {
        entries.compactMap { entry in
            let payload = entry["jsonpayload"], type = payload?["@type"]?.string ?? ""
            return kinds.contains { type.hasSuffix(".\($0)Log") } ? payload?["response"] : nil
        }
    }

    @Test("a courier's day is read: all stops with their states, all positions as sent", .enabled(if: isThere))
    func fieldDay() throws {
        let entries = try #require(try Self.read("lmfs-field-day-2022.json")["rawlogs"]?.array)
        let name = try DeliveryVehicleName(provider: "sample-project", vehicle: "sample-vehicle-id")
        let answers = Self.answers(entries, of: "UpdateDeliveryVehicle")
        let vehicles = answers.map { DeliveryVehicle(WireDeliveryVehicle(log: $0), name: name) }
        let segments = vehicles.flatMap(\.remainingSegments)
        #expect(vehicles.count == 649 && segments.count == 4_374)
        #expect(segments.filter { $0.stop.state == .new }.count == 3_739)
        #expect(segments.filter { $0.stop.state == .enroute }.count == 628)
        #expect(segments.filter { $0.stop.state == .arrived }.count == 7)
        #expect(segments.allSatisfy { !$0.stop.tasks.isEmpty && $0.stop.tasks.allSatisfy { $0.durationSeconds == 60 } })
        #expect(vehicles.filter { $0.navigationStatus == .enrouteToDestination }.count == 509)
        for (vehicle, answer) in zip(vehicles, answers) {
            let sent = answer["lastlocation"]?["rawlocation"]
            #expect(vehicle.lastLocation?.rawCoordinate?.latitude == sent?["latitude"]?.number)
            #expect(vehicle.lastLocation?.rawCoordinate?.longitude == sent?["longitude"]?.number)
        }
    }

    @Test("the tasks of a courier's day are read with their outcomes", .enabled(if: isThere))
    func fieldDayTasks() throws {
        let entries = try #require(try Self.read("lmfs-field-day-2022.json")["rawlogs"]?.array)
        let tasks = try Self.answers(entries, of: "CreateTask", "UpdateTask").map { answer in
            let wire = WireTask(log: answer)
            return DeliveryTask(wire, name: try TaskName(wire.name))
        }
        #expect(tasks.count == 20 && tasks.allSatisfy { $0.type == .delivery && $0.trackingID != nil && $0.plannedLocation != nil })
        #expect(tasks.filter { $0.outcome == .succeeded && $0.state == .open }.count == 7)
        #expect(tasks.filter { $0.outcome == .failed && $0.state == .open }.count == 1)
        #expect(tasks.filter { $0.outcome == .failed && $0.state == .closed }.count == 1)
        let done = tasks.filter { $0.outcome != nil }
        #expect(done.allSatisfy { $0.outcomeLocationSource == .lastVehicleLocation && $0.outcomeLocation != nil && $0.outcomeTime != nil })
        #expect(done.filter { $0.journeySharing?.remainingSegments.isEmpty == false }.count == 8)
    }

    @Test("the newer form of the log is read, and so is the form of the API", .enabled(if: isThere))
    func otherForms() throws {
        let newer = try #require(try Self.read("events-1-stop-2-task.json").array)
        let vehicles = Self.answers(newer, of: "UpdateDeliveryVehicle").map { WireDeliveryVehicle(log: $0) }
        #expect(vehicles.flatMap(\.remainingVehicleJourneySegments).filter { $0.stop.state == .arrived }.count == 7)
        #expect(Self.answers(newer, of: "UpdateTask").allSatisfy { WireTask(log: $0).taskOutcome == .succeeded })
        let archive = try #require(try Self.read("fleet-archive-delivery-2021.json")["rawlogs"]?.array)
        let outcomes = archive.compactMap { $0["updatetask"]?["response"] }
        let outcome = try #require(outcomes.first)
        let task = DeliveryTask(WireTask(log: outcome), name: try TaskName(provider: "demo", task: "t"))
        #expect(task.type == .pickup && task.state == .closed && task.outcome == .succeeded && task.vehicleID == "sample-vehicle-id")
        let reads = archive.compactMap { $0["getdeliveryvehicle"]?["response"] }
        let read = try #require(reads.first)
        let vehicle = DeliveryVehicle(
            WireDeliveryVehicle(log: read), name: try DeliveryVehicleName(provider: "demo", vehicle: "v"))
        let seconds = try #require(vehicle.remainingSegments.first?.drivingDurationSeconds)
        #expect(abs(seconds - 1_851.311279) < 1e-6 && vehicle.remainingSegments.count == 1)
        #expect(vehicle.remainingSegments.first?.stop.tasks == [StopTask(taskID: "sample-vehicle-id-2", durationSeconds: 10)])
    }

    @Test("invented logs of all forms are read the same")
    func madeUp() throws {
        let forms = [
            """
            {"type":"TASK_TYPE_LOG_SCHEDULED_STOP","state":"TASK_STATE_LOG_CLOSED","taskoutcome":"TASK_OUTCOME_LOG_FAILED",
            "taskoutcomelocationsource":"TASK_OUTCOME_LOCATION_SOURCE_LOG_PROVIDER","taskduration":"90s",
            "plannedlocation":{"point":{"latitude":1,"longitude":2}},"targettimewindow":{"starttime":"2026-03-14T09:00:00Z",
            "endtime":"2026-03-14T10:00:00Z"},"attributes":[{"key":"size","stringvalue":"M"}]}
            """,
            """
            {"type":"SCHEDULED_STOP","state":"CLOSED","taskOutcome":"FAILED","taskOutcomeLocationSource":"PROVIDER","taskDuration":"90s",
            "plannedLocation":{"point":{"latitude":1,"longitude":2}},"targetTimeWindow":{"startTime":"2026-03-14T09:00:00Z",
            "endTime":"2026-03-14T10:00:00Z"},"attributes":[{"key":"size","stringValue":"M"}],
            "taskTrackingViewConfig":{"vehicleLocationVisibility":{"never":true}}}
            """,
        ]
        let name = try TaskName(provider: "demo", task: "t"), nine = Date(timeIntervalSince1970: 1_773_478_800)
        var expected = DeliveryTask(
            name: name, type: .scheduledStop, state: .closed, plannedLocation: Coordinate(latitude: 1, longitude: 2), durationSeconds: 90,
            outcome: .failed, outcomeLocationSource: .provider,
            targetTimeWindow: TimeWindow(start: nine, end: nine.addingTimeInterval(3_600)),
            attributes: [DeliveryAttribute(key: "size", text: "M")])
        for (index, text) in forms.enumerated() {
            if index == 1 { expected.trackingViewConfig = TaskTrackingViewConfig(vehicleLocation: .never) }
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(DeliveryTask(WireTask(log: value), name: name) == expected)
        }
    }
}
