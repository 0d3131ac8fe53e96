import Geo
import TerminalCanvas
import Testing
import VectorTiles

@testable import TerminalMap

/// Tests that a frame looks the same whether its base map is reused from an earlier frame or painted anew.
@Suite struct LayerTests {
    /// A random walk over made-up tiles. Each step changes some of the values that a frame depends on.
    private struct Walk {
        var random: SeededRandom
        var camera: Camera
        var scene: MapScene
        /// All tiles. Some of them are added and removed during the walk.
        let tiles: [TileID: VectorTile]
        private var present: Set<TileID>

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            let zoom = [12.0, 13.3, 14, 14.7, 15.9, 16.4, 17][Int(seed % 7)]
            camera = SmallTown.camera(zoom: zoom, size: Size(columns: 60, rows: 20), x: random.double(in: -4000...8000))
            var tiles: [TileID: VectorTile] = [:]
            for x in -2...2 {
                for y in -2...2 {
                    guard let id = TileID(zoom: 14, x: SmallTown.tileID.x + x, y: SmallTown.tileID.y + y) else { continue }
                    tiles[id] = SmallTown.copy(of: (x + y) % 2 == 0 ? SmallTown.tile : Junction.tile, at: id)
                }
            }
            self.tiles = tiles
            present = Set(tiles.keys)
            scene = SmallTown.scene(
                painter: random.element(of: Painter.allCases) ?? .braille, colors: random.element(of: ColorDepth.allCases) ?? .none,
                showsLabels: false)
            if random.int(in: 0...1) == 0 { scene.ground = GroundTests.overlay }
            takeStock()
        }

        private mutating func takeStock() {
            var cache = TileCache()
            for id in tiles.keys.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) where present.contains(id) { cache.insert(tiles[id], for: id) }
            if let world = SmallTown.tileID.ancestor(atZoom: 11), random.int(in: 0...5) == 0 {
                cache.insert(SmallTown.copy(of: Junction.tile, at: world), for: world)
            }
            scene.base?.tiles = cache
        }

        mutating func step() {
            switch random.int(in: 0...11) {
            case 0...4: camera = camera.panned(columns: random.int(in: -25...25), rows: random.int(in: -9...9))
            case 5: camera = camera.panned(columns: [-70, -1, 0, 1, 70][random.int(in: 0...4)], rows: random.int(in: -1...1))
            case 6:
                guard let id = random.element(of: tiles.keys.sorted { ($0.x, $0.y) < ($1.x, $1.y) }) else { return }
                if present.remove(id) == nil { present.insert(id) }
                takeStock()
            case 7: scene.painter = random.element(of: Painter.allCases) ?? .braille
            case 8:
                scene.colorDepth = random.element(of: ColorDepth.allCases) ?? .none
                scene.fillsAreas = random.int(in: 0...2) > 0
            case 9 where random.int(in: 0...1) == 0: scene.ground = scene.ground == nil ? GroundTests.overlay : nil
            case 9: scene.style = scene.style == .dark ? .light : .dark
            case 10: camera = camera.resized(to: Size(columns: random.int(in: 1...70), rows: random.int(in: 1...25)))
            default: camera = camera.zoomed(to: camera.zoom + random.double(in: -0.7...0.7))
            }
            moveCar()
        }

        private mutating func moveCar() {
            guard let marker = scene.overlays.markers.indices.first else { return }
            let cell = Position(column: random.int(in: -2...60), row: random.int(in: 0...20))
            scene.overlays.markers[marker].coordinate = camera.coordinate(at: cell)
            scene.overlays.polylines[0].moveStart(to: camera.coordinate(at: cell))
        }
    }

    @Test("Whatever was drawn before, a frame is the one that a new renderer draws", arguments: 0..<42)
    func sameAsFresh(seed: UInt64) {
        var walk = Walk(seed: seed)
        let renderer = MapRenderer()
        for step in 0..<25 {
            let area = Rectangle(column: step % 3, row: step % 2, columns: walk.camera.size.columns, rows: walk.camera.size.rows)
            let size = Size(columns: area.endColumn + 1, rows: area.endRow)
            var (kept, fresh) = (Canvas(size: size, fill: Cell("x")), Canvas(size: size, fill: Cell("x")))
            let first = renderer.draw(walk.scene, camera: walk.camera, into: &kept, at: area)
            let second = MapRenderer().draw(walk.scene, camera: walk.camera, into: &fresh, at: area)
            #expect(first == second)
            for row in 0..<size.rows {
                for column in 0..<size.columns where kept[column, row] != fresh[column, row] {
                    Issue.record("step \(step), \(column) \(row) of \(walk.scene.painter) at \(walk.camera.zoom): \(kept[column, row])")
                    return
                }
            }
            walk.step()
        }
    }

    @Test("A moving car repaints no part of the base map, a pan only its new edge, another look all of it")
    func effort() throws {
        let size = Size(columns: 100, rows: 40)
        var camera = SmallTown.camera(zoom: 14, size: size)
        var scene = SmallTown.scene()
        let renderer = MapRenderer()
        func painted(_ change: () -> Void = {}) -> Int {
            let before = renderer.paintedCells
            change()
            var canvas = Canvas(size: size)
            renderer.draw(scene, camera: camera, into: &canvas, at: Rectangle(size))
            return renderer.paintedCells - before
        }
        #expect(painted() == 4000)
        #expect(painted() == 0)
        #expect(painted { scene.overlays.markers[0].coordinate = SmallTown.place(400, 1600) } == 0)
        #expect(painted { scene.overlays.polylines[0].moveStart(to: SmallTown.place(400, 1600)) } == 0)
        #expect(painted { camera = camera.panned(columns: 20, rows: 0) } == 20 * 40)
        #expect(painted { camera = camera.panned(columns: -1, rows: 2) } <= 40 + 200)
        #expect(painted { camera = camera.panned(columns: 99, rows: 0) } == 4000)
        #expect(painted { camera = camera.panned(columns: -60, rows: 0) } == 60 * 40)
        let other = try #require(TileID(zoom: 14, x: SmallTown.tileID.x + 1, y: SmallTown.tileID.y))
        #expect((1..<3000).contains(painted { scene.base?.tiles.insert(SmallTown.copy(of: SmallTown.tile, at: other), for: other) }))
        #expect(painted { scene.style = .light } == 4000)
        #expect(painted { camera = camera.zoomed(to: 14.5) } == 4000)
    }

    @Test("A view that exceeds the limit of the layers is painted each time, and leaves no memory behind")
    func memory() {
        let size = Size(columns: 600, rows: 200)
        #expect(BaseLayer.isKept(Size(columns: 300, rows: 100)) && !BaseLayer.isKept(size))
        let renderer = MapRenderer()
        for _ in 0..<2 {
            var canvas = Canvas(size: size)
            renderer.draw(SmallTown.scene(), camera: SmallTown.camera(zoom: 14, size: size), into: &canvas, at: Rectangle(size))
            #expect(canvas == SmallTown.draw(SmallTown.scene(), SmallTown.camera(zoom: 14, size: size)).canvas)
            #expect(renderer.base.canvas.size == .zero)
        }
        #expect(renderer.paintedCells == 2 * 600 * 200)
    }
}

extension PolylineOverlay {
    /// Moves the line's first point.
    fileprivate mutating func moveStart(to start: Coordinate) { route = RouteLine([start] + route.coordinates.dropFirst()) }
}
