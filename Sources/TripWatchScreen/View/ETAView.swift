import TerminalCanvas
import TerminalMap
import TripWatchSettings

/// The countdown in large figures, with the heading above them and the unit and details beside them.
struct ETAView {
    let words: ETAWords
    let isWide: Bool
    let painter: Painter
    /// Whether the heading has reversed colours.
    var isReversed = false

    var rows: Int {
        if words.big.isEmpty { return 2 }
        return painter == .ascii ? (fitsOneLine ? 3 : 4) : big.size.rows + (isDetailBelow ? 2 : 1)
    }

    private var big: BigText {
        let tall = BigText(words.big, height: .four, painter: painter)
        // A long time, such as 448:01, needs smaller figures to leave room for its unit.
        let fits = tall.size.columns + gap + displayWidth(words.unit) <= leastColumns
        return isWide && fits ? tall : BigText(words.big, height: .three, painter: painter)
    }

    /// Free columns between the large text and the texts beside it.
    private var gap: Int { isWide ? 3 : 2 }

    /// The smallest width of a panel, in columns.
    private var leastColumns: Int { isWide ? 34 : 25 }

    /// Whether the detail is below the large text, because there is no room beside it. A large word, such as HERE, leaves no room.
    private var isDetailBelow: Bool { words.isHere || big.size.columns + gap + displayWidth(words.detail) > leastColumns }

    /// Whether the number, unit and detail fit on one line. Used only with the ASCII painter, which draws the number as plain text.
    private var fitsOneLine: Bool { displayWidth("   \(words.big) \(words.unit(columns: .max))   \(words.detail)") <= leastColumns }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        var caption = sheet.style(.etaCaption)
        if isReversed { caption.attributes.insert(.reverse) }
        sheet.put(words.heading, column: area.column, row: area.row, style: caption, columns: area.columns)
        if words.big.isEmpty {
            sheet.put(words.detail(columns: area.columns), column: area.column, row: area.row + 1, .etaUnit, columns: area.columns)
        } else if painter == .ascii {
            drawText(into: &sheet, in: area)
        } else {
            drawFigures(into: &sheet, in: area)
        }
    }

    private func drawText(into sheet: inout Sheet, in area: Rectangle) {
        let used = sheet.put("   " + words.big, column: area.column, row: area.row + 2, .etaNumber, columns: area.columns)
        let unit = words.unit(columns: area.columns - used - 1)
        let rest = (fitsOneLine ? [unit, words.detail] : [unit]).filter { !$0.isEmpty }.joined(separator: "   ")
        sheet.put(rest, column: area.column + used + 1, row: area.row + 2, .etaUnit, columns: area.columns - used - 1)
        guard !fitsOneLine else { return }
        let room = area.columns - 3
        sheet.put(words.detail(columns: room), column: area.column + 3, row: area.row + 3, .etaUnit, columns: room)
    }

    private func drawFigures(into sheet: inout Sheet, in area: Rectangle) {
        let (big, style) = (big, sheet.style(.etaNumber))
        let top = Position(column: area.column, row: area.row + 1)
        let used = sheet.draw { big.draw(into: &$0, at: top, style: style) }
        let isBelow = isDetailBelow
        if isBelow {
            let detail = words.detail(columns: area.columns)
            sheet.put(detail, column: area.column, row: top.row + big.size.rows, .etaUnit, columns: area.columns)
        }
        if words.isHere { return }
        let beside = area.column + used + gap
        let room = area.endColumn - beside
        let unit = words.unit(columns: room)
        sheet.put(unit, column: beside, row: top.row + 1, .etaUnit, columns: room)
        // If the remark does not fit, it is left out. The heading still says that the number is not live.
        if unit == words.unit, displayWidth(words.remark) <= room {
            sheet.put(words.remark, column: beside, row: top.row, .etaUnit, columns: room)
        }
        guard !isBelow else { return }
        sheet.put(words.detail, column: beside, row: top.row + big.size.rows - 1, .etaUnit, columns: room)
    }
}

extension Sheet {
    /// Draws a progress bar with the remaining distance to its right.
    mutating func drawProgress(_ fraction: Double?, distance: String, distanceColumns: Int, in area: Rectangle) {
        // A distance in words may be longer than one in figures.
        let columns = area.columns - max(distanceColumns, displayWidth(distance) + 2)
        drawBar(fraction, column: area.column, row: area.row, columns: columns)
        putRight(distance, endColumn: area.endColumn, row: area.row, .text, columns: area.columns - columns - 1)
    }

    /// - Parameter isSelected: whether the bar is on the selected line of a list, where only its shape shows the progress.
    mutating func drawBar(_ fraction: Double?, column: Int, row: Int, columns: Int, isSelected: Bool = false) {
        let bar = ProgressBar(fraction: fraction, painter: painter)
        let (done, rest) = isSelected ? (style(.selection), style(.selection)) : (style(.progressDone), style(.progressLeft))
        _ = draw { bar.draw(into: &$0, column: column, row: row, columns: columns, done: done, rest: rest) }
    }
}
