import Geo
import Glibc
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

/// Tests of details that are shown only at high zooms around the places of a trip, or only in an atlas.
@Suite struct DetailTests {
    /// A tile with a street of houses and an underground station. The street is around the middle of the small town's tile.
    private static let tile: VectorTile = {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(.street, kind: .line, flags: .oneWay, name: "East Lane", vertices: [(1500, 2048), (2600, 2048)])
        builder.addFeature(.street, kind: .line, flags: .oneWayBack, vertices: [(1500, 2148), (2600, 2148)])
        builder.addFeature(.street, kind: .line, flags: .oneWay, vertices: [(1980, 1500), (1980, 2020)])
        builder.addFeature(.street, kind: .line, vertices: [(1500, 1960), (2600, 1960)])
        for index in 0..<30 {
            let x = Int32(1520 + 36 * index)
            builder.addFeature(.building, kind: .polygon, vertices: [(x, 2080), (x + 30, 2080), (x + 30, 2110), (x, 2110)])
            builder.addFeature(.houseNumber, kind: .point, name: "\(index + 1)", vertices: [(x + 15, 2090)])
        }
        builder.addFeature(.station, kind: .point, name: "Under Square", vertices: [(2080, 1990)])
        builder.addFeature(.tramStop, kind: .point, name: "Lane End", vertices: [(1900, 2010)])
        builder.addFeature(.entrance, kind: .point, vertices: [(2120, 2000)])
        return builder.finish()
    }()

    private static func draw(
        zoom: Double, overlays: MapOverlays = MapOverlays(), painter: Painter = .braille, colors: ColorDepth = .palette256,
        style: MapStyle = .dark
    ) -> (canvas: Canvas, frame: MapFrame) {
        var scene = SmallTown.scene(overlays: overlays, painter: painter, colors: colors, style: style)
        scene.base?.tiles.insert(tile, for: SmallTown.tileID)
        return SmallTown.draw(scene, SmallTown.camera(zoom: zoom, size: Size(columns: 120, rows: 40), x: 2048, y: 2048))
    }

    private static let stop = MapOverlays(markers: [MarkerOverlay(id: "stop", coordinate: SmallTown.place(2000, 2060))])

    private static func numbers(_ frame: MapFrame) -> [Int] { frame.labels.compactMap { Int($0.text) }.sorted() }

    @Test("only the houses nearest to a stop have numbers, and only close up")
    func houseNumbers() {
        #expect(Self.numbers(Self.draw(zoom: 17).frame).isEmpty)
        #expect(Self.numbers(Self.draw(zoom: 16.4, overlays: Self.stop).frame).isEmpty)
        let near = Self.numbers(Self.draw(zoom: 17, overlays: Self.stop).frame)
        // The stop is in front of the house with the number 14. A unit of the tile is 0.6 metres.
        #expect(near.count >= 3 && near.count <= 10 && near.contains(14) && near.allSatisfy { (11...17).contains($0) }, "\(near)")
        let car = MarkerOverlay(id: "car", coordinate: SmallTown.place(2000, 2060), strength: .vehicle)
        let place = MarkerOverlay(id: "", coordinate: SmallTown.place(2000, 2060))
        #expect(Self.numbers(Self.draw(zoom: 17, overlays: MapOverlays(markers: [car, place])).frame).isEmpty)
    }

    @Test("a number is at its house, and nothing is written on the trip's line")
    func places() throws {
        var overlays = Self.stop
        let drawn = Self.draw(zoom: 17, overlays: overlays).frame
        let house = try #require(drawn.labels.first { $0.text == "14" })
        let camera = SmallTown.camera(zoom: 17, size: Size(columns: 120, rows: 40), x: 2048, y: 2048)
        let view = Viewport(camera: camera, painter: .braille)
        #expect(view.cell(of: view.dot(at: SmallTown.place(2003, 2090))) == Position(column: house.cells.column + 1, row: house.cells.row))
        overlays.polylines = [PolylineOverlay(coordinates: [SmallTown.place(1500, 2090), SmallTown.place(2600, 2090)])]
        #expect(Self.numbers(Self.draw(zoom: 17, overlays: overlays).frame).isEmpty)
    }

