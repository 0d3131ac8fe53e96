import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Returns all names of the base map that may be written in this view.
    func collectLabels(_ choice: TileChoice, _ pass: MapPass) -> [LabelCandidate] {
        var candidates: [LabelCandidate] = []
        // A local variable avoids the exclusivity checks for members of a class.
        var stock = LabelStock()
        swap(&stock, &self.stock)
        var effort = effortLeft.names
        defer {
            swap(&stock, &self.stock)
            effortLeft.names = effort
        }
        for tile in choice.placed.indices {
            let view = pass.viewport.view(of: choice.placed[tile], widestMeters: 0)
            let corner = DotPoint(x: view.cells.left, y: view.cells.top)
            for index in stock.tiles[tile].features.indices {
                guard view.shows(view.tile.bounds[stock.tiles[tile].features[index].feature]),
                    let prospects = stock.prospects(of: index, in: tile, view, pass, effort: &effort)
                else { continue }
                for number in prospects where stock.tiles[tile].prospects[number].mayBeSeen(from: corner, in: pass.area) {
                    let prospect = stock.tiles[tile].prospects[number]
                    let candidate = prospect.run == nil ? point(prospect, corner, view, pass) : stretch(prospect, corner, pass)
                    if let candidate { candidates.append(candidate) }
                }
            }
        }
        return candidates
    }

    private func point(_ prospect: LabelStock.Prospect, _ corner: DotPoint, _ view: TileView, _ pass: MapPass) -> LabelCandidate? {
        let (x, y) = (prospect.first.x + corner.x, prospect.first.y + corner.y)
        let (unitX, unitY) = (prospect.first.x / view.cells.scaleX, prospect.first.y / view.cells.scaleY)
        guard view.owns(x: Int32(unitX.rounded()), y: Int32(unitY.rounded())), x >= 0, y >= 0, x < Double(pass.area.columns),
            y < Double(pass.area.rows)
        else { return nil }
        let (column, row) = (Int(x) - prospect.width / 2, Int(y))
        if case .beside(let gap) = prospect.stand {
            // If the gap is 0, the name begins with a symbol that must be at the point. Any other name can also be to the left of its
            // point.
            let left = gap > 0 ? [Position(column: Int(x) - gap + 1 - prospect.width, row: row)] : []
            return LabelCandidate(prospect, places: [Position(column: Int(x) + gap, row: row)] + left)
        }
        return LabelCandidate(prospect, places: [0, -1, 1, -2, 2].map { Position(column: column, row: row + $0) })
    }

    /// Returns the candidate for a name on a stretch of a line; nil if the name has no possible position in the view.
    private func stretch(_ prospect: LabelStock.Prospect, _ corner: DotPoint, _ pass: MapPass) -> LabelCandidate? {
        guard let run = prospect.run else { return nil }
        return run.isLevel ? level(prospect, run, corner, pass) : steep(prospect, run, corner, pass)
    }

    /// Returns the candidate for a name along a level stretch. If the route covers a street, the street's name is above or below the route.
    private func level(_ prospect: LabelStock.Prospect, _ run: LineRun, _ corner: DotPoint, _ pass: MapPass) -> LabelCandidate? {
        var (places, onRoute): ([Position], [Position]) = ([], [])
        let half = Double(prospect.width) / 2
        let room = max(0, run.length / 2 - half)
        let spots = Places(
            about: (prospect.first.x + prospect.last.x) / 2 + corner.x, room: room, spacing: Double(prospect.width + 6),
            limit: pass.area.columns)
        for middle in spots {
            guard let point = run.point(at: middle - corner.x), let place = place(x: middle - half, y: point.y + corner.y) else { continue }
            let start = run.point(at: middle - corner.x - half)?.y ?? point.y
            let end = run.point(at: middle - corner.x + half)?.y ?? point.y
            guard abs(start - point.y) <= 1.6, abs(end - point.y) <= 1.6 else { continue }
            if isOnRoute(run, corner, from: middle - half - corner.x, to: middle + half - corner.x, by: 1, pass) {
                onRoute += [-1, 1, -2, 2].map { Position(column: place.column, row: place.row + $0) }
            } else {
                places.append(place)
            }
        }
        return LabelCandidate(prospect, places: places, onRoute: onRoute)
    }

    /// Returns the candidate for a name across a steep stretch. If the route covers a street, the street's name is beside the route.
    private func steep(_ prospect: LabelStock.Prospect, _ run: LineRun, _ corner: DotPoint, _ pass: MapPass) -> LabelCandidate? {
        var (places, onRoute): ([Position], [Position]) = ([], [])
        let spots = Places(
            about: (prospect.first.y + prospect.last.y) / 2 + corner.y, room: run.length / 2 - 1, spacing: 5, limit: pass.area.rows)
        for middle in spots {
            guard let point = run.point(at: middle - corner.y),
                let place = place(x: point.x + corner.x - Double(prospect.width) / 2, y: middle)
            else { continue }
            if isOnRoute(run, corner, from: middle - 1.5 - corner.y, to: middle + 1.5 - corner.y, by: 0.5, pass) {
                let center = place.column + prospect.width / 2
                onRoute += [center + 2, center + 3, center - prospect.width - 1, center - prospect.width - 2].map {
                    Position(column: $0, row: place.row)
                }
            } else {
                places.append(place)
            }
        }
        return LabelCandidate(prospect, places: places, onRoute: onRoute)
    }

    private func place(x: Double, y: Double) -> Position? {
        guard let column = Int(exactly: x.rounded()), let row = Int(exactly: y.rounded(.down)) else { return nil }
        return Position(column: column, row: row)
    }

    /// Whether the trip's lines cover most of the cells that a name would take on a stretch.
    private func isOnRoute(
        _ run: LineRun, _ corner: DotPoint, from start: Double, to end: Double, by step: Double, _ pass: MapPass
    ) -> Bool {
        guard !pass.scene.overlays.polylines.isEmpty else { return false }
        var (known, taken) = (0, 0)
        for position in stride(from: start, through: end, by: step) {
            guard let point = run.point(at: position) else { continue }
            known += 1
            let (x, y) = ((point.x + corner.x).rounded(.down), (point.y + corner.y).rounded(.down))
            guard let column = Int(exactly: x), let row = Int(exactly: y) else { continue }
            if trip.isTaken(column: column, row: row, from: DrawOrder.firstOverlay) { taken += 1 }
        }
        return taken * 2 > known
    }
}

