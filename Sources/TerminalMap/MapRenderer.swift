import Geo
public import TerminalCanvas
import VectorTiles

/// Draws maps onto canvases.
///
/// The renderer keeps the painted base map from frame to frame. It also keeps the positions of names, so that the names move with the map.
/// Except for the names, a frame depends only on the scene and the camera. Only one thread at a time may use a renderer.
///
/// A frame is drawn in three steps. First, the new part of the base map is painted. Then routes are drawn as dots in a separate raster, in
/// which markers also reserve their cells. This raster is laid over the base map. Finally, markers, names, scale and attribution are
/// written on top.
public final class MapRenderer {
    var base = BaseLayer()
    private var painter = BasePainter()
    /// The dots of the trip's lines, and the cells reserved for markers.
    var trip = DotRaster(size: .zero, painter: .braille)
    var bitmap = CellBitmap()
    /// The work allowed for each frame, and the work still allowed in the current frame.
    var effortLimit = DrawingEffort()
    var effortLeft = DrawingEffort()
    var stock = LabelStock()
    /// The names of the last frame, with their positions and their zoom.
    var memory = LabelMemory()
    /// Number of base map cells painted so far. The margins of blocks are not counted.
    private(set) var paintedCells = 0

    /// Creates a renderer. Use one renderer for each map, because it keeps everything that the next frame can reuse.
    public init() {}

    /// Draws a scene into a block of a canvas, and returns the positions of markers and names.
    ///
    /// The block is cut at the edges of the canvas, and the camera's own size is not used. Earlier contents of the block are lost.
    @discardableResult
    public func draw(_ scene: MapScene, camera: Camera, into canvas: inout Canvas, at rectangle: Rectangle) -> MapFrame {
        let area = canvas.clipped(rectangle)
        var frame = MapFrame()
        guard !area.isEmpty else { return frame }
        let camera = camera.resized(to: area.size)
        let viewport = Viewport(camera: camera, painter: scene.painter)
        bitmap.prepare(area.size)
        trip.prepare(area.size, painter: scene.painter)
        effortLeft = effortLimit

        var scene = scene
        if let ground = scene.ground {
            scene.overlays.markers = ground.markers(in: viewport, color: scene.style.overlayLabel) + scene.overlays.markers
        }
        let pass = MapPass(scene: scene, camera: camera, viewport: viewport, area: area)
        let choice = scene.base.map { viewport.choice(of: $0) } ?? TileChoice()
        frame.isComplete = choice.isComplete
        paintBase(choice, pass)
        drawRoutes(pass)
        let markers = placeMarkers(pass)

        canvas.draw(base.canvas, at: area.origin)
        layTrip(pass, into: &canvas)
        drawFurniture(pass, isMapShown: choice.showsAnything, markers: markers, into: &canvas)
        drawMarkers(markers, pass, into: &canvas, frame: &frame)
        drawLabels(choice, markers: markers, pass, into: &canvas, frame: &frame)
        if !BaseLayer.isKept(area.size) { forget() }
        return frame
    }

    /// Paints the parts of the base map that are not painted yet.
    private func paintBase(_ choice: TileChoice, _ pass: MapPass) {
        painter.effort = effortLeft
        for part in base.move(to: choice, pass) {
            painter.paint(part, of: &base, choice, pass)
            paintedCells += part.columns * part.rows
            // If the work allowed for the frame was used up, parts of the base map are missing. A later frame must not reuse it.
            if painter.isSpent { base.forget() }
        }
        effortLeft = painter.effort
    }

    /// Lays the dots of the trip's lines over the base map. In cells that are kept clear (the gaps and margins of these lines, and the
    /// cells of markers), the base map shows only its areas, not its lines.
    private func layTrip(_ pass: MapPass, into canvas: inout Canvas) {
        guard !pass.scene.overlays.isEmpty else { return }
        let look = GroundLook(pass)
        trip.forEachTakenCell { column, row, cell in
            let ground = base.ground(column: column, row: row)
            var seen = cell ?? look.cell(ground)
            if cell != nil { seen.style.background = look.underLine(ground) }
            canvas[pass.area.column + column, pass.area.row + row] = seen
        }
    }

