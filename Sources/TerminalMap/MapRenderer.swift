import Geo
public import TerminalCanvas
import VectorTiles

/// Draws maps onto canvases.
///
/// It keeps the painted base map from frame to frame, and which names it wrote, so that they stay where they are while the map moves; what is
/// seen, names apart, depends on the scene and the camera alone. A renderer is used by one owner.
///
/// How a frame comes about: of the base map what is new in this view is painted, routes and markers take their cells in a raster of their own,
/// whose dots are laid over it, and then markers, names, scale and attribution are written on top.
public final class MapRenderer {
    var base = BaseLayer()
    private var painter = BasePainter()
    /// What belongs to the trip.
    var trip = DotRaster(size: .zero, painter: .braille)
    var bitmap = CellBitmap()
    /// What a frame may take, and what is left of it for this one.
    var effortLimit = DrawingEffort()
    var effortLeft = DrawingEffort()
    var stock = LabelStock()
    /// The names of the frame before, at the zoom they were written at.
    var memory = LabelMemory()
    /// Cells of the base map that were painted so far, those of a margin apart.
    private(set) var paintedCells = 0

    /// A renderer that has drawn nothing yet. One renderer serves one map: it keeps what a frame can take over from the one before.
    public init() {}

    /// Draws a scene into a part of a canvas and tells where markers and names came to lie.
    ///
    /// The part is cut to the canvas; the camera's own size is not used. Whatever was there before is gone.
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

    /// Paints what of the base map is not there yet.
    private func paintBase(_ choice: TileChoice, _ pass: MapPass) {
        painter.effort = effortLeft
        for part in base.move(to: choice, pass) {
            painter.paint(part, of: &base, choice, pass)
            paintedCells += part.columns * part.rows
            // What was left out is no part of a later frame.
            if painter.isSpent { base.forget() }
        }
        effortLeft = painter.effort
    }

    /// Lays the dots of the trip over the base map; a cell that is kept free for it shows the bare ground.
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

    /// Gives back the memory that a view took.
    private func forget() {
        (base, painter) = (BaseLayer(), BasePainter())
        trip = DotRaster(size: .zero, painter: .braille)
    }
}

/// What the base map of one frame may take to draw; what comes after that is left out.
///
/// Real maps take less than a twentieth of it on 300 x 100 cells. A file that is made to take more, with a million edges across the view,
/// holds nobody up for long.
struct DrawingEffort {
    /// Rows crossed by the edges of areas, and samples looked at for wide lines.
    var areas = 10_000_000
    /// Dots of lines, in the view.
    var lines = 20e6
    /// Vertices looked at for names.
    var names = 1_000_000
}

/// What all steps of one frame need.
struct MapPass {
    let scene: MapScene
    let camera: Camera
    let viewport: Viewport
    /// Where on the canvas the map lies.
    let area: Rectangle

    var style: MapStyle { scene.style }
    var isASCII: Bool { scene.painter == .ascii }
    /// There are no colours to tell areas and ways apart.
    var isPlain: Bool { scene.colorDepth == .none || !scene.fillsAreas }
    /// The ground's colour, which counts only where areas are filled.
    var background: Color { scene.fills == .all ? style.background : .default }
    /// Roads are surfaces of their true width rather than lines.
    var hasSurfaces: Bool { !isASCII && camera.zoom >= style.surfaceZoom }

    /// The width of the widest line that is drawn to scale, in metres.
    var widestMeters: Double { hasSurfaces ? style.widestSurfaceMeters : 0 }

    /// Whether lines of a class are drawn at this zoom. Where neither colour nor fine dots tell them from the rest, minor streets come a zoom later;
    /// where a dot is as large as a block the larger streets do too.
    func shows(_ mapClass: MapClass, _ look: MapStyle.Line) -> Bool { camera.zoom >= look.minimumZoom + delay(of: mapClass) }

    /// Whether lines with these properties are drawn where their class is: ramps and sidings come a zoom later than what they belong to.
    func shows(_ flags: FeatureFlags, of mapClass: MapClass, _ look: MapStyle.Line) -> Bool {
        !flags.contains(.link) || camera.zoom >= look.minimumZoom + 1.5 || !(mapClass.isRoad || mapClass == .rail)
    }

    /// How many zooms later a class is drawn than with a painter and colours that tell everything apart.
    private func delay(of mapClass: MapClass) -> Double {
        guard mapClass.isRoad, mapClass <= .secondary else { return 0 }
        let hasLargeDots = isASCII || scene.painter == .halfBlock
        guard isPlain || hasLargeDots else { return 0 }
        if mapClass <= .street { return 1 }
        return hasLargeDots || mapClass == .tertiary ? 0.75 : 0
    }

    /// The rhythm of a line. A character of its own tells an ASCII line from others, so that it needs no breaks for it.
    func dashes(of look: MapStyle.Line) -> DashPattern {
        guard isPlain else { return look.dashes }
        return isASCII && look.asciiMark != nil ? look.dashes : look.plainDashes
    }

    /// Text as this frame can show it.
    func text(_ text: String, maximumLength: Int = 64) -> String {
        Self.shown(text, isASCII: isASCII, maximumLength: maximumLength)
    }

    /// Text without anything harmful, in ASCII if need be.
    static func shown(_ text: String, isASCII: Bool, maximumLength: Int = 64) -> String {
        let safe = sanitised(text, maximumLength: maximumLength)
        return isASCII ? transliterated(safe) : safe
    }
}
