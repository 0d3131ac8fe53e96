import FleetEngineAPI
import Foundation
import Glibc
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Token commands end with the program", .timeLimit(.minutes(1)))
struct HelperTests {
    /// Commands and the signals that end them. Two commands get every signal; the others get one signal each.
    private static let ends: [([String], Int32)] = [
        (["status"], SIGINT), (["status"], SIGTERM), (["status"], SIGHUP), (["drive"], SIGINT), (["drive"], SIGTERM), (["drive"], SIGHUP),
        (["follow", "--output", "json"], SIGTERM), (["wait", "--until", "here"], SIGHUP), (["token", "inspect"], SIGINT),
    ]

    @Test("INT, TERM and HUP end a hanging token command and its children", arguments: ends)
    func ended(command: [String], signal: Int32) async throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        // The command and its child process keep the pipe open while they run.
        let helper = "exec 9> \(pipe); echo ready >&9; sleep 1000"
        let engine = ScriptedFleetEngine { _, _, _ in .init() }
        try await engine.serve { port in
            var arguments = command + ["--token-command", helper]
            arguments +=
                command == ["drive"] ? ["--vehicle", "providers/demo/vehicles/v", "--simulate", "--create"] : ["providers/demo/trips/t"]
            if command.first != "token" { arguments += ["--endpoint", "127.0.0.1:\(port)", "--plaintext"] }
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            let running = try Program().start(arguments)
            defer { running.stop() }
            try await background {
                try Self.wait(reader, for: POLLIN, "the token command")
                kill(running.process.processIdentifier, signal)
                running.waitForEnd()
                var ready = [UInt8](repeating: 0, count: 6)
                #expect(read(reader, &ready, 6) == 6)
                // The pipe closes when both processes have ended.
                try Self.wait(reader, for: POLLHUP, "the end of the token command")
            }
            let end = (running.process.terminationReason, running.process.terminationStatus)
            #expect(end == (.uncaughtSignal, signal), "\(end)")
        }
    }

    @Test("a hanging token command and its children end with the screen that waits for it", arguments: ["q", "\u{3}"])
    func left(key: String) async throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let helper = "exec 9> \(pipe); echo ready >&9; sleep 1000"
        let arguments = ["follow", "providers/demo/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext", "--token-command", helper]
        try await background {
            let follow = try ProgramOnTerminal(arguments)
            try follow.wait(for: "CONNECTING")
            try Self.wait(reader, for: POLLIN, "the token command")
            follow.press(key)
            #expect(try follow.end() == 0)
            var ready = [UInt8](repeating: 0, count: 6)
            #expect(read(reader, &ready, 6) == 6)
            try Self.wait(reader, for: POLLHUP, "the end of the token command")
        }
    }

    private struct Silence: Error {
        let what: String
    }

    /// Waits until an event occurs on a descriptor.
    private static func wait(_ descriptor: Int32, for event: Int32, _ what: String) throws {
        var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        guard poll(&wanted, 1, 30_000) == 1, wanted.revents & Int16(event) != 0 else { throw Silence(what: what) }
    }

    @Test("no core dump can be written of a process that holds a token")
    func noCoreDumps() throws {
        let helper = "grep 'core file' /proc/$PPID/limits >&2; exit 1"
        let outcome = try Program().run(["token", "inspect", "t", "--token-command", helper])
        let limits = outcome.errors.split(separator: " ").suffix(3)
        #expect(limits.first == "0" && limits.dropFirst().first == "0", "\(outcome.errors)")
    }
}
