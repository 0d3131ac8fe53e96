import FleetEngineAPI
import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// The recipes of docs/hooks.md, exactly as on the page. Only the trip and the address of the receiver are replaced.
private struct HookRecipes {
    /// The fenced code blocks of the page, without the fences.
    private let blocks: [(language: String, text: String)]

    init() throws {
        let page = try String(contentsOf: Program.package.appending(path: "docs/hooks.md"), encoding: .utf8)
        let recipes = try #require(page.components(separatedBy: "\n## Recipes\n").last)
        blocks = recipes.matches(of: #/```(\w+)\n([^`]*)```/#).map { (String($0.1), String($0.2)) }
    }

    /// Returns the only block in this language that contains these words.
    func block(_ language: String, with words: String) throws -> String {
        let found = blocks.filter { $0.language == language && $0.text.contains(words) }
        try #require(found.count == 1, "\(words)")
        return found[0].text
    }

    func line(with words: String) throws -> String {
        let lines = blocks.flatMap { $0.text.split(separator: "\n") }.filter { $0.hasPrefix("tripwatch ") && $0.contains(words) }
        try #require(lines.count == 1, "\(words)")
        return String(lines[0])
    }
}

/// A folder with scripts that replace the desktop's programs and record each call.
private struct Desktop {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
    var calls: URL { folder.appending(path: "calls") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["notify-send", "say"] {
            try install(name, "#!/bin/sh\nfor word in \(name) \"$@\"; do printf '<%s>' \"$word\"; done >> '\(calls.path)'\n")
        }
    }

    func install(_ name: String, _ script: String) throws {
        let file = folder.appending(path: name)
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
    }

    /// Follows a ride by running the command line of a recipe in a shell.
    func follow(_ line: String, changing changes: [String: String] = [:]) async throws {
        var line = line.replacing("follow TRIP ", with: "follow \(MadeUpRide.name) ")
        for (old, new) in changes { line = line.replacing(old, with: new) }
        let engine = MadeUpRide.engine([.new, .enrouteToPickup, .arrivedAtPickup], arrivesIn: 110)
        let (status, output) = try await engine.serve { [line] port in try await Task.detached { try run(line, port: port) }.value }
        #expect(status == 0, "\(line): \(output)")
    }

    private func run(_ line: String, port: Int) throws -> (Int32, String) {
        let (process, pipe) = (Process(), Pipe())
        let programs = URL(filePath: Program.path).deletingLastPathComponent().path
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", "/bin/sh", "-c", line]
        process.environment = Program().environment.merging([
            "PATH": "\(folder.path):\(programs):/usr/bin:/bin", "HOME": folder.path, "TRIPWATCH_ENDPOINT": "127.0.0.1:\(port)",
            "TRIPWATCH_PLAINTEXT": "true", "TRIPWATCH_INTERVAL": "1",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

@Suite("The recipes of docs/hooks.md", .timeLimit(.minutes(2)))
struct HookRecipeTests {
    private static let whole = ["status", "status", "time_left", "status", "here", "status", "end"]

    private func object(_ request: ScriptedHTTPServer.Request) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
    }

    /// Runs `body` with a receiver of hook events. Returns the requests that the receiver got.
    private func received(
        _ body: (Desktop, ScriptedHTTPServer) async throws -> Void
    ) async throws -> [ScriptedHTTPServer.Request] {
        let desktop = try Desktop()
        defer { try? FileManager.default.removeItem(at: desktop.folder) }
        return try await ScriptedHTTPServer.with { _, _ in
            .reply(200, type: "text/plain", "ok")
        } _: { receiver in
            try await body(desktop, receiver)
            return receiver.requests
        }
    }

    @Test("ntfy gets the object, and a template whose names all exist in it")
    func ntfy() async throws {
        let line = try HookRecipes().line(with: "https://ntfy.sh")
        let requests = try await received { try await $0.follow(line, changing: ["https://ntfy.sh": $1.address]) }
        #expect(try requests.map { try object($0)["event"] as? String } == Self.whole)
        try HookSchema.check(requests.map(\.body))
        for request in requests {
            let parts = try #require(URLComponents(string: "http://ntfy.sh" + request.path))
            let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
            #expect(parts.path == "/my-secret-topic" && query["tpl"] == "yes" && query["t"] == "Your ride")
            let names = (query["m"] ?? "").matches(of: #/\{\{\.(\w+)\}\}/#).map { String($0.1) }
            #expect(names == ["event", "remaining_s"])
            #expect(try names.allSatisfy { try object(request).keys.contains($0) })
        }
    }

    @Test("Home Assistant's webhook gets the values that its automation reads")
    func homeAssistant() async throws {
        let recipes = try HookRecipes()
        let automation = try recipes.block("yaml", with: "webhook_id")
        let id = try #require(automation.firstMatch(of: #/webhook_id: (\S+)/#)?.1)
        let condition = try #require(automation.firstMatch(of: #/trigger\.json\.(\w+) == '(\w+)'/#))
        let line = try recipes.line(with: "homeassistant.local")
        let requests = try await received { try await $0.follow(line, changing: ["http://homeassistant.local:8123": $1.address]) }
        try HookSchema.check(requests.map(\.body))
        #expect(requests.allSatisfy { $0.method == "POST" && $0.path == "/api/webhook/\(id)" })
        #expect(requests.allSatisfy { $0.headers["content-type"] == "application/json" })
        #expect(try requests.count { try object($0)[String(condition.1)] as? String == String(condition.2) } == 1)
    }

    @Test("Slack gets two texts from the script")
    func slack() async throws {
        let script = try HookRecipes().block("sh", with: "~/.slack-hook")
        let requests = try await received { desktop, receiver in
            try desktop.install("to-slack", script)
            try Data("\(receiver.address)/services/T/B/secret\n".utf8).write(to: desktop.folder.appending(path: ".slack-hook"))
            try await desktop.follow("tripwatch follow TRIP --on-event to-slack")
        }
        #expect(requests.allSatisfy { $0.method == "POST" && $0.path == "/services/T/B/secret" })
        #expect(requests.map(\.body) == ["{\"text\":\"The car comes in 1 min\"}", "{\"text\":\"The car is here\"}"])
    }

    @Test(
        "a notification and a voice message come once, in one piece",
        arguments: [("notify-send", "<tripwatch><Your car is here>"), ("say", "<Shoes on>")])
    func desktop(program: String, words: String) async throws {
        let desktop = try Desktop()
        defer { try? FileManager.default.removeItem(at: desktop.folder) }
        try await desktop.follow(try HookRecipes().line(with: program))
        #expect(try String(contentsOf: desktop.calls, encoding: .utf8) == "<\(program)>" + words)
    }
}
