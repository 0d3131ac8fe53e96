import Foundation
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

/// Tests of a map from which tiles are missing, as text and as a picture.
@Suite("A map with gaps, and its view", .timeLimit(.minutes(5)))
struct OnlineViewTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-view-\(UUID().uuidString)")

    private var setting: [String: String] {
        ["HOME": folder.path, "XDG_CACHE_HOME": folder.appending(path: "cache").path, "XDG_CONFIG_HOME": folder.path]
    }

    @Test(
        "if the view is complete, missing tiles around it are not reported; missing tiles in the view are",
        arguments: [("map: server error (500)", "HTTP 500"), ("map: offline", "127.0.0.1")])
    func around(words: String, detail: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (map, isFailure) = (VillageMap(), words.contains("500"))
        try await ScriptedHTTPServer.with { request, _ in
            request.path == "/4/8/7.pbf" ? map.answer(request) : isFailure ? .reply(500, "") : .hangUp
        } _: { server in
            // The view is in the middle of a tile. The tiles to the left and right are at most half a view from the view's edges, so they
            // are fetched in advance.
            let program = try ProgramOnTerminal(
                ["map", "11.18,11.25,4", "--basemap", server.address + "/{z}/{x}/{y}.pbf"], setting: setting)
            try program.wait(for: "the map") { !$0.contains("map: ") && $0.contains("OpenStreetMap") }
            await server.waitForRequests(2)
            // The details show that the request has been answered, so the screen has processed the answer.
            program.press("d")
            try program.wait(for: "127.0.0.1:\(server.port): ")
            #expect(program.text.contains(detail) && !program.text.contains("map: "), "\(program.text)")
            program.press("d")
            try program.wait(for: "the details to close") { !$0.contains("DETAILS") }
            #expect(!program.text.contains("map: "), "\(program.text)")
            program.press("llllll")
            try program.wait(for: words)
            program.press("q")
            #expect(try program.end() == 0)
        }
    }

    /// An address that serves no map, and the message that the program must print.
    struct NoMap: Sendable, CustomTestStringConvertible {
        let path: String
        let words: String
        let answer: ScriptedHTTPServer.Answer
        var testDescription: String { path + " " + words }
    }

    static let noMaps = [
        NoMap(path: "/m.pmtiles", words: "it does not return parts of a file", answer: .reply(200, "all of it")),
        NoMap(
            path: "/m.pmtiles", words: "its file cannot be used",
            answer: .data(206, headers: [("content-range", "bytes 0-16383/16384")], Array(repeating: 7, count: 16_384))),
        NoMap(path: "/t.json", words: "it answered with a web page", answer: .reply(200, type: "text/html", "<html></html>")),
        NoMap(path: "/t.json", words: "it does not return a TileJSON", answer: .reply(200, "")),
        NoMap(path: "/t.json", words: "it does not return a TileJSON", answer: .reply(200, #"{"tiles":["file:///{z}/{x}/{y}"]}"#)),
        NoMap(path: "/style", words: "it returns a style", answer: .reply(200, #"{"version":8,"sources":{},"layers":[]}"#)),
        NoMap(
            path: "/{z}/{x}/{y}.png", words: "it returns pictures (PNG)",
            answer: .data(200, [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])),
    ]

    @Test("an address without a map gives one sentence, no frame and exit code 1", arguments: noMaps)
    func noMap(_ noMap: NoMap) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            noMap.answer
        } _: { server in
            let arguments = ["map", "20,10,4", "--dump", "--size", "80x24", "--basemap", server.address + noMap.path + "?key=geheim"]
            let outcome = try Program().run(arguments, setting: setting)
            let start = "tripwatch: the address of the base map cannot be used: 127.0.0.1:\(server.port): "
            #expect(outcome.status == 1 && outcome.lines.isEmpty, "\(outcome.lines)")
            #expect(outcome.errors.hasPrefix(start + noMap.words) && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            #expect(!outcome.errors.contains("geheim"))
        }
    }

    @Test("a gap within a map's zooms is empty, in a file as on a server, and no lower zoom is shown there")
    func gap() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let map = VillageMap(hasOneAbove: true, hasGap: true)
        let (file, bare) = (folder.appending(path: "map.pmtiles").path, folder.appending(path: "bare.pmtiles").path)
        try Data(map.archive).write(to: URL(filePath: file))
        try Data(VillageMap(hasGap: true).archive).write(to: URL(filePath: bare))
        func dump(_ place: String, _ map: String) throws -> [String] {
            let outcome = try Program().run(["map", place, "--dump", "--size", "80x24", "--basemap", map], setting: setting)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return outcome.lines
        }
        // The first view is the only tile of zoom 3. The second is the missing tile at zoom 4, with the tiles beside it.
        let (above, gap) = ("37.5,4.5,3", "37.5,4.5,4")
        let streets = try dump(above, file).dropLast().joined().unicodeScalars.count { (0x2801...0x28ff).contains($0.value) }
        #expect(streets > 3)
        let expected = try dump(gap, bare)
        let fromFile = try dump(gap, file)
        #expect(fromFile == expected)
        try await ScriptedHTTPServer.with { request, _ in
            map.answer(request)
        } _: { server in
            for path in ["/{z}/{x}/{y}.pbf", "/map.pmtiles"] {
                let frame = try dump(gap, server.address + path)
                #expect(frame == expected, "\(path)")
            }
        }
    }
}
