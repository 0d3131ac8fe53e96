import Geo
import TerminalCanvas
import VectorTiles

/// A map as a vector picture (SVG 1.1) instead of cells: the same scene, camera and names.
///
/// A cell is 8 × 16 units and a Braille dot 4 × 4, so the contents of a cell lie at the same place in the picture. The picture is
/// self-contained: it needs no fonts, styles or images.
public struct MapDrawing: Sendable {
    /// Width of a cell in units; its height is twice that.
    static let cellWidth = 8.0
    static let cellHeight = 16.0
    /// Size of a Braille dot in units.
    static let dot = 4.0
    private let scene: MapScene
    private let camera: Camera
    private let title: String
    let palette: Palette
    /// Largest number of vertices in the picture; real maps have less than a tenth of it.
    var maximumVertices = 1_000_000

    /// - Parameters:
    ///   - isLight: whether the terminal's own colours are dark on light instead of light on dark.
    ///   - title: name of the picture for screen readers.
    public init(_ scene: MapScene, camera: Camera, isLight: Bool, title: String) {
        var scene = scene
        // The places of names and marks are chosen as in a frame with all colours.
        scene.painter = .braille
        scene.colorDepth = .direct
        scene.fillsAreas = true
        self.scene = scene
        self.camera = camera
        self.title = title
        palette = Palette(isLight: isLight, ground: scene.style.background)
    }

    /// The picture as a document, with `viewBox="0 0 8·COLUMNS 16·ROWS"`.
    public func svg() -> String {
        let size = camera.size
        let (width, height) = (Self.cellWidth * Double(size.columns), Self.cellHeight * Double(size.rows))
        var text = DrawingText(maximumVertices: maximumVertices)
        let (shownWidth, shownHeight) = (DrawingText.number(width), DrawingText.number(height))
        text.add(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(shownWidth) \(shownHeight)\" role=\"img\" "
                + "font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\" font-size=\"12\">")
        text.add("<title>\(DrawingText.escaped(sanitised(title)))</title>")
        text.add("<rect width=\"\(shownWidth)\" height=\"\(shownHeight)\" fill=\"\(palette.ground)\"/>")
        // The nested element clips the map, so that an enlarged picture shows nothing beyond the view.
        text.add("<svg width=\"\(shownWidth)\" height=\"\(shownHeight)\">")
        if size.columns > 0, size.rows > 0 { draw(into: &text, view: PlaneBox(minX: 0, minY: 0, maxX: width, maxY: height)) }
        text.add("</svg></svg>")
        return text.text
    }

    private func draw(into text: inout DrawingText, view: PlaneBox) {
        let viewport = Viewport(camera: camera, painter: .braille)
        var scene = scene
        if let ground = scene.ground {
            scene.overlays.markers = ground.markers(in: viewport, color: scene.style.overlayLabel) + scene.overlays.markers
        }
        let pass = MapPass(scene: scene, camera: camera, viewport: viewport, area: Rectangle(camera.size))
        let choice = scene.base.map { viewport.choice(of: $0) } ?? TileChoice()
        if choice.placed.isEmpty {
            drawGrid(pass, into: &text, view: view)
        } else {
            drawBase(choice.placed.map { viewport.view(of: $0, widestMeters: pass.widestMeters) }, pass, into: &text, view: view)
        }
        drawOverlay(pass, into: &text, view: view)
        drawTrip(pass, into: &text, view: view)
        drawNames(pass, into: &text)
        drawMarkers(pass, into: &text)
        drawFurniture(pass, isMapShown: choice.showsAnything, into: &text, view: view)
    }
}

extension MapDrawing {
    /// The colours of a picture, as `#rrggbb`.
    struct Palette: Sendable {
        /// The background colour, visible wherever no area is drawn.
        let ground: String
        /// The colour that replaces the terminal's own colour of text and lines.
        let ink: String

        init(isLight: Bool, ground: Color) {
            self.ground = Self.hex(ground) ?? (isLight ? "#fbfaf7" : "#11161c")
            ink = isLight ? "#1c2126" : "#e6e9ec"
        }

        /// The colour of a line or a text.
        func ink(_ color: Color) -> String { Self.hex(color) ?? ink }

        /// The colour of an area; nil for the terminal's own.
        func area(_ color: Color?) -> String? { color.flatMap(Self.hex) }

        private static func hex(_ color: Color) -> String? {
            guard let (red, green, blue) = color.components else { return nil }
            func digits(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
            return "#" + digits(red) + digits(green) + digits(blue)
        }
    }
}
