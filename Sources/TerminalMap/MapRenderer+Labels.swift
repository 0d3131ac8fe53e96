import Geo
import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Writes the names of the trip, then as many names of the base map as the map has room for, then house numbers and signs. On a very
    /// small map, or without `showsLabels`, only the names of the trip are written.
    func drawLabels(
        _ choice: TileChoice, markers: [MarkerPlace], _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame
    ) {
        for place in markers { bitmap.block(columns: place.cells.column..<place.cells.endColumn, row: place.cells.row) }
        stock.begin(choice, pass)
        var written: [Int] = []
        for candidate in overlayLabels(markers, pass) {
            write(candidate, pass, into: &canvas, frame: &frame, written: &written)
        }
        guard pass.scene.showsLabels, pass.area.rows >= 3, pass.area.columns >= 12 else { return memory.begin(zoom: pass.camera.zoom) }
        var candidates = collectLabels(choice, pass)
        memory.look(from: pass.viewport.origin, size: pass.area.size, zoom: pass.camera.zoom)
        for index in candidates.indices { prefer(&candidates[index]) }
        memory.begin(zoom: pass.camera.zoom)
        // Indexes are sorted instead of candidates, because candidates are large and slow to move.
        let texts = stock.texts
        let order = candidates.indices.sorted { candidates[$0].precedes(candidates[$1], texts) }
        write(candidates, in: order, pass, into: &canvas, frame: &frame, written: &written)
        drawHouseNumbers(choice, pass, into: &canvas, frame: &frame)
        drawSigns(choice, pass, into: &canvas, frame: &frame)
    }

    /// Writes the names in this order until the map has no more room, and remembers their positions.
    private func write(
        _ candidates: [LabelCandidate], in order: [Int], _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame,
        written: inout [Int]
    ) {
        var budget = LabelBudget(cells: pass.area.columns * pass.area.rows, isAtlas: pass.isAtlas)
        // If some kinds of names do not use up their share, the other kinds get the rest. At low zooms, for example, all names are place
        // names.
        var waiting: [Int] = []
        let origin = pass.viewport.origin
        for hasShares in [true, false] {
            for index in hasShares ? order : waiting {
                guard !budget.isSpent else { return }
                let kind = candidates[index].kind
                if hasShares && !budget.allows(kind) {
                    waiting.append(index)
                    continue
                }
                guard !written.contains(candidates[index].name),
                    let place = write(candidates[index], pass, into: &canvas, frame: &frame, written: &written)
                else { continue }
                budget.spend(kind)
                memory.insert(
                    stock.texts[candidates[index].name].text, column: Int(origin.column) + place.column,
                    row: Int(origin.row) + place.row)
            }
        }
    }

    /// Makes the name's position in the last frame its first choice, if it is still among the possible positions. In that case, also raises
    /// the name's score slightly, so that the name comes before others that had the same score.
    private func prefer(_ candidate: inout LabelCandidate) {
        let known = candidate.places.firstIndex { place in
            memory.text(at: place).map { $0 == stock.texts[candidate.name].text } ?? false
        }
        guard let known else { return }
        candidate.places.swapAt(0, known)
        candidate.score += 8
    }

    /// Returns the possible positions of a marker's name, best first: beside the marker, then above and below it and at its corners.
    /// Positions farther away come last; they are for markers whose nearer positions are covered by the route.
    private static func places(beside cells: Rectangle, width: Int) -> [Position] {
        let middle = cells.column + (cells.columns - width) / 2
        let (right, left) = (cells.endColumn + 1, cells.column - width - 1)
        let beside = [right, left].map { Position(column: $0, row: cells.row) }
        let rows = [cells.row - 1, cells.row + 1]
        let aboveAndBelow = [middle, right, left].flatMap { column in rows.map { Position(column: column, row: $0) } }
        let moved = (1...3).flatMap { step in
            [right + step, left - step].flatMap { column in ([cells.row] + rows).map { Position(column: column, row: $0) } }
        }
        let between = [right - 2, left + 2, right - 4, left + 4].flatMap { column in rows.map { Position(column: column, row: $0) } }
        let further = [middle, right, left].flatMap { column in
            [cells.row - 2, cells.row + 2].map { Position(column: column, row: $0) }
        }
        return beside + aboveAndBelow + between + moved + further
    }

    /// The names of the overlays.
    private func overlayLabels(_ markers: [MarkerPlace], _ pass: MapPass) -> [LabelCandidate] {
        var candidates: [LabelCandidate] = []
        for place in markers.reversed() where !place.marker.label.isEmpty {
            let style = Style(foreground: pass.style.overlayLabel, background: pass.background)
            let text = pass.text(place.marker.label)
            let width = displayWidth(text)
            candidates.append(
                LabelCandidate(
                    name: stock.number(of: text), width: width, kind: .other, score: 0, style: style,
                    places: Self.places(beside: place.cells, width: width)))
        }
        for label in pass.scene.overlays.labels where label.coordinate.isValid {
            guard let cell = pass.viewport.cell(of: pass.viewport.dot(at: label.coordinate)) else { continue }
            let text = pass.text(label.text)
            let width = displayWidth(text)
            let style = Style(
                foreground: label.color ?? pass.style.overlayLabel, background: pass.background, attributes: label.attributes)
            let places = [0, -1, 1, -2, 2].map { Position(column: cell.column - width / 2, row: cell.row + $0) }
            candidates.append(
                LabelCandidate(name: stock.number(of: text), width: width, kind: .other, score: 0, style: style, places: places))
        }
        return candidates
    }

    /// Writes a name at its first free position, and marks cells around the name as taken, so that other names keep their distance.
    /// - Returns: the position of the name; nil if no position is free.
    @discardableResult
    func write(
        _ candidate: LabelCandidate, _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame, written: inout [Int]
    ) -> Position? {
        guard candidate.width > 0 else { return nil }
        guard let place = candidate.places.first(where: { isFree($0, width: candidate.width) }) else { return nil }
        let text = stock.texts[candidate.name].text
        let cells = place.column..<place.column + candidate.width
        for column in [place.column - 1, place.column + candidate.width] { clear(column, place.row, pass, in: &canvas) }
        canvas.writeOver(
            text, column: pass.area.column + place.column, row: pass.area.row + place.row, style: candidate.style,
            limit: candidate.width, pass)
        bitmap.block(columns: cells.lowerBound - 2..<cells.upperBound + 2, row: place.row)
        for row in [place.row - 1, place.row + 1] { bitmap.block(columns: cells.lowerBound - 1..<cells.upperBound + 1, row: row) }
        written.append(candidate.name)
        frame.labels.append(
            MapFrame.PlacedLabel(
                text: text,
                cells: Rectangle(
                    column: pass.area.column + place.column, row: pass.area.row + place.row, columns: candidate.width, rows: 1)))
        return place
    }

    private func isFree(_ place: Position, width: Int) -> Bool {
        let cells = place.column - 1..<place.column + width + 1
        guard bitmap.isFree(columns: cells, row: place.row) else { return false }
        return cells.allSatisfy { !trip.isTaken(column: $0, row: place.row, from: DrawOrder.firstOverlay) }
    }

    /// Removes the dots of a line from the cell beside a name.
    private func clear(_ column: Int, _ row: Int, _ pass: MapPass, in canvas: inout Canvas) {
        guard column >= 0, column < pass.area.columns, bitmap.isFree(columns: column..<column + 1, row: row),
            base.isDrawn(column: column, row: row) || trip.priority(column: column, row: row) != nil,
            !trip.isTaken(column: column, row: row, from: DrawOrder.firstOverlay)
        else { return }
        let ground = canvas[pass.area.column + column, pass.area.row + row].style.background
        canvas[pass.area.column + column, pass.area.row + row] = Cell(glyph: .space, style: Style(background: ground))
    }
}

/// The number of names that a map still has room for, in total and for each kind.
struct LabelBudget {
    private var left: Int
    private var leftByKind: [LabelCandidate.Kind: Int]

    /// - Parameter isAtlas: whether the map shows little besides names.
    init(cells: Int, isAtlas: Bool = false) {
        left = min(40, 2 + cells / (isAtlas ? 240 : 340))
        leftByKind = [
            .routeStreet: max(1, left / 2), .place: max(1, left / 2), .road: max(1, left * 2 / 3), .water: max(1, left / 3),
            .station: max(1, left / 3), .other: max(1, left / 4),
        ]
    }

    var isSpent: Bool { left <= 0 }

    func allows(_ kind: LabelCandidate.Kind) -> Bool { leftByKind[kind] ?? 0 > 0 }

    mutating func spend(_ kind: LabelCandidate.Kind) {
        left -= 1
        leftByKind[kind, default: 0] -= 1
    }
}
