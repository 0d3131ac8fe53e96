import Foundation
import Geo
import TerminalCanvas
import Testing
import VectorTiles

@testable import TerminalMap

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("A map as a picture of lines and areas")
struct DrawingTests {
    private static func svg(_ scene: MapScene, zoom: Double = 14.5, isLight: Bool = false) -> String {
        MapDrawing(scene, camera: SmallTown.camera(zoom: zoom, size: Size(columns: 72, rows: 24)), isLight: isLight, title: "Ride <1>")
            .svg()
    }

    @Test("The picture is a document of its own: well formed, measured in cells, without external content except a link")
    func document() throws {
        var scene = SmallTown.scene(overlays: SmallTown.overlays, painter: .braille, colors: .direct)
        scene.base?.attribution = "© OpenStreetMap contributors & <others>"
        let text = Self.svg(scene)
        let reader = Elements()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(reader.names.first == "svg" && reader.attributes.first?["viewBox"] == "0 0 576 384")
        #expect(Set(reader.names).isSubset(of: ["svg", "title", "rect", "path", "circle", "g", "text", "a"]))
        let links = reader.attributes.compactMap { $0["href"] ?? $0["xlink:href"] }
        #expect(links == ["https://www.openstreetmap.org/copyright"])
        #expect(!text.contains("url(") && !text.contains("@import") && !text.contains("<script"))
        #expect(reader.texts.contains("© OpenStreetMap contributors & <others>") && reader.texts.contains("Ride <1>"))
    }

    @Test("The names are the same as in a frame of the same view, each in its place")
    func names() {
        let scene = SmallTown.scene(overlays: SmallTown.overlays, painter: .braille, colors: .direct)
        let camera = SmallTown.camera(zoom: 14.5, size: Size(columns: 72, rows: 24))
        var canvas = Canvas(size: camera.size)
        let frame = MapRenderer().draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size))
        let text = Self.svg(scene)
        #expect(frame.labels.count > 3)
        for label in frame.labels {
            let middle = label.cells.column * 8 + label.cells.columns * 4
            #expect(text.contains("<text x=\"\(middle)\""), "\(label.text)")
            #expect(text.contains(">\(label.text)</text>"))
        }
    }

    @Test("The trip is shown: three dash patterns, traffic colours, and a vehicle that points in its direction")
    func trip() {
        let (from, to) = (SmallTown.place(200, 1600), SmallTown.place(3300, 1550))
        let style = PolylineStyleOptions(
            strokeColor: .rgb(1, 2, 3), isTrafficEnabled: true,
            trafficColors: TrafficColors(normal: .rgb(4, 5, 6), trafficJam: .rgb(7, 8, 9)))
        let line = PolylineOverlay(
            coordinates: [from, to], style: style, traffic: [TrafficStretch(startMeters: 100, endMeters: 300, speed: .trafficJam)])
        let car = MarkerOverlay(
            id: "car", coordinate: from, headingDegrees: 90, icon: .vehicle, style: MarkerStyleOptions(isFlat: true), strength: .vehicle)
        var overlays = SmallTown.overlays
        overlays.polylines += [line, PolylineOverlay(coordinates: [to, from], role: .behind)]
        overlays.markers = [car]
        let text = Self.svg(SmallTown.scene(overlays: overlays, painter: .braille, colors: .direct), zoom: 13)
        #expect(text.contains("stroke=\"#070809\"") && text.contains("rotate(90)"))
        #expect(text.contains("stroke-dasharray=\"0.1 9\"") && text.contains("stroke-dasharray=\"12 10\""))
    }

    @Test("Everything lies within the picture and a little around it, however far the lines run", arguments: [1.0, 9, 14.5, 17, 20])
    func bounds(zoom: Double) throws {
        var overlays = SmallTown.overlays
        overlays.polylines.append(
            PolylineOverlay(coordinates: [Coordinate(latitude: -80, longitude: -170), Coordinate(latitude: 80, longitude: 170)]))
        let text = Self.svg(SmallTown.scene(overlays: overlays, painter: .braille, colors: .direct), zoom: zoom)
        for match in text.matches(of: /[ML](-?[0-9.]+) (-?[0-9.]+)/) {
            let (x, y) = (try #require(Double(match.1)), try #require(Double(match.2)))
            #expect((-25...601).contains(x) && (-25...409).contains(y), "\(match.0)")
        }
    }

    @Test("Dark and light terminals have different colours")
    func grounds() {
        let scene = SmallTown.scene(overlays: MapOverlays(), painter: .braille, colors: .direct)
        #expect(Self.svg(scene) != Self.svg(scene, isLight: true))
    }

    @Test("Without a base map there is the grid")
    func grid() {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: .braille, colors: .direct)
        scene.base = nil
        #expect(Self.svg(scene).matches(of: /<circle/).count == 9 * 6)
    }

    @Test("Of many places of an overlay, 200 have an icon, and the others are dots")
    func manyPlaces() {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: .braille, colors: .direct)
        func dots(_ count: Int) -> Int {
            let places = (0..<count).map { number in
                GroundOverlay.Place(coordinate: SmallTown.place(1800 + Double(number % 20) * 8, 1800 + Double(number / 20) * 8))
            }
            scene.ground = GroundOverlay(shapes: [], places: places)
            return Self.svg(scene).matches(of: #/<circle cx="[0-9.]+" cy="[0-9.]+" r="2" /#).count
        }
        #expect(dots(200) == 0)
        #expect(dots(260) == 60)
    }

    @Test("The content of a picture is bounded")
    func effort() {
        let scene = SmallTown.scene(overlays: SmallTown.overlays, painter: .braille, colors: .direct)
        var drawing = MapDrawing(scene, camera: SmallTown.camera(zoom: 13, size: Size(columns: 72, rows: 24)), isLight: false, title: "")
        let whole = drawing.svg()
        drawing.maximumVertices = 10
        let part = drawing.svg()
        #expect(part.matches(of: /[ML]/).count < 40 && part.utf8.count < whole.utf8.count && part.hasSuffix("</svg></svg>\n"))
    }

    @Test("Polygons are cut to the view, and keep their area there")
    func clipping() {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: .braille, colors: .direct)
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        // A ring around the whole view has no corner inside the view.
        builder.addFeature(.water, kind: .polygon, vertices: [(-80, -80), (4176, -80), (4176, 4176), (-80, 4176)])
        scene.base?.tiles.insert(builder.finish(), for: SmallTown.tileID)
        let text = Self.svg(scene, zoom: 17)
        #expect(text.contains("L600 -24") && text.contains("L600 408"))
    }
}

/// The elements of a document as an independent parser reads them.
private final class Elements: NSObject, XMLParserDelegate {
    var names: [String] = []
    var attributes: [[String: String]] = []
    var texts: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
        names.append(name)
        self.attributes.append(attributes)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if !text.isEmpty { texts.append(text) }
        text = ""
    }
}
