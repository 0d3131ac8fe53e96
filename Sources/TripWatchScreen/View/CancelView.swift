import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The confirmation before a trip is cancelled: the consequences, and two buttons with the safe one selected.
struct CancelView {
    let state: AppState
    let dialog: CancelDialog
    private let words: CancelWords

    init(state: AppState, dialog: CancelDialog) {
        (self.state, self.dialog) = (state, dialog)
        words = CancelWords(dialog.step, state)
    }

    func draw(into sheet: inout Sheet) {
        let whole = Rectangle(state.size)
        let columns = min(57, state.size.columns - 4)
        let room = columns - 6
        let lines = [words.title, ""] + [words.consequence, words.price].flatMap { Self.lines($0, columns: room) }
        let hints = wrapped(hint, columns: max(1, room))
        let rows = lines.count + hints.count + 6
        guard state.size.columns >= 44, state.size.rows > rows else { return drawSmall(into: &sheet, in: whole) }
        let area = whole.centred(Size(columns: columns, rows: rows))
        let inside = OverlayView.box(area, state, into: &sheet).inset(columns: 2)
        for (index, line) in lines.enumerated() {
            sheet.put(line, column: inside.column, row: inside.row + 1 + index, .dialog, columns: inside.columns)
        }
        let buttons = inside.row + lines.count + 2
        drawButtons(into: &sheet, column: inside.column + 3, row: buttons, columns: inside.columns - 3, gap: room < 40 ? 2 : 6)
        for (index, line) in hints.enumerated() {
            sheet.put(line, column: inside.column, row: buttons + 2 + index, .textQuiet, columns: inside.columns)
        }
    }

    /// Wraps a text into lines. An empty text still takes one line.
    private static func lines(_ text: String, columns: Int) -> [String] { text.isEmpty ? [""] : wrapped(text, columns: max(1, columns)) }

    /// Draws as much as fits on a small screen. The buttons always have a row. The texts get the other rows. The key hints are drawn below
    /// the buttons, but only if there is room for all of them.
    private func drawSmall(into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .dialog)
        let lines = words.lines(columns: area.columns, rows: max(1, area.rows - 1))
        let hints = wrapped(hint, columns: max(1, area.columns))
        for (row, text) in lines.enumerated() { sheet.put(text, column: 0, row: row, .dialog, columns: area.columns) }
        let buttons = min(lines.count, area.rows - 1)
        drawButtons(into: &sheet, column: 0, row: buttons, columns: area.columns, gap: 1)
        guard buttons + hints.count < area.rows else { return }
        for (index, line) in hints.enumerated() {
            sheet.put(line, column: 0, row: buttons + 1 + index, .textQuiet, columns: area.columns)
        }
    }

    private var hint: String {
        dialog.isWaiting ? "Esc closes this; a notice will show the answer" : "Tab chooses ∙ Enter confirms ∙ Esc goes back"
    }

    private func drawButtons(into sheet: inout Sheet, column: Int, row: Int, columns: Int, gap: Int) {
        guard !dialog.isWaiting else { return }
        let isNarrow = columns < 30
        let isFailed = if case .failed = dialog.step { true } else { false }
        let labels: [(CancelDialog.Button, String)] = [
            (.keep, isNarrow ? "Keep" : "Keep \(state.subject)"),
            (.cancel, isFailed ? isNarrow ? "Again" : "Try again" : isNarrow ? "Cancel" : "Cancel \(state.subject)"),
        ]
        var place = column
        for (button, label) in labels {
            let isFocused = dialog.focus == button
            let text = isFocused ? " \(sheet.tier.now) \(label) " : "   \(label) "
            place +=
                sheet.put(text, column: place, row: row, isFocused ? .dialogFocus : .dialog, columns: max(0, column + columns - place))
                + gap
        }
    }
}