    /// Releases the memory of the layer; called if the view is so large that its layer is not kept.
    private func forget() {
        (base, painter) = (BaseLayer(), BasePainter())
        trip = DotRaster(size: .zero, painter: .braille)
    }
}

/// The work allowed for the base map of one frame. Objects that would need more are left out.
///
/// Real maps need less than a twentieth of it in a view of 300 × 100 cells. The limit keeps a malicious file, such as one with a million
/// edges across the view, from causing a long delay.
struct DrawingEffort {
    /// Rows crossed by the edges of areas, plus samples examined for wide lines.
    var areas = 10_000_000
    /// Dots of the lines in the view.
    var lines = 20e6
    /// Vertices of features examined for names.
    var names = 1_000_000
}

/// The values of one frame that all drawing steps use.
struct MapPass {
    let scene: MapScene
    let camera: Camera
    let viewport: Viewport
    /// Position of the map on the canvas.
    let area: Rectangle

    var style: MapStyle { scene.style }
    var isASCII: Bool { scene.painter == .ascii }
    /// Whether the map has no colours to distinguish areas and lines.
    var isPlain: Bool { scene.colorDepth == .none || !scene.fillsAreas }
    /// The background colour of the map, used only if areas are filled.
    var background: Color { scene.fills == .all ? style.background : .default }
    /// Whether roads are drawn as surfaces of their true width. If false, they are lines.
    var hasSurfaces: Bool { !isASCII && camera.zoom >= style.surfaceZoom }

    /// The width of the widest line that is drawn to scale, in metres.
    var widestMeters: Double { hasSurfaces ? style.widestSurfaceMeters : 0 }

    /// Whether lines of a class are drawn at this zoom. Without colours, or with large dots, minor streets appear one zoom level
    /// later, and some larger streets slightly later.
    func shows(_ mapClass: MapClass, _ look: MapStyle.Line) -> Bool { camera.zoom >= look.minimumZoom + delay(of: mapClass) }

    /// Whether lines with these flags are drawn, at a zoom that shows their class. Ramps and sidings appear only at higher zooms.
    func shows(_ flags: FeatureFlags, of mapClass: MapClass, _ look: MapStyle.Line) -> Bool {
        !flags.contains(.link) || camera.zoom >= look.minimumZoom + 1.5 || !(mapClass.isRoad || mapClass == .rail)
    }

    /// Returns how many zoom levels later a class appears than on a map with colours and small dots.
    private func delay(of mapClass: MapClass) -> Double {
        guard mapClass.isRoad, mapClass <= .secondary else { return 0 }
        let hasLargeDots = isASCII || scene.painter == .halfBlock
        guard isPlain || hasLargeDots else { return 0 }
        if mapClass <= .street { return 1 }
        return hasLargeDots || mapClass == .tertiary ? 0.75 : 0
    }

    /// Returns the dash pattern of a line. A map without colours uses `plainDashes`. ASCII lines with a character of their own do not need
    /// them, because the character distinguishes the line.
    func dashes(of look: MapStyle.Line) -> DashPattern {
        guard isPlain else { return look.dashes }
        return isASCII && look.asciiMark != nil ? look.dashes : look.plainDashes
    }

    /// Returns text in characters that this frame can show.
    func text(_ text: String, maximumLength: Int = 64) -> String {
        Self.shown(text, isASCII: isASCII, maximumLength: maximumLength)
    }

    /// Returns text without control characters, converted to ASCII if necessary.
    static func shown(_ text: String, isASCII: Bool, maximumLength: Int = 64) -> String {
        let safe = sanitised(text, maximumLength: maximumLength)
        return isASCII ? transliterated(safe) : safe
    }
}
