import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Recorded deliveries of the real Fleet Engine")
struct RecordedDeliveryTests {
    private static let recording = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data/deliveries/lmfs-field-day-2022.json")

    @Test(
        "a courier's real day, replayed into the engine, gets the same driving times, outcomes and states",
        .enabled(if: FileManager.default.fileExists(atPath: Self.recording.path)))
    func fieldDay() throws {
        let traffic = try RecordedTraffic(Data(contentsOf: Self.recording))
        var player = try Player()
        for row in traffic.rows { try player.play(row) }
        #expect(player.arrivals == 6 && player.outcomes == 9)
        // Three of the tasks are still open at the end.
        let tasks = player.world.engine.deliveries.tasks.values.map(\.task)
        #expect(tasks.count == 11 && tasks.filter { $0.state == .closed }.count == 8)
    }

    private struct Player {
        var world = World()
        /// The numbers of compared arrivals and of compared outcomes.
        private(set) var arrivals = 0
        private(set) var outcomes = 0
        private let provider = "sample-project"
        private let vehicle: DeliveryVehicleName
        private var hasArrivedOnce = false

        init() throws {
            var options = EngineOptions()
            options.keepsJumps = true
            world.engine = FleetEngineState(options: options)
            vehicle = try DeliveryVehicleName(provider: provider, vehicle: "sample-vehicle-id")
            let name = vehicle
            _ = try world.change { try $0.createDeliveryVehicle(name, DeliveryVehicleValues(), now: $1) }
        }

        mutating func play(_ row: RecordedTraffic.Row) throws {
            world.now = row.time
            switch row.kind {
            case "CreateTaskLog": try create(row)
            case "UpdateTaskLog": try update(row)
            case "UpdateDeliveryVehicleLog": try drive(row)
            default: Issue.record("\(row.kind)")
            }
        }

        private func name(_ row: RecordedTraffic.Row) throws -> TaskName {
            try TaskName(provider: provider, task: try #require(row.request["taskid"]?.string))
        }

        private mutating func create(_ row: RecordedTraffic.Row) throws {
            let sent = try #require(row.request["task"])
            let task = DeliveryTask(
                name: try name(row), type: try #require(DeliveryTaskType(rawValue: sent.word("type", after: "TASK_TYPE_LOG_"))),
                state: .open, trackingID: sent["trackingid"]?.string, plannedLocation: sent["plannedlocation"]?.place,
                durationSeconds: sent["taskduration"]?.duration?.lengthSeconds)
            _ = try world.change { try $0.createTask(task, now: $1) }
        }

        private mutating func update(_ row: RecordedTraffic.Row) throws {
            var task = DeliveryTask(name: try name(row))
            let sent = try #require(row.request["task"])
            task.outcome = DeliveryTaskOutcome(rawValue: sent.word("taskoutcome", after: "TASK_OUTCOME_LOG_"))
            task.outcomeTime = sent["taskoutcometime"]?.timestamp?.moment
            let values = task
            let mask = Google_Protobuf_FieldMask.with { $0.paths = row.mask }
            let answer = try world.change { try $0.updateTask(values, mask: mask, now: $1) }.task
            #expect(answer.state.rawValue == row.response.word("state", after: "TASK_STATE_LOG_"), "\(row.timestamp)")
            #expect(answer.outcome == values.outcome && answer.outcomeTime == values.outcomeTime, "\(row.timestamp)")
            #expect(answer.outcomeLocationSource == .lastVehicleLocation, "\(row.timestamp)")
            #expect(answer.outcomeLocation == row.response["taskoutcomelocation"]?.place, "\(row.timestamp)")
            outcomes += 1
        }

        private mutating func drive(_ row: RecordedTraffic.Row) throws {
            let sent = try #require(row.request["deliveryvehicle"])
            let isList = row.mask.contains("remainingVehicleJourneySegments")
            var values = DeliveryVehicleValues()
            values.lastLocation = WireVehicle(log: sent).lastLocation
            values.stops = isList ? (sent["remainingvehiclejourneysegments"]?.array ?? []).map(Self.stop) : []
            let mask = Google_Protobuf_FieldMask.with {
                $0.paths = row.mask.filter { ["lastLocation", "remainingVehicleJourneySegments"].contains($0) }
            }
            let (name, update) = (vehicle, values)
            let answer = try world.change { try $0.updateDeliveryVehicle(name, update, mask: mask, now: $1) }
            let recorded = row.response["remainingvehiclejourneysegments"]?.array ?? []
            #expect(!isList || answer.segments.count == recorded.count, "\(row.timestamp)")
            guard isList, update.stops.first?.state == .arrived else { return }
            // The recording begins after the first stop was added, so the duration of the first drive cannot be compared.
            defer { hasArrivedOnce = true }
            guard hasArrivedOnce else { return }
            let first = try #require(answer.segments.first)
            let seconds = try #require(recorded.first?["drivingduration"]?.duration?.lengthSeconds)
            #expect(abs((first.drivingDurationSeconds ?? 0) - seconds) < 0.2, "\(row.timestamp)")
            #expect(first.drivingDistanceMeters == nil && recorded.first?["drivingdistancemeters"] == nil, "\(row.timestamp)")
            arrivals += 1
        }

        private static func stop(_ segment: JSONValue) -> DeliveryVehicleValues.Stop {
            let stop = segment["stop"]
            return DeliveryVehicleValues.Stop(
                place: stop?["plannedlocation"]?.place, taskIDs: (stop?["tasks"]?.array ?? []).compactMap { $0["taskid"]?.string },
                state: VehicleStopState(rawValue: stop?.word("state", after: "VEHICLE_STOP_STATE_LOG_") ?? "") ?? .unknown)
        }
    }
}

extension JSONValue {
    fileprivate var place: Coordinate? {
        guard let latitude = self["point"]?["latitude"]?.number, let longitude = self["point"]?["longitude"]?.number else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns an enum value's name without its prefix; empty if the key has no value.
    fileprivate func word(_ key: String, after prefix: String) -> String {
        let text = self[key]?.string ?? ""
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }
}
