import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineWire
import Foundation
import Geo
import PhoneIntake
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The fleet log")
struct FleetLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var entries: [[String: Any]] {
            get throws {
                try lines.withLock { $0 }.map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                }
            }
        }
    }

    private func member(_ entry: Any?, _ path: String) -> Any? {
        path.split(separator: ".").reduce(entry) { ($0 as? [String: Any])?[String($1)] }
    }

    private func text(_ entry: Any?, _ path: String) -> String? { member(entry, path) as? String }

    @Test("an entry has the form of Cloud Logging and the names of Fleet Engine's log")
    func form() async throws {
        let lines = Lines()
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [FleetLog(provider: "plain") { lines.add($0) }])
        _ = try await engine.answer(WireCreateVehicleRequest.new("car"))
        _ = try await engine.answer(WireCreateTripRequest.new("t1"))
        _ = try await engine.answer(
            WireUpdateTripRequest.with {
                $0.name = "\(World.provider)/trips/t1"
                $0.trip.vehicleID = "car"
                $0.trip.tripStatus = .enrouteToPickup
                $0.updateMask.paths = ["vehicle_id", "tripStatus"]
            })
        _ = try await engine.answer(
            WireUpdateVehicleRequest.with {
                $0.name = "\(World.provider)/vehicles/car"
                $0.vehicle.vehicleState = .online
                $0.vehicle.navigationStatus = .noGuidance
                $0.vehicle.lastLocation.location = .with { ($0.latitude, $0.longitude) = (10, 20) }
                $0.vehicle.lastLocation.locationSensor = .gps
                $0.updateMask.paths = ["vehicle_state", "navigation_status", "last_location"]
            })
        await #expect(throws: FleetEngineError.self) {
            try await engine.answer(WireGetTripRequest.with { $0.name = "providers/else/trips/t9" })
        }
        let entries = try lines.entries
        #expect(
            entries.map { text($0, "logName") ?? "" }
                == ["create_vehicle", "create_trip", "update_trip", "update_vehicle"].map {
                    "projects/plain/logs/fleetengine.googleapis.com%2F\($0)"
                } + ["projects/else/logs/fleetengine.googleapis.com%2Fget_trip"])
        for entry in entries {
            #expect(text(entry, "resource.type") == "fleetengine.googleapis.com/Fleet")
            #expect(text(entry, "resource.labels.location") == "global")
            #expect(text(entry, "timestamp") == text(entry, "receiveTimestamp") && text(entry, "insertId")?.count == 32)
        }
        let update = member(entries[2], "jsonPayload")
        #expect(text(update, "@type") == "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog")
        #expect(text(update, "request.tripId") == "t1" && text(update, "request.updateMask") == "vehicleId,tripStatus")
        #expect(text(update, "request.trip.status") == "TRIP_STATUS_ENROUTE_TO_PICKUP")
        #expect(text(update, "response.status") == "TRIP_STATUS_ENROUTE_TO_PICKUP" && text(update, "response.tripType") == "EXCLUSIVE_TRIP")
        #expect(member(update, "request.name") == nil && text(update, "response.vehicleId") == "car")
        #expect(text(entries[2], "labels.trip_id") == "t1" && text(entries[2], "labels.vehicle_id") == "car")
        let vehicle = member(entries[3], "jsonPayload")
        #expect(text(vehicle, "request.vehicle.name") == "\(World.provider)/vehicles/car" && text(vehicle, "request.vehicleId") == "car")
        #expect(text(vehicle, "response.state") == "VEHICLE_STATE_ONLINE")
        #expect(text(vehicle, "response.navStatus") == "NAVIGATION_STATUS_NO_GUIDANCE")
        #expect(text(vehicle, "request.vehicle.lastLocation.locSensor") == "LOCATION_SENSOR_GPS")
        #expect(member(vehicle, "response.supportedTrips") as? [String] == ["EXCLUSIVE_TRIP", "SHARED_TRIP"])
        #expect(text(entries[3], "labels.trip_id") == "t1" && text(entries[3], "labels.vehicle_id") == "car")
        let refusal = member(entries[4], "jsonPayload.errorResponse")
        #expect(text(refusal, "code") == "NOT_FOUND" && member(refusal, "httpStatusCode") as? Int == 404)
        #expect(text(refusal, "message")?.isEmpty == false && member(entries[4], "jsonPayload.response") == nil)
        #expect(text(entries[4], "severity") == "ERROR" && text(entries[4], "resource.labels.resource_container") == "projects/else")
    }

    @Test("calls about deliveries are logged as calls of a delivery fleet")
    func deliveries() async throws {
        let lines = Lines()
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [FleetLog(provider: "plain") { lines.add($0) }])
        _ = try await engine.answer(
            WireCreateDeliveryVehicleRequest.with {
                $0.parent = World.provider
                $0.deliveryVehicleID = "van"
            })
        _ = try await engine.answer(DeliveryCaller.newTask("t1"))
        _ = try await engine.answer(
            WireUpdateDeliveryVehicleRequest.with {
                $0.deliveryVehicle.name = DeliveryCaller.van("van")
                $0.deliveryVehicle.navigationStatus = .noGuidance
                $0.deliveryVehicle.remainingVehicleJourneySegments = [DeliveryCaller.stop(0, ["t1"], .enroute)]
                $0.updateMask.paths = ["remaining_vehicle_journey_segments", "navigation_status"]
            })
        _ = try await engine.answer(
            WireUpdateTaskRequest.with {
                $0.task.name = DeliveryCaller.task("t1")
                $0.task.taskOutcome = .failed
                $0.updateMask.paths = ["task_outcome"]
            })
        _ = try await engine.answer(WireGetTaskTrackingInfoRequest.with { $0.name = "\(World.provider)/taskTrackingInfo/parcel-t1" })
        let entries = try lines.entries
        let names = ["CreateDeliveryVehicle", "CreateTask", "UpdateDeliveryVehicle", "UpdateTask", "GetTaskTrackingInfo"]
        #expect(
            entries.map { text($0, "jsonPayload.@type") ?? "" }
                == names.map { "type.googleapis.com/maps.fleetengine.delivery.log.v1.\($0)Log" })
        #expect(entries.allSatisfy { text($0, "resource.type") == "fleetengine.googleapis.com/DeliveryFleet" })
        #expect(text(entries[2], "logName") == "projects/plain/logs/fleetengine.googleapis.com%2Fupdate_delivery_vehicle")
        #expect(text(entries[2], "labels.delivery_vehicle_id") == "van" && text(entries[1], "labels.task_id") == "t1")
        #expect(text(entries[3], "labels.delivery_vehicle_id") == "van" && text(entries[3], "labels.task_id") == "t1")
        let (created, moved, done) = (entries[1]["jsonPayload"], entries[2]["jsonPayload"], entries[3]["jsonPayload"])
        #expect(text(created, "request.taskId") == "t1" && text(created, "request.task.name") == DeliveryCaller.task("t1"))
        #expect(text(created, "request.task.type") == "TASK_TYPE_LOG_DELIVERY" && text(created, "response.state") == "TASK_STATE_LOG_OPEN")
        #expect(text(moved, "request.deliveryVehicleId") == "van")
        #expect(text(moved, "request.updateMask") == "remainingVehicleJourneySegments,navigationStatus")
        #expect(text(moved, "response.navigationStatus") == "NAVIGATION_STATUS_NO_GUIDANCE")
        let segments = member(moved, "request.deliveryVehicle.remainingVehicleJourneySegments") as? [[String: Any]]
        #expect(text(segments?.first, "stop.state") == "VEHICLE_STOP_STATE_LOG_ENROUTE")
        #expect(text(done, "request.updateMask") == "taskOutcome" && text(done, "response.taskOutcome") == "TASK_OUTCOME_LOG_FAILED")
    }

    @Test("the engine's own calls, for a phone or to assign a trip, are logged and counted like other calls")
    func madeCalls() async throws {
        let lines = Lines()
        let time = ManualTimeSource()
        let engine = LocalFleetEngine(time: time, callObservers: [FleetLog(provider: "plain") { lines.add($0) }])
        let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { "t1" }
        let phones = PhoneDesk(desk: desk, settings: PhoneSettings())
        let key = try await phones.book("car-7", isManual: false).key
        let car = try #require(phones.car(key: key)).name
        let place = World.place(east: 990)
        _ = try await phones.report([PhoneFix(coordinate: place, time: time.now())], of: car)
        _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
        time.advance(by: 1)
        await engine.passPhoneTime(PhoneSettings())
        time.advance(by: 5)
        _ = try await phones.report(
            [PhoneFix(coordinate: place, time: time.now()), PhoneFix(coordinate: place, time: time.now().addingTimeInterval(-60))], of: car)
        let entries = try lines.entries
        func update(_ entry: [String: Any]) -> String { text(entry, "jsonPayload.request.updateMask").map { " " + $0 } ?? "" }
        #expect(
            entries.map { (text($0, "logName")?.split(separator: "F").last.map(String.init) ?? "") + update($0) } == [
                "create_vehicle", "update_vehicle vehicleState", "update_vehicle vehicleState,lastLocation", "create_trip",
                "update_trip vehicleId", "update_trip tripStatus", "update_vehicle lastLocation", "update_trip tripStatus",
            ])
        #expect(text(entries[2], "jsonPayload.request.vehicle.state") == "VEHICLE_STATE_ONLINE")
        #expect(member(entries[2], "jsonPayload.request.vehicle.lastLocation.location.latitude") as? Double == place.latitude)
        #expect(text(entries[4], "labels.trip_id") == "t1" && text(entries[4], "labels.vehicle_id") == "car-7")
        #expect(text(entries[7], "jsonPayload.response.status") == "TRIP_STATUS_ARRIVED_AT_PICKUP")
        #expect(engine.metrics.count(.updateVehicle, .ok) == 3 && engine.metrics.count(.updateTrip, .ok) == 3)
        #expect(engine.metrics.count(.createTrip, .ok) == 1)
    }

    // MARK: - The recorded log

    private static let recording = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/fleet-logs/bay-area-trip1.json")

    /// Returns the texts in a JSON value by their paths. The path of a number, a Boolean or a null has no texts. In the paths, keys are in
    /// lower case without underscores, because logs spell the keys in two ways.
    private func words(_ value: Any, at path: String = "") -> [String: Set<String>] {
        switch value {
        case let object as [String: Any]:
            object.map { words($0.value, at: path + "." + $0.key.lowercased().replacing("_", with: "")) }
                .reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
        case let list as [Any]: list.map { words($0, at: path) }.reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
        case let word as String: [path: [word]]
        default: [path: []]
        }
    }

    @Test(
        "Fleet Engine's own messages, logged by this server, have the same keys and enum values as in its own log",
        .enabled(if: FileManager.default.fileExists(atPath: Self.recording.path)))
    func recorded() throws {
        let data = try Data(contentsOf: Self.recording)
        let rows = try #require((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["rawLogs"] as? [[String: Any]])
        var (theirs, ours): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        for (row, raw) in zip(try JSONDecoder().decode(JSONValue.self, from: data)["rawlogs"]?.array ?? [], rows) {
            let kind = try #require(row["jsonpayload"]?["@type"]?.string?.split(separator: ".").last)
            let response = try #require(row["jsonpayload"]?["response"])
            let answer: any Message = kind.hasPrefix("UpdateVehicle") ? WireVehicle(log: response) : WireTrip(log: response)
            let text = LoggedMessage.json(Google_Protobuf_Value(structValue: LoggedMessage.fields(of: answer, in: .trips)))
            let logged = try JSONSerialization.jsonObject(with: Data(text.utf8))
            ours.merge(words(logged, at: ".\(kind)")) { $0.union($1) }
            let recorded = try #require(member(raw, "jsonpayload.response"))
            theirs.merge(words(recorded, at: ".\(kind)")) { $0.union($1) }
        }
        #expect(!ours.isEmpty)
        for (path, words) in ours {
            let recorded = try #require(theirs[path], "\(path) is not in the recorded log")
            guard let word = recorded.first, word.allSatisfy({ $0.isUppercase || $0 == "_" }) else { continue }
            #expect(words.isSubset(of: recorded), "\(path)")
        }
        // The log reader ignores these fields, so they are missing from the written log.
        let unread = ["altitudeaccuracy", "locsensor", "speedaccuracy", "rawlocationsensor"]
        let lost = theirs.keys.filter { path in ours[path] == nil && !unread.contains { path.hasSuffix("." + $0) } }
        #expect(lost.isEmpty, "\(lost)")
    }
}
