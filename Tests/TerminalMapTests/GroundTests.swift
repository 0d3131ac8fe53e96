import Geo
import Glibc
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@Suite("Overlays on the base map")
struct GroundTests {
    /// An overlay with an area, a line south of the area, and two places. The area has a hole around the town's middle.
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
        _ overlay: GroundOverlay?, painter: Painter = .braille, colors: ColorDepth = .direct, style: MapStyle = .dark,
        showsLabels: Bool = false
    ) -> (canvas: Canvas, frame: MapFrame) {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: painter, colors: colors, style: style)
        scene.ground = overlay
        scene.showsLabels = showsLabels
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
        // The area is a star around the middle of the view. Its tips lie far outside the view.
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

    /// An overlay with one area over the whole town.
    private static func area(_ color: Color?, opacity: Double) -> GroundOverlay {
        GroundOverlay(shapes: [
            GroundOverlay.Shape(
                paths: [ring(-9000, -9000, 13_000, 13_000)], isArea: true, fill: GroundOverlay.Fill(color: color, opacity: opacity),
                strokeWidth: 0)
        ])
    }

    @Test("On a light background, areas are mixed with a light colour, although the names have the terminal's own colour")
    func light() throws {
        var style = MapStyle.light
        style.overlayLabel = .default
        let cell = try Self.cell(1100, 2700)
        func fill(_ color: Color?, _ opacity: Double) throws -> (red: UInt8, green: UInt8, blue: UInt8) {
            let canvas = Self.frame(Self.area(color, opacity: opacity), style: style).canvas
            return try #require(canvas[cell.column, cell.row].style.background.components)
        }
        let (green, faint) = (try fill(.rgb(0, 255, 0), 0.2), try fill(nil, 0.1))
        #expect(green.red > 190 && green.green > 245 && green.blue > 190)
        #expect((215...235).contains(faint.red) && (215...235).contains(faint.green))
    }

    @Test("On an unknown background, an area without a colour of its own is not filled")
    func unknownGround() throws {
        var style = MapStyle.dark
        (style.tone, style.overlayLabel) = (nil, .default)
        let cell = try Self.cell(1100, 2700)
        func background(_ color: Color?) -> Color {
            Self.frame(Self.area(color, opacity: 0.5), style: style).canvas[cell.column, cell.row].style.background
        }
        #expect(background(nil) == .default && background(.rgb(200, 0, 0)) != .default)
    }

    @Test(
        "Names can be read on areas of every colour",
        arguments: [Color.rgb(255, 255, 0), .rgb(255, 255, 255), .rgb(0, 0, 0), .rgb(200, 40, 40)],
        [BackgroundTone.dark, .light, nil] as [BackgroundTone?])
    func readableNames(color: Color, tone: BackgroundTone?) throws {
        var style = tone == .light ? MapStyle.light : .dark
        style.tone = tone
        if tone == nil { for name in [MapClass.town, .primary] { style[label: name]?.color = .default } }
        let (canvas, frame) = Self.frame(Self.area(color, opacity: 0.9), style: style, showsLabels: true)
        #expect(frame.labels.contains { $0.text == "Madeup" })
        for label in frame.labels {
            for column in label.cells.column..<label.cells.endColumn {
                let style = canvas[column, label.cells.row].style
                guard style.background != .default else { continue }
                #expect(try #require(style.foreground.contrast(with: style.background)) >= 3, "\(label.text)")
            }
        }
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