    @Test("one-way streets have arrows from zoom 17 on, in the direction of the traffic")
    func arrows() {
        #expect(Self.draw(zoom: 16.9).frame.signs.allSatisfy { $0.text == "⋂" })
        for (painter, arrows) in [(Painter.braille, "⇠⇢⇣"), (.ascii, "<>v")] {
            let signs = Self.draw(zoom: 17, painter: painter).frame.signs
            let found = Set(signs.map(\.text)).subtracting(["⋂", "n"]).sorted().joined()
            #expect(found == arrows, "\(found)")
        }
        let (canvas, frame) = Self.draw(zoom: 17)
        #expect(
            frame.signs.allSatisfy { sign in
                sign.text.unicodeScalars.first.map { canvas[sign.cells.column, sign.cells.row].glyph == Glyph($0) } == true
            })
    }

    @Test("arrows stay on the ground while the map is panned by whole cells")
    func steadyArrows() {
        var scene = SmallTown.scene(overlays: MapOverlays())
        scene.base?.tiles.insert(Self.tile, for: SmallTown.tileID)
        let camera = SmallTown.camera(zoom: 17, size: Size(columns: 120, rows: 40), x: 2048, y: 2048)
        let before = SmallTown.draw(scene, camera).frame.signs
        let after = SmallTown.draw(scene, camera.panned(columns: 5, rows: 3)).frame.signs
        let moved = Set(after.map { [$0.cells.column + 5, $0.cells.row + 3] })
        let inside = before.filter { (20..<100).contains($0.cells.column) && (8..<32).contains($0.cells.row) }
        #expect(!inside.isEmpty && inside.allSatisfy { moved.contains([$0.cells.column, $0.cells.row]) })
    }

    @Test("stations and tram stops have names, and entrances a sign")
    func stops() {
        let frame = Self.draw(zoom: 17).frame
        #expect(frame.labels.contains { $0.text == "Under Square" } && frame.labels.contains { $0.text == "Lane End" })
        #expect(frame.signs.contains { $0.text == "⋂" })
        #expect(Self.draw(zoom: 17, painter: .ascii).frame.signs.contains { $0.text == "n" })
        let further = Self.draw(zoom: 15).frame
        #expect(!further.labels.contains { $0.text == "Lane End" } && further.signs.isEmpty)
    }

    @Test("houses have walls from zoom 16.5 on, if there are colours for them")
    func walls() {
        let wall = MapStyle.dark[area: .building]?.pattern.color
        func hasWalls(_ zoom: Double, _ colors: ColorDepth = .palette256, _ style: MapStyle = .dark) -> Bool {
            let canvas = Self.draw(zoom: zoom, colors: colors, style: style).canvas
            return canvas.contains { $0.style.foreground == wall && $0.glyph != .space }
        }
        #expect(hasWalls(16.5) && !hasWalls(16.25) && !hasWalls(17, .none))
        var quiet = MapStyle.dark
        quiet[area: .building]?.pattern.color = .default
        #expect(!hasWalls(17, .palette256, quiet))
    }
}

/// Tests of maps of the world at low zooms.
@Suite struct AtlasTests {
    private static func draw(zoom: Double, painter: Painter = .braille) -> (canvas: Canvas, frame: MapFrame) {
        var builder = VectorTileBuilder(id: .world)
        // The features have the same positions on the screen at each zoom. At zoom 3 a column is four units wide.
        func place(_ right: Double, _ down: Double) -> (Int32, Int32) {
            (2048 + Int32(right * 4 / exp2(zoom - 3)), 2048 + Int32(down * 8 / exp2(zoom - 3)))
        }
        builder.addFeature(.country, kind: .point, rank: 1, name: "Ländle", vertices: [place(0, -8)])
        builder.addFeature(.city, kind: .point, rank: 1, flags: .capital, name: "Vaduz", vertices: [place(14, -4)])
        builder.addFeature(.city, kind: .point, rank: 1, name: "Balzers", vertices: [place(-20, 4)])
        builder.addFeature(.seaName, kind: .point, name: "Calm Sea", vertices: [place(0, 8)])
        builder.addFeature(.motorway, kind: .line, flags: .labelOnly, name: "A 13", vertices: [place(-40, 0), place(40, 0)])
        var tiles = TileCache()
        tiles.insert(builder.finish(), for: .world)
        let scene = MapScene(base: BaseMap(tiles: tiles, zoomRange: 0...0, attribution: "©"), painter: painter)
        return SmallTown.draw(scene, Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: zoom, size: Size(columns: 100, rows: 30)))
    }

    @Test("countries are in capital letters, capitals have a sign at their position, seas have names")
    func names() throws {
        let frame = Self.draw(zoom: 3).frame
        #expect(Set(frame.labels.map(\.text)) == ["LÄNDLE", "✪ Vaduz", "Calm Sea"])
        let capital = try #require(frame.labels.first { $0.text.hasPrefix("✪") })
        #expect(capital.cells.column == 50 + 14)
        #expect(Self.draw(zoom: 3, painter: .ascii).frame.labels.contains { $0.text == "* Vaduz" })
        #expect(Set(Self.draw(zoom: 5).frame.labels.map(\.text)) == ["LÄNDLE", "✪ Vaduz", "Balzers", "Calm Sea"])
    }

    @Test("closer up, the atlas becomes an ordinary map, with motorway numbers in an overview")
    func overview() {
        let labels = Set(Self.draw(zoom: 6).frame.labels.map(\.text))
        #expect(labels.isSuperset(of: ["Ländle", "Vaduz", "A 13"]), "\(labels)")
    }
}

extension Canvas {
    fileprivate func contains(where isWanted: (Cell) -> Bool) -> Bool {
        (0..<size.rows).contains { row in (0..<size.columns).contains { isWanted(self[$0, row]) } }
    }
}
