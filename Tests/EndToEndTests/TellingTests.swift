import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

private let name = MadeUpRide.name

@Suite("Alerts and the user's own keys", .timeLimit(.minutes(3)))
struct TellingTests {
    /// Runs `body` with a folder for the configuration, which is removed after the test.
    private func withConfiguration<Value>(_ text: String, _ body: (_ setting: [String: String], URL) async throws -> Value) async throws
        -> Value
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tripwatch/config.toml")
        try Data(text.utf8).write(to: file)
        return try await body(["XDG_CONFIG_HOME": folder.path], file)
    }

    private func follow(_ port: Int) -> [String] {
        ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--title", "Ride home"]
    }

    // MARK: Alerts

    @Test(
        "a notification and the progress are sent in the terminal's own form, in tmux wrapped and with the bell",
        arguments: [
            (
                ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20250612-09"], "\u{1b}]9;Ride home: Your car is here\u{7}",
                "\u{1b}]9;4;1;"
            ),
            (["KITTY_WINDOW_ID": "1"], "\u{1b}]99;;Ride home: Your car is here\u{1b}\\", "\u{1b}]9;4;1;"),
            (["KONSOLE_VERSION": "230800"], "\u{1b}]777;notify;tripwatch;Ride home: Your car is here\u{7}", "\u{1b}]9;4;1;"),
            (
                ["TMUX": "/tmp/x,1,0"], "\u{1b}Ptmux;\u{1b}\u{1b}]9;Ride home: Your car is here\u{7}\u{1b}\\\u{7}",
                "\u{1b}Ptmux;\u{1b}\u{1b}]9;4;1;"
            ),
        ])
    func notices(terminal: [String: String], notice: String, progress: String) async throws {
        try await withConfiguration("alerts = [\"here\"]\nalert_by = [\"notice\", \"progress\"]") { setting, _ in
            try await MadeUpRide.engine().serve { port in
                try await Task.detached { [self] in
                    let program = try ProgramOnTerminal(follow(port), setting: setting.merging(terminal) { $1 })
                    try program.wait(for: "the end of the trip") { _ in program.terminal.outputText.contains("]9;4;0;") }
                    let text = program.terminal.outputText
                    #expect(text.components(separatedBy: notice).count == 2, "once: \(notice.debugDescription)")
                    #expect(text.contains(progress))
                    program.press("q")
                    #expect(try program.end() == 0)
                }.value
            }
        }
    }

    @Test("the bell rings automatically when the car is here, and never if alerts are off", arguments: ["", "alerts = []"])
    func bell(configuration: String) async throws {
        try await withConfiguration(configuration) { setting, _ in
            try await MadeUpRide.engine().serve { port in
                try await Task.detached { [self] in
                    let program = try ProgramOnTerminal(follow(port), setting: setting)
                    try program.wait(for: "Trip complete")
                    #expect(program.terminal.virtual.bells == (configuration.isEmpty ? 1 : 0))
                    program.press("q")
                    #expect(try program.end() == 0)
                }.value
            }
        }
    }

    // MARK: Keys

    @Test("keys of the configuration are used, and a conflict is reported")
    func keys() async throws {
        try await withConfiguration("[keys]\nunits = \"U\"\nshare = \"f\"\nquit = \"Q\"\n") { setting, _ in
            try await Task.detached {
                let demo = try ProgramOnTerminal(["demo", "--speed", "8"], setting: setting)
                try demo.wait(for: " min")
                #expect(demo.terminal.outputText.contains("keys.share: f is also the key of 'follow' in follow"))
                demo.press("U")
                try demo.wait(for: "Units: ")
                demo.press("LD")
                try demo.wait(for: "This is the only trip; press Q to quit.")
                demo.press("L?")
                try demo.wait(for: "KEYS")
                demo.press("/units")
                try demo.wait(for: "U                switch units")
                demo.press("\u{3}")
                #expect(try demo.end() == 0)
            }.value
            let list = try Program().run(["help", "keys"], setting: setting)
            #expect(list.status == 0 && list.errors.contains("keys.share"))
            let words = list.lines.map { $0.split(separator: " ").map(String.init) }
            #expect(words.contains { $0.prefix(3) == ["units", "U", "switch"] }, "\(list.lines)")
            #expect(words.contains { $0.prefix(2) == ["share", "s"] })
            #expect(try Program().run(["help", "keys", "--help"], setting: setting).lines == list.lines)
        }
    }

    @Test("with a pipe as its input it reads keys from the terminal")
    func pipedInput() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let environment = Program().environment.merging(["TERM": "xterm-256color"]) { $1 }.map { "\($0.key)=\($0.value)" }
        let script = "echo nothing | \"$0\" demo --speed 8"
        let running = try TerminalProgram("/bin/sh", ["-c", script, Program.path], on: terminal, environment: environment)
        try running.wait(for: "the screen") { $0.text.contains(" min") }
        terminal.send("q")
        #expect(try running.end(seconds: 60) == .exited(0))
    }

    // MARK: serve --hook

    @Test("serve reports all its trips to a hook")
    func served() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, "")
        } _: { receiver in
            let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--hook", receiver.address])
            defer { server.stop() }
            let line = await Task.detached { server.line() }.value
            let calls = try RESTCalls(line)
            try calls.book("ride-1", from: (-36.0, -20.0), to: (-36.01, -20.01))
            await receiver.waitForRequests(1)
            let told = receiver.requests.map(\.body).joined(separator: "\n")
            #expect(told.contains("\"trip\":\"providers/demo/trips/ride-1\",\"event\":\"status\""), "\(told)")
        }
    }

    @Test("serve counts the events that a hook does not accept")
    func refused() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(400, "")
        } _: { receiver in
            let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--hook", receiver.address])
            defer { server.stop() }
            let line = await Task.detached { server.line() }.value
            let calls = try RESTCalls(line)
            #expect(try calls.metrics().contains("\ntripwatch_hook_dropped_total 0\n"))
            try calls.book("ride-1", from: (-36.0, -20.0), to: (-36.01, -20.01))
            await receiver.waitForRequests(1)
            let deadline = ContinuousClock.now + .seconds(60)
            var isCounted = false
            while !isCounted, ContinuousClock.now < deadline {
                isCounted = try calls.metrics().contains(#/\ntripwatch_hook_dropped_total [1-9]/#)
            }
            #expect(isCounted)
        }
    }

    @Test("serve reports each status of a trip to a hook, even a status that lasts only a moment")
    func moments() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, "")
        } _: { receiver in
            let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--hook", receiver.address])
            defer { server.stop() }
            let line = await Task.detached { server.line() }.value
            let calls = try RESTCalls(line)
            try calls.book("ride-1", from: (-36.0, -20.0), to: (-36.01, -20.01))
            for status in ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"] {
                _ = try calls.ask("PUT", "trips/ride-1?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
            }
            while !receiver.requests.contains(where: { $0.body.contains(#""event":"end""#) }), !Task.isCancelled {
                await receiver.waitForRequests(receiver.requests.count + 1)
            }
            let told = receiver.requests.compactMap { request in
                request.body.firstMatch(of: /"event":"(status|here|end)","status":"([A-Z_]+)"/).map { "\($0.1) \($0.2)" }
            }
            #expect(
                told == [
                    "status NEW", "status ENROUTE_TO_DROPOFF", "status ENROUTE_TO_PICKUP", "status ARRIVED_AT_PICKUP",
                    "here ARRIVED_AT_PICKUP", "status ENROUTE_TO_DROPOFF", "status COMPLETE", "end COMPLETE",
                ])
        }
    }
}
