import Foundation
import Glibc
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("Recorded and replayed rides", .timeLimit(.minutes(5)))
final class RecordingTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-rides-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "ride.trip").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Follows a whole ride on a real engine with these options.
    private func ride(_ options: [String]) throws -> (Program.Outcome, trip: String) {
        try LocalServer.withRide(to: "-35.9800,-20.0000") { server, trip in
            (try Program().run(["follow", trip, "--interval", "1", "--output", "json"] + options + server.connection), trip: trip)
        }
    }

    @Test("a recording gives the lines that were printed, and no token")
    func lines() throws {
        let (live, trip) = try ride(["--record", file, "--token-command", "echo made-up-secret"])
        #expect(live.status == 0 && live.lines.count > 10, "\(live.errors)")
        let replay = try Program().run(["replay", file, "--speed", "1000000", "--output", "json"])
        #expect(replay.status == 0)
        #expect(replay.lines == live.lines)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        // A recording that has only the first answer can also be replayed.
        let short = folder.appending(path: "short.trip").path
        try (text.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n").write(toFile: short, atomically: true, encoding: .utf8)
        let first = try Program().run(["replay", short, "--output", "json"])
        #expect(first.status == 0 && !first.lines.isEmpty && live.lines.starts(with: first.lines), "\(first.lines)")
        #expect(text.hasPrefix("{\"tripwatch\":\"trip\",\"version\":1,\"trip\":\"\(trip)\",\"t\":\""))
        #expect(!text.contains("made-up-secret"))
        #expect(text.contains("\"vehicle\":{"), "the recording has no car")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // An existing file must not be changed.
        let again = try Program().run(["follow", trip, "--endpoint", "127.0.0.1:1", "--plaintext", "--record", file])
        #expect(again.status == 1 && again.errors.contains("the file already exists"), "\(again.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        // The exported files have formats that other programs can read.
        let gpx = try Program().run(["export", file, "--gpx"])
        #expect(gpx.status == 0 && gpx.lines.contains { $0.contains("<trkpt lat=\"-35.9") }, "\(gpx.errors)")
        let geoJSON = try Program().run(["export", file, "--geojson"])
        let object = try JSONSerialization.jsonObject(with: Data(geoJSON.lines.joined().utf8)) as? [String: Any]
        #expect(object?["type"] as? String == "FeatureCollection")
        let overlay = folder.appending(path: "ride.geojson")
        try geoJSON.lines.joined().write(to: overlay, atomically: true, encoding: .utf8)
        let map = try Program().run(["map", "--dump", "--size", "60x20", "--basemap", "none", "--overlay", overlay.path])
        #expect(map.status == 0 && map.lines.contains { $0.contains("Drop-off") || $0.contains("⣿") || $0.contains("⢸") }, "\(map.errors)")
    }

    @Test("a full disk ends the recording, is reported once, and ends no ride")
    func full() throws {
        try LocalServer.withRide(speed: 20, to: "-35.9550,-20.0000") { server, trip in
            // The limit is 16 KiB. The first answer, with the whole route (about 10 KB), fits. The answers after it exceed the limit before
            // the ride ends, even on a busy machine.
            let follow = try server.program.start(
                ["follow", trip, "--interval", "1", "--output", "json", "--record", file] + server.connection, fileBlocks: 32)
            let told = LineWatch(follow.output), errors = LineWatch(follow.errors)
            #expect(errors.line(with: "cannot be written any more: file too large.") != nil)
            // The program must continue to follow the ride until its end.
            #expect(told.line(with: "\"event\":\"location\"", after: told.all.count) != nil)
            #expect(try server.cancel(trip).contains("CANCELED"))
            #expect(told.line(with: "\"event\":\"end\"") != nil)
            follow.waitForEnd()
            #expect(follow.process.terminationStatus == 2)
            #expect(errors.all.count { $0.contains("cannot be written any more") } == 1, "\(errors.all)")
            // The incomplete file must still be a valid recording.
            let replay = try Program().run(["replay", file, "--speed", "1000000", "--output", "json"])
            #expect(!replay.lines.isEmpty && !replay.errors.contains("cannot"), "\(replay.errors)")
            #expect(told.all.starts(with: replay.lines.prefix(4)))
        }
    }

    @Test("a recording has a single trip, and a file that cannot be played gives a message")
    func usage() throws {
        let two = try Program().run(["follow", "a", "b", "--provider", "p", "--record", file, "--endpoint", "127.0.0.1:1", "--plaintext"])
        #expect(two.status == 64 && two.errors.contains("--record works with a single trip or shipment: name only one."), "\(two.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
        try "{\"tripwatch\":\"trip\",\"version\":1,\"trip\":\"providers/p/trips/t\",\"t\":\"2026-01-01T00:00:00Z\"}\n{\"t\":\"2026-01"
            .write(
                toFile: file, atomically: true, encoding: .utf8)
        for command in [["replay", file], ["export", file, "--gpx"]] {
            let outcome = try Program().run(command)
            #expect(
                outcome.status == 1 && outcome.lines.isEmpty && outcome.errors.contains("the recording has no answer"),
                "\(outcome.errors)")
        }
        #expect(try Program().run(["export", file]).status == 64)
        try "{\"tripwatch\":\"drive\",\"version\":1,\"vehicle\":\"car\",\"t\":1767225600}\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        let drive = try Program().run(["replay", file])
        let advice = "recording of a drive: use 'tripwatch drive --vehicle ID --replay FILE'"
        #expect(drive.status == 1 && drive.errors.contains(advice), "\(drive.errors)")
    }

    /// Returns the text of the screen after these keys, which are typed at the start of a paused replay.
    private func screen(_ keys: [(press: String, until: String)]) throws -> String {
        let replay = try ProgramOnTerminal(["replay", Self.golden, "--basemap", "none"], setting: ["TZ": "UTC"])
        try replay.wait(for: " of ")
        replay.press(" ")
        try replay.wait(for: "paused 1x")
        for key in keys {
            replay.press(key.press)
            try replay.wait(for: key.until)
        }
        let text = replay.text
        replay.press("q")
        #expect(try replay.end() == 0)
        return text
    }

    static let golden = Program.package.appending(path: "Tests/EndToEndTests/Fixtures/town.trip").path

    @Test("compressed with gzip, under any name, a recording gives the same lines")
    func packed() throws {
        let copy = folder.appending(path: "ride").path
        try FileManager.default.copyItem(atPath: Self.golden, toPath: copy)
        let plain = try Program().run(["replay", copy, "--speed", "1000000", "--output", "json"])
        try GzipCommand.pack(copy)
        let packed = try Program().run(["replay", copy, "--speed", "1000000", "--output", "json"])
        #expect(packed.status == 0 && packed.lines == plain.lines && packed.lines.count > 10, "\(packed.errors)")
    }

    @Test("a moment looks the same however it is reached, and so does a recording that is played twice")
    func sameFrames() throws {
        let back = "\u{1b}[1;2D", end = "\u{1b}[1;2C"
        func start(_ more: [(String, String)]) -> [(press: String, until: String)] {
            [(String(repeating: back, count: 3), " 0:00 of ")] + more.map { (press: $0.0, until: $0.1) }
        }
        let first = try screen(start([(end, " 1:00 of "), (end, " 2:00 of ")]))
        let again = try screen(start([(end, " 1:00 of "), (end, " 2:00 of ")]))
        let round = try screen(start([(String(repeating: end, count: 4), " 4:00 of "), (String(repeating: back, count: 2), " 2:00 of ")]))
        let small = try screen(start([(String(repeating: "\u{1b}[C", count: 12), " 2:00 of ")]))
        #expect(first == again && first == round && first == small)
        #expect(first.contains("town.trip") && first.contains("paused 1x"))
    }

    @Test("a replay reaches its end without a key, however fast it is")
    func untouched() throws {
        let replay = try ProgramOnTerminal(["replay", Self.golden, "--basemap", "none", "--speed", "64"])
        try replay.wait(for: "replay ended")
        replay.press("q")
        #expect(try replay.end() == 0)
    }

    @Test("the keys of a replay: speed, events, the log, and no cancelling")
    func keys() throws {
        let replay = try ProgramOnTerminal(["replay", Self.golden, "--basemap", "none"])
        try replay.wait(for: "replay 1x")
        replay.press(" ")
        try replay.wait(for: "paused 1x")
        for speed in ["2x", "4x", "8x", "16x", "32x", "64x"] {
            replay.press(">")
            try replay.wait(for: "paused \(speed)")
        }
        for _ in 0..<8 { replay.press("<") }
        try replay.wait(for: "paused 0.5x")
        replay.press("x")
        try replay.wait(for: "This is a recording: nothing can be cancelled.")
        replay.press("w")
        try replay.wait(for: "EVENTS")
        replay.press("\u{1b}")
        try replay.wait(for: "the log to close") { !$0.contains("EVENTS") }
        replay.press(String(repeating: "\u{1b}[1;2C", count: 20))
        try replay.wait(for: "replay ended")
        replay.press("E")
        try replay.wait(for: "paused 0.5x")
        replay.press("e")
        try replay.wait(for: "replay ended")
        replay.press("q")
        #expect(try replay.end() == 0)
    }

    @Test("a ride on the screen is kept, replayed, exported and protected from its end page")
    func endPage() throws {
        try LocalServer.withRide(to: "-35.9850,-20.0000") { server, trip in
            let state = folder.appending(path: "state").path
            let follow = try ProgramOnTerminal(
                ["follow", trip, "--interval", "1"] + server.connection, columns: 100,
                setting: ["XDG_STATE_HOME": state, "TRIPWATCH_KEEP_RIDES": "2"])
            try follow.wait(for: "p replay")
            let rides = state + "/tripwatch/rides"
            let kept = try FileManager.default.contentsOfDirectory(atPath: rides)
            #expect(kept.count == 1 && kept.allSatisfy { $0.hasSuffix(".trip") }, "\(kept)")
            #expect(try FileManager.default.attributesOfItem(atPath: rides)[.posixPermissions] as? Int == 0o700)
            follow.press("k")
            try follow.wait(for: "Kept in ")
            #expect(try FileManager.default.contentsOfDirectory(atPath: rides + "/kept") == kept)
            follow.press("p")
            try follow.wait(for: "replay 1x")
            follow.press("q")
            #expect(try follow.end() == 0)
            try find(trip, in: state)
        }
    }

    /// Replays the last ride in four ways: without a name, by the name in `list --rides`, by its file's name, and by the name's beginning.
    private func find(_ trip: String, in state: String) throws {
        let program = Program(environment: Program().environment.merging(["XDG_STATE_HOME": state]) { $1 })
        let listed = try program.run(["list", "--rides"]).lines
        let name = try #require(listed.first?.split(separator: " ").first.map(String.init))
        #expect(listed.count == 1 && listed.first?.hasSuffix("kept") == true, "\(listed)")
        #expect(try program.run(["list", "--rides", "--json"]).lines.first?.contains("\"trip\":\"\(trip)\"") == true)
        for words in [[], [name], [name + ".trip"], [String(name.prefix(14))]] {
            let played = try program.run(["replay", "--speed", "1000000", "--output", "json"] + words)
            #expect(played.status == 0 && !played.lines.isEmpty && played.lines.allSatisfy { $0.contains(trip) }, "\(played.errors)")
        }
        let none = try program.run(["replay"], setting: ["XDG_STATE_HOME": state + "/elsewhere"])
        #expect(none.status == 64 && none.errors.contains("no rides are saved on this machine"), "\(none.errors)")
    }

    @Test("a list of rides shows a ride's title from its first answer, even if the trip is not in the list of trips")
    func titles() throws {
        let rides = folder.appending(path: "tripwatch/rides/demo")
        try FileManager.default.createDirectory(at: rides, withIntermediateDirectories: true)
        let trip = "providers/demo/trips/trip-0955ee73-957e-4511-87eb-583b1a48a0de"
        let lines = [
            #"{"tripwatch":"trip","version":1,"trip":"\#(trip)","t":"2026-11-28T08:26:18Z","interval_s":5.0,"town":true}"#,
            #"{"t":"2026-11-28T08:26:19Z","answer":{"name":"\#(trip)","tripStatus":"ENROUTE_TO_PICKUP","#
                + #""attributes":[{"key":"dropoff_name","stringValue":"Public Library"}]}}"#,
        ]
        try lines.joined(separator: "\n").write(to: rides.appending(path: "ride.trip"), atomically: true, encoding: .utf8)
        let list = try Program().run(["list", "--rides"], setting: ["XDG_STATE_HOME": folder.path])
        #expect(list.status == 0 && list.lines.first?.hasPrefix("ride  Ride to Public Library  ") == true, "\(list.lines)")
        // The recording does not state the kind of the trip, which was followed with --order.
        let seen = Date().timeIntervalSince1970
        let known =
            #"[{"name":"\#(trip)","kind":"order","status":"ENROUTE_TO_PICKUP","opened":\#(seen),"seen":\#(seen),"#
            + #""endpoint":"127.0.0.1:1","plaintext":true}]"#
        try known.write(to: folder.appending(path: "tripwatch/trips.json"), atomically: true, encoding: .utf8)
        let order = try Program().run(["list", "--rides"], setting: ["XDG_STATE_HOME": folder.path])
        #expect(order.lines.first?.hasPrefix("ride  Order to Public Library  ") == true, "\(order.lines) \(order.errors)")
    }

    @Test("of a log with several trips the first is played and exported, stderr says so, and --trip chooses another")
    func severalTrips() throws {
        let entries = ["a", "b"].enumerated().map { index, trip in
            #"{"timestamp":"2026-01-01T00:00:0\#(index)Z","jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.CreateTripLog","#
                + #""response":{"name":"providers/demo/trips/\#(trip)","status":"TRIP_STATUS_NEW"}}}"#
        }
        try entries.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let said = "\(file) has 2 trips; this is a. --trip chooses another."
        for command in [["replay", file, "--output", "plain", "--speed", "1000"], ["export", file, "--gpx"]] {
            let first = try Program().run(command)
            #expect(first.status == 0 && first.errors.contains(said), "\(first.errors)")
            let chosen = try Program().run(command + ["--trip", "b"])
            #expect(chosen.status == 0 && !chosen.errors.contains("has 2 trips"), "\(chosen.errors)")
        }
    }

    @Test("lines name the car by plate and description, and the stop by its name, and so do those of its recording")
    func carInLines() throws {
        let file = folder.appending(path: "ride.trip").path
        let told = try Program().run(["demo", "--speed", "200", "--output", "plain", "--record", file])
        #expect(told.status == 0 && told.lines.first?.hasSuffix(" assigned    DEMO 7 teal Made-up, taxi") == true, "\(told.lines)")
        #expect(told.lines.contains { $0.hasSuffix(" waiting at Theatre") }, "\(told.lines)")
        let played = try Program().run(["replay", file, "--output", "plain", "--speed", "1000000"])
        #expect(played.lines.first == told.lines.first && played.lines.last == told.lines.last, "\(played.lines)")
        let spoken = try Program().run(["replay", file, "--speed", "1000000"], setting: ["ACCESSIBLE": "1"])
        #expect(spoken.lines.contains { $0.contains("Plate D E M O 7. Teal Made-up, taxi.") }, "\(spoken.lines)")
    }

    @Test("the demo's last page names its recording, keeps it, and plays it in its town with the names of its places")
    func demo() throws {
        let state = folder.appending(path: "state").path
        let demo = try ProgramOnTerminal(
            ["demo", "--speed", "200"], setting: ["XDG_STATE_HOME": state, "TRIPWATCH_BASEMAP": "none"])
        try demo.wait(for: ". Recorded: 20")
        try demo.wait(for: "p replay")
        #expect(demo.text.contains(" KB)") && demo.text.contains("pickup "), "\(demo.text)")
        let rides = state + "/tripwatch/rides"
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: rides + "/demo").first)
        demo.press("k")
        try demo.wait(for: "Kept in ")
        #expect(try FileManager.default.contentsOfDirectory(atPath: rides + "/kept") == [file])
        demo.press("p")
        try demo.wait(for: "replay 1x")
        try demo.wait(for: "an invented town")
        try demo.wait(for: "⚑ Public Library")
        #expect(!demo.text.contains(" before 1") && !demo.text.contains(" before 2") && !demo.text.contains(" before 0"), "\(demo.text)")
        demo.press("q")
        #expect(try demo.end() == 0)
        let unkept = try ProgramOnTerminal(
            ["demo", "--speed", "200"], setting: ["XDG_STATE_HOME": state, "TRIPWATCH_KEEP_RIDES": "0"])
        try unkept.wait(for: "Trip complete")
        #expect(!unkept.text.contains("p replay"))
        unkept.press("q")
        #expect(try unkept.end() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: rides + "/demo").isEmpty)
    }

    @Test("a ride that another program still records is not removed for a new one, and the wide screen names the recording")
    func inUse() throws {
        let rides = folder.appending(path: "state/tripwatch/rides/demo")
        try FileManager.default.createDirectory(at: rides, withIntermediateDirectories: true)
        let old = (1...4).map { "2026010\($0)000000-made-up.trip" }
        for name in old { try Data().write(to: rides.appending(path: name)) }
        let other = open(rides.appending(path: old[0]).path, O_RDONLY | O_CLOEXEC)
        defer { close(other) }
        #expect(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
        let demo = try ProgramOnTerminal(
            ["demo"], columns: 120, rows: 40,
            setting: ["XDG_STATE_HOME": folder.appending(path: "state").path, "TRIPWATCH_BASEMAP": "none"])
        try demo.wait(for: " min")
        demo.press("d")
        try demo.wait(for: "the recording and the server's answer") { $0.contains("record  ") && $0.contains(" ms") }
        demo.press("q")
        demo.press("q")
        #expect(try demo.end() == 0)
        // The demo keeps its new recording and the two newest old ones. The oldest is also kept, because it is in use.
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: rides.path)).intersection(old)
        #expect(left == [old[0], old[2], old[3]], "\(left)")
    }

    @Test("a recording without an answer says so: no trip, no sign-in, a server that was down, nothing at all")
    func noAnswer() throws {
        let folder = try Folder()
        let header = "{\"tripwatch\":\"trip\",\"version\":1,\"trip\":\"providers/p/trips/t\",\"t\":\"2031-05-04T14:07:12Z\"}\n"
        func file(_ codes: [String]) throws -> String {
            let lines = codes.enumerated().map {
                "{\"t\":\"2031-05-04T14:07:1\($0 + 3)Z\",\"error\":{\"code\":\"\($1)\",\"message\":\"made up\"}}\n"
            }
            let path = folder.path + "/" + (codes.last ?? "none") + ".trip"
            try Data((header + lines.joined()).utf8).write(to: URL(filePath: path))
            return path
        }
        for (code, status) in [("NOT_FOUND", 3), ("PERMISSION_DENIED", 4), ("UNAVAILABLE", 1)] as [(String, Int32)] {
            let path = try file([code, code])
            let sentence = "tripwatch: \(path): the recording has no trip, because every call in it failed (the last with \(code))."
            let played = try Program().run(["replay", path, "--output", "json", "--speed", "64"])
            #expect(played.status == status && played.errors.contains(sentence), "\(played)")
            #expect(played.lines.contains { $0.contains("\"code\":\"\(code)\"") })
            let exported = try Program().run(["export", path, "--gpx"])
            #expect(exported.status == status && exported.lines.isEmpty && exported.errors.contains(sentence), "\(exported)")
            let screen = try ProgramOnTerminal(["replay", path], columns: 200)
            #expect(try screen.end() == status)
            #expect(screen.text.contains(sentence), "\(screen.text)")
        }
        let path = try file([])
        let empty = try Program().run(["replay", path])
        #expect(empty.status == 1 && empty.errors.contains("\(path): the recording has no answer: it ends before"), "\(empty)")
        let screen = try ProgramOnTerminal(["replay", path], columns: 200)
        #expect(try screen.end() == 1 && screen.text.contains("the recording has no answer"))
    }
}
