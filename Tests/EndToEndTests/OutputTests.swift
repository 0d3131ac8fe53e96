import FleetEngineAPI
import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// Runs the program in a shell, so that a test can redirect its output.
private func shell(_ script: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script, Program.path] + arguments
    process.environment = Program().environment
    process.standardInput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
}

@Suite("Output that cannot be written", .timeLimit(.minutes(2)))
struct OutputTests {
    private static let log = Program.package.appending(path: "Tests/TripRecordingTests/Fixtures").path

    private static let commands = [
        ["--version"], ["--help"], ["help", "follow"], ["--generate-completion-script", "bash"], ["config", "default"],
        ["map", "--dump", "--size", "40x10"], ["demo", "--speed", "200", "--output", "json"], ["demo", "--speed", "200"],
    ]

    @Test("a full disk ends the command at once with 1 and a message", arguments: commands)
    func full(arguments: [String]) throws {
        let outcome = try shell(#"exec "$0" "$@" > /dev/full"#, arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the output cannot be written: no space left on device."), "\(outcome.errors)")
    }

    @Test("a file at its size limit does the same, instead of a death by signal")
    func limit() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let outcome = try shell(#"ulimit -f 1; exec "$0" "$@" > "# + path, ["config", "default"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the output cannot be written: file too large."), "\(outcome.errors)")
    }

    @Test("a full disk ends a drive with 1 and one message, after the car has gone offline")
    func fullDuringDrive() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let outcome = try shell(
            #"exec "$0" "$@" > /dev/full"#,
            ["drive", "--vehicle", "car-1", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000"] + server.connection)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "tripwatch: the output cannot be written: no space left on device.\n")
        let vehicle = try RESTCalls(server.desk).ask("GET", "vehicles/car-1")
        #expect(vehicle.contains("\"OFFLINE\""), "\(vehicle)")
    }

    @Test("a closed pipe ends the command silently, by its signal", arguments: commands.suffix(3))
    func closed(arguments: [String]) throws {
        let outcome = try shell(#"set -o pipefail; "$0" "$@" | head -c 0"#, arguments)
        #expect(outcome.status == 128 + SIGPIPE)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("a closed pipe ends the command even if it prints nothing more", arguments: [["follow"], ["status", "--watch"]])
    func closedAndSilent(command: [String]) async throws {
        let waiting = ScriptedFleetEngine { _, _, _ in MadeUpRide.trip(.new) }
        try await waiting.serve { port in
            let running = try Program().start(command + [MadeUpRide.name, "--endpoint", "127.0.0.1:\(port)", "--plaintext"])
            defer { running.stop() }
            let first = await Task.detached { running.line() }.value
            #expect(first?.contains("looking for a car") == true, "\(first ?? "")")
            try running.output.fileHandleForReading.close()
            let end = await Task.detached {
                running.waitForEnd()
                return (running.process.terminationReason, running.process.terminationStatus)
            }.value
            #expect(end == (.uncaughtSignal, SIGPIPE))
        }
    }
}
