import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Links and state files of earlier versions are still read", .timeLimit(.minutes(2)))
struct GoldenReadingTests {
    /// The keys whose values depend on the time at which the program runs.
    private static let passing: Set<String> = ["t", "age_s", "remaining_s", "last_seen"]

    /// Returns the facts of JSON objects: each object without the values that depend on the time, as text with sorted keys.
    private static func facts(_ objects: [[String: Any]]) throws -> Set<String> {
        var facts: Set<String> = []
        for object in objects {
            var kept = object.filter { !passing.contains($0.key) }
            // Distances are left out. If the event with the stops is read before the event with the arrival, the stops are printed without
            // distances.
            if let stops = object["remaining"] as? [[String: Any]] {
                kept["remaining"] = stops.map { stop in stop.filter { $0.key != "distance_m" } }
            }
            facts.insert(String(decoding: try JSONSerialization.data(withJSONObject: kept, options: .sortedKeys), as: UTF8.self))
        }
        return facts
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    /// Waits until the lines contain all these facts, for at most half a minute. Returns those that are missing.
    private static func missing(_ wanted: Set<String>, from lines: LineWatch) throws -> Set<String> {
        let deadline = ContinuousClock.now + .seconds(30)
        var missing = wanted
        while !missing.isEmpty, ContinuousClock.now < deadline {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1)
            missing = try wanted.subtracting(facts(lines.all.map(object)))
        }
        return missing
    }

    @Test("follow reads a link's events with the same values as before", arguments: Golden.versions, ["ride", "order", "shipment"])
    func link(version: String, kind: String) async throws {
        // The stream is cut before the second event of a kind, but `status` and `freshness` may repeat. Without the cut, a slow program
        // might print only the value of the later event.
        var kinds: Set<String> = []
        let stream = try Golden.lines(version, "link-\(kind).sse").prefix { line in
            guard line.hasPrefix("data: "), let event = try Self.object(String(line.dropFirst(6)))["event"] as? String else { return true }
            return ["status", "freshness"].contains(event) || kinds.insert(event).inserted
        }
        let events = stream.map { $0 + ($0.hasPrefix("data: ") ? "\n\n" : "\n") }.joined()
        let golden = try Golden.lines(version, "link-\(kind).jsonl")
        try await ScriptedHTTPServer.with { _, _ in
            .stall("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + events)
        } _: { server in
            try await background {
                let link = server.address + "/s/AAAAAAAAAAAAAAAAAAAAAA"
                let follow = try Program().start(["follow", link, "--output", "json", "--interval", "1"])
                defer { follow.stop() }
                let told = LineWatch(follow.output)
                #expect(try Self.missing(Self.facts(golden.map(Self.object)), from: told) == [], "\(told.all)")
            }
        }
    }

    @Test("list reads the trips and shipments known on this machine with the same values as before", arguments: Golden.versions)
    func known(version: String) throws {
        try withStateFolder { folder, setting in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The list leaves out trips and shipments that were last seen more than seven days ago, so the recorded times are replaced.
            let now = Date().timeIntervalSince1970
            let text = try Golden.lines(version, "trips.json").joined()
                .replacing(/"(opened|seen)":[0-9.]+/) { "\"\($0.1)\":\(now)" }
            try Data(text.utf8).write(to: folder.appending(path: "trips.json"))
            let outcome = try Program().run(["list", "--json"], setting: setting)
            #expect(outcome.errors.isEmpty)
            let listed = try [outcome.lines.joined(), Golden.lines(version, "trips.list").joined()].map { line in
                try Self.facts(try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]], "\(line)"))
            }
            #expect(listed[0] == listed[1] && listed[0].count == 3)
        }
    }
}
