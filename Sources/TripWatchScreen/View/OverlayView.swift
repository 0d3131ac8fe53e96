import ConsumerMap
import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Panels over the screen: lists, help, and the confirmation before cancelling.
struct OverlayView {
    let state: AppState

    func draw(into sheet: inout Sheet) {
        if case .cancel(let dialog) = state.overlay { return CancelView(state: state, dialog: dialog).draw(into: &sheet) }
        if state.overlay == .link {
            LinkView(state)?.draw(into: &sheet)
            return
        }
        guard let text = OverlayText(state) else { return }
        let area = text.area(state.size)
        guard OverlayText.hasFrame(state.size) else { return drawSmall(text, into: &sheet, in: area) }
        let inside = Self.box(area, state, into: &sheet).inset(columns: 2)
        sheet.put(text.title, column: inside.column, row: inside.row, .etaCaption, columns: inside.columns)
        sheet.putRight(
            text.place(state), endColumn: inside.endColumn, row: inside.row, .textQuiet, columns: inside.columns - text.title.count - 2)
        for (index, line) in text.visibleLines(state).enumerated() {
            draw(
                line, text, into: &sheet,
                in: Rectangle(column: inside.column, row: inside.row + 2 + index, columns: inside.columns, rows: 1))
        }
    }

    /// Draws an empty box and returns the area inside its frame. If the box covers part of the side panel, the covered rows of the
    /// panel are cleared, because they would show parts of words.
    static func box(_ area: Rectangle, _ state: AppState, into sheet: inout Sheet) -> Rectangle {
        let layout = ScreenLayout(state, page: state.page)
        if state.list == nil, let separator = layout.separator, area.endColumn > separator {
            let (first, end) = (max(area.row, layout.map.row), min(area.endRow, layout.map.endRow))
            let columns = state.size.columns - separator - 1
            sheet.fill(Rectangle(column: separator + 1, row: first, columns: columns, rows: max(0, end - first)), .text)
        }
        sheet.clearMapNames(under: area)
        return sheet.box(area, .dialog)
    }

    private func drawSmall(_ text: OverlayText, into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .dialog)
        var row = area.row
        if area.rows > 3 {
            let used = sheet.putRight(
                text.place(state), endColumn: area.endColumn, row: row, .textQuiet, columns: area.columns - text.title.count - 2)
            let heading = [text.title, state.closingKey()].compactMap { $0 }.joined(separator: "  ")
            sheet.put(heading, column: area.column, row: row, .etaCaption, columns: area.columns - used)
            row += 1
        }
        for line in text.visibleLines(state) {
            draw(line, text, into: &sheet, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: 1))
            row += 1
        }
    }

    private func draw(_ line: OverlayText.Line, _ text: OverlayText, into sheet: inout Sheet, in area: Rectangle) {
        let ground: ThemeScope = line.scope == .selection ? .selection : .dialog
        if ground == .selection { sheet.fill(area, .selection) }
        let isNarrow = area.columns < 40
        let middle = isNarrow ? max(displayWidth(line.left) + 1, min(text.middleColumn, 10)) : text.middleColumn
        // On a narrow screen, the name of a stop is more important than its distance. On the narrowest ones there is no room for names.
        let left = isNarrow && area.columns >= 24 && !line.middle.isEmpty ? middle + displayWidth(line.middle) : displayWidth(line.left)
        let right = line.right(besides: area.columns - left - 1)
        let rightWidth =
            right.isEmpty ? 0 : sheet.putRight(right, endColumn: area.endColumn, row: area.row, line.scope, columns: area.columns) + 1
        let room = max(0, area.columns - rightWidth)
        let leftRoom = line.middle.isEmpty ? room : min(room, max(0, middle - 1))
        let leftStyle = sheet.style(line.leftScope ?? line.scope, on: ground)
        sheet.put(line.left, column: area.column, row: area.row, style: leftStyle, columns: leftRoom)
        guard !line.middle.isEmpty, room > middle else { return }
        let style = sheet.style(line.scope, on: ground)
        sheet.put(line.middle, column: area.column + middle, row: area.row, style: style, columns: room - middle)
    }
}

extension OverlayText.Line {
    /// Returns the text on the right. If there is not enough room, the extra spaces are removed first, then all parts but the last.
    fileprivate func right(besides room: Int) -> String {
        let parts = right.split(separator: "  ").map { $0.trimmingPrefix(while: { $0 == " " }) }.filter { !$0.isEmpty }
        let forms = [right, parts.joined(separator: "  "), parts.last.map(String.init) ?? ""]
        return forms.first { displayWidth($0) <= room } ?? forms[2]
    }
}
