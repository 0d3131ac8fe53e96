import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

private let name = MadeUpRide.name

@Suite("status --watch and status lines", .timeLimit(.minutes(3)))
struct StatusWatchTests {
    private func watch(_ port: Int, _ arguments: [String]) async throws -> Program.Outcome {
        try await Task.detached {
            try Program().run(
                ["status", name, "--watch", "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1"] + arguments)
        }.value
    }

    @Test("status --watch prints changes until the trip is over")
    func status() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            MadeUpRide.trip(call < 5 ? .new : call < 8 ? .enrouteToPickup : call < 10 ? .arrivedAtPickup : .complete)
        }
        let outcome = try await engine.serve { port in try await watch(port, ["--json"]) }
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let statuses = try outcome.lines.map { line in
            try #require((try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["status"] as? String)
        }
        #expect(statuses.first == "NEW" && statuses.last == "COMPLETE")
        #expect(statuses.count { $0 == "NEW" } == 1, "time alone prints nothing: \(outcome.lines)")
        #expect(engine.callCount == 10)
    }

    @Test("its other formats print lines for a status bar; a problem that requires the user ends it, and the bar says so")
    func bars() async throws {
        let waybar = try await MadeUpRide.engine().serve { port in try await watch(port, ["--waybar"]) }
        #expect(waybar.status == 0)
        #expect(waybar.lines.allSatisfy { $0.hasPrefix("{\"text\":") } && waybar.lines.last?.contains("complete") == true)
        #expect(zip(waybar.lines, waybar.lines.dropFirst()).allSatisfy { $0 != $1 })
        let missing = ScriptedFleetEngine { _, _, _ in throw RPCError(code: .notFound, message: "made up") }
        let outcome = try await missing.serve { port in try await watch(port, ["--tmux"]) }
        #expect(outcome.status == 3)
        #expect(outcome.lines.last?.contains("stopped") == true && outcome.errors.hasPrefix("tripwatch: "))
        #expect(try Program().run(["status", name, "--interval", "2"]).status == 64)
    }

    @Test("every snippet of docs/status-lines.md prints a line")
    func snippets() async throws {
        let text = try String(contentsOf: Program.package.appending(path: "docs/status-lines.md"), encoding: .utf8)
        let commands = text.matches(of: #/tripwatch status --[^")\n]* TRIP/#).map { String($0.output) }
        #expect(commands.count == 4, "\(commands)")
        for command in commands {
            try await MadeUpRide.engine().serve { port in
                let (status, output) = try await Task.detached {
                    let process = Process()
                    let pipe = Pipe()
                    process.executableURL = URL(filePath: "/bin/sh")
                    process.arguments = ["-c", command.replacing("TRIP", with: name)]
                    let folder = URL(filePath: Program.path).deletingLastPathComponent().path
                    process.environment = Program().environment.merging([
                        "PATH": "\(folder):/usr/bin:/bin", "TRIPWATCH_ENDPOINT": "127.0.0.1:\(port)", "TRIPWATCH_PLAINTEXT": "true",
                        "TRIPWATCH_INTERVAL": "1",
                    ]) { $1 }
                    process.standardOutput = pipe
                    try process.run()
                    let data = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
                }.value
                #expect(status == 0 && !output.isEmpty, "\(command): \(output)")
            }
        }
    }
}
