import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Draws symbols at station entrances and arrows on one-way streets, in cells that are free.
    func drawSigns(_ choice: TileChoice, _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame) {
        let zoom = pass.camera.zoom
        guard zoom >= MapStyle.closeZoom else { return }
        for placed in choice.placed {
            let view = pass.viewport.view(of: placed, widestMeters: 0)
            drawEntrances(view, pass, into: &canvas, frame: &frame)
            guard zoom >= pass.style.arrowZoom else { continue }
            for mapClass in MapClass.allCases.reversed() where mapClass.isRoad && mapClass >= .street {
                guard let look = pass.style[line: mapClass], pass.shows(mapClass, look) else { continue }
                drawArrows(mapClass, look, of: view, pass, into: &canvas, frame: &frame)
            }
        }
    }

    private func drawEntrances(_ view: TileView, _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame) {
        guard let look = pass.style[label: .station] else { return }
        for feature in view.tile.features(of: .entrance) where view.shows(view.tile.bounds[feature]) {
            let bounds = view.tile.bounds[feature]
            guard view.owns(x: bounds.minX, y: bounds.minY) else { continue }
            let cell = view.cells.point(x: bounds.minX, y: bounds.minY)
            let style = Style(foreground: look.color, attributes: look.attributes)
            put(pass.isASCII ? "n" : "⋂", at: cell, margin: 0, style, pass, into: &canvas, frame: &frame)
        }
    }

    /// Draws arrows on the one-way streets of one class. Each street that is long enough has one arrow, and longer streets have more.
    private func drawArrows(
        _ mapClass: MapClass, _ look: MapStyle.Line, of view: TileView, _ pass: MapPass, into canvas: inout Canvas,
        frame: inout MapFrame
    ) {
        let tile = view.tile
        let style = Style(foreground: pass.style[label: .quarter]?.color ?? look.color)
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && view.shows(tile.bounds[feature]) {
            let flags = tile.flags[feature]
            guard !flags.isDisjoint(with: [.oneWay, .oneWayBack]), flags.isDisjoint(with: [.labelOnly, .tunnel]),
                pass.shows(flags, of: mapClass, look)
            else { continue }
            for part in tile.parts(of: feature) {
                let vertices = tile.vertices(ofPart: part)
                effortLeft.names -= vertices.count
                guard effortLeft.names > 0 else { return }
                var walk = ArrowWalk(vertices.map { view.cells.point(x: tile.coordinates[2 * $0], y: tile.coordinates[2 * $0 + 1]) })
                while let arrow = walk.next() {
                    let sign = arrow.sign(isBack: flags.contains(.oneWayBack), isASCII: pass.isASCII)
                    put(sign, at: arrow.place, margin: 3, style, pass, into: &canvas, frame: &frame)
                }
            }
        }
    }

    /// Writes a one-cell symbol. Does nothing if the cell is taken.
    private func put(
        _ sign: String, at place: DotPoint, margin: Int, _ style: Style, _ pass: MapPass, into canvas: inout Canvas,
        frame: inout MapFrame
    ) {
        guard let column = Int(exactly: place.x.rounded(.down)), let row = Int(exactly: place.y.rounded(.down)),
            bitmap.isFree(columns: column..<column + 1, row: row),
            !trip.isTaken(column: column, row: row, from: DrawOrder.clearance)
        else { return }
        bitmap.block(columns: column - margin..<column + margin + 1, row: row)
        let (left, top) = (pass.area.column + column, pass.area.row + row)
        canvas.writeOver(sign, column: left, row: top, style: style, limit: 1, pass)
        frame.signs.append(MapFrame.PlacedLabel(text: sign, cells: Rectangle(column: left, row: top, columns: 1, rows: 1)))
    }
}

/// The positions of arrows along a line, in cells. They depend only on the line, so that the arrows keep their geographic positions when
/// the map moves.
private struct ArrowWalk {
    struct Arrow {
        let place: DotPoint
        /// Direction of the line at the arrow. One unit has the same length across and down.
        let direction: DotPoint

        /// Returns an arrow for the nearest of four directions. The arrow is one cell wide on every terminal.
        func sign(isBack: Bool, isASCII: Bool) -> String {
            let (x, y) = isBack ? (-direction.x, -direction.y) : (direction.x, direction.y)
            if abs(x) >= abs(y) { return x > 0 ? (isASCII ? ">" : "⇢") : (isASCII ? "<" : "⇠") }
            return y > 0 ? (isASCII ? "v" : "⇣") : (isASCII ? "^" : "⇡")
        }
    }

    /// Distance between two arrows, in columns.
    private static let spacing = 32.0
    /// Length of the shortest line with an arrow, in columns.
    private static let leastLength = 7.0

    private let points: [DotPoint]
    private var index = 1
    /// Length of the line up to the vertex before `index`, in columns.
    private var walked = 0.0
    /// Length of the line up to the next arrow, in columns; infinite if the line has no arrow.
    private var nextAt: Double

    init(_ points: [DotPoint]) {
        self.points = points
        let length = zip(points, points.dropFirst()).reduce(0) { $0 + Self.length($1.0, $1.1) }
        nextAt = length < Self.leastLength ? .infinity : min(length, Self.spacing) / 2
    }

    /// Length of a segment in columns; a cell is twice as high as it is wide.
    private static func length(_ start: DotPoint, _ end: DotPoint) -> Double {
        let (x, y) = (end.x - start.x, 2 * (end.y - start.y))
        return (x * x + y * y).squareRoot()
    }

    mutating func next() -> Arrow? {
        while index < points.count {
            let (start, end) = (points[index - 1], points[index])
            let length = Self.length(start, end)
            if nextAt <= walked + length, length > 0 {
                let place = start.moved(towards: end, by: (nextAt - walked) / length)
                nextAt += Self.spacing
                return Arrow(place: place, direction: DotPoint(x: end.x - start.x, y: 2 * (end.y - start.y)))
            }
            walked += length
            index += 1
        }
        return nil
    }
}
