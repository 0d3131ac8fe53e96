import FleetEngine
import Testing
import TripTesting
import VectorTiles

@testable import OnlineTiles
@testable import TileFuzz

private typealias Answer = ScriptedHTTPServer.Answer

@Suite("Tiles that a server does not have", .timeLimit(.minutes(2)))
struct MissingTileTests {
    private let village = MadeUpTile.village().bytes

    private func source(_ address: String) throws -> OnlineTileSource {
        try OnlineTileSource(MapAddress(address), settings: OnlineSettings(userAgent: "tripwatch/test"))
    }

    private func id(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID { try #require(TileID(zoom: zoom, x: x, y: y)) }

    private func tile(_ answer: TileAnswer) -> VectorTile? { if case .tile(let tile) = answer { tile } else { nil } }

    /// The answer that a server gives for a missing tile.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let words: String
        let answer: ScriptedHTTPServer.Answer
        var testDescription: String { words }
    }

    static let refusals = [
        Refusal(words: "it answered with HTTP 403", answer: .reply(403, "<Error><Code>AccessDenied</Code></Error>")),
        Refusal(words: "it answered with HTTP 400", answer: .reply(400, "")),
        Refusal(words: "it answered with a web page", answer: .reply(200, type: "text/html", "\n <!doctype html><title>Home</title>")),
        Refusal(words: "it answered with a web page", answer: .reply(200, type: "application/x-protobuf", "\u{feff}<html>")),
        Refusal(words: "it answered with a message instead of a tile", answer: .reply(200, #"{"message":"no such tile"}"#)),
        Refusal(
            words: "its answer is compressed with Brotli, which is not supported",
            answer: .data(200, headers: [("content-encoding", "br")], [0x8b, 0x05, 0x80, 0x61, 0x62, 0x63])),
        Refusal(
            words: "it redirects to a missing, invalid or unencrypted address (HTTP 302)",
            answer: .reply(302, headers: [("location", "ftp://a.example/")], "")),
    ]

    @Test("a refusal of one tile is reported once; the tile above is drawn, and the others arrive as before", arguments: refusals)
    func oneRefused(refusal: Refusal) async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            ["/5/9/9?key=geheim", "/5/8/9?key=geheim"].contains(request.path) ? refusal.answer : .data(200, village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}?key=geheim")
            for _ in 0..<2 { #expect(try await tile(source.nearest(to: id(5, 9, 9)))?.id == id(4, 4, 4)) }
            #expect(try await tile(source.nearest(to: id(5, 8, 8)))?.id == id(5, 8, 8))
            #expect(try await tile(source.nearest(to: id(5, 8, 9)))?.id == id(4, 4, 4))
            // The tile is not requested again until the user asks for it.
            #expect(server.requests.count { $0.path.hasPrefix("/5/9/9?") } == 1)
            await source.askNow()
            _ = await source.answer(for: try id(5, 9, 9))
            #expect(server.requests.count { $0.path.hasPrefix("/5/9/9?") } == 2)
            var told: [String] = []
            for await news in source.news {
                switch news {
                case .remark(let text): told.append(text)
                case .trouble(let trouble): Issue.record("\(String(describing: trouble))")
                case .askAgain, .details, .notice: break
                }
                if case .askAgain = news { break }
            }
            #expect(told == ["127.0.0.1:\(server.port): \(refusal.words); a tile is missing"])
        }
    }

    @Test("a server that refuses the first requested tiles is used all the same", arguments: [403, 400])
    func refusedFirst(status: Int) async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            request.path.hasPrefix("/12/") ? .data(200, village) : .reply(status, "")
        } _: { server in
            // The map's zooms go up to 14, but the server has only tiles of zoom 12.
            let source = try source(server.address + "/{z}/{x}/{y}")
            for x in 8_600...8_603 {
                let answer = await source.nearest(to: try id(14, x, 5_600))
                #expect(try tile(answer)?.id == id(12, x / 4, 1_400))
            }
            #expect(try await tile(source.nearest(to: id(12, 7, 7)))?.id == id(12, 7, 7))
        }
    }

    @Test("tiles are recognised by their contents, whatever type the server states")
    func mediaType() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            .data(200, headers: [("content-type", request.path == "/3/1/1" ? "text/html; charset=utf-8" : "text/plain")], village)
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            for row in 1...2 { #expect((tile(await source.answer(for: try id(3, 1, row)))?.featureCount ?? 0) > 0) }
        }
    }

    @Test("a gap among other tiles is empty; if a zoom has no tiles, the map ends at the zoom above, and its tile is drawn")
    func endOfMap() async throws {
        let village = village
        try await ScriptedHTTPServer.with { request, _ in
            // The server has all tiles up to zoom 12 except 12/5/4, and a single tile of zoom 14.
            let zoom = Int(request.path.dropFirst().prefix { $0 != "/" }) ?? 0
            let isThere = zoom <= 12 && request.path != "/12/5/4" || request.path == "/14/999/999"
            return isThere ? .data(200, village) : .reply(404, "")
        } _: { server in
            let source = try source(server.address + "/{z}/{x}/{y}")
            let gap = try #require(tile(await source.nearest(to: try id(12, 5, 4))))
            #expect(gap.featureCount == 0 && gap.id.zoom == 12)
            #expect(try await tile(source.nearest(to: id(14, 40, 40)))?.id == id(12, 10, 10))
            #expect(try await tile(source.nearest(to: id(14, 999, 999)))?.id == id(14, 999, 999))
            #expect(try await tile(source.nearest(to: id(14, 998, 999)))?.featureCount == 0)
        }
    }
}
