import FleetEngine
import Foundation
import Synchronization
import Testing
import TripTesting
import VectorTiles

@testable import OnlineTiles
@testable import TileFuzz

private typealias Answer = ScriptedHTTPServer.Answer
private typealias Request = ScriptedHTTPServer.Request

@Suite("Maps from a server", .timeLimit(.minutes(2)))
struct OnlineTileSourceTests {
    private let village = MadeUpTile.village().bytes

    private func source(
        _ address: String, time: any TimeSource = SystemTimeSource(), _ change: (inout OnlineLimits) -> Void = { _ in }
    ) throws -> OnlineTileSource {
        var settings = OnlineSettings(userAgent: "tripwatch/test")
        settings.time = time
        change(&settings.limits)
        return try OnlineTileSource(MapAddress(address), settings: settings)
    }

    private func id(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID { try #require(TileID(zoom: zoom, x: x, y: y)) }

    /// Returns the first fault that the source reports; nil if it reports no fault.
    private func trouble(_ source: OnlineTileSource) async -> TileTrouble? {
        for await news in source.news { if case .trouble(let trouble?) = news { return trouble } }
        return nil
    }

    private func isTile(_ answer: TileAnswer, empty: Bool = false) -> Bool {
        if case .tile(let tile) = answer { (tile.featureCount == 0) == empty } else { false }
    }

    private func isLate(_ answer: TileAnswer) -> Bool { if case .notYet = answer { true } else { false } }

    @Test("tiles are fetched by a template, bare and gzip; a tile that the server does not have is empty")
    func template() async throws {
        let (plain, packed) = (village, GzipWriter.stored(village))
        try await ScriptedHTTPServer.with { request, _ in
            switch request.path {
            case "/3/1/1?key=geheim": .data(200, plain)
            case "/3/1/2?key=geheim": .data(200, packed)
            case "/3/1/3?key=geheim": .data(200, headers: [("content-encoding", "gzip")], packed)
            case "/3/1/4?key=geheim": .data(204, [])
            case "/3/1/6?key=geheim": .data(200, [])
            default: .reply(404, "")
            }
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}?key=geheim")
            for row in 1...3 { #expect(isTile(await source.answer(for: try id(3, 1, row))), "\(row)") }
            for row in 4...6 { #expect(isTile(await source.answer(for: try id(3, 1, row)), empty: true), "\(row)") }
            let request = try #require(server.requests.first)
            #expect(request.headers["user-agent"] == "tripwatch/test" && request.headers["accept-encoding"] == "gzip")
            #expect(source.attribution == "© OpenStreetMap contributors" && source.zoomRange == 0...14)
            // No request is sent for a zoom above the map's highest.
            let count = server.requests.count
            if case .absent = await source.answer(for: try id(15, 1, 1)) {} else { Issue.record("an answer at zoom 15") }
            #expect(server.requests.count == count)
        }
    }

    @Test("a TileJSON says where tiles are; nothing is requested outside its bounds")
    func tileJSON() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            let host = request.headers["host"] ?? ""
            return request.path == "/tiles.json"
                ? .reply(200, #"{"tiles":["http://\#(host)/t/{z}/{x}/{y}"],"maxzoom":9,"bounds":[0,0,90,80],"attribution":"© us"}"#)
                : .data(200, village)
        } _: { server in
            let source = try source(server.address + "/tiles.json")
            // Concurrent callers all get their tiles, and the TileJSON is requested only once.
            let tasks = try [id(2, 2, 1), id(2, 3, 1)].map { tile in Task { await source.answer(for: tile) } }
            for task in tasks { #expect(isTile(await task.value)) }
            #expect(isTile(await source.answer(for: try id(2, 0, 3)), empty: true))
            #expect(source.attribution == "© us" && source.zoomRange == 0...9)
            #expect(server.requests.map(\.path).sorted() == ["/t/2/2/1", "/t/2/3/1", "/tiles.json"])
        }
    }

    private func archive(_ zoom: Int, leafSize: Int? = nil) throws -> [UInt8] {
        var writer = PMTilesWriter()
        writer.leafSize = leafSize
        writer.metadata = #"{"attribution":"© the archive"}"#
        for x in 0..<1 << zoom {
            for y in 0..<1 << zoom { writer.tiles.append((try id(zoom, x, y), MadeUpTile.village(x * 16 + y).bytes)) }
        }
        return writer.bytes()
    }

    @Test("only parts of an archive are fetched, and each directory once")
    func archiveByParts() async throws {
        let file = try archive(4, leafSize: 16)
        try await ScriptedHTTPServer.with { request, _ in
            .part(request, of: file)
        } _: { server in
            let source = try source(server.address + "/map.pmtiles")
            #expect(isTile(await source.answer(for: try id(4, 0, 0))))
            #expect(source.attribution == "© the archive" && source.zoomRange == 4...4)
            // The four requests: header and root directory, metadata, leaf directory, tile. Another tile of this leaf takes one more.
            #expect(server.requests.count == 4)
            #expect(isTile(await source.answer(for: try id(4, 1, 1))))
            #expect(server.requests.count == 5)
        }
    }

    @Test("an archive that was replaced drops its directories, and is read anew")
    func replacedArchive() async throws {
        let (old, new) = (try archive(3), try archive(4))
        try await ScriptedHTTPServer.with { request, count in
            count < 3 ? .part(request, of: old) : .part(request, of: new, etag: "\"2\"")
        } _: { server in
            let source = try source(server.address + "/map.pmtiles")
            #expect(isTile(await source.answer(for: try id(3, 0, 0))))
            #expect(isLate(await source.answer(for: try id(3, 5, 5))))
            #expect(isTile(await source.answer(for: try id(3, 5, 5)), empty: true) == false)
            #expect(isTile(await source.answer(for: try id(4, 5, 5))))
            #expect(source.zoomRange == 4...4)
        }
    }

    @Test("an archive whose ETag changes with each answer, as from several servers behind one address, is read all the same")
    func restlessTag() async throws {
        let file = try archive(3)
        try await ScriptedHTTPServer.with { request, count in
            .part(request, of: file, etag: "\"\(count)\"")
        } _: { server in
            let source = try source(server.address + "/map.pmtiles")
            var answers: [TileAnswer] = []
            for _ in 0..<8 { answers.append(await source.answer(for: try id(3, 2, 2))) }
            #expect(answers.contains { isLate($0) } && answers.last.map { isTile($0) } == true)
            #expect(isTile(await source.answer(for: try id(3, 6, 1))))
        }
    }

    /// A fault of a server, and the fault that the source should report for it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: TileTrouble.Kind
        var path = "/{z}/{x}/{y}"
        let answer: @Sendable (ScriptedHTTPServer.Request, [UInt8]) -> ScriptedHTTPServer.Answer
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "403", kind: .refused(403)) { _, _ in .reply(403, "no") },
        Fault(name: "401", kind: .refused(401)) { _, _ in .reply(401, "no") },
        Fault(name: "500", kind: .failed(500)) { _, _ in .reply(500, "") },
        Fault(name: "429", kind: .busy(429)) { _, _ in .reply(429, "") },
        Fault(name: "503", kind: .busy(503)) { _, _ in .reply(503, "") },
        Fault(name: "hang up", kind: .offline) { _, _ in .hangUp },
        Fault(name: "never", kind: .offline) { _, _ in .stall("") },
        Fault(name: "a head and never a body", kind: .offline) { _, _ in .stall("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n") },
        Fault(name: "one byte a second", kind: .offline) { _, _ in .drip("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n") },
        Fault(name: "cut", kind: .offline) { _, _ in .bytes("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nabc") },
        Fault(name: "garbage for HTTP", kind: .notATileServer) { _, _ in .bytes("\u{1}\u{2}garbage\r\n\r\n") },
        Fault(name: "garbage for a tile", kind: .notATileServer) { _, _ in .data(200, Array(repeating: 0xff, count: 900)) },
        Fault(name: "a page", kind: .notATileServer) { _, _ in .reply(200, type: "text/html; charset=utf-8", "<html>") },
        Fault(name: "a gigabyte", kind: .notATileServer) { _, _ in
            .flood("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n", zeros: 1 << 30)
        },
        Fault(name: "a gigabyte unannounced", kind: .notATileServer) { _, _ in .flood("HTTP/1.1 200 OK\r\n\r\n", zeros: 1 << 30) },
        Fault(name: "a bomb", kind: .notATileServer) { _, bomb in .data(200, headers: [("content-encoding", "gzip")], bomb) },
        Fault(name: "a loop", kind: .notATileServer) { request, _ in .reply(302, headers: [("location", request.path)], "") },
        Fault(name: "a redirect to a file", kind: .notATileServer) { _, _ in .reply(302, headers: [("location", "file:///etc/passwd")], "")
        },
        Fault(name: "no TileJSON", kind: .notATileServer, path: "/t.json") { _, _ in .reply(200, "{}") },
        Fault(name: "no such TileJSON", kind: .refused(404), path: "/t.json") { _, _ in .reply(404, "") },
        Fault(name: "no ranges", kind: .noRanges, path: "/m.pmtiles") { _, _ in
            .flood("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n", zeros: 1 << 30)
        },
        Fault(name: "another range", kind: .noRanges, path: "/m.pmtiles") { _, _ in
            .data(206, headers: [("content-range", "bytes 5-9/100")], [1, 2, 3, 4, 5])
        },
        Fault(name: "a compressed range", kind: .noRanges, path: "/m.pmtiles") { _, bomb in
            .data(
                206, headers: [("content-range", "bytes 0-16383/\(bomb.count)"), ("content-encoding", "gzip")], Array(bomb.prefix(16_384)))
        },
        Fault(name: "no archive", kind: .notATileServer, path: "/m.pmtiles") { request, bomb in .part(request, of: bomb) },
    ]

    @Test("each fault of a server has its name, reveals no key, and costs no wait beyond the limits", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let bomb = GzipWriter.zeros(64 << 20)
        try await ScriptedHTTPServer.with { request, _ in
            fault.answer(request, bomb)
        } _: { server in
            let source = try source(server.address + fault.path + "?key=geheim") {
                ($0.firstByteSeconds, $0.wholeSeconds) = (0.4, 0.6)
            }
            // If the server sends data that is not a tile, the source also requests the ancestors of the wanted tile.
            #expect(isLate(await source.nearest(to: try id(3, 1, 1))))
            let trouble = try #require(await trouble(source))
            #expect(trouble.kind == fault.kind, "\(trouble)")
            #expect(trouble.host == "127.0.0.1:\(server.port)")
            #expect(!trouble.words.contains("geheim") && !trouble.words.isEmpty)
            // After the fault, no requests are sent to the server.
            let count = server.requests.count
            #expect(isLate(await source.nearest(to: try id(3, 1, 2))))
            #expect(server.requests.count == count)
        }
    }

    @Test("a TLS handshake that is cut, or answered with something else, is offline", arguments: [true, false])
    func handshake(isCut: Bool) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            isCut ? .hangUp : .bytes("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { server in
            let source = try source("https://127.0.0.1:\(server.port)/{z}/{x}/{y}") { $0.firstByteSeconds = 5 }
            #expect(isLate(await source.answer(for: try id(3, 1, 1))))
            #expect(await trouble(source)?.kind == .offline)
        }
    }

