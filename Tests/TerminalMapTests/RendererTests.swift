import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@Suite struct RendererTests {
    private let size = Size(columns: 80, rows: 24)

    @Test("every size can be drawn, with any painter, colours and zoom", arguments: Painter.allCases)
    func everySize(painter: Painter) {
        let renderer = MapRenderer()
        var random = SeededRandom(seed: 5)
        let small = (1...9).flatMap { rows in [1, 2, 3, 5, 8, 13, 20, 40].map { Size(columns: $0, rows: rows) } }
        for size in small + [Size(columns: 300, rows: 100), Size(columns: 1, rows: 100), Size(columns: 300, rows: 1), .zero] {
            let zoom = random.double(in: 1...20)
            let scene = SmallTown.scene(painter: painter, colors: random.element(of: ColorDepth.allCases) ?? .none)
            var canvas = Canvas(size: size)
            let camera = SmallTown.camera(zoom: zoom, size: size, x: random.double(in: -9000...9000))
            let frame = renderer.draw(scene, camera: camera, into: &canvas, at: Rectangle(size))
            for marker in frame.markers { #expect(Rectangle(size).intersection(marker.cells) == marker.cells) }
            for label in frame.labels { #expect(Rectangle(size).intersection(label.cells) == label.cells) }
        }
    }

    @Test("what lies outside the rectangle stays untouched")
    func insideOnly() {
        var canvas = Canvas(size: size, fill: Cell("x"))
        let part = Rectangle(column: 7, row: 3, columns: 50, rows: 15)
        MapRenderer().draw(SmallTown.scene(), camera: SmallTown.camera(zoom: 14, size: size), into: &canvas, at: part)
        for row in 0..<24 {
            for column in 0..<80 where !part.contains(Position(column: column, row: row)) { #expect(canvas[column, row] == Cell("x")) }
        }
        MapRenderer().draw(
            SmallTown.scene(), camera: SmallTown.camera(zoom: 14, size: size), into: &canvas,
            at: Rectangle(column: -20, row: 20, columns: .max, rows: .max))
    }

    @Test("panning by cells gives the shifted frame", arguments: [12.0, 13.37, 14, 15.2, 16.4], Painter.allCases)
    func panShift(zoom: Double, painter: Painter) {
        let scene = {
            var scene = SmallTown.scene(painter: painter, showsLabels: false)
            scene.showsScale = false
            scene.base?.attribution = ""
            scene.overlays.markers = []
            return scene
        }()
        let camera = SmallTown.camera(zoom: zoom, size: size)
        let before = SmallTown.draw(scene, camera).canvas
        for (right, down) in [(1, 0), (0, 1), (-7, 3), (11, -5)] {
            let after = SmallTown.draw(scene, camera.panned(columns: right, rows: down)).canvas
            for row in max(0, -down)..<min(24, 24 - down) {
                for column in max(0, -right)..<min(80, 80 - right) {
                    #expect(after[column, row] == before[column + right, row + down], "\(column) \(row)")
                }
            }
        }
    }

    @Test("the same scene gives the same frame, and a used renderer remembers nothing but names")
    func determinism() {
        let renderer = MapRenderer()
        let camera = SmallTown.camera(zoom: 14, size: size)
        #expect(SmallTown.draw(SmallTown.scene(), camera).canvas.text() == SmallTown.draw(SmallTown.scene(), camera).canvas.text())
        var (first, second, other) = (Canvas(size: size), Canvas(size: size), Canvas(size: Size(columns: 33, rows: 9)))
        let scene = SmallTown.scene(showsLabels: false)
        renderer.draw(scene, camera: camera, into: &first, at: Rectangle(size))
        renderer.draw(SmallTown.scene(painter: .ascii), camera: camera, into: &other, at: Rectangle(other.size))
        renderer.draw(scene, camera: camera, into: &second, at: Rectangle(size))
        #expect(first.ansi(colors: .direct) == second.ansi(colors: .direct))
    }

    @Test("a line that leaves the view and comes back is never joined by a chord")
    func noChord() {
        // The line leaves the view to the east, passes far to the north of it, and comes back from the west.
        let spots: [(Double, Double)] = [
            (1700, 3000), (90_000, 3000), (90_000, -80_000), (-90_000, -80_000), (-90_000, 1000), (-4000, 1000), (200, 1000),
        ]
        let line = PolylineOverlay(coordinates: spots.map { SmallTown.place($0.0, $0.1) })
        var scene = SmallTown.scene(overlays: MapOverlays(polylines: [line]), showsLabels: false)
        scene.base = nil
        let camera = SmallTown.camera(zoom: 13, size: size)
        let canvas = SmallTown.draw(scene, camera).canvas
        let rows = [camera.cell(at: SmallTown.place(1700, 3000))?.row, camera.cell(at: SmallTown.place(200, 1000))?.row]
        for row in 0..<24 {
            let count = (0..<80).filter { canvas[$0, row].style.foreground == line.style.strokeColor }.count
            if !rows.contains(row) { #expect(count == 0, "row \(row)") }
        }
        #expect((0..<80).contains { canvas[$0, rows[0] ?? -1].style.foreground == line.style.strokeColor })
    }

    @Test("no other road or path leaves a dot in a route's cell, wherever the route lies", arguments: [11.0, 13, 14.5, 16])
    func routeOwnsItsCells(zoom: Double) {
        let color = Color.palette(215)
        let camera = SmallTown.camera(zoom: zoom, size: size, x: 2200, y: 1580)
        var bare = SmallTown.scene(showsLabels: false)
        bare.base = nil
        bare.showsScale = false
        var full = SmallTown.scene(showsLabels: false)
        full.showsScale = false
        full.base?.attribution = ""
        let (alone, over) = (SmallTown.draw(bare, camera).canvas, SmallTown.draw(full, camera).canvas)
        var count = 0
        for row in 0..<24 {
            for column in 0..<80 where alone[column, row].style.foreground == color {
                #expect(over[column, row].glyph == alone[column, row].glyph && over[column, row].style.foreground == color)
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test("the path ahead covers the later one, and both cover the path behind")
    func roles() {
        let ends = [SmallTown.place(0, 2000), SmallTown.place(4000, 2000)]
        let colors: [RouteRole: Color] = [.ahead: .palette(100), .later: .palette(101), .behind: .palette(102)]
        func foregrounds(_ roles: [RouteRole]) -> Set<Color> {
            let lines = roles.map { role in
                PolylineOverlay(coordinates: ends, role: role, style: PolylineStyleOptions(strokeColor: colors[role] ?? .default))
            }
            let scene = MapScene(overlays: MapOverlays(polylines: lines), showsScale: false)
            let canvas = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: size)).canvas
            return Set((0..<24).flatMap { canvas.row($0).map(\.style.foreground) })
        }
        #expect(foregrounds([.behind, .ahead, .later]).contains(.palette(100)))
        #expect(!foregrounds([.behind, .ahead, .later]).contains(.palette(102)))
        #expect(foregrounds([.behind, .later]).contains(.palette(101)))
    }

    @Test("the index of a line orders it among lines of every role, however many there are", arguments: [0, 200])
    func indexes(others: Int) {
        let ends = [SmallTown.place(0, 2000), SmallTown.place(4000, 2000)]
        let away = [SmallTown.place(0, 400), SmallTown.place(4000, 400)]
        func line(_ role: RouteRole, _ zIndex: Int, _ color: UInt8) -> PolylineOverlay {
            PolylineOverlay(
                coordinates: ends, role: role, style: PolylineStyleOptions(strokeWidth: 3, strokeColor: .palette(color), zIndex: zIndex))
        }
        func cells(_ lines: [PolylineOverlay]) -> [UInt8: Int] {
            let more = (0..<others).map { _ in PolylineOverlay(coordinates: away, role: .behind) }
            let scene = MapScene(overlays: MapOverlays(polylines: more + lines), showsScale: false)
            let canvas = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: size)).canvas
            let colors = (0..<24).flatMap { canvas.row($0) }.map(\.style.foreground)
            return Dictionary(uniqueKeysWithValues: [100, 101, 102].map { color in (color, colors.count { $0 == .palette(color) }) })
        }
        for (top, below) in [(RouteRole.later, RouteRole.ahead), (.behind, .ahead), (.behind, .later), (.ahead, .behind)] {
            let (alone, both) = (cells([line(top, 1_000, 100)]), cells([line(top, 1_000, 100), line(below, 1, 101)]))
            #expect(both[100] == alone[100], "\(top) over \(below)")
            let reverse = cells([line(below, 1, 101), line(top, 1_000, 100)])
            #expect(reverse[100] == alone[100])
        }
        let equal = cells([line(.ahead, 5, 100), line(.later, 5, 101), line(.behind, 5, 102)])
        #expect(equal[100] == cells([line(.ahead, 5, 100)])[100] && equal[101] == 0 && equal[102] == 0)
    }

    @Test("options are obeyed: an invisible line is not drawn, a negative width counts as the default")
    func options() {
        func dots(_ style: PolylineStyleOptions) -> Int {
            let ends = [SmallTown.place(0, 2000), SmallTown.place(4000, 2100)]
            var scene = MapScene(overlays: MapOverlays(polylines: [PolylineOverlay(coordinates: ends, style: style)]), showsScale: false)
            scene.style.grid = .palette(1)
            let canvas = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: size)).canvas
            let cells = (0..<24).flatMap { canvas.row($0) }.filter { $0.style.foreground == style.strokeColor }
            return cells.reduce(0) { $0 + Int($1.glyph.base.value - 0x2800).nonzeroBitCount }
        }
        let normal = dots(PolylineStyleOptions())
        #expect(normal > 100)
        #expect(dots(PolylineStyleOptions(strokeWidth: -4)) == normal && dots(PolylineStyleOptions(strokeWidth: .nan)) == normal)
        #expect(dots(PolylineStyleOptions(strokeWidth: 1)) < normal && dots(PolylineStyleOptions(strokeWidth: 4)) > normal)
        #expect(dots(PolylineStyleOptions(isVisible: false)) == 0)
        let defaults = PolylineStyleOptions()
        #expect(defaults.strokeWidth == 2 && defaults.isVisible && defaults.zIndex == 10 && !defaults.isGeodesic)
        let marker = MarkerStyleOptions()
        #expect(marker.groundAnchor == .center && marker.isVisible && marker.icon == nil && marker.zIndex == 0 && !marker.isFlat)
    }

    @Test("invalid coordinates are left out of a line and hide a marker")
    func invalidCoordinates() {
        let bad = Coordinate(latitude: .nan, longitude: 500)
        let line = PolylineOverlay(coordinates: [bad, SmallTown.place(0, 0), bad, bad, SmallTown.place(4000, 4000), SmallTown.place(1, 1)])
        let marker = MarkerOverlay(id: "m", coordinate: bad)
        let overlays = MapOverlays(polylines: [line], markers: [marker], labels: [LabelOverlay(coordinate: bad, text: "no")])
        let (_, frame) = SmallTown.draw(SmallTown.scene(overlays: overlays), SmallTown.camera(zoom: 14, size: size))
        #expect(frame.markers.isEmpty && !frame.labels.contains { $0.text == "no" })
        #expect(line.route.coordinates == [SmallTown.place(0, 0), SmallTown.place(4000, 4000), SmallTown.place(1, 1)])
    }

    @Test("a missing tile is replaced by its ancestor, but only where it is missing")
    func ancestors() throws {
        let id = SmallTown.tileID
        let parent = try #require(id.parent)
        var builder = VectorTileBuilder(id: parent)
        builder.addFeature(.ocean, kind: .polygon, vertices: [(-80, -80), (4180, -80), (4180, 4180), (-80, 4180)])
        let ocean = builder.finish()
        var tiles = TileCache()
        tiles.insert(ocean, for: parent)
        var scene = SmallTown.scene(overlays: MapOverlays(), showsLabels: false)
        scene.base = BaseMap(tiles: tiles, zoomRange: 0...14, attribution: "")
        let camera = SmallTown.camera(zoom: 13.9, size: size, x: 3000, y: 2048)
        let water = scene.style[area: .ocean]?.color
        let alone = SmallTown.draw(scene, camera)
        #expect(!alone.frame.isComplete && alone.canvas[40, 12].style.background == water)
        scene.base?.tiles.insert(.empty(id), for: id)
        let mixed = SmallTown.draw(scene, camera).canvas
        #expect(mixed[40, 12].style.background == .default)
        let neighbour = try #require(camera.cell(at: SmallTown.place(4150, 2048)))
        let inside = try #require(camera.cell(at: SmallTown.place(4050, 2048)))
        #expect(parent.covers(try #require(TileID(zoom: 14, x: id.x + 1, y: id.y))))
        #expect(mixed[neighbour.column, neighbour.row].style.background == water)
        #expect(mixed[inside.column, inside.row].style.background == .default)
    }

    @Test("a line of an ancestor ends at the edge of its tile, and keeps its dash pattern there")
    func ancestorLines() throws {
        let id = SmallTown.tileID
        let parent = try #require(id.parent)
        var builder = VectorTileBuilder(id: parent)
        builder.addFeature(.motorway, kind: .line, flags: .tunnel, vertices: [(-64, 1024), (2500, 1024), (4160, 1024)])
        var tiles = TileCache()
        tiles.insert(builder.finish(), for: parent)
        var scene = SmallTown.scene(overlays: MapOverlays(), showsLabels: false)
        scene.showsScale = false
        scene.base = BaseMap(tiles: tiles, zoomRange: 0...14, attribution: "")
        let camera = SmallTown.camera(zoom: 14, size: size, x: 4096, y: 2048)
        func dots(_ columns: Range<Int>) -> Int {
            let canvas = SmallTown.draw(scene, camera).canvas
            return columns.reduce(0) { sum, column in
                sum + (0..<24).reduce(0) { $0 + (canvas[column, $1].glyph.base.value ^ 0x2800).nonzeroDots }
            }
        }
        let third = 39 * 2 / 3
        #expect(abs(dots(0..<39) - third) <= 1 && abs(dots(41..<80) - third) <= 1)
        scene.base?.tiles.insert(.empty(id), for: id)
        #expect(dots(0..<39) == 0 && abs(dots(41..<80) - third) <= 1)
    }

    @Test("water and parks are backgrounds with enough colours, and dots or characters without")
    func fills() throws {
        let camera = SmallTown.camera(zoom: 13, size: size)
        let water = try #require(camera.cell(at: SmallTown.place(2600, 2400)))
        let park = try #require(camera.cell(at: SmallTown.place(700, 800)))
        func background(_ cell: Position, _ colors: ColorDepth, _ painter: Painter = .braille) -> Color {
            let scene = SmallTown.scene(overlays: MapOverlays(), painter: painter, colors: colors, showsLabels: false)
            return SmallTown.draw(scene, camera).canvas[cell.column, cell.row].style.background
        }
        let style = MapStyle.dark
        for colors in [ColorDepth.palette256, .direct] {
            #expect(background(water, colors) == style[area: .water]?.color && background(park, colors) == style[area: .park]?.color)
        }
        for colors in [ColorDepth.ansi16, .ansi8] {
            #expect(background(water, colors) == style[area: .water]?.color && background(park, colors) == .default)
        }
        #expect(background(water, .none) == .default && background(water, .palette256, .ascii) == .default)
        let text = SmallTown.draw(SmallTown.scene(overlays: MapOverlays(), painter: .ascii, showsLabels: false), camera).canvas.text()
        #expect(text.contains("~") && text.contains(","))
    }

    @Test("without a base map there is a faint grid that moves with the ground")
    func schematic() {
        var scene = SmallTown.scene()
        scene.base = nil
        let camera = SmallTown.camera(zoom: 13, size: size)
        let (canvas, frame) = SmallTown.draw(scene, camera)
        let grid = (0..<24).flatMap { canvas.row($0) }.filter { $0.style.foreground == scene.style.grid }
        #expect(grid.count > 20 && frame.isComplete)
        #expect(Set(frame.markers.map(\.id)) == ["vehicle", "pickup", "end"])
    }
}

extension UInt32 {
    /// The number of dots in the Braille character with this number in the Braille block; 0 outside the block.
    fileprivate var nonzeroDots: Int { self < 0x100 ? nonzeroBitCount : 0 }
}
