import Geo
import TerminalCanvas

extension MapRenderer {
    /// Draws the lines of the trip, the topmost line last.
    func drawRoutes(_ pass: MapPass) {
        func key(_ line: PolylineOverlay) -> SIMD2<Int> { SIMD2(line.style.zIndex, line.role.rank) }
        let lines = pass.scene.overlays.visiblePolylines
        // If there are more lines than levels, lines with the same z-index and role share one level.
        let isShared = lines.count > DrawOrder.routeLevels
        var level = 0
        for (index, line) in lines.enumerated() {
            if index > 0, !isShared || key(line) != key(lines[index - 1]) { level += 1 }
            draw(line, level: level, pass)
        }
    }

    /// Total width of the clear margins on both sides of the route ahead, in dots.
    private static let casing = 2.0

    private func draw(_ line: PolylineOverlay, level: Int, _ pass: MapPass) {
        for piece in line.pieces { stroke(piece, of: line, level: level, pass) }
    }

    private func stroke(_ piece: PolylineOverlay.Piece, of line: PolylineOverlay, level: Int, _ pass: MapPass) {
        let dots = piece.dots(in: pass.viewport)
        guard dots.count > 1 else { return }
        let width = piece.width
        let ink = Ink(
            priority: DrawOrder.route(level: level),
            style: Style(foreground: piece.color, attributes: pass.isPlain ? .bold : []), asciiMark: line.role.asciiMark)
        let dashes = line.role.dashes(width: width, isASCII: pass.isASCII)
        // If a cell has two columns of dots, one dot is kept clear on each side of the route ahead. Without colours, one cell is kept clear
        // beside every line of the trip.
        let columns = pass.scene.painter.dotsPerCell.columns
        let margin = pass.isPlain ? Double(2 * columns) : line.role == .ahead && columns > 1 ? Self.casing : 0
        if margin > 0 || !dashes.isSolid { trip.reserve(along: dots, width: width + margin, priority: DrawOrder.clearance) }
        trip.polyline(dots, width: width, dashes: dashes, ink: ink)
    }
}

extension MapOverlays {
    /// The visible lines, the topmost line last. They are ordered by z-index, then by role, then as given.
    var visiblePolylines: [PolylineOverlay] {
        polylines.filter(\.style.isVisible).enumerated().sorted {
            ($0.element.style.zIndex, $0.element.role.rank, $0.offset) < ($1.element.style.zIndex, $1.element.role.rank, $1.offset)
        }.map(\.element)
    }
}

extension PolylineOverlay {
    /// A part of a line with one width and colour.
    struct Piece {
        var path: [Coordinate]
        var color: Color
        /// Width in dots.
        var width: Double

        /// Returns the points of the piece as positions in a view, without repeated points.
        func dots(in viewport: Viewport) -> [DotPoint] {
            let dots = viewport.dots(along: path.map(WebMercator.project))
            return dots.enumerated().filter { $0.offset == 0 || dots[$0.offset - 1] != $0.element }.map(\.element)
        }
    }

    /// The pieces of the line. A line that shows its traffic has one piece for each stretch with the same speed; any other line is one
    /// piece.
    var pieces: [Piece] {
        guard style.isTrafficEnabled, !route.traffic.isEmpty else { return [piece(route.coordinates, speed: nil)] }
        return route.runs(fromMeters: 0, toMeters: route.lengthMeters).map { run in
            piece(route.line.slice(fromMeters: run.startMeters, toMeters: run.endMeters).coordinates, speed: run.speed)
        }
    }

    private func piece(_ coordinates: [Coordinate], speed: TrafficSpeed?) -> Piece {
        var width = max(1, style.effectiveStrokeWidth)
        if speed == .slow { width += 1 }
        if speed == .trafficJam { width += 2 }
        return Piece(
            path: style.isGeodesic ? GreatCircle.densified(coordinates) : coordinates,
            color: speed.map { style.trafficColors[$0] } ?? style.strokeColor, width: width)
    }
}

extension RouteRole {
    /// Returns the dash pattern for the role. Its lengths are not whole numbers, so that a dash at a corner of the line always keeps a
    /// visible part.
    func dashes(width: Double, isASCII: Bool) -> DashPattern {
        switch self {
        case .ahead: .solid
        // In ASCII each role has its own character. The gaps only make the lines lighter.
        case _ where isASCII: .dotted
        case .behind: DashPattern(lengths: [width + 0.137, 1.137 + width / 2])
        case .later: DashPattern(lengths: [4.137 + width, 3.137])
        }
    }

    /// Order of lines with the same z-index. A line with a higher rank lies on top.
    fileprivate var rank: Int {
        switch self {
        case .behind: 0
        case .later: 1
        case .ahead: 2
        }
    }

    var asciiMark: Unicode.Scalar {
        switch self {
        case .ahead: "#"
        case .behind: ":"
        case .later: "="
        }
    }
}