    @Test("a redirect is followed five times")
    func redirects() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            let step = Int(request.path.dropFirst(request.path.hasPrefix("/step") ? 5 : request.path.count)) ?? 0
            return step < 5 ? .reply(302, headers: [("location", "/step\(step + 1)")], "") : .data(200, village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            #expect(isTile(await source.answer(for: try id(3, 1, 1))))
            #expect(server.requests.count == 6)
        }
    }

    @Test("if there is no server, the source is offline")
    func noServer() async throws {
        let source = try source("http://127.0.0.1:1/{z}/{x}/{y}")
        #expect(isLate(await source.answer(for: try id(3, 1, 1))))
        #expect(await trouble(source)?.kind == .offline)
        let nameless = try self.source("http://no-such-host.invalid/{z}/{x}/{y}") { $0.firstByteSeconds = 5 }
        #expect(isLate(await nameless.answer(for: try id(3, 1, 1))))
        #expect(await trouble(nameless)?.kind == .offline)
    }

    @Test("a server that fails is asked again after its pause, or when the user asks for it")
    func recovery() async throws {
        let village = village
        let time = ManualTimeSource()
        try await ScriptedHTTPServer.with { _, count in
            count < 2 ? .reply(500, "") : .data(200, village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}", time: time)
            let tile = try id(3, 1, 1)
            #expect(isLate(await source.answer(for: tile)))
            time.advance(by: 4.9)
            #expect(isLate(await source.answer(for: tile)) && server.requests.count == 1)
            time.advance(by: 0.2)
            #expect(isLate(await source.answer(for: tile)) && server.requests.count == 2)
            await source.askNow()
            #expect(isTile(await source.answer(for: tile)))
            var told: [String] = []
            for await news in source.news {
                switch news {
                case .trouble(let trouble): told.append(trouble == nil ? "none" : "trouble")
                case .askAgain: told.append("again")
                case .details, .notice, .remark: break
                }
                if told.last == "none" { break }
            }
            #expect(told.first == "trouble" && told.contains("again"))
        }
    }

    @Test("a broken tile from a server that has sent good ones is blank, and is not reported")
    func brokenTile() async throws {
        let village = village
        try await ScriptedHTTPServer.with { _, count in
            .data(200, count == 1 ? [0xff, 0xff] : village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            #expect(isTile(await source.answer(for: try id(3, 1, 1))))
            if case .unreadable = await source.answer(for: try id(3, 1, 2)) {} else { Issue.record("it is not unreadable") }
            #expect(isTile(await source.answer(for: try id(3, 1, 3))))
        }
    }

    @Test("a host has two connections at most, and a cancelled request frees its connection")
    func places() async throws {
        let (village, answers) = (village, Flag())
        try await ScriptedHTTPServer.with { _, _ in
            answers.isSet.withLock { $0 } ? .data(200, village) : .stall("")
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            let tiles = try (0..<8).map { try id(3, $0, 1) }
            let tasks = tiles.map { tile in Task { await source.answer(for: tile) } }
            await server.waitForRequests(2)
            #expect(server.requests.count == 2 && server.mostConnections == 2)
            // Each cancelled task frees its connection. A task that still waits may use the freed connection until it is cancelled too.
            for task in tasks { task.cancel() }
            for task in tasks { #expect(isLate(await task.value)) }
            answers.isSet.withLock { $0 = true }
            for tile in tiles { #expect(isTile(await source.answer(for: tile))) }
        }
    }

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    @Test("a CA file without certificates is reported before any request")
    func noCertificates() throws {
        var settings = OnlineSettings(userAgent: "t")
        settings.caFile = "/dev/null"
        #expect(throws: MapAddressError.self) { try OnlineTileSource(MapAddress("https://a/{z}/{x}/{y}"), settings: settings) }
    }
}

extension ScriptedHTTPServer.Answer {
    /// Returns a range of a file, as a server that supports ranges sends it.
    static func part(_ request: ScriptedHTTPServer.Request, of file: [UInt8], etag: String = "\"1\"") -> Self {
        let edges = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
        guard edges.count == 2, edges[0] < file.count else { return .reply(416, "") }
        let last = min(edges[1], file.count - 1)
        let headers = [("content-range", "bytes \(edges[0])-\(last)/\(file.count)"), ("etag", etag)]
        return .data(206, headers: headers, Array(file[edges[0]...last]))
    }
}
