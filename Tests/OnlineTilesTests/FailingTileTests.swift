import FleetEngine
import HTTPCalls
import NIOHTTP1
import Testing
import TripTesting
import VectorTiles

@testable import OnlineTiles
@testable import TileFuzz

@Suite("Tiles that a server fails to send", .timeLimit(.minutes(2)))
struct FailingTileTests {
    private let village = MadeUpTile.village().bytes

    private func source(_ server: ScriptedHTTPServer, _ time: any TimeSource) throws -> OnlineTileSource {
        var settings = OnlineSettings(userAgent: "tripwatch/test")
        settings.time = time
        return try OnlineTileSource(MapAddress(server.address + "/{z}/{x}/{y}"), settings: settings)
    }

    private func id(_ x: Int, _ y: Int) throws -> TileID { try #require(TileID(zoom: 5, x: x, y: y)) }

    private func isTile(_ answer: TileAnswer) -> Bool { if case .tile = answer { true } else { false } }

    private func isLate(_ answer: TileAnswer) -> Bool { if case .notYet = answer { true } else { false } }

    private func count(_ path: String, _ server: ScriptedHTTPServer) -> Int { server.requests.count { $0.path == path } }

    @Test(
        "a failing tile pauses alone, longer each time, and is reported, while the others arrive", arguments: [500, 503])
    func oneTile(status: Int) async throws {
        let village = village
        let time = ManualTimeSource()
        try await ScriptedHTTPServer.with { request, _ in
            request.path == "/5/9/9" ? .reply(status, "") : .data(200, village)
        } _: { server in
            let source = try source(server, time)
            #expect(isTile(await source.answer(for: try id(1, 1))))
            #expect(isLate(await source.answer(for: try id(9, 9))))
            for x in 2...4 { #expect(isTile(await source.answer(for: try id(x, 1)))) }
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 1)
            // The tile is requested again 5 s after the first failure, and 8 s after the second.
            time.advance(by: 5.1)
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 2)
            time.advance(by: 5.1)
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 2)
            time.advance(by: 3)
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 3)
            #expect(isTile(await source.answer(for: try id(5, 1))))
            // The user asks for a retry.
            await source.askNow()
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 4)
            var told: [TileTrouble] = []
            for await news in source.news {
                if case .trouble(let trouble?) = news { told.append(trouble) }
                if told.count == 3 { break }
            }
            #expect(told.map { Int($0.retrySeconds) } == [5, 8, 12])
            #expect(told.allSatisfy { $0.words == "it answered with HTTP \(status)" && $0.host == "127.0.0.1:\(server.port)" })
        }
    }

    @Test("a server that fails at several different tiles gets a pause; the next request is for another tile than the failed one")
    func severalTiles() async throws {
        let village = village
        let time = ManualTimeSource()
        try await ScriptedHTTPServer.with { request, _ in
            request.path.hasPrefix("/5/9/") ? .reply(500, "") : .data(200, village)
        } _: { server in
            let source = try source(server, time)
            #expect(isTile(await source.answer(for: try id(1, 1))))
            for y in 1...3 { #expect(isLate(await source.answer(for: try id(9, y)))) }
            #expect(server.requests.count == 4)
            #expect(isLate(await source.answer(for: try id(2, 1))) && server.requests.count == 4)
            time.advance(by: 5.1)
            // A waiting request is sent before the request for the tile that failed last.
            #expect(isLate(await source.answer(for: try id(9, 3))) && server.requests.count == 4)
            #expect(isTile(await source.answer(for: try id(2, 1))))
            #expect(isLate(await source.answer(for: try id(9, 3))) && server.requests.count == 6)
            #expect(isTile(await source.answer(for: try id(3, 1))))
        }
    }

    @Test("a server that has sent nothing yet gets a pause after one failure; then another wanted tile goes first")
    func firstTile() async throws {
        let village = village
        let time = ManualTimeSource()
        try await ScriptedHTTPServer.with { request, _ in
            request.path == "/5/9/9" ? .reply(500, "") : .data(200, village)
        } _: { server in
            let source = try source(server, time)
            #expect(isLate(await source.answer(for: try id(9, 9))))
            #expect(isLate(await source.answer(for: try id(1, 1))) && server.requests.count == 1)
            time.advance(by: 5.1)
            #expect(isLate(await source.answer(for: try id(9, 9))) && server.requests.count == 1)
            #expect(isTile(await source.answer(for: try id(1, 1))))
            // From now on, only the failing tile has to wait.
            #expect(isLate(await source.answer(for: try id(9, 9))) && count("/5/9/9", server) == 2)
            #expect(isTile(await source.answer(for: try id(2, 1))))
        }
    }

    @Test("the pause after a server's failure ends when the map is released")
    func released() async throws {
        let time = ManualTimeSource()
        do {
            var settings = OnlineSettings(userAgent: "tripwatch/test")
            settings.time = time
            let source = try OnlineTileSource(MapAddress("http://a.example/{z}/{x}/{y}"), settings: settings) { _ in
                HTTPCall.Response(status: 500, headers: HTTPHeaders(), body: [])
            }
            #expect(isLate(await source.answer(for: try id(1, 1))))
            await time.waitForSleepers()
        }
        while !time.deadlines.isEmpty { await Task.yield() }
    }
}
