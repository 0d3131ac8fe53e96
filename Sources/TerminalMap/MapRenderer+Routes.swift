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
        let runs = line.style.isTrafficEnabled ? line.speedRuns : []
        let coordinates = line.coordinates.map { $0.isValid ? $0 : nil }
        guard !runs.isEmpty else {
            for piece in pieces(of: coordinates[...]) { stroke(piece, of: line, speed: nil, level: level, pass) }
            return
        }
        for run in runs {
            for piece in pieces(of: coordinates[run.points]) { stroke(piece, of: line, speed: run.speed, level: level, pass) }
        }
    }

    /// A line without its invalid coordinates, broken where they were.
    private func pieces(of coordinates: ArraySlice<Coordinate?>) -> [[Coordinate]] {
        coordinates.split(separator: nil).map { $0.compactMap { $0 } }
    }

    private func stroke(_ piece: [Coordinate], of line: PolylineOverlay, speed: TrafficSpeed?, level: Int, _ pass: MapPass) {
        let path = line.style.isGeodesic ? GreatCircle.densified(piece) : piece
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

extension PolylineOverlay {
    /// The whole line as runs of one speed each: the known intervals in their order, what lies between them without data.
    ///
    /// Intervals that point outside the line are cut to it; where two overlap the first one counts.
    var speedRuns: [TrafficInterval] {
        guard coordinates.count > 1, !traffic.isEmpty else { return [] }
        let last = coordinates.count - 1
        var runs: [TrafficInterval] = []
        var next = 0
        for interval in traffic.sorted(by: { $0.points.lowerBound < $1.points.lowerBound }) {
            let start = min(max(interval.points.lowerBound, next), last)
            let end = min(interval.points.upperBound, last)
            guard start < end else { continue }
            if start > next { runs.append(TrafficInterval(points: next...start, speed: .noData)) }
            runs.append(TrafficInterval(points: start...end, speed: interval.speed))
            next = end
        }
        if next < last { runs.append(TrafficInterval(points: next...last, speed: .noData)) }
        return runs
    }
}
