import Foundation
import Testing

@testable import ProgramHarness

@Suite("The log of the program", .timeLimit(.minutes(2)))
final class LogTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "tripwatch.log") }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func lines() throws -> [String] { try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) }

    @Test("serve logs each call and each request, and prints none of them")
    func serve() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--log", "-"])
        defer { server.stop() }
        let ready = try #require(server.line())
        let ports = ready.split(whereSeparator: { $0 == " " || $0 == "=" }).filter { $0.contains(":") }.map(String.init)
        let grpc = try #require(ports.first)
        let http = try #require(ports.last)
        let watch = LineWatch(server.errors)
        let outcome = try Program().run(["status", "providers/demo/trips/nobody", "--endpoint", grpc, "--plaintext"])
        #expect(outcome.status == 3)
        let call = try #require(watch.line(with: "rpc=GetTrip"))
        #expect(
            call.wholeMatch(
                of: #/[0-9T:.Z-]+ info +call address=127.0.0.1 code=NOT_FOUND ms=\d+ name=providers/demo/trips/nobody rpc=GetTrip/#) != nil,
            "\(call)")

        let booking = ["book", "--from", "52.5,13.4", "--to", "52.51,13.41", "--provider-url", "http://" + http]
        #expect(try Program().run(booking).status == 0)
        let request = try #require(watch.line(with: "path=/trip/new"))
        #expect(request.contains("method=POST") && request.contains("status=200"), "\(request)")
        #expect(request.contains("address=127.0.0.1") && !request.contains("account="), "\(request)")
    }

    @Test("serve logs the account and the key of each call, including refused ones, but no token")
    func accounts() throws {
        let keys = folder.appending(path: "keys").path
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", keys, "--log", "-"])
        defer { server.stop() }
        let grpc = try #require(server.line()?.firstMatch(of: #/grpc=(\S+)/#)?.1)
        let watch = LineWatch(server.errors)
        for (role, code, status) in [("server", "NOT_FOUND", Int32(3)), ("consumer", "PERMISSION_DENIED", 4)] {
            let minted = try Program().run(["token", "mint", "--keys", keys, "--role", role, "--trip", role == "server" ? "*" : "other"])
            let token = try #require(minted.lines.first, "\(minted.errors)")
            try Data(token.utf8).write(to: folder.appending(path: "token"))
            let outcome = try Program().run([
                "status", "providers/demo/trips/t", "--endpoint", String(grpc), "--plaintext", "--token-file", folder.path + "/token",
            ])
            #expect(outcome.status == status, "\(outcome.errors)")
            let line = try #require(watch.line(with: "code=\(code)"))
            #expect(line.contains("account=\(role)@tripwatch.local address=127.0.0.1") && line.contains(" key="), "\(line)")
            #expect(!line.contains(token), "\(line)")
        }
    }

    @Test("a client logs its calls and how they failed, appends to the file, and makes it readable only by its owner")
    func client() throws {
        let ask = ["status", "providers/demo/trips/t-1", "--endpoint", "127.0.0.1:1", "--plaintext", "--log", file.path]
        #expect(try Program().run(ask).status == 1)
        let again = try Program().start(ask)
        #expect(again.errorLine() != nil)
        again.stop()
        let lines = try lines()
        #expect(lines.count { $0.contains(" start ") && $0.contains("command=status") } == 2)
        let failed = try #require(lines.first { $0.contains("rpc=GetTrip") })
        #expect(failed.contains("code=UNAVAILABLE") && failed.contains("trip=t-1") && failed.contains("warning"), "\(failed)")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("an incomplete line after a crash is ended before the next line")
    func halfLine() throws {
        try Data("half a li".utf8).write(to: file)
        _ = try Program().run(["config", "path", "--log", file.path])
        let lines = try lines()
        #expect(lines.count > 1 && lines.first == "half a li", "\(lines)")
    }

    @Test("it contains no token, wherever the token comes from", arguments: ["environment", "file", "command"])
    func secrets(source: String) throws {
        let secret = "tok-5ecret-0f-a-rider"
        let token = folder.appending(path: "token")
        try Data(secret.utf8).write(to: token)
        let server = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--log", folder.appending(path: "serve.log").path,
        ])
        defer { server.stop() }
        let grpc = try #require(server.line()?.firstMatch(of: #/grpc=(\S+)/#)?.1)
        let flags: [String] =
            switch source {
            case "file": ["--token-file", token.path]
            case "command": ["--token-command", "cat '\(token.path)'"]
            default: []
            }
        let setting = source == "environment" ? ["TRIPWATCH_TOKEN": secret] : [:]
        let outcome = try Program().run(
            ["status", "providers/demo/trips/t", "--endpoint", String(grpc), "--plaintext", "--log", file.path] + flags, setting: setting)
        #expect(outcome.status == 3)
        let served = try String(contentsOf: folder.appending(path: "serve.log"), encoding: .utf8)
        let text = try lines().joined(separator: "\n") + served
        #expect(text.contains("rpc=GetTrip") && served.contains("rpc=GetTrip"))
        #expect(!text.contains(secret))
        guard source != "environment" else { return }
        let asked = try #require(try lines().first { $0.contains(" token ") })
        #expect(asked.wholeMatch(of: try Regex("\\S+ debug +token ms=[0-9]+ source=\(source) trip=t")) != nil, "\(asked)")
    }

    @Test("requests to the provider are logged with their outcome, and so are failures of a token source")
    func provider() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let ready = try #require(server.line())
        let http = try #require(ready.firstMatch(of: #/http=(\S+)/#)?.1)
        let log = ["--log", file.path]
        let booking = ["book", "--from", "52.5,13.4", "--to", "52.51,13.41", "--provider-url", "http://\(http)"]
        #expect(try Program().run(booking + log).status == 0)
        #expect(try Program().run(["cancel", "t-9", "--provider-url", "http://\(http)"] + log).status == 3)
        #expect(
            try Program().run(
                ["status", "providers/p/trips/t-1", "--endpoint", "127.0.0.1:1", "--plaintext", "--token-command", "false"] + log
            ).status != 0)
        let lines = try lines()
        let booked = try #require(lines.first { $0.contains("path=/trip/new") })
        #expect(booked.wholeMatch(of: #/\S+ debug +request method=POST ms=\d+ path=\/trip\/new status=200/#) != nil, "\(booked)")
        let refused = try #require(lines.first { $0.contains("path=/trip/t-9") })
        #expect(refused.contains(" warning ") && refused.contains("method=PUT") && refused.contains("status=404"), "\(refused)")
    }

    @Test("the demo's rider, driver and booking are logged")
    func demo() throws {
        let demo = try Program().start(["demo", "--output", "json", "--speed", "20", "--log", file.path])
        defer { demo.stop() }
        _ = try #require(demo.line())
        _ = try #require(demo.line())
        let text = try lines().joined(separator: "\n")
        for what in ["rpc=CreateVehicle", "rpc=GetTrip", "path=/trip/new", "command=demo"] { #expect(text.contains(what), "\(what)") }
    }

    @Test("every command has the option, and if a file cannot be written, the message is one sentence")
    func everyCommand() throws {
        #expect(try Program().run(["follow", "--help"]).lines.contains { $0.contains("--log <file>") })
        let tree = try CommandTree.program.get()
        for command in [
            ["demo"], ["follow"], ["book"], ["cancel"], ["status"], ["wait"], ["replay"], ["map"], ["serve"], ["drive"],
            ["token", "inspect"], ["config", "path"], ["config", "check"], ["config", "default"], ["config", "set"], ["config", "unset"],
        ] {
            #expect(tree.complaint(about: command + ["--log", "file"]) == nil, "\(command)")
        }
        let outcome = try Program().run(["map", "--dump", "--log", "\(Program.absent)/log"])
        #expect(outcome.status == 1 && outcome.lines.isEmpty)
        #expect(outcome.errors == "tripwatch: --log \(Program.absent)/log cannot be written: no such file or directory.\n")
    }

    @Test("a log on a full disk is reported once, and stops nothing")
    func fullDisk() throws {
        let outcome = try Program().run(["map", "--dump", "--size", "20x4", "--log", "/dev/full"])
        #expect(outcome.status == 0 && outcome.lines.count == 4)
        #expect(outcome.errors == "tripwatch: --log /dev/full cannot be written (no space left on device), so the log has gaps.\n")
    }

    @Test("text from a server cannot break a line, or control the terminal that shows it")
    func foreignText() throws {
        let ask = ["status", "providers/demo/trips/t%1b[31m", "--endpoint", "127.0.0.1:1", "--plaintext", "--log", file.path]
        _ = try Program().run(ask)
        #expect(try !lines().joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
