import Geo
import TerminalCanvas
import VectorTiles

/// A map as a vector picture (SVG 1.1) instead of cells. It shows the same scene from the same camera, with the same names, as the map in
/// the terminal.
///
/// A cell is 8 × 16 units, and a Braille dot is 4 × 4 units. The contents of a cell therefore have the same position in the picture as in
/// the terminal. The picture needs no external fonts, styles or images.
public struct MapDrawing: Sendable {
    /// Width of a cell in units. The height of a cell is twice its width.
    static let cellWidth = 8.0
    static let cellHeight = 16.0
    /// Size of a Braille dot in units.
    static let dot = 4.0
    private let scene: MapScene
    private let camera: Camera
    private let title: String
    let palette: Palette
    /// Largest number of vertices in the picture. Pictures of real maps have less than a tenth of this number.
    var maximumVertices = 1_000_000

    /// - Parameters:
    ///   - isLight: whether the picture has dark text on a light background.
    ///   - title: name of the picture for screen readers.
    public init(_ scene: MapScene, camera: Camera, isLight: Bool, title: String) {
        var scene = scene
        // With these settings, names and markers are placed as on a terminal with direct colours.
        scene.painter = .braille
        scene.colorDepth = .direct
        scene.fillsAreas = true
        self.scene = scene
        self.camera = camera
        self.title = title
        palette = Palette(isLight: isLight, ground: scene.style.background)
    }

    /// Returns the picture as an SVG document, with `viewBox="0 0 8·COLUMNS 16·ROWS"`.
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
        // The nested element clips the map, so that an enlarged picture does not show parts outside the view.
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
        /// The background colour, which is visible where there are no areas.
        let ground: String
        /// The colour that replaces the terminal's default colour, for text and lines on the map.
        let ink: String

        init(isLight: Bool, ground: Color) {
            self.ground = Self.hex(ground) ?? (isLight ? "#fbfaf7" : "#11161c")
            ink = isLight ? "#1c2126" : "#e6e9ec"
        }

        /// Returns the colour of a line or a text.
        func ink(_ color: Color) -> String { Self.hex(color) ?? ink }

        /// Returns the colour of an area; nil for the terminal's own colour.
        func area(_ color: Color?) -> String? { color.flatMap(Self.hex) }

        private static func hex(_ color: Color) -> String? {
            guard let (red, green, blue) = color.components else { return nil }
            func digits(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
            return "#" + digits(red) + digits(green) + digits(blue)
        }
    }
}
