import TerminalCanvas

/// A scale bar: its length on the map, and the distance that it shows, which is a round number.
struct ScaleBar: Equatable {
    /// Length of the bar in half cells.
    var halfCells: Int
    /// The distance as text, such as "200 m".
    var label: String

    private static let metersPerFoot = 0.3048
    private static let feetPerMile = 5280.0

    /// Creates the longest bar that is at most `maximumCells` long. Its distance is 1, 2 or 5 times a power of ten. Returns nil if no bar
    /// fits, or if the bar would be shorter than one and a half cells.
    init?(metersPerCell: Double, maximumCells: Int, units: ScaleUnits) {
        guard metersPerCell > 0, metersPerCell.isFinite, maximumCells >= 2 else { return nil }
        let longest = metersPerCell * Double(maximumCells)
        guard let length = Self.candidates(units).last(where: { $0.meters <= longest }) else { return nil }
        halfCells = Int((2 * length.meters / metersPerCell).rounded())
        label = length.label
        guard halfCells >= 3 else { return nil }
    }

    private static func candidates(_ units: ScaleUnits) -> [(meters: Double, label: String)] { units == .metric ? metric : imperial }

    private static let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    private static let metric: [(meters: Double, label: String)] =
        steps.filter { $0 < 1000 }.map { (Double($0), "\($0) m") } + steps.map { (Double($0) * 1000, "\($0) km") }
    private static let imperial: [(meters: Double, label: String)] =
        steps.filter { $0 <= 2000 }.map { (Double($0) * metersPerFoot, "\($0) ft") }
        + steps.map { (Double($0) * feetPerMile * metersPerFoot, "\($0) mi") }

    /// Returns the bar as text, without its label.
    func bar(isBraille: Bool) -> String {
        let cells = (halfCells + 1) / 2
        guard cells >= 2 else { return "" }
        if !isBraille { return "|" + String(repeating: "-", count: max(0, cells - 2)) + "|" }
        return "⣇" + String(repeating: "⣀", count: max(0, cells - 2)) + (halfCells % 2 == 0 ? "⣸" : "⡇")
    }
}

extension MapRenderer {
    /// Writes the attribution, the scale bar, the north arrow and a note, and keeps names away from these elements. The elements avoid
    /// markers if possible.
    ///
    /// - Parameter isMapShown: whether a tile of the base map is in view. If false, no attribution is needed.
    func drawFurniture(_ pass: MapPass, isMapShown: Bool, markers: [MarkerPlace], into canvas: inout Canvas) {
        let taken = markers.map(\.cells)
        let lines = isMapShown ? attributionLines(pass) : []
        let attribution = lines.isEmpty ? .zero : attributionPlace(lines, pass, besides: taken)
        for (index, line) in lines.enumerated() {
            let column = pass.area.columns - displayWidth(line)
            write(line, column: column, row: attribution.row + index, color: pass.style.attribution, pass, into: &canvas)
        }
        if pass.scene.showsScale, pass.area.rows >= 4, let scale = scaleText(pass) {
            // The scale bar is written beside the attribution, with a gap. If there is no room, the bar is written above the attribution.
            // If there is no room in either row, the bar is left out.
            let rows = [pass.area.rows - 1, attribution.row - 1].filter { $0 >= 1 }
            let row = rows.first { row in
                let withGap = Rectangle(column: 0, row: row, columns: scale.width + 3, rows: 1)
                return withGap.isClear(of: [attribution]) && withGap.inset(columns: 1).isClear(of: taken)
            }
            if let row, scale.width + 2 <= pass.area.columns {
                write(scale.text, column: 1, row: row, color: pass.style.scale, pass, into: &canvas)
            }
        }
        drawNote(pass, besides: taken + [attribution], into: &canvas)
        let north = Rectangle(column: pass.area.columns - 4, row: 0, columns: 3, rows: 1)
        if pass.scene.showsNorth, pass.area.columns >= 20, pass.area.rows >= 8, north.isClear(of: taken + [attribution]) {
            write(pass.isASCII ? "N ^" : "N ▴", column: north.column, row: 0, color: pass.style.scale, pass, into: &canvas)
        }
    }

    /// Writes the note in the upper left corner. If markers are in the way, writes it just below them.
    private func drawNote(_ pass: MapPass, besides taken: [Rectangle], into canvas: inout Canvas) {
        guard let note = pass.scene.note.map({ pass.text($0, maximumLength: 80) }), displayWidth(note) < pass.area.columns else { return }
        let row = (0..<pass.area.rows).first { Rectangle(column: 0, row: $0, columns: displayWidth(note) + 1, rows: 1).isClear(of: taken) }
        if let row { write(note, column: 1, row: row, color: pass.style.scale, pass, into: &canvas) }
    }

