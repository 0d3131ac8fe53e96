import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Names wider than this are left out.
    private static let maximumWidth = 28

    /// All names of the base map that could be written in this view.
    func collectLabels(_ views: [TileView], _ pass: MapPass) -> [LabelCandidate] {
        var candidates: [LabelCandidate] = []
        for mapClass in MapClass.allCases {
            guard mapClass.labelScore > 0, let look = pass.style[label: mapClass], look.zooms.contains(pass.camera.zoom) else { continue }
            for view in views {
                let tile = view.tile
                for feature in tile.features(of: mapClass) where tile.nameIndexes[feature] != 0 && view.shows(tile.bounds[feature]) {
                    guard let name = tile.name(of: feature) else { continue }
                    let text = pass.text(name)
                    let width = displayWidth(text)
                    guard width > 0, width <= Self.maximumWidth else { continue }
                    let style = Style(foreground: look.color, background: pass.background, attributes: look.attributes)
                    let base = LabelCandidate(
                        text: text, width: width, kind: mapClass.labelKind, score: mapClass.labelScore, style: style, places: [])
                    switch tile.kinds[feature] {
                    case .point: candidates += pointLabels(base, feature, of: view, pass)
                    case .line: candidates += lineLabels(base, feature, of: view, pass)
                    case .polygon: break
                    }
                }
            }
        }
        return candidates
    }

    private func pointLabels(_ base: LabelCandidate, _ feature: Int, of view: TileView, _ pass: MapPass) -> [LabelCandidate] {
        let tile = view.tile
        guard let part = tile.parts(of: feature).first, let vertex = tile.vertices(ofPart: part).first else { return [] }
        let (x, y) = (tile.coordinates[2 * vertex], tile.coordinates[2 * vertex + 1])
        guard view.owns(x: x, y: y), let cell = pass.viewport.cell(of: view.dot(x: x, y: y)) else { return [] }
        var candidate = base
        candidate.score -= min(Int(tile.ranks[feature]), 39)
        let column = cell.column - base.width / 2
        candidate.places = [0, -1, 1, -2, 2].map { Position(column: column, row: cell.row + $0) }
        return [candidate]
    }

    /// Names for the stretches of a line, each with the places along it that are in the view.
    private func lineLabels(_ base: LabelCandidate, _ feature: Int, of view: TileView, _ pass: MapPass) -> [LabelCandidate] {
        let dots = pass.scene.painter.dotsPerCell
        var candidates: [LabelCandidate] = []
        for part in view.tile.parts(of: feature) {
            let line = view.tile.vertices(ofPart: part).map { vertex in
                let dot = view.dot(x: view.tile.coordinates[2 * vertex], y: view.tile.coordinates[2 * vertex + 1])
                return DotPoint(x: dot.x / Double(dots.columns), y: dot.y / Double(dots.rows))
            }
            for run in LineRun.runs(of: line) {
                if let candidate = run.isLevel ? levelLabel(base, run, pass) : steepLabel(base, run, pass) {
                    candidates.append(candidate)
                }
            }
        }
        return candidates
    }

    /// A name on a level stretch, or beside it where the route runs there.
    private func levelLabel(_ base: LabelCandidate, _ run: LineRun, _ pass: MapPass) -> LabelCandidate? {
        guard run.length >= Double(base.width) - 1, let first = run.points.first, let last = run.points.last else { return nil }
        var candidate = base
        var onRoute: [Position] = []
        let room = max(0, (run.length - Double(base.width)) / 2)
        for middle in positions(about: (first.x + last.x) / 2, room: room, spacing: Double(base.width + 6), limit: pass.area.columns) {
            guard let point = run.point(at: middle), let place = place(x: middle - Double(base.width) / 2, y: point.y) else { continue }
            let half = Double(base.width) / 2
            let ends = [run.point(at: middle - half), run.point(at: middle + half)]
            guard ends.allSatisfy({ abs(($0?.y ?? point.y) - point.y) <= 1.6 }) else { continue }
            let cells = stride(from: middle - half, through: middle + half, by: 1).map { run.point(at: $0) }
            if isOnRoute(cells) {
                onRoute += [-1, 1, -2, 2].map { Position(column: place.column, row: place.row + $0) }
            } else {
                candidate.places.append(place)
            }
        }
        return finished(candidate, onRoute: onRoute, length: run.length)
    }

    /// A name across a steep stretch, or beside it where the route runs there.
    private func steepLabel(_ base: LabelCandidate, _ run: LineRun, _ pass: MapPass) -> LabelCandidate? {
        guard run.length >= 3, let first = run.points.first, let last = run.points.last else { return nil }
        var candidate = base
        var onRoute: [Position] = []
        for middle in positions(about: (first.y + last.y) / 2, room: run.length / 2 - 1, spacing: 5, limit: pass.area.rows) {
            guard let point = run.point(at: middle), let place = place(x: point.x - Double(base.width) / 2, y: middle) else { continue }
            let cells = stride(from: middle - 1.5, through: middle + 1.5, by: 0.5).map { run.point(at: $0) }
            if isOnRoute(cells) {
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
        return stride(from: first, through: last, by: 1).map { $0 }.sorted { (abs($0), $0) < (abs($1), $1) }.prefix(16).map {
            middle + $0 * spacing
        }
    }

    private func place(x: Double, y: Double) -> Position? {
        guard let column = Int(exactly: x.rounded()), let row = Int(exactly: y.rounded(.down)) else { return nil }
        return Position(column: column, row: row)
    }

    /// Whether most of these cells belong to the trip.
    private func isOnRoute(_ cells: [DotPoint?]) -> Bool {
        let known = cells.compactMap { $0 }
        let taken = known.filter { point in
            guard let column = Int(exactly: point.x.rounded(.down)), let row = Int(exactly: point.y.rounded(.down)) else { return false }
            return raster.isTaken(column: column, row: row, from: DrawOrder.firstOverlay)
        }
        return !known.isEmpty && taken.count * 2 > known.count
    }
}
