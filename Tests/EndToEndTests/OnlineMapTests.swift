import Foundation
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("A map from a server", .timeLimit(.minutes(5)))
final class OnlineMapTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-online-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var setting: [String: String] {
        [
            "HOME": folder.path, "XDG_CACHE_HOME": folder.appending(path: "cache").path,
            "XDG_CONFIG_HOME": folder.appending(path: "config").path,
        ]
    }

    private func dump(_ map: String, _ more: [String] = []) throws -> Program.Outcome {
        try Program().run(["map", "20,10,4", "--dump", "--size", "80x24", "--basemap", map] + more, setting: setting)
    }

    @Test("the same place from a file, from tiles, from a TileJSON and from an archive on a server gives the same frame")
    func frames() async throws {
        let map = VillageMap()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "map.pmtiles")
        try Data(map.archive).write(to: file)
        let expected = try dump(file.path)
        #expect(expected.status == 0 && expected.lines.joined().unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) })
        try await ScriptedHTTPServer.with { request, _ in
            map.answer(request)
        } _: { server in
            for path in ["/{z}/{x}/{y}.pbf", "/map.json", "/map.pmtiles"] {
                let frame = try dump(server.address + path + "?key=geheim")
                #expect(frame.status == 0 && frame.errors.isEmpty, "\(frame.errors)")
                #expect(frame.lines == expected.lines, "\(path)")
            }
            #expect(server.requests.allSatisfy { $0.headers["user-agent"]?.hasPrefix("tripwatch/") == true })
        }
    }

    @Test("if a server refuses: the available tiles, the text in the corner, one sentence, and no key")
    func refused() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(403, "no")
        } _: { server in
            let frame = try dump(server.address + "/{z}/{x}/{y}.pbf?key=geheim")
            #expect(frame.status == 0)
            #expect(frame.lines.first?.contains("map: server refuses (403)") == true, "\(frame.lines.first ?? "")")
            #expect(frame.errors == "tripwatch: the map is not complete: 127.0.0.1:\(server.port): it answered with HTTP 403.\n")
        }
    }

    @Test("requests to a map's server and their failures are in the log, but no key")
    func log() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (map, file) = (VillageMap(), folder.appending(path: "log").path)
        try await ScriptedHTTPServer.with { request, count in
            count == 0 ? .reply(429, "") : map.answer(request)
        } _: { server in
            let address = server.address + "/{z}/{x}/{y}.pbf?key=geheim"
            for _ in 0..<2 { #expect(try dump(address, ["--log", file]).status == 0) }
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter { $0.contains(" map ") }
            let host = "host=127.0.0.1:\(server.port) "
            // Several requests run at the same time, and their answers arrive in any order.
            let failures = lines.filter { $0.contains(" warning map \(host)message=\"it answered with HTTP 429\" ms=") }
            let answers = lines.filter { $0.contains(" debug   map bytes=") && $0.contains(host) && $0.hasSuffix(" status=200") }
            #expect(failures.count == 1 && !answers.isEmpty && failures.count + answers.count == lines.count, "\(lines)")
            #expect(!lines.joined().contains("geheim"))
        }
    }

    @Test("a place is found by its name among all fetched tiles, from the shell and on the screen")
    func names() async throws {
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, _ in
            map.answer(request)
        } _: { server in
            for path in ["/{z}/{x}/{y}.pbf", "/map.json", "/map.pmtiles"] {
                let map = ["--basemap", server.address + path, "--dump", "--size", "80x24"]
                let unknown = try Program().run(["map", "Made Up 134"] + map, setting: setting)
                #expect(unknown.status == 1 && unknown.errors.contains("names are looked up only there"))
                #expect(try dump(server.address + path).status == 0)
                let found = try Program().run(["map", "made up 134"] + map, setting: setting)
                #expect(found.status == 0 && found.errors.isEmpty, "\(path): \(found.errors)")
            }
            let program = try ProgramOnTerminal(
                ["map", "-50,-100,4", "--basemap", server.address + "/{z}/{x}/{y}.pbf"], setting: setting)
            try program.wait(for: "the map") { !$0.contains("map: ") && $0.contains("OpenStreetMap") }
            program.press("/")
            try program.wait(for: "Type the name of a place, a street or a stop.")
            program.press("MADE UP 134")
            try program.wait(for: "Made Up 134")
            program.press("\r")
            try program.wait(for: "Made Up 134 ∙ place")
            program.press("q")
            #expect(try program.end() == 0)
        }
    }

    @Test(
        "an address that cannot be used gives one sentence without its key, and exit code 1",
        arguments: ["https://a.example/{z}/{x}/{y}/{geheim}", "https://me:geheim@a.example/{z}/{x}/{y}", "http://a.example/{z}/geheim"])
    func unusable(address: String) throws {
        let outcome = try dump(address)
        #expect(outcome.status == 1 && outcome.lines.isEmpty && outcome.errors.split(separator: "\n").count == 1)
        #expect(!outcome.errors.contains("geheim"), "\(outcome.errors)")
    }

    /// A fault of a server, and the text that a corner of the map shows for it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let words: String
        let answer: ScriptedHTTPServer.Answer
        var path = "/{z}/{x}/{y}"
        var testDescription: String { words }
    }

    static let faults = [
        Fault(words: "map: loading", answer: .stall("")),
        Fault(words: "map: loading", answer: .drip("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")),
        Fault(words: "map: offline", answer: .hangUp),
        Fault(words: "map: server error (500)", answer: .reply(500, "")),
        Fault(words: "map: server is busy (429)", answer: .reply(429, "")),
        Fault(words: "map: not a tile server", answer: .data(200, Array(repeating: 0xff, count: 900))),
        Fault(words: "map: not a tile server", answer: .flood("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n", zeros: 1 << 30)),
        Fault(words: "map: no HTTP ranges", answer: .reply(200, "all of it"), path: "/map.pmtiles"),
    ]

    @Test("for every fault of a server the corner is right, and every key works", arguments: faults)
    func screen(_ fault: Fault) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            fault.answer
        } _: { server in
            let program = try ProgramOnTerminal(
                ["map", "20,10,4", "--basemap", server.address + fault.path + "?key=geheim"], setting: setting)
            try program.wait(for: fault.words)
            program.press("+")
            try program.wait(for: "another zoom") { !$0.contains("zoom 4 ") }
            for (key, words) in [("-", "zoom 4 "), ("u", "Units:"), ("?", "KEYS")] {
                program.press(key)
                try program.wait(for: words)
            }
            program.press("\u{1b}")
            try program.wait(for: "the help to close") { !$0.contains("KEYS") }
            program.press("d")
            try program.wait(for: "127.0.0.1:\(server.port)")
            #expect(!program.text.contains("geheim"))
            program.press("q")
            try program.wait(for: "the details to close") { !$0.contains("DETAILS") }
            program.press("q")
            #expect(try program.end() == 0)
        }
    }

    @Test("r asks a server again before its pause is over, and then its streets are shown")
    func askNow() async throws {
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, count in
            count == 0 ? .reply(403, "") : map.answer(request)
        } _: { server in
            let program = try ProgramOnTerminal(
                ["map", "20,10,4", "--basemap", server.address + "/map.json"], setting: setting)
            try program.wait(for: "map: server refuses (403)")
            #expect(server.requests.count == 1)
            program.press("r")
            try program.wait(for: "the map") { text in
                !text.contains("map: ") && text.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) }
            }
            program.press("q")
            #expect(try program.end() == 0)
        }
    }

    @Test("a map that was fetched is available without a server, and map cache describes it")
    func cache() async throws {
        let map = VillageMap()
        let empty = try Program().run(["map", "cache"], setting: setting)
        #expect(empty.status == 0 && empty.lines == ["bytes   0", "tiles   0", "hits    0", "misses  0"])
        try await ScriptedHTTPServer.with { request, _ in
            map.answer(request)
        } _: { server in
            for path in ["/{z}/{x}/{y}.pbf?key=geheim", "/map.json", "/map.pmtiles"] {
                let address = server.address + path
                let first = try dump(address)
                let count = server.requests.count
                let again = try dump(address)
                #expect(again.lines == first.lines && again.errors.isEmpty)
                if path.hasPrefix("/{z}") { #expect(server.requests.count == count) }
                let offline = try dump(address, ["--offline"])
                #expect(offline.lines == first.lines && offline.errors.isEmpty, "\(offline.errors)")
            }
            #expect(try dump(server.address + "/keyed.json").status == 0)
            for file in try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: "cache/tripwatch"), includingPropertiesForKeys: nil)
            {
                #expect(try Data(contentsOf: file).range(of: Data("geheim".utf8)) == nil, "\(file)")
            }
            let elsewhere = try Program().run(
                ["map", "-30,-100,4", "--dump", "--size", "80x24", "--offline", "--basemap", server.address + "/{z}/{x}/{y}.pbf"],
                setting: setting)
            #expect(elsewhere.status == 0 && elsewhere.lines.first?.contains("map: offline") == true)
            #expect(elsewhere.errors.contains("no request is sent (--offline)"))
            let figures = try Program().run(["map", "cache", "--json"], setting: setting)
            let object = try #require(try JSONSerialization.jsonObject(with: Data((figures.lines.first ?? "").utf8)) as? [String: Int])
            #expect(Set(object.keys) == ["bytes", "tiles", "hits", "misses"])
            #expect((object["bytes"] ?? 0) > 0 && (object["hits"] ?? 0) >= 8 && (object["misses"] ?? 0) > 4)
            // The tiles of the archive do not appear in `server.requests`, because the archive is read in ranges. It has as many tiles as
            // the map of `map.json`, and only that map's tiles are requested without a key. So `keyless.count` is added for the archive.
            let tiles = Set(server.requests.map(\.path).filter { $0.hasPrefix("/4/") })
            let keyless = tiles.filter { !$0.contains("?") }
            #expect(object["tiles"] == tiles.count + keyless.count, "\(object)")
        }
        #expect(try Program().run(["map", "cache", "clear"], setting: setting).status == 0)
        #expect(try Program().run(["map", "cache"], setting: setting).lines.contains("tiles   0"))
    }

    @Test("a pan there and back requests nothing, and a damaged cache gives one sentence")
    func pan() async throws {
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, _ in
            map.answer(request)
        } _: { server in
            let arguments = ["map", "20,10,4", "--basemap", server.address + "/{z}/{x}/{y}.pbf"]
            func panned() throws -> String {
                let program = try ProgramOnTerminal(arguments, setting: setting)
                try program.wait(for: "the map") { !$0.contains("map: loading") && $0.contains("OpenStreetMap") }
                let start = program.text.split(separator: "\n").first
                for (keys, place) in [("lll", "right"), ("hhh", "back")] {
                    let before = program.text
                    program.press(keys)
                    try program.wait(for: place) { $0 != before && !$0.contains("map: loading") }
                }
                try program.wait(for: "the place of before") {
                    $0.split(separator: "\n").first == start && !$0.contains("map: loading")
                }
                let text = program.text
                program.press("q")
                #expect(try program.end() == 0)
                return text
            }
            let first = try panned()
            #expect(!server.requests.isEmpty)
            // A tile that is requested in advance may still be loading when the program ends. After several runs, all tiles have arrived.
            var counts = [server.requests.count]
            repeat {
                #expect(try panned() == first)
                counts.append(server.requests.count)
            } while counts.count < 6 && counts.suffix(2).first != counts.last
            #expect(counts.suffix(2).first == counts.last, "\(counts)")
            let cache = folder.appending(path: "cache/tripwatch/tiles.sqlite")
            // SQLite could repair the cache from its journal, so the journal is removed first.
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: cache.path + end) }
            try Data(repeating: 0x55, count: 20_000).write(to: cache)
            let broken = try dump(server.address + "/{z}/{x}/{y}.pbf")
            #expect(broken.errors == "tripwatch: The map's cache was damaged and has been deleted.\n")
            #expect(broken.status == 0)
        }
    }

    @Test("when the view is complete, the tiles within half a view are fetched in advance, and no others")
    func ahead() async throws {
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, _ in
            // The server answers only requests for these three tiles.
            ["/4/8/7.pbf", "/4/7/7.pbf", "/4/9/7.pbf"].contains(request.path) ? map.answer(request) : .stall("")
        } _: { server in
            // The view is in the middle of a tile. The tiles to the left and right are at most half a view from the edges of the view.
            let arguments = ["map", "11.18,11.25,4", "--basemap", server.address + "/{z}/{x}/{y}.pbf"]
            let program = try ProgramOnTerminal(arguments, setting: setting)
            try program.wait(for: "the map") { !$0.contains("map: loading") && $0.contains("OpenStreetMap") }
            await server.waitForRequests(3)
            #expect(server.requests.first?.path == "/4/8/7.pbf")
            #expect(Set(server.requests.map(\.path)) == ["/4/8/7.pbf", "/4/7/7.pbf", "/4/9/7.pbf"])
            let before = program.text
            program.press("lll")
            try program.wait(for: "the streets to the right") { $0 != before && !$0.contains("map: loading") }
            #expect(server.requests.count { $0.path == "/4/9/7.pbf" } == 1)
            program.press("q")
            #expect(try program.end() == 0)
            // With `--offline`, the program requests no tiles in advance, so no tile is missing.
            let offline = try ProgramOnTerminal(arguments + ["--offline"], setting: setting)
            try offline.wait(for: "the map") { $0 == before || $0.contains("map: offline") }
            #expect(!offline.text.contains("map: offline"))
            offline.press("q")
            #expect(try offline.end() == 0)
        }
    }

    @Test("after zooming out, detailed tiles remain until the tiles of the new zoom arrive")
    func zoomedOut() async throws {
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, _ in
            request.path.hasPrefix("/4/") ? map.answer(request) : .stall("")
        } _: { server in
            let program = try ProgramOnTerminal(
                ["map", "19.6,2.5,4", "--basemap", server.address + "/{z}/{x}/{y}.pbf"], setting: setting)
            // Counts cells with three or more dots. The grid that is shown instead of a map has no such cells.
            func drawn(_ text: String) -> Int {
                text.unicodeScalars.count { (0x2801...0x28ff).contains($0.value) && ($0.value & 0xff).nonzeroBitCount > 2 }
            }
            try program.wait(for: "the map") { !$0.contains("map: loading") && drawn($0) > 10 }
            program.press("--")
            try program.wait(for: "tiles of another zoom") { $0.contains("map: loading") && !$0.contains("zoom 4") }
            try program.wait(for: "what was seen closer by") { $0.contains("map: loading") && drawn($0) > 5 }
            #expect(server.requests.contains { !$0.path.hasPrefix("/4/") })
            program.press("q")
            #expect(try program.end() == 0)
        }
    }

    private static let question = "Load a street map from OpenStreetMap?"

    @Test("without a map the user is asked before anything is fetched; never is remembered, and the question does not return")
    func consent() throws {
        let program = try ProgramOnTerminal(["map", "20,10,4"], setting: setting)
        try program.wait(for: Self.question)
        // These keys act on other pages, but they do not answer the question.
        for key in ["n", "a"] { program.press(key) }
        program.press("u")
        try program.wait(for: "Units:")
        try program.wait(for: Self.question)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "config").path))
        program.press("N")
        try program.wait(for: "the question to go") { !$0.contains(Self.question) }
        program.press("q")
        #expect(try program.end() == 0)
        let configuration = folder.appending(path: "config/tripwatch/config.toml")
        #expect(try String(contentsOf: configuration, encoding: .utf8).contains("\nbasemap = \"none\"\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "cache").path))
        let again = try ProgramOnTerminal(["map", "20,10,4"], setting: setting)
        try again.wait(for: "tripwatch map")
        again.press("u")
        try again.wait(for: "Units:")
        #expect(!again.text.contains(Self.question))
        again.press("q")
        #expect(try again.end() == 0)
    }

    @Test("a trip with something on its map asks too, with Esc for not now, and its keys continue to work")
    func consentForTrip() throws {
        let trip = ["follow", "providers/p/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext", "--here", "20,10"]
        let program = try ProgramOnTerminal(trip, setting: setting.merging(["TRIPWATCH_BASEMAP": ""]) { $1 })
        try program.wait(for: Self.question)
        program.press("?")
        try program.wait(for: "KEYS")
        program.press("?")
        try program.wait(for: Self.question)
        program.press("\u{1b}")
        try program.wait(for: "the question to go") { !$0.contains(Self.question) }
        program.press("q")
        // If no answer about the trip has arrived, the command fails.
        #expect(try program.end() == 1)
        for name in ["config", "cache"] { #expect(!FileManager.default.fileExists(atPath: folder.appending(path: name).path)) }
    }

    @Test(
        "the question is not asked with --read-only, with --offline, without a place, or without a terminal",
        arguments: [["20,10,4", "--read-only"], ["20,10,4", "--offline"], [], ["20,10,4", "--basemap", "none"]])
    func notAsked(arguments: [String]) throws {
        let program = try ProgramOnTerminal(["map"] + arguments, setting: setting)
        try program.wait(for: "tripwatch map")
        program.press("u")
        try program.wait(for: "Units:")
        #expect(!program.text.contains(Self.question))
        program.press("q")
        #expect(try program.end() == 0)
        #expect(try !Program().run(["map", "20,10,4", "--dump"], setting: setting).lines.joined().contains(Self.question))
    }
}
