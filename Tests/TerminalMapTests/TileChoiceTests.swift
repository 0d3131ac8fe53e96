import Geo
import TerminalCanvas
import Testing
import VectorTiles

@testable import TerminalMap

@Suite struct TileChoiceTests {
    @Test("the chosen tiles cover the view, each once", arguments: 0..<30)
    func coverage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let camera = Camera(
            center: Coordinate(latitude: random.double(in: -80...80), longitude: random.double(in: -180...180)),
            zoom: random.double(in: 1...20), size: Size(columns: random.int(in: 1...300), rows: random.int(in: 1...100)))
        let viewport = Viewport(camera: camera, painter: random.element(of: Painter.allCases) ?? .braille)
        let tiles = viewport.tiles(zoomRange: 0...14)
        #expect(!tiles.isEmpty && Set(tiles).count == tiles.count)
        for _ in 0..<200 {
            let dot = DotPoint(
                x: random.double(in: 0...Double(viewport.dotColumns) - 0.01), y: random.double(in: 0...Double(viewport.dotRows) - 0.01))
            let point = WebMercator.project(viewport.coordinate(at: dot))
            guard point.y > 1e-9, point.y < 1 - 1e-9 else { continue }
            let id = TileID.containing(point, zoom: tiles[0].id.zoom)
            #expect(tiles.contains { $0.id == id })
        }
    }

    @Test("the tiles around the view are one ring at most, and they are the ones that half a view's move would show", arguments: 0..<30)
    func around(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let camera = Camera(
            center: Coordinate(latitude: random.double(in: -80...80), longitude: random.double(in: -180...180)),
            zoom: random.double(in: 1...16), size: Size(columns: random.int(in: 10...200), rows: random.int(in: 5...60)))
        let viewport = Viewport(camera: camera, painter: .braille)
        let visible = viewport.tiles(zoomRange: 0...14)
        let ring = viewport.tilesAround(zoomRange: 0...14)
        #expect(Set(ring.map(\.id)).isDisjoint(with: visible.map(\.id)) && ring.count + visible.count <= TileCache().capacity)
        #expect(ring.allSatisfy { $0.id.zoom == visible.first?.id.zoom })
        let columns = 1 << (visible.first?.id.zoom ?? 0)
        for tile in ring {
            let isBeside = visible.contains { seen in
                abs(seen.id.x + seen.world * columns - tile.id.x - tile.world * columns) <= 1 && abs(seen.id.y - tile.id.y) <= 1
            }
            #expect(isBeside)
        }
        let moved = Viewport(camera: camera.panned(columns: camera.size.columns / 2, rows: 0), painter: .braille)
        let known = Set((visible + ring).map(\.id))
        // A view of more than 200 columns, panned by half its width, can show tiles outside the ring.
        if camera.size.columns <= 200 { #expect(moved.tiles(zoomRange: 0...14).allSatisfy { known.contains($0.id) }) }
    }

    @Test("while a tile is loading, tiles below it are drawn instead, or its ancestor where they are missing")
    func standIns() throws {
        let wanted = try #require(TileID(zoom: 12, x: 2074, y: 1409))
        let below = wanted.children
        func tile(_ id: TileID) -> VectorTile {
            var builder = VectorTileBuilder(id: id)
            builder.addFeature(.motorway, kind: .line, vertices: [(0, 2048), (4096, 2048)])
            return builder.finish()
        }
        let ancestor = try #require(wanted.ancestor(atZoom: 9))
        var base = BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "")
        base.tiles.insert(tile(ancestor), for: ancestor)
        let size = 1.0 / 4096
        let center = WebMercator.unproject(
            MercatorPoint(x: (Double(wanted.x) + 0.5) * size, y: (Double(wanted.y) + 0.5) * size))
        let camera = Camera(center: center, zoom: 12, size: Size(columns: 100, rows: 40))
        func choice() -> (tiles: Set<TileID>, columns: Int) {
            var canvas = Canvas(size: camera.size)
            let frame = MapRenderer().draw(
                MapScene(base: base, showsLabels: false, showsScale: false), camera: camera, into: &canvas, at: Rectangle(camera.size))
            #expect(frame.isComplete == base.tiles.isKnown(wanted))
            // The number of columns that show the line drawn in the upper child tiles, 16 rows above the middle of the view.
            let columns = (0..<100).count { column in (3...5).contains { canvas[column, $0].glyph != .space } }
            return (Set(base.tiles.standIns(for: wanted).map(\.tile.id)), columns)
        }
        #expect(choice().tiles == [ancestor])
        for id in below.prefix(1) { base.tiles.insert(tile(id), for: id) }
        let one = choice()
        #expect(one.tiles == [ancestor, below[0]] && (40...60).contains(one.columns), "\(one)")
        for id in below { base.tiles.insert(tile(id), for: id) }
        let all = choice()
        #expect(all.tiles == Set(below) && all.columns == 100, "\(all)")
        base.tiles.insert(nil, for: wanted)
        #expect(choice().tiles == [ancestor], "where there is none nothing is on its way")
        base.tiles.insert(tile(wanted), for: wanted)
        #expect(choice().tiles == [wanted])
    }

    @Test("the tile in the middle comes first and zooms stay in the source's range")
    func order() {
        let center = Coordinate(latitude: 48.87, longitude: 2.35)
        for (zoom, level) in [(12.4, 12), (12.6, 13), (18, 14), (2, 5)] {
            let viewport = Viewport(camera: Camera(center: center, zoom: zoom, size: Size(columns: 80, rows: 24)), painter: .braille)
            let tiles = viewport.tiles(zoomRange: 5...14)
            #expect(tiles.allSatisfy { $0.id.zoom == level })
            if zoom > 5 { #expect(tiles.first?.id == TileID.containing(WebMercator.project(center), zoom: level)) }
        }
    }

    @Test("a view over the antimeridian takes tiles from both ends of the world")
    func antimeridian() {
        let camera = Camera(center: Coordinate(latitude: -17, longitude: 179.99), zoom: 8, size: Size(columns: 80, rows: 24))
        let tiles = Viewport(camera: camera, painter: .braille).tiles(zoomRange: 0...14)
        #expect(tiles.contains { $0.id.x == 255 && $0.world == 0 } && tiles.contains { $0.id.x == 0 && $0.world == 1 })
    }

    @Test("no size and no range causes a crash, or more tiles than a cache holds")
    func limits() {
        for columns in [0, 1, 300, 2000] {
            for zoom in [1.0, 9.3, 20] {
                let camera = Camera(
                    center: Coordinate(latitude: 70, longitude: -179), zoom: zoom, size: Size(columns: columns, rows: columns / 3))
                for range in [0...0, 0...30, 14...14, 22...40, -5...3] {
                    #expect(Viewport(camera: camera, painter: .ascii).tiles(zoomRange: range).count <= TileCache().capacity)
                }
            }
        }
    }

    @Test("a base map lists the tiles that a view still needs, the middle first")
    func missing() {
        let camera = Camera(center: Coordinate(latitude: 48.87, longitude: 2.35), zoom: 12, size: Size(columns: 200, rows: 60))
        var base = BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "")
        let wanted = base.missingTiles(for: camera)
        #expect(wanted.count > 3 && wanted.first == TileID.containing(WebMercator.project(camera.center), zoom: 12))
        for id in wanted.dropLast() { base.tiles.insert(nil, for: id) }
        #expect(base.missingTiles(for: camera) == [wanted[wanted.count - 1]])
    }

    @Test("the cache returns the tile or its nearest ancestor, and drops the least recently used tiles")
    func cache() throws {
        var cache = TileCache(capacity: 3)
        let tile = try #require(TileID(zoom: 14, x: 100, y: 200))
        let ancestor = try #require(tile.ancestor(atZoom: 12))
        cache.insert(VectorTile.empty(ancestor), for: ancestor)
        #expect(cache.best(for: tile)?.id == ancestor)
        cache.insert(nil, for: tile)
        #expect(cache.isKnown(tile) && cache.best(for: tile)?.id == ancestor)
        #expect(
            cache.missing([VisibleTile(id: tile, world: 0), VisibleTile(id: .world, world: 0), VisibleTile(id: .world, world: 1)]) == [
                .world
            ])
        cache.insert(VectorTile.empty(.world), for: .world)
        cache.touch([VisibleTile(id: ancestor, world: 0)])
        cache.insert(nil, for: try #require(TileID(zoom: 1, x: 1, y: 1)))
        #expect(cache.count == 3 && !cache.isKnown(tile) && cache.isKnown(ancestor))
        #expect(cache.best(for: try #require(TileID(zoom: 20, x: 5, y: 5))) == nil)
    }

    @Test("Tiles take no more memory than allowed, the least recently used go, and those in view stay")
    func byteLimit() throws {
        let tiles = try (0..<7).map { x in
            var builder = VectorTileBuilder(id: try #require(TileID(zoom: 14, x: x, y: 5)))
            builder.addFeature(.street, kind: .line, name: "A street with a long name", vertices: (0..<1_000).map { (Int32($0), 0) })
            return builder.finish()
        }
        let bytes = tiles.map(\.byteCount)
        #expect(bytes.allSatisfy { (8_000...20_000).contains($0) } && VectorTile.empty(.world).byteCount < 1_000)
        var cache = TileCache(byteLimit: 4 * (bytes.max() ?? 0))
        func insert(_ numbers: Range<Int>) { for tile in tiles[numbers] { cache.insert(tile, for: tile.id) } }
        func see(_ numbers: Range<Int>) { cache.touch(tiles[numbers].map { VisibleTile(id: $0.id, world: 0) }) }
        func holds(_ numbers: Range<Int>) -> Bool {
            tiles.indices.filter { cache.isKnown(tiles[$0].id) } == Array(numbers) && cache.byteCount == bytes[numbers].reduce(0, +)
        }
        insert(0..<3)
        see(1..<3)
        insert(3..<5)
        #expect(holds(1..<5))
        // Six tiles are in view. All of them stay, although they exceed the limit.
        see(1..<7)
        insert(5..<7)
        #expect(holds(1..<7))
        // Only two tiles are still in view. The oldest of the others are removed.
        see(3..<5)
        #expect(holds(3..<7))
        insert(3..<4)
        #expect(holds(3..<7))
        // Tiles that were inserted for later use are removed first. The tiles in view stay.
        cache.touch((4..<7).map { VisibleTile(id: tiles[$0].id, world: 0) })
        for tile in tiles[0..<3] { cache.insert(tile, for: tile.id, isInView: false) }
        #expect(cache.byteCount <= cache.byteLimit && (4..<7).allSatisfy { cache.isKnown(tiles[$0].id) })
        cache.removeAll()
        #expect(cache.byteCount == 0 && cache.count == 0)
    }
}
