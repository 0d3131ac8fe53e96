import Geo
import TerminalCanvas
import VectorTiles

extension BasePainter {
    /// Draws roads, paths, waterways, rails and borders into the raster.
    mutating func drawLines(_ views: [TileView], _ pass: MapPass) {
        for mapClass in MapClass.allCases where mapClass >= .stream && mapClass <= .motorway {
            guard let look = pass.style[line: mapClass], pass.shows(mapClass, look), look.waterDots == 0 else { continue }
            for view in views { drawLines(mapClass, look, of: view, pass) }
        }
    }

    private mutating func drawLines(_ mapClass: MapClass, _ look: MapStyle.Line, of view: TileView, _ pass: MapPass) {
        let tile = view.tile
        let isSurface = pass.hasSurfaces && look.surfaceMeters > 0
        let isWide = pass.camera.zoom >= look.wideZoom && !isSurface && !pass.isPlain
        let style = Style(foreground: look.color)
        var points: [DotPoint] = []
        swap(&points, &self.points)
        defer { swap(&points, &self.points) }
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && view.shows(tile.bounds[feature]) {
            let flags = tile.flags[feature]
            guard !flags.contains(.labelOnly), pass.shows(flags, of: mapClass, look) else { continue }
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

    /// Collects the vertices of a part of a line until the frame's work budget is used up. Leaves out a vertex in the same dot
    /// as the previous one.
    private mutating func collect(_ part: Int, of view: TileView, into points: inout [DotPoint]) {
        let tile = view.tile
        points.removeAll(keepingCapacity: true)
        let (columns, rows) = (Double(raster.dotColumns), Double(raster.dotRows))
        var effort = effort.lines
        defer { self.effort.lines = effort }
        var (lastX, lastY) = (Double.nan, Double.nan)
        var (lastSeenX, lastSeenY) = (0.0, 0.0)
        for vertex in tile.vertices(ofPart: part) {
            guard effort > 0 else { return }
            let next = view.dot(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
            let (x, y) = (next.x.rounded(.down), next.y.rounded(.down))
            if x == lastX && y == lastY { continue }
            // Only the visible part of a line counts as work.
            let (seenX, seenY) = (min(max(x, 0), columns), min(max(y, 0), rows))
            effort -= points.isEmpty ? 1 : 1 + abs(seenX - lastSeenX) + abs(seenY - lastSeenY)
            (lastSeenX, lastSeenY) = (seenX, seenY)
            points.append(next)
            (lastX, lastY) = (x, y)
        }
    }

    private mutating func stroke(_ points: [DotPoint], width: Double, dashes: DashPattern, ink: Ink, clippedTo view: TileView) {
        guard let share = view.share else {
            raster.polyline(points, width: width, dashes: dashes, ink: ink)
            return
        }
        let (first, last) = (view.dot(x: share.minX, y: share.minY), view.dot(x: share.maxX, y: share.maxY))
        let box = PlaneBox(minX: first.x, minY: first.y, maxX: last.x, maxY: last.y)
        var phase = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            guard let part = box.part(ofSegmentFromX: start.x, y: start.y, toX: end.x, y: end.y) else { continue }
            let piece = [start.moved(towards: end, by: part.enter), start.moved(towards: end, by: part.leave)]
            phase = raster.polyline(piece, width: width, dashes: dashes, phase: phase, ink: ink)
        }
    }

    /// Draws the grid that replaces a missing base map: a dot every eight cells across and every four cells down. The dots keep their
    /// geographic positions when the map moves.
    mutating func drawGrid(_ pass: MapPass) {
        let origin = pass.viewport.origin
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
