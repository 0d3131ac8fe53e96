import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Draws ways, waterways, rails and borders into the raster.
    func drawLines(_ views: [TileView], _ pass: MapPass) {
        for mapClass in MapClass.allCases where mapClass >= .stream && mapClass <= .motorway {
            guard let look = pass.style[line: mapClass], pass.shows(mapClass, look), look.waterDots == 0 else { continue }
            for view in views { drawLines(mapClass, look, of: view, pass) }
        }
    }

    private func drawLines(_ mapClass: MapClass, _ look: MapStyle.Line, of view: TileView, _ pass: MapPass) {
        let tile = view.tile
        let isSurface = pass.hasSurfaces && look.surfaceMeters > 0
        let isWide = pass.camera.zoom >= look.wideZoom && !isSurface && !pass.isPlain
        let style = Style(foreground: look.color)
        var points: [DotPoint] = []
        swap(&points, &self.points)
        defer { swap(&points, &self.points) }
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && view.shows(tile.bounds[feature]) {
            let flags = tile.flags[feature]
            if flags.contains(.labelOnly) { continue }
            // Ramps and sidings come a zoom later than what they belong to.
            if flags.contains(.link), pass.camera.zoom < look.minimumZoom + 1.5, mapClass.isRoad || mapClass == .rail { continue }
            let isTunnel = flags.contains(.tunnel)
            if isSurface && !isTunnel { continue }
            let ink = Ink(priority: DrawOrder.line(mapClass, flags: flags), style: style, asciiMark: look.asciiMark)
            let dashes = isTunnel ? pass.style.tunnelDashes : pass.dashes(of: look)
            let width: Double = isWide && !isTunnel && !flags.contains(.link) ? 2 : 1
            for part in tile.parts(of: feature) {
                collect(part, of: view, into: &points)
                stroke(points, width: width, dashes: dashes, ink: ink, clippedTo: view)
            }
        }
    }

    /// Takes a part's vertices, leaving out those that fall into the same dot as the one before.
    private func collect(_ part: Int, of view: TileView, into points: inout [DotPoint]) {
        let tile = view.tile
        points.removeAll(keepingCapacity: true)
        var (lastX, lastY) = (Double.nan, Double.nan)
        for vertex in tile.vertices(ofPart: part) {
            let next = view.dot(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
            let (x, y) = (next.x.rounded(.down), next.y.rounded(.down))
            if x == lastX && y == lastY { continue }
            points.append(next)
            (lastX, lastY) = (x, y)
        }
    }

    private func stroke(_ points: [DotPoint], width: Double, dashes: DashPattern, ink: Ink, clippedTo view: TileView) {
        guard let share = view.share else {
            raster.polyline(points, width: width, dashes: dashes, ink: ink)
            return
        }
        let clip = SegmentClip(corner: view.dot(x: share.minX, y: share.minY), opposite: view.dot(x: share.maxX, y: share.maxY))
        for (start, end) in zip(points, points.dropFirst()) {
            guard let (start, end) = clip.inside(start, end) else { continue }
            raster.line(from: start, to: end, width: width, ink: ink)
        }
    }

    /// The empty grid that takes the place of a base map: dots every eight cells across and four down, fixed to the ground.
    func drawGrid(_ pass: MapPass) {
        let origin = pass.camera.origin
        let ink = Ink(priority: DrawOrder.grid, style: Style(foreground: pass.style.grid), asciiMark: ".")
        let dots = pass.scene.painter.dotsPerCell
        func firstStep(_ origin: Double, _ step: Double) -> Int { Int((origin / step).rounded(.up) * step - origin) }
        for row in stride(from: firstStep(origin.row, 4), to: pass.area.rows, by: 4) {
            for column in stride(from: firstStep(origin.column, 8), to: pass.area.columns, by: 8) {
                raster.plot(DotPoint(x: Double(column * dots.columns), y: Double(row * dots.rows + dots.rows / 2)), ink: ink)
            }
        }
    }
}

/// A rectangle of dots that segments are cut to.
struct SegmentClip {
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double

    init(corner: DotPoint, opposite: DotPoint) {
        (left, right) = (min(corner.x, opposite.x), max(corner.x, opposite.x))
        (top, bottom) = (min(corner.y, opposite.y), max(corner.y, opposite.y))
    }

    /// The part of a segment inside (Liang and Barsky 1984), nil if there is none.
    func inside(_ start: DotPoint, _ end: DotPoint) -> (DotPoint, DotPoint)? {
        let (deltaX, deltaY) = (end.x - start.x, end.y - start.y)
        var enter = 0.0
        var leave = 1.0
        for (slope, room) in [(-deltaX, start.x - left), (deltaX, right - start.x), (-deltaY, start.y - top), (deltaY, bottom - start.y)] {
            if slope == 0 {
                if room < 0 { return nil }
            } else if slope < 0 {
                enter = max(enter, room / slope)
            } else {
                leave = min(leave, room / slope)
            }
        }
        guard enter <= leave else { return nil }
        return (
            DotPoint(x: start.x + deltaX * enter, y: start.y + deltaY * enter),
            DotPoint(x: start.x + deltaX * leave, y: start.y + deltaY * leave)
        )
    }
}
