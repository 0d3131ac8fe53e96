import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Recordings of shipments", .timeLimit(.minutes(2)))
struct ShipmentRecordingTests {
    private static let name = "providers/demo/taskTrackingInfo/P-1"
    private typealias Answer = @Sendable (_ call: Int) throws -> WireTaskTrackingInfo

    private static func answer(_ change: (inout WireTaskTrackingInfo) -> Void) -> WireTaskTrackingInfo {
        .with {
            $0.name = name
            $0.state = .open
            $0.remainingDrivingDistanceMeters = .init(900)
            change(&$0)
        }
    }

    /// The answers about a parcel, one for each call: three stops left, an error, two stops left, and the parcel's outcome.
    private static let course: Answer = { call in
        switch call {
        case 1: answer { $0.remainingStopCount = .init(3) }
        case 2: throw RPCError(code: .unavailable, message: "restarting")
        case 3: answer { $0.remainingStopCount = .init(2) }
        default: answer { $0.taskOutcome = .failed }
        }
    }

    /// Follows the shipment, and records it to a file.
    private func record(
        _ file: String, _ arguments: [String], setting: [String: String] = [:], _ answer: @escaping Answer
    ) async throws -> Program.Outcome {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { _, call in try answer(call.number) }
        return try await ScriptedFleetEngine(script).serve { port in
            try await background {
                try Program().run(
                    ["follow", Self.name, "--record", file, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1"]
                        + arguments,
                    setting: setting)
            }
        }
    }

    private func withFile(_ body: (_ file: String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "parcel-\(UUID().uuidString).trip").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await body(file)
    }

    @Test(
        "a replay prints the lines that follow printed, at the same times, and has the same exit code",
        arguments: ["json", "plain", "sentences"])
    func replay(style: String) async throws {
        try await withFile { file in
            let isSpoken = style == "sentences"
            let output = ["--output", isSpoken ? "plain" : style]
            let setting = isSpoken ? ["ACCESSIBLE": "1"] : [:]
            let live = try await record(file, output, setting: setting, Self.course)
            #expect(live.status == 2)
            #expect(isSpoken == (live.lines.last == "The shipment was not completed. The attempt failed."), "\(live.lines)")
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.first?.contains(#""tracking":"providers/demo/taskTrackingInfo/P-1""#) == true)
            #expect(lines.first?.contains(#""trip":"#) == false && lines.count == 5, "\(lines)")
            let replay = try Program().run(["replay", file, "--speed", "1000000"] + output, setting: setting)
            #expect(replay.status == 2, "\(replay.errors)")
            #expect(replay.lines == live.lines)
            #expect(replay.errors.isEmpty, "\(replay.errors)")
        }
    }

    @Test("an incomplete recording is reported as such, and its lines are played")
    func unfinished() async throws {
        try await withFile { file in
            _ = try await record(file, ["--output", "json"], Self.course)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropLast()
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
            let replay = try Program().run(["replay", file, "--speed", "1000000", "--output", "json"])
            #expect(replay.status == 0 && replay.lines.last?.contains(#""stops_before":1"#) == true, "\(replay.lines)")
            #expect(replay.errors.contains("the recording ends before the shipment is over."))
        }
    }

    @Test("there is no screen for a recording, and a notice says why lines are printed")
    func screen() async throws {
        try await withFile { file in
            _ = try await record(file, ["--output", "json"], Self.course)
            let replay = try Program().run(["replay", file, "--speed", "1000000", "--output", "screen"])
            #expect(replay.status == 2 && !replay.lines.isEmpty, "\(replay.errors)")
            let note = "there is no replay screen for shipments, so lines are printed."
            #expect(replay.errors.contains(note), "\(replay.errors)")
        }
    }

    @Test("an export says that the recording is not a ride, and a list of rides shows it by its tracking id")
    func others() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }
        let rides = state.appending(path: "tripwatch/rides")
        try FileManager.default.createDirectory(at: rides, withIntermediateDirectories: true)
        let file = rides.appending(path: "parcel.trip").path
        _ = try await record(file, [], Self.course)
        let export = try Program().run(["export", file, "--gpx"])
        #expect(export.status == 1 && export.lines.isEmpty)
        #expect(export.errors.contains(#"the recording shows the shipment "P-1", not a ride"#), "\(export.errors)")
        let list = try Program().run(["list", "--rides"], setting: ["XDG_STATE_HOME": state.path])
        #expect(list.status == 0 && list.lines.first?.hasPrefix("parcel  P-1  ") == true, "\(list.lines)")
    }

    @Test("a recording has a single subject")
    func single() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID().uuidString).trip").path
        let outcome = try Program().run([
            "follow", Self.name, "--tracking", "P-2", "--provider", "demo", "--record", file, "--endpoint", "127.0.0.1:9", "--plaintext",
        ])
        #expect(
            outcome.status == 64 && outcome.errors.contains("--record works with a single trip or shipment: name only one."),
            "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
