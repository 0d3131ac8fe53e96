import Geo
import Testing
import VectorTiles

@Suite struct TileModelTests {
    @Test("an address outside the grid of its zoom is invalid")
    func addresses() throws {
        #expect(TileID(zoom: 0, x: 0, y: 0) == .world)
        for (zoom, x, y) in [(-1, 0, 0), (31, 0, 0), (3, 8, 0), (3, 0, -1), (0, 0, 1)] { #expect(TileID(zoom: zoom, x: x, y: y) == nil) }
        let tile = try #require(TileID(zoom: 14, x: 8298, y: 5635))
        #expect(tile.ancestor(atZoom: 12) == TileID(zoom: 12, x: 2074, y: 1408))
        #expect(tile.ancestor(atZoom: 15) == nil)
        #expect(tile.children.allSatisfy { $0.parent == tile && tile.covers($0) })
        #expect(TileID.world.parent == nil)
        #expect(tile.description == "14/8298/5635")
    }

    @Test("every place is in the tile that is said to contain it")
    func containment() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let point = MercatorPoint(x: random.unit(), y: random.unit())
            let zoom = random.int(in: 0...22)
            let tile = TileID.containing(point, zoom: zoom)
            let count = Double(1 << zoom)
            #expect(Double(tile.x) <= point.x * count && point.x * count < Double(tile.x + 1))
            #expect(Double(tile.y) <= point.y * count && point.y * count < Double(tile.y + 1))
        }
        #expect(TileID.containing(MercatorPoint(x: 9, y: -9), zoom: 3) == TileID(zoom: 3, x: 7, y: 0))
        #expect(TileID.containing(MercatorPoint(x: .nan, y: .infinity), zoom: 99).zoom == 30)
    }

    @Test("the builder sorts features by class and keeps the order within one")
    func sorting() {
        var builder = VectorTileBuilder(id: .world)
        for (mapClass, name) in [(MapClass.city, "a"), (.town, "b"), (.city, "c"), (.quarter, "d")] {
            builder.addFeature(mapClass, kind: .point, name: name, vertices: [(1, 1)])
        }
        let tile = builder.finish()
        tile.expectConsistent()
        #expect((0..<4).map { tile.name(of: $0) } == ["d", "b", "a", "c"])
        #expect(tile.features(of: .city) == 2..<4)
        #expect(tile.features(of: .rail).isEmpty)
    }

    @Test("shapes without enough corners leave nothing behind")
    func degenerateShapes() {
        var builder = VectorTileBuilder(id: .world, extent: 100)
        builder.addFeature(.street, kind: .line, vertices: [(1, 1), (1, 1), (1, 1)])
        builder.addFeature(.water, kind: .polygon, vertices: [(1, 1), (5, 5), (1, 1)])
        builder.addFeature(.city, kind: .point, vertices: [(100, 5)])
        builder.addFeature(.city, kind: .point, vertices: [])
        builder.beginPart()
        builder.addVertex(x: 1, y: 1)
        builder.beginFeature(.water, kind: .polygon)
        builder.beginPart()
        for (x, y) in [(0, 0), (9, 0), (9, 9), (0, 0)] as [(Int32, Int32)] { builder.addVertex(x: x, y: y) }
        builder.beginPart()
        builder.addVertex(x: 3, y: 3)
        let tile = builder.finish()
        tile.expectConsistent()
        #expect(tile.classes == [.water])
        #expect(tile.coordinates == [0, 0, 9, 0, 9, 9])
    }

    @Test("rows, parts and vertices that do not exist are empty")
    func outside() {
        let tile = VectorTile.empty(.world)
        #expect(tile.parts(of: 0).isEmpty && tile.parts(of: -1).isEmpty)
        #expect(tile.vertices(ofPart: 0).isEmpty && tile.vertices(ofPart: -1).isEmpty && tile.vertices(ofPart: .max - 1).isEmpty)
        #expect(tile.name(of: 3) == nil)
    }
}
