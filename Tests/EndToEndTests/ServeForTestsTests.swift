import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// A folder for the files of one test.
private final class Files {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: self(name), atomically: true, encoding: .utf8)
        return self(name)
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }
}

private let seed = """
    {"version":1,"trips":[{"name":"providers/demo/trips/t1","tripType":"EXCLUSIVE","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"car",\
    "pickupPoint":{"point":{"latitude":10,"longitude":20}},"dropoffPoint":{"point":{"latitude":10.02,"longitude":20.01}}}],\
    "vehicles":[{"name":"providers/demo/vehicles/car","vehicleState":"ONLINE","vehicleType":{"category":"AUTO"},\
    "lastLocation":{"location":{"latitude":9.99,"longitude":20}}}]}
    """

@Suite("serve for tests", .timeLimit(.minutes(3)))
struct ServeForTestsTests {
    /// Runs a shell command while a server runs. The command finds `tripwatch` on its path.
    private func run(_ command: String, _ options: [String] = []) throws -> Program.Outcome {
        let folder = URL(filePath: Program.path).deletingLastPathComponent().path
        return try Program().run(
            ["serve"] + options + ["--exec", command], setting: ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"])
    }

    @Test("a seeded trip is available to the command, and the program has the command's output and exit code")
    func exec() throws {
        let files = try Files()
        let file = try files.write("seed.json", seed)
        let status = try run("tripwatch status providers/demo/trips/t1 --json; exit 7", ["--seed", file])
        #expect(status.status == 7 && status.lines.count == 1, "\(status.errors)")
        #expect(status.lines.first?.contains("ENROUTE_TO_PICKUP") == true)
        #expect(status.errors.split(separator: "\n").contains { $0.hasPrefix("listening grpc=127.0.0.1:") }, "\(status.errors)")
        let names = "$FLEETENGINE_EMULATOR_HOST $TRIPWATCH_ENDPOINT $TRIPWATCH_PLAINTEXT $TRIPWATCH_PROVIDER_URL"
        let words = try #require(try run("echo \(names)").lines.first)
        let parts = words.split(separator: " ").map(String.init)
        #expect(parts.count == 4 && parts[0] == parts[1] && parts[2] == "1" && parts[3].hasPrefix("http://127.0.0.1:"), "\(words)")
        #expect(try run("kill -KILL $$").status == 137)
        #expect(try run("nothing-of-that-name").status == 127)
        #expect(try run(" ").status == 64)
    }

    @Test("words after -- are the command, unchanged: quotes, spaces and dashes are its own")
    func wordsBehindDashes() throws {
        let script = "printf '%s|' \"$@\"; exit 6"
        let outcome = try Program().run(["serve", "--speed", "2", "--", "sh", "-c", script, "sh", "a b", "it's", "--speed", "$HOME"])
        #expect(outcome.status == 6 && outcome.lines == ["a b|it's|--speed|$HOME|"], "\(outcome.errors)")
        #expect(try Program().run(["serve", "--exec", "true", "--", "true"]).status == 64)
    }

    @Test("the help lists which options allow something, but neither their former names nor a required subcommand")
    func switches() throws {
        let help = try Program().run(["serve", "--help"]).lines.joined(separator: "\n")
        #expect(help.contains("--allow-plaintext") && help.contains("--allow-anonymous") && !help.contains("--insecure"))
        #expect(help.contains("USAGE: tripwatch serve [<options>] [-- <command> ...]\n"))
        #expect(help.contains("provider API") && !help.contains("provider's desk"))
    }

    @Test("a server asks no other server: serve, backup and restore have --profile and no --local")
    func noLocal() throws {
        for command in [["serve"], ["serve", "backup"], ["serve", "restore"]] {
            let help = try Program().run(command + ["--help"]).lines.joined(separator: "\n")
            #expect(help.contains("--profile") && !help.contains("--local"), "\(command)")
        }
        #expect(try Program().run(["serve", "--local", "--", "true"]).status == 64)
    }

    @Test(
        "signals are passed to the command each time; its exit code is the program's", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(signal: Int32) throws {
        let name = [SIGTERM: "TERM", SIGINT: "INT", SIGHUP: "HUP"][signal] ?? ""
        // The command's background process must also end, or it would keep the output open. A signal between a shell's fork and its exec
        // would be lost. The background process therefore prints `ready` itself, and the test sends no signal before that.
        let left = "sh -c 'echo ready; exec sleep 1000' &"
        let command = "trap 'n=$((n+1)); echo got $n; [ $n = 1 ] || exit 5' \(name); \(left) while :; do wait; done"
        let running = try Program().start(["serve", "--exec", command])
        #expect(running.line() == "ready")
        for number in 1...2 {
            kill(running.process.processIdentifier, signal)
            #expect(running.line() == "got \(number)")
        }
        #expect(running.line() == nil)
        running.waitForEnd()
        #expect(running.process.terminationReason == .exit && running.process.terminationStatus == 5)
    }

    @Test("a state that is exported at the end and used as a seed is exported the same; TERM writes it too")
    func export() throws {
        let files = try Files()
        try files.write("seed.json", seed)
        let one = try run("true", ["--seed", files("seed.json"), "--export-on-exit", files("one.json")])
        #expect(one.status == 0, "\(one.errors)")
        let running = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--seed", files("one.json"), "--export-on-exit", files("two.json"),
        ])
        #expect(running.line()?.hasPrefix("listening") == true)
        running.stop()
        #expect(running.process.terminationStatus == 0)
        #expect(try files.read("one.json") == files.read("two.json"))
        #expect(try files.read("one.json").contains("\"tripStatus\":\"ENROUTE_TO_PICKUP\""))
        #expect(try files.read("one.json").contains("\"currentTrips\":[\"t1\"]"))
    }

