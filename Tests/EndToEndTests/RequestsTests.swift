import Foundation
import Testing

@testable import ProgramHarness

@Suite("The calls of a recording", .timeLimit(.minutes(2)))
struct RequestsTests {
    private func requests(_ file: String, _ more: [String] = []) throws -> Program.Outcome {
        try Program().run(["replay", file, "--requests"] + more, setting: ["TZ": "UTC"])
    }

    private func object(_ line: String?) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any], "\(line ?? "")")
    }

    @Test("each call of a ride has a line and its changes; statuses and arrivals follow at the end")
    func ride() throws {
        let told = try requests(Golden.path("v0.1.0", "ride.trip"))
        #expect(told.status == 0 && told.errors.isEmpty, "\(told.errors)")
        #expect(told.lines.first == "17:11:36.464  GetTrip     OK           first answer", "\(told.lines.prefix(3))")
        #expect(told.lines.count { $0.hasPrefix("17:") } == 90)
        let second = told.lines.drop { !$0.hasPrefix("17:11:42.117") }.prefix { !$0.hasPrefix("17:11:47") }
        #expect(second.first?.hasSuffix("OK           +5.7 s") == true && second.count == 19, "\(second)")
        #expect(second.contains("              remainingDistanceMeters  1572 ▸ 1563"))
        #expect(second.contains("              + lastLocation.heading  174"))
        for field in [
            "route  47 points", "route  47 ▸ 21 points", "tripStatus  ARRIVED_AT_PICKUP ▸ ENROUTE_TO_INTERMEDIATE_DESTINATION",
            "… and 32 more", "- remainingDistanceMeters  7",
        ] { #expect(told.lines.contains("              " + field), "\(field)") }
        let last = told.lines.suffix(3)
        let ribbon =
            "ENROUTE_TO_PICKUP 3:17 ▸ ARRIVED_AT_PICKUP 0:27 ▸ ENROUTE_TO_INTERMEDIATE_DESTINATION 1:45 "
            + "▸ ARRIVED_AT_INTERMEDIATE_DESTINATION 0:33 ▸ ENROUTE_TO_DROPOFF 3:24 ▸ COMPLETE"
        #expect(last.first == ribbon, "\(last)")
        #expect(last.dropFirst().first?.hasPrefix("pickup: first ETA 17:14:21, actual 17:14:53") == true, "\(last)")
        #expect(last.last?.hasPrefix("drop-off: first ETA 17:18:44, actual 17:20:5") == true, "\(last)")
        #expect(last.dropFirst().allSatisfy { $0.hasSuffix(" s late") }, "\(last)")
    }

    @Test("a shipment's calls, with a failure")
    func shipment() throws {
        let told = try requests(Golden.path("v0.1.0", "shipment.trip"))
        #expect(told.status == 0 && told.errors.isEmpty, "\(told.errors)")
        #expect(
            told.lines.filter { $0.hasPrefix("12:") } == [
                "12:00:00.100  GetTaskTrackingInfo  OK           first answer",
                "12:00:05.100  GetTaskTrackingInfo  UNAVAILABLE  restarting; next call in 5.2 s",
                "12:00:10.100  GetTaskTrackingInfo  OK           +5.0 s", "12:10:00.100  GetTaskTrackingInfo  OK           +590.0 s",
            ])
        #expect(
            told.lines.suffix(4) == [
                "              + taskOutcomeTime  2026-11-27T12:09:58Z", "              - vehicleLocation", "OPEN 10:00 ▸ SUCCEEDED",
                "stop: first ETA 12:20:00, actual 12:09:58, 10 min 2 s early",
            ])
    }

    @Test("as JSON, each call is an object, and the summary is the last one", arguments: ["ride", "shipment"])
    func json(name: String) throws {
        let told = try requests(Golden.path("v0.1.0", name + ".trip"), ["--json"])
        let calls = try told.lines.dropLast().map { try object($0) }
        #expect(told.status == 0 && calls.count == (name == "ride" ? 90 : 4), "\(told.errors)")
        for call in calls {
            let isFailure = call["code"] as? String != "OK"
            #expect(Set(call.keys) == Set(["t", "call", "code", "changes"] + (isFailure ? ["message", "retry_in_s"] : [])))
            let changes = try #require(call["changes"] as? [[String: Any]])
            #expect(changes.allSatisfy { Set($0.keys) == ["path", "from", "to"] })
        }
        let route = (calls.first?["changes"] as? [[String: Any]])?.first { $0["path"] as? String == "route" }
        #expect((route?["to"] as? [Any])?.count == (name == "ride" ? 47 : nil), "lists are complete")
        let summary = try object(told.lines.last)
        #expect(Set(summary.keys) == ["event", "statuses", "arrivals"] && summary["event"] as? String == "summary")
        let statuses = try #require(summary["statuses"] as? [[String: Any]])
        #expect(statuses.last?["status"] as? String == (name == "ride" ? "COMPLETE" : "SUCCEEDED"))
        let arrivals = try #require(summary["arrivals"] as? [[String: Any]])
        #expect(arrivals.map { $0["waypoint"] as? String } == (name == "ride" ? ["pickup", "dropoff"] : ["stop"]))
        #expect(arrivals.allSatisfy { $0["late_s"] as? Int != nil && $0["first_eta"] is String && $0["actual"] is String })
    }

    @Test("the calls of an exported log are those of all programs about the trip and its vehicle")
    func log() throws {
        let file = Program.package.appending(path: "Tests/TripRecordingTests/Fixtures/made-up-ride.json").path
        let told = try requests(file, ["--trip", "made-up-ride"])
        #expect(told.status == 0, "\(told.errors)")
        for method in ["CreateTrip", "UpdateTrip", "UpdateVehicle"] {
            #expect(told.lines.contains { $0.contains("  \(method) ") && $0.contains(" OK ") }, "\(method)")
        }
        #expect(told.lines.contains { $0.hasPrefix("NEW ") && $0.contains(" ▸ COMPLETE") }, "\(told.lines.suffix(3))")
        let other = try requests(file, ["--trip", "nosuch"])
        #expect(other.status == 1 && other.errors.contains("the recording has no trip \"nosuch\""), "\(other.errors)")
    }

    @Test("--requests prints lines, and is refused together with a screen", arguments: [["-o", "screen"], ["--json", "--drawn", "5"]])
    func refused(more: [String]) throws {
        let told = try requests(Golden.path("v0.1.0", "ride.trip"), more)
        #expect(told.status == 64 && told.errors.contains("cannot be combined"), "\(told.errors)")
    }
}
