import Foundation
import Testing

@testable import ProgramHarness

@Suite("Files of earlier versions", .timeLimit(.minutes(4)))
struct GoldenTests {
    /// Returns the time, the trip or shipment, the event and its value from each line about a status, an outcome or the end. These facts
    /// must be the same in all versions.
    private static func facts(_ lines: [String]) throws -> [String] {
        try lines.compactMap { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            guard let event = object["event"] as? String, ["status", "outcome", "end"].contains(event) else { return nil }
            let value = object["status"] ?? object["outcome"] ?? ""
            return "\(object["t"] ?? "") \(object["trip"] ?? object["tracking"] ?? "") \(event) \(value)"
        }
    }

    @Test(
        "a recording is replayed as before: every line's keys exist with the same types, and its states have the same times",
        arguments: Golden.versions, ["ride", "order", "shipment"])
    func recording(version: String, name: String) throws {
        let played = try Program().run(
            ["replay", Golden.path(version, name + ".trip"), "--speed", "1000000", "--output", "json"],
            setting: ["XDG_CONFIG_HOME": Program.absent])
        #expect(played.status == 0, "\(played.errors)")
        let golden = try Golden.lines(version, name + ".jsonl")
        #expect(try Golden.missing(from: played.lines, in: golden) == [])
        #expect(try Self.facts(played.lines) == Self.facts(golden))
    }

    @Test(
        "status and a link's JSON have the earlier keys with the same types", .enabled(if: WebClient.path != nil, "needs curl"),
        arguments: Golden.versions)
    func answers(version: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let setting = ["XDG_RUNTIME_DIR": folder.path]
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let share = try server.program.start(["share", trip, "--http-port", "0", "--interval", "1"] + server.connection, setting: setting)
        defer { share.stop() }
        let link = try #require(share.line()?.split(separator: " ").last.map(String.init))
        let (reader, pipe) = try WebClient.start([link + "/events"])
        defer { reader.terminate() }
        let drive = try server.drive("--auto", "--create", "--route", "-36.000,-20.000;-36.005,-19.990;-36.010,-19.980")
        defer { drive.stop() }
        #expect(LineWatch(pipe).line(with: "\"event\":\"eta\"") != nil)
        let status = try server.program.run(["status", trip, "--json"] + server.connection, setting: setting)
        #expect(try Golden.missing(from: status.lines, in: Golden.lines(version, "status.json")) == [])
        let json = try WebClient.get(link + ".json").body
        #expect(try Golden.missing(from: [json], in: Golden.lines(version, "link.json")) == [], "\(json)")
    }

    @Test("a configuration file is read with the same values as before", arguments: Golden.versions)
    func configuration(version: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Golden.path(version, "config.toml"), toPath: folder.appending(path: "tripwatch/config.toml").path)
        let setting = ["XDG_CONFIG_HOME": folder.path]
        let check = try Program().run(["config", "check"], setting: setting)
        #expect(check.status == 0, "\(check.lines) \(check.errors)")
        // For a table, version 0.1.0 printed `a table` instead of the value.
        let values = try Golden.lines(version, "config.values").map {
            $0 == "keys=a table" ? #"keys={ quit = ["Q", "F10"], theme = "t" }"# : $0
        }
        #expect(values.count > 20)
        for value in values {
            let key = String(value.prefix { $0 != "=" })
            #expect(
                try Program().run(["config", "get", key], setting: setting).lines == [String(value.dropFirst(key.count + 1))], "\(key)")
        }
    }

    @Test("the comparison finds a missing key and another type, and ignores an added key")
    func comparison() throws {
        let golden = [#"{"event":"a","x":1,"list":[{"y":"t"}],"n":null}"#]
        #expect(try Golden.missing(from: [#"{"event":"a","x":2,"list":[{"y":"u"}],"n":"now","new":true}"#], in: golden) == [])
        #expect(
            try Golden.missing(from: [#"{"event":"a","x":"2","list":[{}],"n":null}"#], in: golden) == [
                "event=a list[].y is missing", "event=a x is text, not number",
            ])
        #expect(try Golden.missing(from: [#"{"event":"b","x":2}"#], in: golden).count == 5)
        let array = [#"[{"x":1,"y":null}]"#]
        #expect(try Golden.missing(from: [#"[{"x":"t"}]"#], in: array) == ["[].x is text, not number", "[].y is missing"])
    }
}
