import Foundation
import Testing

@testable import ProgramHarness

@Suite("Output as text or JSON", .timeLimit(.minutes(2)))
struct FormOptionTests {
    @Test(
        "--json, -o json and --output json are the same",
        arguments: [["list"], ["themes"], ["themes", "list"], ["map", "cache"], ["token", "keys"]])
    func same(command: [String]) throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let setting = ["HOME": home.path]
        let plain = try Program().run(command, setting: setting)
        #expect(try Program().run(command + ["-o", "plain"], setting: setting).lines == plain.lines)
        for form in [["--json"], ["-o", "json"], ["--output", "json"]] {
            let outcome = try Program().run(command + form, setting: setting)
            #expect(outcome.status == 0 && outcome.lines != plain.lines, "\(form): \(outcome.errors)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data((outcome.lines.first ?? "").utf8)) }
        }
    }

    @Test("accounts as JSON have their role, their name and whether the private key exists")
    func accounts() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let setting = ["HOME": home.path]
        #expect(try Program().run(["token", "keys", "new", "driver", "--name", "car"], setting: setting).status == 0)
        let line = try Program().run(["token", "keys", "--json"], setting: setting).lines.first ?? ""
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]])
        #expect(rows.count == 1 && rows[0]["role"] as? String == "driver" && rows[0]["private"] as? Bool == true, "\(line)")
    }

    @Test("replay and book accept --json as follow does")
    func replayed() throws {
        let ride = Program.package.appending(path: "Tests/EndToEndTests/Fixtures/town.trip").path
        let long = try Program().run(["replay", ride, "--speed", "100000", "--output", "json"])
        let short = try Program().run(["replay", ride, "--speed", "100000", "--json"])
        // At this speed, 10 ms are 17 minutes, so it can happen that only one of the runs reports the age of the last position.
        let (some, same) = (long.lines.filter { !$0.contains("freshness") }, short.lines.filter { !$0.contains("freshness") })
        #expect(long.status == 0 && !some.isEmpty && same == some)
        let server = try LocalServer()
        defer { server.stop() }
        let booked = try Program().run(
            ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", server.desk, "-o", "json"])
        let line = booked.lines.first ?? ""
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String], "\(booked.errors)")
        #expect(object["trip"]?.hasPrefix("providers/demo/trips/") == true && !line.contains("\\"))
    }

    @Test(
        "JSON and text at once are a usage error",
        arguments: [["list", "--json", "-o", "plain"], ["follow", "t", "--json", "--output", "screen"]])
    func both(arguments: [String]) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains("cannot be combined"), "\(outcome.errors)")
    }
}