    /// Returns the block for the attribution: the block at the bottom if no marker is there. If one is there, the lowest block without
    /// markers and routes is used; failing that, the lowest block without markers; failing that, the block at the bottom.
    private func attributionPlace(_ lines: [String], _ pass: MapPass, besides taken: [Rectangle]) -> Rectangle {
        let columns = lines.map(displayWidth).max() ?? 0
        let lowest = max(0, pass.area.rows - lines.count)
        let places = (0...lowest).reversed().map {
            Rectangle(column: pass.area.columns - columns, row: $0, columns: columns, rows: lines.count)
        }
        let free = places.filter { $0.isClear(of: taken) }
        guard let lowest = free.first, lowest != places.first else { return places.first ?? .zero }
        return free.first { !coversTrip($0) } ?? lowest
    }

    private func coversTrip(_ block: Rectangle) -> Bool {
        (block.row..<block.endRow).contains { row in
            (block.column..<block.endColumn).contains { trip.isTaken(column: $0, row: row, from: DrawOrder.firstOverlay) }
        }
    }

    /// Returns the attribution in one line, or in two lines on a narrow map. Text that does not fit is cut off.
    private func attributionLines(_ pass: MapPass) -> [String] {
        guard let base = pass.scene.base else { return [] }
        let text = pass.text(base.attribution, maximumLength: 200)
        guard !text.isEmpty else { return [] }
        let columns = pass.area.columns
        let sign = pass.isASCII ? " (c)" : " ©"
        guard displayWidth(text) > columns, pass.area.rows >= 6, let split = text.lastStart(of: sign) else {
            return [fitted(text, columns: columns, ellipsis: "")]
        }
        let lines = [String(text[..<split]), String(text[text.index(after: split)...])]
        return lines.map { fitted($0, columns: columns, ellipsis: "") }
    }

    private func scaleText(_ pass: MapPass) -> (text: String, width: Int)? {
        let longest = min(14, pass.area.columns / 5)
        guard
            let bar = ScaleBar(metersPerCell: pass.camera.metersPerColumn, maximumCells: longest, units: pass.scene.units)
        else { return nil }
        let text = bar.bar(isBraille: pass.scene.painter == .braille) + " " + bar.label
        return (text, displayWidth(text))
    }

    /// Writes text over the map with a blank cell on each side. Keeps the background colours, and marks the cells as taken, so that names
    /// do not cover them.
    func write(
        _ text: String, column: Int, row: Int, color: Color, attributes: Attributes = [], _ pass: MapPass, into canvas: inout Canvas
    ) {
        let width = displayWidth(text)
        bitmap.block(columns: column - 1..<column + width + 1, row: row)
        let isIndented = column > 0
        let start = pass.area.column + column - (isIndented ? 1 : 0)
        let end = pass.area.endColumn
        canvas.writeOver(
            (isIndented ? " " : "") + text + " ", column: start, row: pass.area.row + row,
            style: Style(foreground: color, background: pass.background, attributes: attributes), limit: end - start, pass)
    }
}

extension Canvas {
    /// Writes text and keeps the background of each cell. If the text would be hard to read on a background, its colour changes there.
    mutating func writeOver(_ text: String, column: Int, row: Int, style: Style, limit: Int, _ pass: MapPass) {
        var grounds: [Color] = []
        let width = min(displayWidth(text), max(0, limit))
        for offset in 0..<width { grounds.append(self[column + offset, row].style.background) }
        write(text, column: column, row: row, style: style, limit: limit)
        for (offset, ground) in grounds.enumerated() {
            let color = pass.textColor(style.foreground, over: ground)
            restyle(Rectangle(column: column + offset, row: row, columns: 1, rows: 1)) {
                $0.background = ground
                $0.foreground = color
            }
        }
    }
}

extension Rectangle {
    /// Whether this block overlaps none of `others`.
    fileprivate func isClear(of others: [Rectangle]) -> Bool { others.allSatisfy { $0.intersection(self).isEmpty } }
}

extension String {
    /// Returns the start of the last occurrence of `part`, not counting one at the start of the text. Returns nil if nothing is found.
    fileprivate func lastStart(of part: String) -> String.Index? {
        indices.last { $0 > startIndex && self[$0...].hasPrefix(part) }
    }
}
