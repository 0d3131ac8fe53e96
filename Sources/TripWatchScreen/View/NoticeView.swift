import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// A notice that is too long for its row. It covers the neighbouring rows until it expires.
struct NoticeView {
    let state: AppState
    let layout: ScreenLayout

    func draw(into sheet: inout Sheet) {
        guard let notice = state.notice else { return }
        let size = state.size
        switch layout.kind {
        case .tooSmall: break
        case .lines: Self.draw(notice.text, endRow: size.rows, indent: 0, columns: size.columns, into: &sheet)
        case .compact: drawCompact(notice.text, into: &sheet)
        case .map: Self.draw(notice.text, endRow: size.rows, indent: 1, columns: size.columns, into: &sheet)
        case .standard, .summary: Self.draw(notice.text, endRow: layout.event.endRow, indent: 1, columns: size.columns, into: &sheet)
        case .wide: drawWide(notice.text, into: &sheet)
        }
    }

    /// Draws the notice from the event row down. If it does not fit there, it starts further up.
    private func drawCompact(_ text: String, into sheet: inout Sheet) {
        let size = state.size
        let count = Self.lines(text, columns: size.columns - 2, maximum: size.rows, sheet).count
        let endRow = layout.event.isEmpty ? size.rows : min(size.rows, layout.event.row + count)
        Self.draw(text, endRow: endRow, indent: 1, columns: size.columns, into: &sheet)
    }

    /// Draws the notice over the list of events, starting at the first line of the list.
    private func drawWide(_ text: String, into sheet: inout Sheet) {
        let columns = WideBottomView.detailsColumn(state.size.columns) - 1
        let count = Self.lines(text, columns: columns - 2, maximum: layout.bottom.rows, sheet).count
        Self.draw(text, endRow: layout.bottom.row + count, indent: 1, columns: columns, into: &sheet)
    }

    private static func lines(_ text: String, columns: Int, maximum: Int, _ sheet: Sheet) -> [String] {
        wrapped(sheet.tier.text(text), columns: max(1, columns), maximumLines: maximum, ellipsis: sheet.tier.ellipsis)
    }

    /// Draws a notice that does not fit in one row. Does nothing for a shorter one.
    /// - Parameters:
    ///   - endRow: the row below the last row of the notice.
    ///   - columns: width of the notice's rows, from the screen's left edge.
    static func draw(_ text: String, endRow: Int, indent: Int, columns: Int, into sheet: inout Sheet) {
        let room = columns - 2 * indent
        guard room > 0, sheet.width(text) > room else { return }
        let lines = lines(text, columns: room, maximum: endRow, sheet)
        for (index, line) in lines.enumerated() {
            let row = endRow - lines.count + index
            sheet.fill(Rectangle(column: 0, row: row, columns: columns, rows: 1), .text)
            sheet.put(line, column: indent, row: row, .timelineNow, columns: room)
        }
    }
}
