import Geo
import Testing
import VectorTiles

@Suite struct TileSourceTests {
    /// A source that has only the given tiles.
    private struct Shelf: TileSource {
        struct Torn: Error, CustomStringConvertible { let description = "The tile is torn." }

        var attribution = "© made up"
        var zoomRange = 2...10
        var tiles: Set<TileID> = []
        var torn: Set<TileID> = []

        func tile(_ id: TileID) async throws -> VectorTile? {
            if torn.contains(id) { throw Torn() }
            return tiles.contains(id) ? .empty(id) : nil
        }
    }

    /// A remote source that has not received any tiles yet.
    private struct Waiting: TileSource {
        var attribution: String { "© made up" }
        var zoomRange: ClosedRange<Int> { 0...14 }
        func tile(_ id: TileID) async throws -> VectorTile? { nil }
        func answer(for id: TileID) async -> TileAnswer { .notYet }
    }

    private func id(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID { try #require(TileID(zoom: zoom, x: x, y: y)) }

    @Test("the tile itself comes before the tiles above it, the nearest of them first")
    func order() async throws {
        let wanted = try id(9, 300, 200)
        var shelf = Shelf(tiles: [wanted, try id(7, 75, 50), try id(5, 18, 12)])
        #expect(await shelf.nearest(to: wanted).tile?.id == wanted)
        shelf.tiles.remove(wanted)
        #expect(try await shelf.nearest(to: wanted).tile?.id == id(7, 75, 50))
        #expect(await shelf.nearest(to: wanted, levels: 1).tile == nil)
        shelf.tiles.remove(try id(7, 75, 50))
        #expect(try await shelf.nearest(to: wanted).tile?.id == id(5, 18, 12))
        #expect(try await shelf.nearest(to: wanted, levels: 4).tile?.id == id(5, 18, 12))
        #expect(await shelf.nearest(to: wanted, levels: 3).tile == nil)
        #expect(await shelf.nearest(to: wanted, levels: -5).tile == nil)
    }

    @Test("zooms beyond the last are served from the last, those before the first not at all")
    func overzoom() async throws {
        let deep = try id(30, 5 << 20 | 77, 6 << 20 | 99)
        let shelf = Shelf(tiles: [try id(10, 5, 6), .world])
        #expect(try await shelf.nearest(to: deep, levels: 0).tile?.id == id(10, 5, 6))
        #expect(await shelf.nearest(to: .world).tile == nil)
        let other = try id(3, 7, 7)
        #expect(await shelf.nearest(to: other).tile == nil)
    }

    @Test("a tile that cannot be read is blank, and is not replaced by the one above it")
    func torn() async throws {
        let wanted = try id(9, 300, 200)
        let shelf = Shelf(tiles: [try id(8, 150, 100)], torn: [wanted])
        let answer = await shelf.nearest(to: wanted)
        guard case .unreadable(let reason) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason == "The tile is torn.")
    }

    @Test("a tile that has not arrived yet is reported as such, not as a gap")
    func waiting() async {
        let answer = await Waiting().nearest(to: .world)
        guard case .notYet = answer else {
            Issue.record("\(answer)")
            return
        }
    }

    @Test("a source's details are by default its attribution and zooms")
    func details() {
        #expect(Waiting().details == TileSourceDetails(attribution: "© made up", zoomRange: 0...14))
    }
}

extension TileAnswer {
    fileprivate var tile: VectorTile? { if case .tile(let tile) = self { tile } else { nil } }
}
