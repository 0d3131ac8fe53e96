import Glibc
import TerminalHarness
import Testing

@testable import ProgramHarness

/// Ends long-running commands at each of their stages, as a user would end them.
@Suite("Leaving the program", .timeLimit(.minutes(5)))
struct LeavingTests {
    /// A stage of a command: the keys that lead to it, and the words that show it.
    struct Stage: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        var ready = ""
        var keys = ""
        var words = ""
        var testDescription: String { name }
    }

    enum Way: CaseIterable, Sendable { case q, controlC, terminate, hangUp }

    /// A stage, and a way to end the program in this stage.
    struct Leave: Sendable, CustomTestStringConvertible {
        let stage: Stage
        let way: Way
        var testDescription: String { "\(stage.name), \(way)" }
    }

    private static let demo = ["demo", "--speed", "8"]
    /// A command that calls a server that does not exist.
    private static let unreachable = ["follow", "providers/p/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext"]

    private static let screens = [
        Stage(name: "demo", arguments: demo, ready: " min"),
        Stage(name: "demo, before its first frame", arguments: demo),
        Stage(name: "demo, help", arguments: demo, ready: " min", keys: "?", words: "KEYS"),
        Stage(name: "demo, details", arguments: demo, ready: " min", keys: "d", words: "DETAILS"),
        Stage(name: "demo, events", arguments: demo, ready: " min", keys: "e", words: "EVENTS"),
        Stage(name: "demo, stops", arguments: demo, ready: " min", keys: "w", words: "STOPS"),
        Stage(name: "demo, the question before cancelling", arguments: demo, ready: " min", keys: "x", words: "Cancel this trip?"),
        Stage(name: "follow, connecting or offline", arguments: unreachable, ready: "Trying again"),
        Stage(name: "follow --keep-trying, before anything is known", arguments: unreachable + ["--keep-trying"], ready: "Trying again"),
        Stage(name: "map", arguments: ["map"], ready: "invented town"),
        Stage(name: "map, help", arguments: ["map"], ready: "invented town", keys: "?", words: "KEYS"),
    ]

    /// A complete screen and a screen without a server are tested with every way to leave. Each other stage is tested with one way. A
    /// stage without words to wait for does not read keys yet, so a signal ends it.
    private static let leaves: [Leave] = {
        let whole = ["demo", "follow --keep-trying, before anything is known"]
        let every = screens.filter { whole.contains($0.name) }.flatMap { stage in Way.allCases.map { Leave(stage: stage, way: $0) } }
        let one = screens.filter { !whole.contains($0.name) }.enumerated().map { index, stage in
            Leave(stage: stage, way: stage.ready.isEmpty ? .terminate : Way.allCases[index % Way.allCases.count])
        }
        return every + one
    }()

    @Test("every stage of the screen can be left, by q, Ctrl-C, TERM or a closed window, and the terminal is restored", arguments: leaves)
    func screen(leave: Leave) throws {
        let stage = leave.stage
        let program = try ProgramOnTerminal(stage.arguments, columns: 80, rows: 24)
        if !stage.ready.isEmpty { try program.wait(for: stage.ready) }
        if !stage.keys.isEmpty {
            program.press(stage.keys)
            try program.wait(for: stage.words)
        }
        if leave.way == .q, !stage.keys.isEmpty {
            // If a box is open, q only closes the box.
            program.press("q")
            try program.wait(for: "the end of the box") { !$0.contains(stage.words) }
        }
        let end = try self.leave(program, by: leave.way)
        switch leave.way {
        // If no answer about the trip has arrived, the command fails.
        case .q, .controlC: #expect(end == (stage.arguments.starts(with: Self.unreachable) ? 1 : 0))
        case .terminate: #expect(end == 128 + SIGTERM)
        case .hangUp: #expect(end == 128 + SIGHUP)
        }
        guard leave.way != .hangUp else { return }
        #expect(program.terminal.settings == program.settings)
        // Modes 12 and 25 of the cursor do not matter, because a program that ends before its first frame has not changed them.
        #expect(program.terminal.virtual.modes.subtracting([12, 25]) == [7])
    }

    @Test(
        "commands that print lines are left by Ctrl-C, and two of them also by TERM and a closed window",
        arguments: ["serve", "drive", "wait", "follow"])
    func lines(command: String) throws {
        let arguments =
            switch command {
            case "serve": ["serve", "--grpc-port", "0", "--http-port", "0"]
            case "drive":
                [
                    "drive", "--simulate", "--create", "--vehicle", "providers/p/vehicles/v", "--endpoint", "127.0.0.1:1", "--plaintext",
                    "--output", "plain",
                ]
            case "wait": ["wait", "providers/p/trips/t", "--until", "here", "--endpoint", "127.0.0.1:1", "--plaintext"]
            default: Self.unreachable + ["--output", "plain"]
            }
        let words = ["serve": "listening grpc=", "drive": "retrying", "wait": "waiting until"][command] ?? "again in"
        // Two commands are ended in all ways; the others only with Ctrl-C.
        let ways: [Way] = ["serve", "follow"].contains(command) ? [.controlC, .terminate, .hangUp] : [.controlC]
        for way in ways {
            let program = try ProgramOnTerminal(arguments)
            try program.wait(for: words)
            let end = try leave(program, by: way)
            // INT and TERM are the normal way to end a server, so it then exits with 0. After HUP, and in all other commands, the exit code
            // is 128 plus the signal's number.
            let isServer = command == "serve"
            switch way {
            case .controlC: #expect(end == (isServer ? 0 : 128 + SIGINT), "\(command)")
            case .terminate: #expect(end == (isServer ? 0 : 128 + SIGTERM), "\(command)")
            case .q, .hangUp: #expect(end == 128 + SIGHUP, "\(command)")
            }
        }
    }

    @Test("QUIT ends a command without a screen at once, and is not reported as a crash")
    func quit() throws {
        let program = try ProgramOnTerminal(["serve", "--grpc-port", "0", "--http-port", "0"])
        try program.wait(for: "listening grpc=")
        program.signal(SIGQUIT)
        #expect(try program.end() == 128 + SIGQUIT)
        #expect(!program.terminal.visibleOutput.contains("crashed"))
    }

    private func leave(_ program: ProgramOnTerminal, by way: Way) throws -> Int32 {
        switch way {
        case .q: program.press("q")
        case .controlC: program.press("\u{3}")
        case .terminate: program.signal(SIGTERM)
        case .hangUp: program.terminal.hangUp()
        }
        return try program.end()
    }
}
