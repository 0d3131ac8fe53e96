import Crypto
import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

private let name = MadeUpRide.name

private struct Told: Decodable, Hashable {
    let id: String
    let trip: String
    let event: String
    let status: String
    let eta: String?
    let remainingS: Int?
    let remainingM: Int?
    let changedByS: Int?
}

/// Checks events against docs/hooks.schema.json, if the machine has a suitable Python.
enum HookSchema {
    static func check(_ bodies: [String]) throws {
        #expect(!bodies.isEmpty)
        guard Python.path != nil else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "bodies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bodies.map { $0 + "\n" }.joined().utf8).write(to: file)
        let result = try Python.run("schema_check.py", Program.package.appending(path: "docs/hooks.schema.json").path, file.path)
        #expect(result.status == 0, "\(result.output)")
    }
}

@Suite("Hooks", .timeLimit(.minutes(4)))
struct HookTests {
    private static let whole = ["status", "status", "status", "here", "status", "end"]

    private func engine() -> ScriptedFleetEngine {
        MadeUpRide.engine([.new, .new, .enrouteToPickup, .arrivedAtPickup], arrivesIn: 300)
    }

    private func follow(_ port: Int, _ arguments: [String]) -> [String] {
        ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "plain"] + arguments
    }

    /// Runs `body` with a folder that is removed after the test.
    private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func run(_ arguments: [String], setting: [String: String] = [:]) async throws -> Program.Outcome {
        try await Task.detached { try Program().run(arguments, setting: setting) }.value
    }

    private func told(_ requests: [ScriptedHTTPServer.Request]) throws -> [Told] {
        try HookSchema.check(requests.map(\.body))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try requests.map { try decoder.decode(Told.self, from: Data($0.body.utf8)) }
    }

    @Test("an address gets each event in order and at least once, even if it first fails, hangs up, is busy and sends invalid HTTP")
    func address() async throws {
        try await withFolder { folder in
            let key = folder.appending(path: "key")
            try Data("a key\n".utf8).write(to: key)
            try await ScriptedHTTPServer.with { request, count in
                switch count {
                case 0: .reply(500, "broken")
                case 1: .hangUp
                case 2: .reply(429, "")
                case 3: .bytes("HTTP/9.9 OK maybe\r\n\r\n")
                default: .reply(204, "")
                }
            } _: { receiver in
                let outcome = try await engine().serve { port in
                    try await run(
                        follow(port, ["--hook", receiver.address + "/secret-path?key=1", "--hook-key-file", key.path]))
                }
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("tripwatch: the hook at \(receiver.address) answers with HTTP 500; retrying."))
                #expect(outcome.errors.contains("accepts events again"))
                #expect(!outcome.errors.contains("secret-path"))
                let requests = receiver.requests
                #expect(requests.allSatisfy { $0.method == "POST" && $0.path == "/secret-path?key=1" })
                for request in requests {
                    let code = HMAC<SHA256>.authenticationCode(for: Data(request.body.utf8), using: SymmetricKey(data: Data("a key".utf8)))
                    let hex = code.map { String(format: "%02x", $0) }.joined()
                    #expect(request.headers["x-tripwatch-signature"] == "sha256=\(hex)")
                    #expect(request.headers["content-type"] == "application/json")
                }
                let told = try told(requests)
                #expect(Set(told.prefix(5).map(\.id)).count == 1, "the first is told until it is taken")
                #expect(told.dropFirst(4).map(\.event) == Self.whole)
                #expect(Set(told.dropFirst(4).map(\.id)).count == Self.whole.count)
                #expect(told.dropFirst(4).map(\.status).first == "NEW" && told.last?.status == "COMPLETE")
                #expect(told.allSatisfy { $0.trip == name })
                let coming = try #require(told.first { $0.status == "ENROUTE_TO_PICKUP" })
                #expect((295...300).contains(coming.remainingS ?? 0) && coming.remainingM == 900 && coming.eta != nil)
            }
        }
    }

    @Test("a hanging address delays no line, and at the end the program waits for it until the user stops it")
    func hanging() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
        } _: { receiver in
            try await engine().serve { port in
                let running = try Program().start(follow(port, ["--hook", receiver.address]))
                defer { running.stop() }
                try await Task.detached {
                    var isTold = false
                    while !isTold, let line = running.line() { isTold = line.contains("complete") }
                    #expect(isTold)
                    let errors = LineWatch(running.errors)
                    try #require(errors.line(with: "still to be sent to the hook at \(receiver.address); waiting at most 30 s.") != nil)
                    running.stop()
                    #expect(running.process.terminationStatus == SIGTERM)
                }.value
            }
        }
    }

    @Test("serve waits for a hanging receiver, but not after a second signal", arguments: [SIGINT, SIGTERM])
    func servedSecondSignal(number: Int32) async throws {
        let (requests, asked) = AsyncStream.makeStream(of: Void.self)
        try await ScriptedHTTPServer.with { _, _ in
            asked.yield()
            return .stall("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
        } _: { receiver in
            try await Task.detached {
                let server = try LocalServer(options: ["--hook", receiver.address])
                defer { server.stop() }
                _ = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
                for await _ in requests { break }
                let errors = LineWatch(server.running.errors)
                let start = ContinuousClock.now
                kill(server.running.process.processIdentifier, number)
                #expect(errors.line(with: "still to be sent to the hook at") != nil)
                kill(server.running.process.processIdentifier, number)
                server.running.waitForEnd()
                #expect(server.running.process.terminationReason == .uncaughtSignal && server.running.process.terminationStatus == number)
                #expect(ContinuousClock.now - start < .seconds(20))
            }.value
        }
    }

    @Test("a command gets the facts in its environment, but no secret")
    func command() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "a file").path
            let script = "echo \"$TRIPWATCH_EVENT $TRIPWATCH_STATUS $TRIPWATCH_TRIP\" >> '\(file)'; env >> '\(file).env'"
            let outcome = try await engine().serve { port in
                try await run(
                    follow(port, ["--on-event", "sh -c \(quoted(script))"]),
                    setting: ["MY_SECRET": "s3cret", "GITHUB_TOKEN": "s3cret", "COLOUR": "blue"])
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(lines.map { $0.split(separator: " ").first.map(String.init) } == Self.whole)
            #expect(lines.first == "status NEW \(name)" && lines.last == "end COMPLETE \(name)")
            let environment = try String(contentsOfFile: file + ".env", encoding: .utf8)
            #expect(environment.contains("COLOUR=blue") && !environment.contains("s3cret"))
            #expect(environment.contains("TRIPWATCH_REMAINING_M=900"))
        }
    }

    private func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }

    @Test("hooks of the configuration are used, those of a profile replace them, and an option replaces both")
    func configured() async throws {
        try await withFolder { folder in
            try await ScriptedHTTPServer.with { _, _ in
                .reply(200, "")
            } _: { receiver in
                let text = """
                    [[hooks]]
                    url = "\(receiver.address)/all"
                    when = "here=off"
                    [[profiles.car.hooks]]
                    url = "\(receiver.address)/car"
                    """
                try Data(text.utf8).write(to: folder.appending(path: "tripwatch/config.toml"))
                let setting = ["XDG_CONFIG_HOME": folder.path]
                for (arguments, path) in [
                    ([], "/all"), (["--profile", "car"], "/car"), (["--hook", receiver.address + "/flag"], "/flag"),
                ] {
                    let before = receiver.requests.count
                    let outcome = try await engine().serve { port in try await run(follow(port, arguments), setting: setting) }
                    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
                    let requests = Array(receiver.requests.dropFirst(before))
                    #expect(requests.allSatisfy { $0.path == path })
                    #expect(try told(requests).map(\.event) == Self.whole.filter { path != "/all" || $0 != "here" })
                }
            }
        }
    }

    @Test(
        "a value that cannot be a hook is a usage error",
        arguments: [
            ["--hook", "ftp://nowhere"], ["--hook", "nowhere"], ["--hook", "http://localhost:1/#frag"], ["--on-event", "say 'hi"],
            ["--on-event", ""], ["--when", "soon"],
            ["--hook", "http://localhost:1", "--when", "time_left=500m"],
        ])
    func wrongWords(arguments: [String]) throws {
        let outcome = try Program().run(["follow", name] + arguments)
        #expect(outcome.status == 64 && outcome.lines.isEmpty, "\(outcome.errors)")
    }

    @Test("an address with a fragment is refused because of the fragment", arguments: [["follow", name], ["serve"]])
    func fragment(command: [String]) throws {
        let outcome = try Program().run(command + ["--hook", "http://localhost:1/#frag"])
        #expect(outcome.status == 64 && outcome.errors.contains("--hook takes no fragment"), "\(outcome.errors)")
    }

    @Test("a missing key file is reported at the start")
    func noKey() throws {
        let outcome = try Program().run(
            ["follow", name, "--endpoint", "127.0.0.1:1", "--plaintext", "--hook", "http://localhost:1", "--hook-key-file", "/nowhere"])
        #expect(outcome.status == 1 && outcome.errors.contains("the hook's key file /nowhere does not exist."), "\(outcome.errors)")
    }
}
