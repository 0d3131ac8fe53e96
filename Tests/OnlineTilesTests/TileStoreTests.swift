import FleetEngine
import Foundation
import NIOHTTP1
import Testing
import TripTesting
import VectorTiles

@testable import OnlineTiles
@testable import TileFuzz

@Suite("How long a map's answers are kept")
struct CacheRuleTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "as the server says, less the answer's age; by default a week, or a day for a missing tile",
        arguments: [
            ([], 604_800.0, true), ([("cache-control", "public, max-age=60")], 60, true),
            ([("cache-control", "Max-Age=60"), ("age", "45")], 15, true), ([("cache-control", "max-age=60"), ("age", "90")], 0, true),
            ([("cache-control", "no-cache, max-age=60")], 0, true), ([("cache-control", "no-store")], 604_800, false),
            ([("cache-control", "max-age=soon")], 0, true), ([("cache-control", "max-age=1e400")], 0, true),
            ([("cache-control", "max-age=99999999999")], 366 * 86_400, true), ([("cache-control", "max-age=60"), ("age", "-5")], 60, true),
            ([("expires", "Sun, 06 Nov 1994 08:50:37 GMT")], 60, true), ([("expires", "0")], 0, true),
            ([("expires", "Sun, 06 Nov 1994 09:49:37 GMT"), ("date", "Sun, 06 Nov 1994 09:49:07 GMT"), ("age", "10")], 20, true),
            ([("expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("cache-control", "max-age=7")], 7, true),
        ] as [([(String, String)], Double, Bool)])
    func rules(headers: [(String, String)], seconds: Double, isStored: Bool) {
        let rule = CacheRule(HTTPHeaders(headers), isGap: false, now: Self.now)
        #expect(rule.freshSeconds == seconds && rule.isStored == isStored)
        if headers.isEmpty { #expect(CacheRule(HTTPHeaders(), isGap: true, now: Self.now).freshSeconds == 86_400) }
    }
}

@Suite("Stored maps from a server", .timeLimit(.minutes(2)))
final class TileStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-store-\(UUID().uuidString)").path
    private var file: String { folder + "/" + TileStore.fileName }
    private let time = ManualTimeSource()
    private let village = MadeUpTile.village().bytes

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func source(_ address: String, isOffline: Bool = false) throws -> OnlineTileSource {
        var settings = OnlineSettings(userAgent: "t")
        (settings.time, settings.isOffline) = (time, isOffline)
        settings.store = TileStore(folder: folder)
        return try OnlineTileSource(MapAddress(address), settings: settings)
    }

    private func id(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID { try #require(TileID(zoom: zoom, x: x, y: y)) }

    private func isTile(_ answer: TileAnswer, empty: Bool = false) -> Bool {
        if case .tile(let tile) = answer { (tile.featureCount == 0) == empty } else { false }
    }

    @Test("a fresh tile is requested once for all programs, and so is a missing one; later, its ETag is checked")
    func freshness() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            if request.headers["if-none-match"] == "\"a\"" { return .data(304, headers: [("cache-control", "max-age=100")], []) }
            return request.path.hasPrefix("/3/1/1")
                ? .data(200, headers: [("cache-control", "max-age=60"), ("etag", "\"a\"")], village) : .reply(404, "")
        } _: { server in
            let address = server.address + "/{z}/{x}/{y}?key=geheim"
            for _ in 0..<3 {
                let source = try source(address)
                #expect(isTile(await source.answer(for: try id(3, 1, 1))))
                // The siblings of 3/1/2 are missing too, so the map has no tiles at this zoom here.
                if case .absent = await source.answer(for: try id(3, 1, 2)) {} else { Issue.record("it is there") }
            }
            #expect(server.requests.count == 5)
            time.advance(by: 61)
            #expect(isTile(try await source(address).answer(for: try id(3, 1, 1))))
            #expect(server.requests.count == 6 && server.requests.last?.headers["if-none-match"] == "\"a\"")
            time.advance(by: 61)
            #expect(isTile(try await source(address).answer(for: try id(3, 1, 1))) && server.requests.count == 6)
            let figures = try #require(await TileStore(folder: folder).figures())
            #expect(figures.tileCount == 1 && figures.hits == 12 && figures.misses == 5 && figures.byteCount > 0)
            let log = try? Data(contentsOf: URL(filePath: file + "-wal"))
            let bytes = try Data(contentsOf: URL(filePath: file)) + (log ?? Data())
            #expect(bytes.range(of: Data("geheim".utf8)) == nil)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("an old tile is better than none: while the server fails, and offline, where no request is sent")
    func offline() async throws {
        let village = village
        try await ScriptedHTTPServer.with { _, count in
            count == 0 ? .data(200, headers: [("cache-control", "no-cache")], village) : .reply(500, "")
        } _: {
            server in
            let address = server.address + "/{z}/{x}/{y}"
            #expect(isTile(try await source(address).answer(for: try id(3, 1, 1))))
            #expect(isTile(try await source(address).answer(for: try id(3, 1, 1))) && server.requests.count == 2)
            let offline = try source(address, isOffline: true)
            #expect(isTile(await offline.answer(for: try id(3, 1, 1))))
            if case .notYet = await offline.answer(for: try id(3, 1, 2)) {} else { Issue.record("there is something") }
            #expect(server.requests.count == 2)
            // Until a tile is stored, its stored ancestor is used instead.
            #expect(await offline.standIn(for: try id(6, 8, 8))?.id == (try id(3, 1, 1)))
            #expect(await offline.standIn(for: try id(3, 1, 1)) == nil)
            #expect(await offline.standIn(for: try id(6, 63, 63)) == nil)
        }
    }

    @Test("a program that has just started can list and read a map's stored tiles without its server")
    func keptTiles() async throws {
        var writer = PMTilesWriter()
        writer.leafSize = 16
        for x in 0..<16 { for y in 0..<16 { writer.tiles.append((try id(4, x, y), MadeUpTile.village(x * 16 + y).bytes)) } }
        let (village, archive) = (village, writer.bytes())
        try await ScriptedHTTPServer.with { request, _ in
            if request.path == "/map.json" {
                return .reply(200, #"{"tiles":["http://\#(request.headers["host"] ?? "")/{z}/{x}/{y}.pbf"],"minzoom":4,"maxzoom":4}"#)
            }
            return request.path == "/map.pmtiles" ? .part(request, of: archive) : .data(200, village)
        } _: { server in
            let paths = ["/{z}/{x}/{y}.pbf?key=geheim", "/map.json", "/map.pmtiles"]
            let wanted = [try id(4, 1, 1), try id(4, 9, 3)]
            for path in paths {
                let source = try source(server.address + path)
                for id in wanted { #expect(isTile(await source.answer(for: id))) }
                time.advance(by: 1)
            }
            let count = server.requests.count
            for path in paths {
                let source = try source(server.address + path)
                #expect(Set(await source.keptTiles(limit: 9)) == Set(wanted), "\(path)")
                #expect(await source.keptTiles(limit: 1).count == 1)
                for id in wanted { #expect(await source.kept(id)?.featureCount ?? 0 > 0, "\(path)") }
                #expect(await source.kept(try id(4, 2, 2)) == nil)
            }
            #expect(try await source(server.address + "/other/{z}/{x}/{y}.pbf").keptTiles(limit: 9).isEmpty)
            #expect(server.requests.count == count)
        }
    }

    @Test("the stored tiles of a TileJSON with two templates come from both, the most recently used of each first")
    func keptTilesOfTwoTemplates() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            let host = request.headers["host"] ?? ""
            let templates = #"["http://\#(host)/a/{z}/{x}/{y}.pbf","http://\#(host)/b/{z}/{x}/{y}.pbf"]"#
            return request.path == "/map.json" ? .reply(200, #"{"tiles":\#(templates),"minzoom":4,"maxzoom":4}"#) : .data(200, village)
        } _: { server in
            let source = try source(server.address + "/map.json")
            // Neighbouring tiles use different templates.
            let ids = [try id(4, 1, 1), try id(4, 1, 2), try id(4, 2, 2), try id(4, 2, 3)]
            for id in ids {
                #expect(isTile(await source.answer(for: id)))
                time.advance(by: 1)
            }
            #expect(await source.keptTiles(limit: 2) == Array(ids.suffix(2)))
            #expect(Set(await source.keptTiles(limit: 9)) == Set(ids))
        }
    }

    @Test("a tile that the server forbids to store is not stored, and neither is a broken one")
    func notKept() async throws {
        let village = village
        try await ScriptedHTTPServer.with { _, count in
            count == 2 ? .data(200, [0xff, 0xff]) : .data(200, headers: [("cache-control", "no-store")], village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            for _ in 0..<2 { #expect(isTile(await source.answer(for: try id(3, 1, 1)))) }
            #expect(server.requests.count == 2)
            if case .unreadable = await source.answer(for: try id(3, 1, 2)) {} else { Issue.record("it can be read") }
            #expect(isTile(await source.answer(for: try id(3, 1, 2))))
            #expect(await TileStore(folder: folder).figures()?.tileCount == 0)
        }
    }

    @Test("a file that is broken or not ours is deleted, with a message", arguments: [0, 1, 100, 4_096])
    func broken(position: Int) async throws {
        let store = TileStore(folder: folder)
        let entry = TileStore.Entry(body: Array(repeating: 7, count: 9_000), freshUntil: time.now().addingTimeInterval(9))
        for number in 0..<20 { await store.keep(entry, for: "\(number)", now: time.now()) }
        #expect(await store.entry("3", now: time.now()) == entry)
        await store.checkpoint()
        var bytes = try Data(contentsOf: URL(filePath: file))
        if position == 0 {
            bytes = Data("no database at all, but long enough to be one".utf8)
        } else {
            for index in position..<min(bytes.count, position + 6_000) { bytes[index] = 0xa5 }
        }
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        try FileManager.default.removeItem(atPath: file)
        try bytes.write(to: URL(filePath: file))
        let other = TileStore(folder: folder)
        for number in 0..<20 { _ = await other.entry("\(number)", now: time.now()) }
        #expect(await other.news() == ["The map's cache was damaged and has been deleted."])
        await other.keep(entry, for: "new", now: time.now())
        #expect(await other.entry("new", now: time.now()) == entry)
        #expect(await other.news().isEmpty)
    }

    @Test("if no file can be created, there is no cache, and a message says so")
    func noFile() async throws {
        try Data().write(to: URL(filePath: folder))
        let store = TileStore(folder: folder)
        await store.keep(TileStore.Entry(body: [1], freshUntil: time.now()), for: "a", now: time.now())
        #expect(await store.entry("a", now: time.now()) == nil)
        let news = await store.news()
        #expect(news.count == 1 && news.first?.hasPrefix("The map continues without its cache: ") == true, "\(news)")
        #expect(await store.figures() == nil)
    }

    @Test("the least recently used tiles go first, the file keeps its size, and several programs use it at once")
    func size() async throws {
        let now = time.now()
        let first = TileStore(folder: folder, megabytes: 1)
        let second = TileStore(folder: folder, megabytes: 1)
        let entry = TileStore.Entry(body: Array(repeating: 7, count: 20_000), freshUntil: now.addingTimeInterval(1e6))
        let mark = TileStore.Mark(map: "made up", id: try id(3, 1, 1))
        await first.keep(entry, for: "used", now: now)
        for number in 0..<200 {
            let later = now.addingTimeInterval(Double(number) * 600)
            await (number % 2 == 0 ? first : second).keep(entry, for: "\(number)", mark: mark, now: later)
            #expect(await second.entry("used", now: later) != nil)
        }
        let end = now.addingTimeInterval(120_000)
        #expect(await first.entry("0", now: end) == nil)
        #expect(await first.entry("199", now: end) == entry)
        let figures = try #require(await second.figures())
        #expect(figures.byteCount <= 1 << 20 && figures.tileCount > 20)
        await first.clear()
        #expect(await second.figures()?.tileCount == 0)
        #expect(await second.entry("used", now: end) == nil)
    }
}
