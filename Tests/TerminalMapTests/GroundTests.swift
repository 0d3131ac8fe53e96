import Geo
import Glibc
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@Suite("Overlays on the base map")
struct GroundTests {
    /// An overlay with an area that has a hole around the town's middle, a line through the area, and two places.
    static let overlay = GroundOverlay(
        shapes: [
            GroundOverlay.Shape(
                paths: [ring(800, 800, 3000, 3000), ring(1500, 1500, 2200, 2200)], isArea: true,
                fill: GroundOverlay.Fill(color: .rgb(200, 40, 40), opacity: 1), stroke: .rgb(255, 0, 0), name: "Zone"),
            GroundOverlay.Shape(
                paths: [[SmallTown.place(100, 3300), SmallTown.place(3900, 3300)]], isArea: false, stroke: .rgb(0, 255, 0), name: "Walk"),
        ],
        places: [
            GroundOverlay.Place(coordinate: SmallTown.place(1850, 1850), name: "Well"),
            GroundOverlay.Place(coordinate: SmallTown.place(100, 100), color: .rgb(9, 9, 9)),
        ])

    private static func ring(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [Coordinate] {
        [(left, top), (right, top), (right, bottom), (left, bottom)].map(SmallTown.place)
    }

    private static let camera = SmallTown.camera(zoom: 13, size: Size(columns: 72, rows: 36), x: 1850, y: 1850)

    private static func frame(
        _ overlay: GroundOverlay?, painter: Painter = .braille, colors: ColorDepth = .direct
    ) -> (canvas: Canvas, frame: MapFrame) {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: painter, colors: colors)
        scene.ground = overlay
        scene.showsLabels = false
        var canvas = Canvas(size: camera.size)
        let frame = MapRenderer().draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size))
        return (canvas, frame)
    }

    private static func cell(_ x: Double, _ y: Double) throws -> Position {
        try #require(camera.cell(at: SmallTown.place(x, y)))
    }

    @Test("a sea of dots is quiet: at most an eighth of them without a colour of its own, a sixteenth with one")
    func quietWater() {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(.water, kind: .polygon, vertices: [(-80, -80), (4176, -80), (4176, 4176), (-80, 4176)])
        var tiles = TileCache()
        tiles.insert(builder.finish(), for: SmallTown.tileID)
        let camera = SmallTown.camera(zoom: 16, size: Size(columns: 40, rows: 20))
        for (color, most) in [(Color.default, 8), (.palette(4), 16)] {
            var style = MapStyle.dark
            style[area: .water]?.pattern.color = color
            var scene = SmallTown.scene(overlays: MapOverlays(), colors: .ansi16, style: style)
            scene.fillsAreas = false
            (scene.showsLabels, scene.showsScale, scene.showsNorth) = (false, false, false)
            scene.base?.tiles = tiles
            scene.base?.attribution = ""
            let text = SmallTown.draw(scene, camera).canvas.text()
            let dots = text.unicodeScalars.map { (0x2801...0x28ff).contains($0.value) ? ($0.value - 0x2800).nonzeroBitCount : 0 }.reduce(
                0, +)
            #expect(dots * most <= 40 * 20 * 8 && dots * 40 > 40 * 20 * 8, "\(dots)")
        }
    }

    @Test("Areas fill the ground with their colour and leave out their holes; lines and places have theirs")
    func colors() throws {
        let canvas = Self.frame(Self.overlay).canvas
        func style(_ x: Double, _ y: Double) throws -> Style {
            let cell = try Self.cell(x, y)
            return canvas[cell.column, cell.row].style
        }
        #expect(try style(1100, 2700).background == .rgb(200, 40, 40))
        #expect(try style(1700, 1800).background != .rgb(200, 40, 40))
        #expect(try style(3500, 3300).foreground == .rgb(0, 255, 0))
        #expect(try style(100, 100).foreground == .rgb(9, 9, 9))
        let place = try Self.cell(1850, 1850)
        #expect(canvas.text().contains("• Well") && canvas[place.column, place.row].glyph == Glyph("•"))
    }

    @Test("A path of very many points looks like one of few, although only the part near the view is processed")
    func manyPoints() {
        // The area is a star around the middle of the view. Its points lie far outside the view.
        let corners = (0..<24).map { number in
            let (angle, reach) = (Double(number) * .pi / 12, number % 2 == 0 ? 9_000.0 : 700.0)
            return (x: 1850 + reach * cos(angle), y: 1850 + reach * sin(angle))
        }
        let fine = zip(corners, corners.dropFirst() + corners.prefix(1)).flatMap { start, end in
            (0..<500).map { step in
                let part = Double(step) / 500
                return (x: start.x + part * (end.x - start.x), y: start.y + part * (end.y - start.y))
            }
        }
        func canvas(_ points: [(x: Double, y: Double)], isArea: Bool) -> Canvas {
            let fill = GroundOverlay.Fill(color: .rgb(200, 40, 40), opacity: 1)
            let shape = GroundOverlay.Shape(
                paths: [points.map { SmallTown.place($0.x, $0.y) }], isArea: isArea, fill: fill, stroke: .rgb(0, 255, 0))
            return Self.frame(GroundOverlay(shapes: [shape])).canvas
        }
        for isArea in [true, false] {
            let (few, many) = (canvas(corners, isArea: isArea), canvas(fine, isArea: isArea))
            var (different, filled, drawn) = (0, 0, 0)
            for row in 0..<few.size.rows {
                for column in 0..<few.size.columns {
                    let (one, other) = (few[column, row], many[column, row])
                    if one.style != other.style { different += 1 }
                    if other.style.background == .rgb(200, 40, 40) { filled += 1 }
                    if other.style.foreground == .rgb(0, 255, 0) { drawn += 1 }
                }
            }
            #expect(drawn > 200 && (filled > 300) == isArea && different < 30, "\(drawn), \(filled), \(different)")
        }
    }

    @Test("Without colours, areas have edges and no filling", arguments: [ColorDepth.none, .ansi16])
    func plain(colors: ColorDepth) throws {
        let (with, without) = (Self.frame(Self.overlay, colors: colors).canvas, Self.frame(nil, colors: colors).canvas)
        let (edge, inside) = (try Self.cell(800, 1900), try Self.cell(1100, 2700))
        #expect(with[edge.column, edge.row] != without[edge.column, edge.row])
        #expect(with[inside.column, inside.row] == without[inside.column, inside.row])
    }

    @Test("A half-transparent area has half of its colour")
    func opacity() throws {
        let shape = GroundOverlay.Shape(
            paths: [Self.ring(0, 0, 4000, 4000)], isArea: true, fill: GroundOverlay.Fill(color: .rgb(200, 100, 50), opacity: 0.5),
            strokeWidth: 0)
        let canvas = Self.frame(GroundOverlay(shapes: [shape])).canvas
        let cell = try Self.cell(1100, 2700)
        let color = try #require(canvas[cell.column, cell.row].style.background.components)
        #expect((100...115).contains(color.red) && (55...65).contains(color.green))
    }

    @Test("A click finds the place, or else the line, or else the area; an overlay's places are not markers")
    func names() throws {
        let name = { (x: Double, y: Double) in Self.overlay.name(at: try Self.cell(x, y), camera: Self.camera) }
        #expect(try name(1850, 1850) == "Well" && name(2000, 3300) == "Walk" && name(1100, 2700) == "Zone")
        #expect(try name(1650, 1850) == nil && name(3500, 500) == nil)
        #expect(Self.frame(Self.overlay).frame.markers.isEmpty)
    }

    @Test("A shape over the antimeridian is in one piece, seen from both sides", arguments: [-179.9, 179.9])
    func antimeridian(longitude: Double) {
        let line = [Coordinate(latitude: 0, longitude: 179), Coordinate(latitude: 0, longitude: -179)]
        let overlay = GroundOverlay(shapes: [GroundOverlay.Shape(paths: [line], isArea: false, stroke: .rgb(1, 2, 3))])
        let scene = MapScene(ground: overlay, colorDepth: .direct, showsScale: false)
        let camera = Camera(center: Coordinate(latitude: 0, longitude: longitude), zoom: 8, size: Size(columns: 40, rows: 10))
        var canvas = Canvas(size: camera.size)
        MapRenderer().draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size))
        let columns = (0..<40).filter { column in (0..<10).contains { canvas[column, $0].style.foreground == .rgb(1, 2, 3) } }
        #expect(columns.count == 40)
    }

    @Test("Invalid shapes are left out: places off the earth, widths that are not numbers, shapes without a place")
    func hostile() {
        let bad = [Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 999, longitude: .infinity)]
        let overlay = GroundOverlay(
            shapes: [
                GroundOverlay.Shape(paths: [bad, []], isArea: true, fill: GroundOverlay.Fill(color: nil, opacity: .nan)),
                GroundOverlay.Shape(paths: [[SmallTown.place(0, 0)]], isArea: false, strokeWidth: .infinity),
            ], places: [GroundOverlay.Place(coordinate: bad[0], name: "nowhere")])
        #expect(Self.frame(overlay).canvas.text() != "")
        #expect(overlay.boundingBox?.contains(SmallTown.place(0, 0)) == true)
        #expect(GroundOverlay().boundingBox == nil && GroundOverlay().isEmpty)
    }

    @Test("A hundred thousand bends and a polygon with a million edges are bounded")
    func effort() {
        var random = SeededRandom(seed: 3)
        func scribble(_ count: Int) -> [Coordinate] {
            (0..<count).map { _ in SmallTown.place(random.double(in: 0...4096), random.double(in: 0...4096)) }
        }
        let overlay = GroundOverlay(shapes: [
            GroundOverlay.Shape(paths: [scribble(300_000)], isArea: true, fill: GroundOverlay.Fill(color: .rgb(1, 1, 1))),
            GroundOverlay.Shape(paths: [scribble(100_000)], isArea: false),
        ])
        #expect(!Self.frame(overlay).canvas.text().isEmpty)
    }
}