extension LabelStock.Prospect {
    /// Whether the box around the stretch or point overlaps the view, or is at most two rows away from it. `corner` is the top left
    /// corner of the tile that contains the stretch or point.
    fileprivate func mayBeSeen(from corner: DotPoint, in area: Rectangle) -> Bool {
        last.x + corner.x >= 0 && first.x + corner.x <= Double(area.columns) && last.y + corner.y >= -2
            && first.y + corner.y <= Double(area.rows + 2)
    }
}

extension LabelCandidate {
    /// - Parameter onRoute: positions beside the route, used for the name of a street that the route covers.
    fileprivate init?(_ prospect: LabelStock.Prospect, places: [Position], onRoute: [Position] = []) {
        name = prospect.name
        width = prospect.width
        style = prospect.style
        kind = prospect.kind
        score = prospect.score
        self.places = places
        if !onRoute.isEmpty && kind == .road {
            kind = .routeStreet
            score = 1000 + prospect.lengthScore
            self.places = onRoute
        }
        if self.places.isEmpty { return nil }
    }
}

/// Up to sixteen visible positions along a stretch, ordered from its middle outwards.
private struct Places: Sequence, IteratorProtocol {
    private let middle: Double
    private let spacing: Double
    private let first: Double
    private let last: Double
    /// Distance of the next positions from the middle, in multiples of `spacing`.
    private var distance: Double
    private var isBefore = true
    private var left = 16

    init(about middle: Double, room: Double, spacing: Double, limit: Int) {
        (self.middle, self.spacing) = (middle, spacing)
        let (low, high) = (Swift.max(middle - room, 0), Swift.min(middle + room, Double(limit)))
        let isPossible = middle.isFinite && room >= 0 && low <= high
        first = isPossible ? ((low - middle) / spacing).rounded(.up) : 1
        last = isPossible ? ((high - middle) / spacing).rounded(.down) : 0
        distance = Swift.max(0, first, -last)
        if first > last { left = 0 }
    }

    mutating func next() -> Double? {
        while left > 0, distance <= Swift.max(-first, last) {
            let step = isBefore ? -distance : distance
            let isWanted = step >= first && step <= last && !(distance == 0 && !isBefore)
            if !isBefore { distance += 1 }
            isBefore.toggle()
            guard isWanted else { continue }
            left -= 1
            return middle + step * spacing
        }
        return nil
    }
}