    @Test("an export is readable only by its owner; an existing file keeps its permissions, and a link remains a link")
    func exportRights() throws {
        let files = try Files()
        func rights() throws -> Int? { try FileManager.default.attributesOfItem(atPath: files("one.json"))[.posixPermissions] as? Int }
        #expect(try run("true", ["--export-on-exit", files("one.json")]).status == 0)
        #expect(try rights() == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files("one.json"))
        try FileManager.default.createSymbolicLink(atPath: files("link.json"), withDestinationPath: files("one.json"))
        try files.write("seed.json", seed)
        #expect(try run("true", ["--seed", files("seed.json"), "--export-on-exit", files("link.json")]).status == 0)
        #expect(try rights() == 0o644 && files.read("one.json").contains("currentTrips"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: files("link.json")) == files("one.json"))
    }

    @Test("for a file that cannot be used, the error states its name and the reason, and the server does not start")
    func badFiles() throws {
        let files = try Files()
        try files.write("bad.json", seed.replacing("\"latitude\":10,", with: "\"latitude\":91,"))
        try files.write("log.json", "no log")
        try files.write("empty.json", "{\"rawLogs\":[]}")
        try files.write("other.json", "{\"foo\":1}")
        try files.write("list.json", #"{"jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.ListVehiclesLog"}}"#)
        let noLog = "it has no usable Fleet Engine log entry about a trip, a vehicle or a delivery."
        for (options, words) in [
            (["--seed", files("bad.json")], "bad.json: trips[0] (providers/demo/trips/t1): trip.pickup_point.point.latitude must be"),
            (["--seed", files("none.json")], "none.json does not exist."),
            (["--seed", files.path], "is not a regular file."),
            (["--import", files("log.json")], "log.json: line 1 of the recording is not JSON"),
            (["--import", files("empty.json")], "empty.json: \(noLog)"),
            (["--import", files("other.json")], "other.json: \(noLog)"),
            (["--import", files("list.json")], "list.json: \(noLog)"),
            (["--import", Program.package.appending(path: "Tests/Golden/v0.1.0/ride.trip").path], noLog),
            (["--export-on-exit", files("none/after.json")], "after.json: the file cannot be written: its folder does not exist."),
            (["--export-on-exit", files.path], "the file cannot be written: it is not a regular file."),
        ] {
            let result = try run("echo served", options)
            #expect(result.status == 1 && result.lines.isEmpty, "\(options)")
            #expect(result.errors.hasPrefix("tripwatch: ") && result.errors.contains(words), "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("a log becomes the state that it records")
    func log() throws {
        let files = try Files()
        let recording = Program.package.appending(path: "Tests/TripRecordingTests/Fixtures/made-up-ride.json").path
        let result = try run("true", ["--import", recording, "--export-on-exit", files("after.json")])
        #expect(result.status == 0, "\(result.errors)")
        let text = try files.read("after.json")
        #expect(text.contains("\"tripStatus\":\"COMPLETE\"") && text.contains("/vehicles/"), "\(text)")
        // A log that is compressed with gzip can also be used.
        try FileManager.default.copyItem(atPath: recording, toPath: files("packed.json"))
        try GzipCommand.pack(files("packed.json"))
        let packed = try run("true", ["--import", files("packed.json"), "--export-on-exit", files("packed-after.json")])
        #expect(packed.status == 0, "\(packed.errors)")
        #expect(try files.read("packed-after.json").contains("\"tripStatus\":\"COMPLETE\""))
        try GzipCommand.pack(files("after.json"))
        let seeded = try run("true", ["--seed", files("after.json"), "--export-on-exit", files("seeded-after.json")])
        #expect(seeded.status == 0, "\(seeded.errors)")
        #expect(try files.read("seeded-after.json").contains("\"tripStatus\":\"COMPLETE\""))
    }

    private func ask(_ method: String, _ path: String, _ body: String = "", _ options: [String]) throws -> String {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + options)
        defer { server.stop() }
        let port = try #require(server.line()?.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last)
        let connection = try TCPConnection(port: port)
        connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return connection.read()
    }

    @Test("the calls for tests exist on this machine without tokens; with tokens only on request, and with the desk's key")
    func hooks() throws {
        let keys = try Files()
        let guarded = ["--auth", "on", "--keys", keys.path]
        #expect(try ask("GET", "/_tripwatch/state", []).contains("{\"version\":1,\"trips\":["))
        #expect(try ask("PUT", "/_tripwatch/clock", "{\"advance_s\":60}", []).contains("{\"now\":\"2"))
        #expect(try ask("GET", "/_tripwatch/state", guarded + ["--test-hooks"]).hasPrefix("HTTP/1.1 401 "))
        #expect(try ask("GET", "/_tripwatch/state", ["--listen", "0.0.0.0", "--insecure"]).hasPrefix("HTTP/1.1 404 "))
        let key = try keys.read("desk.key").trimmingCharacters(in: .whitespacesAndNewlines)
        for (options, status) in [(["--test-hooks"], "200"), ([], "404")] {
            let result = try run(
                "curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer \(key)' $TRIPWATCH_PROVIDER_URL/_tripwatch/state",
                guarded + options)
            #expect(result.lines == [status], "\(result.errors)")
        }
    }

    private func ask(_ method: String, _ path: String, _ options: [String]) throws -> String { try ask(method, path, "", options) }

    /// The path of a Python interpreter that has pytest; nil if none has it.
    private static let python: String? = {
        [ProcessInfo.processInfo.environment["TRIPWATCH_PYTHON"], Program.package.appending(path: ".venv/bin/python").path, "python3"]
            .compactMap { $0 }.first { path in
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = [path, "-c", "import pytest"]
                process.standardError = FileHandle.nullDevice
                guard (try? process.run()) != nil else { return false }
                process.waitUntilExit()
                return process.terminationStatus == 0
            }
    }()

    @Test(
        "every command of docs/testing.md works, with its seed and its tests",
        .enabled(if: ServeForTestsTests.python != nil || ProcessInfo.processInfo.environment["CI"] != nil))
    func documentation() throws {
        let python = try #require(Self.python, "no Python with pytest")
        let text = try String(contentsOf: Program.package.appending(path: "docs/testing.md"), encoding: .utf8)
        func blocks(_ language: String) throws -> [String] {
            text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
        }
        let files = try Files()
        try files.write("seed.json", try #require(try blocks("json").first))
        try files.write("test_ride.py", try #require(try blocks("python").first) + "\n")
        let commands = try blocks("sh")
        #expect(commands.count == 2)
        for command in commands {
            let shell = Process()
            let output = Pipe()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-e", "-c", command.replacing("python3", with: python)]
            shell.currentDirectoryURL = URL(filePath: files.path)
            let folder = URL(filePath: Program.path).deletingLastPathComponent().path
            shell.environment = Program().environment.merging(
                ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "HOME": files.path]) { $1 }
            (shell.standardOutput, shell.standardError) = (output, output)
            try shell.run()
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0, "\(command)\n\(said)")
            if command.contains("pytest") { #expect(said.contains("3 passed"), "\(said)") }
        }
    }
}
