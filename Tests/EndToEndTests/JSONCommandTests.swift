import Foundation
import Testing

@testable import ProgramHarness

@Suite("The JSON of commands that print one answer", .timeLimit(.minutes(3)))
struct JSONCommandTests {
    /// Returns the keys that docs/json-output.md lists for a command.
    private func documented(_ command: String) throws -> Set<String> {
        let page = try String(contentsOf: Program.package.appending(path: "docs/json-output.md"), encoding: .utf8)
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(command)` |") }, "\(command)")
        let cells = row.split(separator: "|")
        try #require(cells.count == 3, "\(row)")
        return Set(cells[1].matches(of: #/`([a-z_]+)`/#).map { String($0.output.1) })
    }

    /// Returns the objects of an answer: the answer itself, or the elements of its array.
    private func objects(_ line: String?) throws -> [[String: Any]] {
        let value = try JSONSerialization.jsonObject(with: Data((line ?? "").utf8))
        return try #require(value as? [[String: Any]] ?? (value as? [String: Any]).map { [$0] }, "\(line ?? "")")
    }

    /// Compares an answer with those of earlier versions that had the command.
    private func compare(_ command: String, _ line: String?) throws {
        for version in Golden.versions {
            let name = "commands/\(command.replacing(" ", with: "-")).json"
            guard FileManager.default.fileExists(atPath: Golden.path(version, name)) else { continue }
            #expect(try Golden.missing(from: [line ?? ""], in: Golden.lines(version, name)) == [], "\(command): \(line ?? "")")
        }
    }

    private func check(_ command: String, _ line: String?) throws -> [String: Any] {
        let found = try #require(try objects(line).first, "\(command): \(line ?? "")")
        #expect(try Set(found.keys) == documented(command), "\(command): \(line ?? "")")
        try compare(command, line)
        return found
    }

    @Test("config path, list, get and check")
    func configuration() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let setting = ["HOME": home.path]
        for arguments in [["units", "us"], ["token_command", "cat key"]] {
            #expect(try Program().run(["config", "set"] + arguments, setting: setting).status == 0)
        }
        let path = try check("config path", try Program().run(["config", "path", "--json"], setting: setting).lines.first)
        #expect(path["path"] as? String == home.path + "/.config/tripwatch/config.toml")
        let list = try Program().run(["config", "list", "--json"], setting: setting).lines.first
        let settings = try objects(list)
        #expect(settings.contains { $0["key"] as? String == "units" && $0["value"] as? String == "us" }, "\(list ?? "")")
        // A setting that may hold a secret is listed, but without its value.
        #expect(settings.contains { $0["key"] as? String == "token_command" && $0["value"] is NSNull }, "\(list ?? "")")
        _ = try check("config list", list)
        let got = try check(
            "config get", try Program().run(["config", "get", "token_command", "-o", "json"], setting: setting).lines.first)
        #expect(got["value"] as? String == "cat key" && got["place"] as? String == "config.toml")
        #expect(try Program().run(["config", "check", "--json"], setting: setting).lines == ["[]"])
        _ = try home.write(".config/tripwatch/config.toml", "unitz = \"us\"\n")
        let faulty = try Program().run(["config", "check", "--json"], setting: setting)
        #expect(faulty.status == 1)
        let fault = try check("config check", faulty.lines.first)
        #expect((fault["message"] as? String)?.contains("unitz") == true)
    }

    @Test("serve, book, share, share list, wait and cancel")
    func trip() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let setting = ["HOME": home.path, "XDG_RUNTIME_DIR": home.path]
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--json"], setting: setting)
        defer { server.stop() }
        let addresses = try check("serve", server.line())
        #expect(addresses["tls"] as? Bool == false)
        let desk = "http://\(addresses["http"] as? String ?? "")"
        let way = ["--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", desk]
        let booked = try check("book", try Program().run(["book", "--json"] + way, setting: setting).lines.first)
        let trip = try #require(booked["trip"] as? String)

        let sharing = try Program().start(["share", trip, "--http-port", "0", "--json"], setting: setting)
        defer { sharing.stop() }
        let shared = try check("share", sharing.line())
        #expect(shared["trip"] as? String == trip && shared["ends_at"] is NSNull)
        let listed = try check("share list", try Program().run(["share", "list", "--json"], setting: setting).lines.first)
        #expect(listed["link"] as? String == shared["link"] as? String)

        let canceled = try check("cancel", try Program().run(["cancel", trip, "--json"], setting: setting).lines.first)
        #expect(canceled["trip"] as? String == trip && canceled["status"] as? String == "CANCELED")
        let waited = try Program().run(["wait", trip, "--until", "here", "--json"], setting: setting)
        #expect(waited.status == 2)
        #expect(try check("wait", waited.lines.first)["reached"] as? Bool == false)
    }

    @Test("token inspect, also for a text that is not a token")
    func inspectedToken() throws {
        let inspected = try Program().run(["token", "inspect", "--json"], setting: ["TRIPWATCH_TOKEN": "made-up"])
        #expect(inspected.status == 4)
        #expect(try check("token inspect", inspected.lines.first)["is_jwt"] as? Bool == false)
    }

    @Test("a wait that fails prints nothing on stdout")
    func failed() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let waited = try Program().run(["wait", "nosuch", "--until", "here", "--json"] + server.connection)
        #expect(waited.status == 3 && waited.lines.isEmpty && !waited.errors.isEmpty)
    }

    @Test("serve restore, with the contents of the copy")
    func restored() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let database = folder.path + "/engine.db"
        let server = try LocalServer(options: ["--database", database])
        #expect(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98") != nil)
        server.stop()
        #expect(try Program().run(["serve", "backup", folder.path + "/copy.db", "--database", database]).status == 0)
        let outcome = try Program().run(["serve", "restore", folder.path + "/copy.db", "--database", database, "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        var facts = try #require(try objects(outcome.lines.first).first)
        #expect(facts["trips"] as? Int == 1 && facts["database"] as? String == database)
        #expect((facts.removeValue(forKey: "former") as? String)?.hasSuffix(".before-restore-1") == true)
        #expect(try Set(facts.keys) == documented("serve restore"))
        try compare("serve restore", outcome.lines.first)
    }

    @Test("list, themes, map cache and token keys")
    func others() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let setting = ["HOME": home.path]
        let server = try LocalServer()
        defer { server.stop() }
        let way = ["--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", server.desk]
        #expect(try Program().run(["book"] + way, setting: setting).status == 0)
        #expect(try Program().run(["token", "keys", "new", "driver", "--name", "car"], setting: setting).status == 0)
        for command in ["list", "themes list", "map cache", "token keys"] {
            let words = command.split(separator: " ").map(String.init)
            _ = try check(command, try Program().run(words + ["--json"], setting: setting).lines.first)
        }
    }
}
