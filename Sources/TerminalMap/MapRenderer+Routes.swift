import Geo
import TerminalCanvas

extension MapRenderer {
    /// Draws the lines of the trip, the weakest first: by index, then by role, then as they come.
    func drawRoutes(_ pass: MapPass) {
        func key(_ line: PolylineOverlay) -> SIMD2<Int> { SIMD2(line.style.zIndex, line.role.rank) }
        let lines = pass.scene.overlays.polylines.filter(\.style.isVisible).enumerated().sorted {
            ($0.element.style.zIndex, $0.element.role.rank, $0.offset) < ($1.element.style.zIndex, $1.element.role.rank, $1.offset)
        }.map(\.element)
        // Where lines are many, those of the same index and role share a level.
        let isShared = lines.count > DrawOrder.routeLevels
        var level = 0
        for (index, line) in lines.enumerated() {
            if index > 0, !isShared || key(line) != key(lines[index - 1]) { level += 1 }
            draw(line, level: level, pass)
        }
    }

    private func draw(_ line: PolylineOverlay, level: Int, _ pass: MapPass) {
        let route = line.route
        guard line.style.isTrafficEnabled, !route.traffic.isEmpty else {
            return stroke(route.coordinates, of: line, speed: nil, level: level, pass)
        }
        for run in route.runs(fromMeters: 0, toMeters: route.lengthMeters) {
            let part = route.line.slice(fromMeters: run.startMeters, toMeters: run.endMeters)
            stroke(part.coordinates, of: line, speed: run.speed, level: level, pass)
        }
    }

    private func stroke(_ coordinates: [Coordinate], of line: PolylineOverlay, speed: TrafficSpeed?, level: Int, _ pass: MapPass) {
        let path = line.style.isGeodesic ? GreatCircle.densified(coordinates) : coordinates
        var dots = pass.viewport.dots(along: path.map(WebMercator.project))
        dots = dots.enumerated().filter { $0.offset == 0 || dots[$0.offset - 1] != $0.element }.map(\.element)
        guard dots.count > 1 else { return }
        var width = max(1, line.style.effectiveStrokeWidth)
        if speed == .slow { width += 1 }
        if speed == .trafficJam { width += 2 }
        let color = speed.map { line.style.trafficColors[$0] } ?? line.style.strokeColor
        let ink = Ink(
            priority: DrawOrder.route(level: level),
            style: Style(foreground: color, attributes: pass.isPlain ? .bold : []), asciiMark: line.role.asciiMark)
        let dashes = line.role.dashes(width: width, isASCII: pass.isASCII)
        if pass.isPlain || !dashes.isSolid {
            // Where no colour tells the route from other ways, a cell on either side is kept clear as well.
            let margin = pass.isPlain ? Double(2 * pass.scene.painter.dotsPerCell.columns) : 0
            trip.reserve(along: dots, width: width + margin, priority: DrawOrder.clearance)
        }
        trip.polyline(dots, width: width, dashes: dashes, ink: ink)
    }
}

extension RouteRole {
    /// The rhythm that tells the roles apart. Its lengths are no whole numbers, so that no dash shrinks to nothing exactly at a corner of the line.
    func dashes(width: Double, isASCII: Bool) -> DashPattern {
        switch self {
        case .ahead: .solid
        // A character tells the roles apart there; the breaks only make them lighter.
        case _ where isASCII: .dotted
        case .behind: DashPattern(lengths: [width + 0.137, 1.137 + width / 2])
        case .later: DashPattern(lengths: [4.137 + width, 3.137])
        }
    }

    /// Of lines with the same index the one with the higher rank lies on top.
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
        case .later: "o"
        }
    }
}
