import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Names wider than this are left out.
    private static let maximumWidth = 28
    /// A steep stretch has its name only if it is this many rows long.
    private static let leastSteepRows = 3.0

    /// All names of the base map that could be written in this view.
    func collectLabels(_ views: [TileView], _ pass: MapPass) -> [LabelCandidate] {
        var candidates: [LabelCandidate] = []
        for mapClass in MapClass.allCases {
            guard mapClass.labelScore > 0, let look = pass.style[label: mapClass], look.zooms.contains(pass.camera.zoom) else { continue }
            for view in views {
                let tile = view.tile
                for feature in tile.features(of: mapClass) where tile.nameIndexes[feature] != 0 && view.shows(tile.bounds[feature]) {
                    guard effortLeft.names > 0, let name = tile.name(of: feature) else { continue }
                    effortLeft.names -= 1
                    let (text, width) = names.shown(name, isASCII: pass.isASCII)
                    guard width > 0, width <= Self.maximumWidth, hasRoom(for: width, feature, of: view, pass) else { continue }
                    let style = Style(foreground: look.color, background: pass.background, attributes: look.attributes)
                    let base = LabelCandidate(
                        text: text, width: width, kind: mapClass.labelKind, score: mapClass.labelScore, style: style, places: [])
                    switch tile.kinds[feature] {
                    case .point: if let candidate = pointLabel(base, feature, of: view, pass) { candidates.append(candidate) }
                    case .line: addLineLabels(base, feature, of: view, pass, to: &candidates)
                    case .polygon: break
                    }
                }
            }
        }
        return candidates
    }

    /// Whether a line is long enough for a name of this width to be looked at more closely.
    private func hasRoom(for width: Int, _ feature: Int, of view: TileView, _ pass: MapPass) -> Bool {
        guard view.tile.kinds[feature] == .line else { return true }
        let dots = pass.scene.painter.dotsPerCell
        let bounds = view.tile.bounds[feature]
        let columns = Double(bounds.maxX &- bounds.minX) * view.dots.scaleX / Double(dots.columns)
        let rows = Double(bounds.maxY &- bounds.minY) * view.dots.scaleY / Double(dots.rows)
        return columns >= Double(width) - 1 || rows >= Self.leastSteepRows
    }

    private func pointLabel(_ base: LabelCandidate, _ feature: Int, of view: TileView, _ pass: MapPass) -> LabelCandidate? {
        let tile = view.tile
        guard let part = tile.parts(of: feature).first, let vertex = tile.vertices(ofPart: part).first else { return nil }
        let (x, y) = (tile.coordinates[2 * vertex], tile.coordinates[2 * vertex + 1])
        guard view.owns(x: x, y: y), let cell = pass.viewport.cell(of: view.dot(x: x, y: y)) else { return nil }
        var candidate = base
        candidate.score -= min(Int(tile.ranks[feature]), 39)
        let column = cell.column - base.width / 2
        candidate.places = [0, -1, 1, -2, 2].map { Position(column: column, row: cell.row + $0) }
        return candidate
    }

    /// Adds names for the stretches of a line, each with the places along it that are in the view.
    private func addLineLabels(
        _ base: LabelCandidate, _ feature: Int, of view: TileView, _ pass: MapPass, to candidates: inout [LabelCandidate]
    ) {
        let dots = pass.scene.painter.dotsPerCell
        for part in view.tile.parts(of: feature) {
            let vertices = view.tile.vertices(ofPart: part)
            effortLeft.names -= vertices.count
            guard effortLeft.names > 0 else { return }
            let line = vertices.map { vertex in
                let dot = view.dot(x: view.tile.coordinates[2 * vertex], y: view.tile.coordinates[2 * vertex + 1])
                return DotPoint(x: dot.x / Double(dots.columns), y: dot.y / Double(dots.rows))
            }
            for run in LineRun.runs(of: line) {
                guard run.length >= (run.isLevel ? Double(base.width) - 1 : Self.leastSteepRows) else { continue }
                if let candidate = run.isLevel ? levelLabel(base, run, pass) : steepLabel(base, run, pass) {
                    candidates.append(candidate)
                }
            }
        }
    }

    /// A name on a level stretch, or beside it where the route runs there.
    private func levelLabel(_ base: LabelCandidate, _ run: LineRun, _ pass: MapPass) -> LabelCandidate? {
        guard let first = run.points.first, let last = run.points.last else { return nil }
        var candidate = base
        var onRoute: [Position] = []
        let room = max(0, (run.length - Double(base.width)) / 2)
        for middle in positions(about: (first.x + last.x) / 2, room: room, spacing: Double(base.width + 6), limit: pass.area.columns) {
            guard let point = run.point(at: middle), let place = place(x: middle - Double(base.width) / 2, y: point.y) else { continue }
            let half = Double(base.width) / 2
            let (start, end) = (run.point(at: middle - half)?.y ?? point.y, run.point(at: middle + half)?.y ?? point.y)
            guard abs(start - point.y) <= 1.6, abs(end - point.y) <= 1.6 else { continue }
            if isOnRoute(run, from: middle - half, to: middle + half, by: 1, pass) {
                onRoute += [-1, 1, -2, 2].map { Position(column: place.column, row: place.row + $0) }
            } else {
                candidate.places.append(place)
            }
        }
        return finished(candidate, onRoute: onRoute, length: run.length)
    }

    /// A name across a steep stretch, or beside it where the route runs there.
    private func steepLabel(_ base: LabelCandidate, _ run: LineRun, _ pass: MapPass) -> LabelCandidate? {
        guard let first = run.points.first, let last = run.points.last else { return nil }
        var candidate = base
        var onRoute: [Position] = []
        for middle in positions(about: (first.y + last.y) / 2, room: run.length / 2 - 1, spacing: 5, limit: pass.area.rows) {
            guard let point = run.point(at: middle), let place = place(x: point.x - Double(base.width) / 2, y: middle) else { continue }
            if isOnRoute(run, from: middle - 1.5, to: middle + 1.5, by: 0.5, pass) {
                let center = place.column + base.width / 2
                onRoute += [center + 2, center + 3, center - base.width - 1, center - base.width - 2].map {
                    Position(column: $0, row: place.row)
                }
            } else {
                candidate.places.append(place)
            }
        }
        candidate.score -= 15
        return finished(candidate, onRoute: onRoute, length: run.length * 2)
    }

    private func finished(_ candidate: LabelCandidate, onRoute: [Position], length: Double) -> LabelCandidate? {
        var candidate = candidate
        if !onRoute.isEmpty && candidate.kind == .road {
            candidate.kind = .routeStreet
            candidate.score = 1000
            candidate.places = onRoute
        }
        guard !candidate.places.isEmpty else { return nil }
        candidate.score += Int(min(length, 60) / 2)
        return candidate
    }

    /// Places along a stretch, from its middle outwards, those that can be seen.
    private func positions(about middle: Double, room: Double, spacing: Double, limit: Int) -> [Double] {
        guard middle.isFinite, room.isFinite, room >= 0 else { return [] }
        let low = max(middle - room, 0)
        let high = min(middle + room, Double(limit))
        guard low <= high else { return [] }
        let first = ((low - middle) / spacing).rounded(.up)
        let last = ((high - middle) / spacing).rounded(.down)
        guard first <= last else { return [] }
        if first == 0 && last == 0 { return [middle] }
        return stride(from: first, through: last, by: 1).map { $0 }.sorted { (abs($0), $0) < (abs($1), $1) }.prefix(16).map {
            middle + $0 * spacing
        }
    }

    private func place(x: Double, y: Double) -> Position? {
        guard let column = Int(exactly: x.rounded()), let row = Int(exactly: y.rounded(.down)) else { return nil }
        return Position(column: column, row: row)
    }

    /// Whether most of the cells of this piece of a stretch belong to the trip.
    private func isOnRoute(_ run: LineRun, from start: Double, to end: Double, by step: Double, _ pass: MapPass) -> Bool {
        guard !pass.scene.overlays.polylines.isEmpty else { return false }
        var (known, taken) = (0, 0)
        for position in stride(from: start, through: end, by: step) {
            guard let point = run.point(at: position) else { continue }
            known += 1
            guard let column = Int(exactly: point.x.rounded(.down)), let row = Int(exactly: point.y.rounded(.down)) else { continue }
            if trip.isTaken(column: column, row: row, from: DrawOrder.firstOverlay) { taken += 1 }
        }
        return taken * 2 > known
    }
}
