import ConsumerMap
import FleetEngine
import JourneySharing
import TerminalCanvas

/// What lies over the screen: lists, help, and the question before cancelling.
struct OverlayView {
    let state: AppState

    func draw(into sheet: inout Sheet) {
        if case .cancel(let dialog) = state.overlay { return CancelView(state: state, dialog: dialog).draw(into: &sheet) }
        guard let text = OverlayText(state) else { return }
        let area = text.area(state.size)
        guard OverlayText.hasFrame(state.size) else { return drawSmall(text, into: &sheet, in: area) }
        let inside = sheet.box(area, .dialog).inset(columns: 2)
        sheet.put(text.title, column: inside.column, row: inside.row, .etaCaption, columns: inside.columns)
        let rows = text.visibleRows(state.size)
        let first = min(state.scroll, text.greatestScroll(state))
        if text.lines.count > rows {
            let place = "\(first + 1)-\(min(first + rows, text.lines.count)) of \(text.lines.count)  j k"
            sheet.putRight(place, endColumn: inside.endColumn, row: inside.row, .textQuiet, columns: inside.columns - text.title.count - 2)
        }
        for (index, line) in text.lines.dropFirst(first).prefix(rows).enumerated() {
            draw(
                line, text, into: &sheet,
                in: Rectangle(column: inside.column, row: inside.row + 2 + index, columns: inside.columns, rows: 1))
        }
    }

    private func drawSmall(_ text: OverlayText, into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .dialog)
        let first = min(state.scroll, text.greatestScroll(state))
        var row = area.row
        if area.rows > 3 {
            let rows = text.visibleRows(state.size)
            let end = min(first + rows, text.lines.count)
            let place = text.lines.count > rows ? "\(first + 1)-\(end) of \(text.lines.count)  j k" : ""
            let used = sheet.putRight(place, endColumn: area.endColumn, row: row, .textQuiet, columns: area.columns - text.title.count - 2)
            sheet.put("\(text.title)  Esc", column: area.column, row: row, .etaCaption, columns: area.columns - used)
            row += 1
        }
        for line in text.lines.dropFirst(first).prefix(text.visibleRows(state.size)) {
            draw(line, text, into: &sheet, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: 1))
            row += 1
        }
    }

    private func draw(_ line: OverlayText.Line, _ text: OverlayText, into sheet: inout Sheet, in area: Rectangle) {
        let isNarrow = area.columns < 40
        let middle = isNarrow ? max(displayWidth(line.left) + 1, min(text.middleColumn, 10)) : text.middleColumn
        let rightWidth =
            line.right.isEmpty
            ? 0 : sheet.putRight(line.right, endColumn: area.endColumn, row: area.row, line.scope, columns: area.columns) + 1
        let room = max(0, area.columns - rightWidth)
        let leftRoom = line.middle.isEmpty ? room : min(room, max(0, middle - 1))
        let left = sheet.style(line.leftScope ?? line.scope, on: .dialog)
        sheet.put(line.left, column: area.column, row: area.row, style: left, columns: leftRoom)
        guard !line.middle.isEmpty, room > middle else { return }
        let style = sheet.style(line.scope, on: .dialog)
        sheet.put(line.middle, column: area.column + middle, row: area.row, style: style, columns: room - middle)
    }
}

/// The question before a trip is cancelled: what it means, and two buttons with the safe one in front.
struct CancelView {
    let state: AppState
    let dialog: CancelDialog

    func draw(into sheet: inout Sheet) {
        let whole = Rectangle(state.size)
        let columns = min(57, state.size.columns - 4)
        let room = columns - 6
        let lines = [title, ""] + [consequence, price].flatMap { Self.lines($0, columns: room) }
        let hints = wrapped(hint, columns: max(1, room))
        let rows = lines.count + hints.count + 6
        guard state.size.columns >= 44, state.size.rows > rows else { return drawSmall(into: &sheet, in: whole) }
        let inside = sheet.box(whole.centred(Size(columns: columns, rows: rows)), .dialog).inset(columns: 2)
        for (index, line) in lines.enumerated() {
            sheet.put(line, column: inside.column, row: inside.row + 1 + index, .dialog, columns: inside.columns)
        }
        let buttons = inside.row + lines.count + 2
        drawButtons(into: &sheet, column: inside.column + 3, row: buttons, columns: inside.columns - 3, gap: room < 40 ? 2 : 6)
        for (index, line) in hints.enumerated() {
            sheet.put(line, column: inside.column, row: buttons + 2 + index, .textQuiet, columns: inside.columns)
        }
    }

    /// An empty text has its line too.
    private static func lines(_ text: String, columns: Int) -> [String] { text.isEmpty ? [""] : wrapped(text, columns: max(1, columns)) }

    /// All of it where there is room, and the more important the longer: the buttons, what is given up, the price, what keys do.
    private func drawSmall(into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .dialog)
        let texts = [title, consequence, price].filter { !$0.isEmpty }
        var lines = texts.flatMap { Self.lines($0, columns: area.columns) }
        let hints = wrapped(hint, columns: max(1, area.columns))
        if lines.count >= area.rows { lines = Array(texts.prefix(max(1, area.rows - 1))) }
        var row = 0
        for text in lines.prefix(max(1, area.rows - 1)) {
            sheet.put(text, column: 0, row: row, .dialog, columns: area.columns)
            row += 1
        }
        drawButtons(into: &sheet, column: 0, row: min(row, area.rows - 1), columns: area.columns, gap: 1)
        guard row + hints.count < area.rows else { return }
        for (index, line) in hints.enumerated() {
            sheet.put(line, column: 0, row: row + 1 + index, .textQuiet, columns: area.columns)
        }
    }

    private var title: String {
        switch dialog.step {
        case .asking: "Cancel this trip?"
        case .sending: "Asking the provider to cancel …"
        case .failed: "The trip was not cancelled."
        case .unknown: "Perhaps the trip was cancelled."
        }
    }

    /// What the user gives up: how near the car is.
    private var consequence: String {
        switch dialog.step {
        case .failed(let reason), .unknown(let reason): return reason
        case .asking, .sending: break
        }
        guard let page = state.page, let trip = page.trip else { return "" }
        if trip.vehicleID == nil { return "No car is assigned yet." }
        let away = [page.journey.estimate?.remainingMeters].compactMap { $0 }.map { " (\(state.distance($0)))" }.first ?? ""
        if let givenUp = page.phrases.givenUp {
            return givenUp + (away.isEmpty || trip.status.isBeforePickup ? "" : ", with \(away.trimmedBrackets) to go") + "."
        }
        let eta = page.journey.etaText(now: state.now)
        switch eta.value {
        case .unknown: return "Your car is on its way\(away)."
        case .arriving, .overdue: return "Your car is about to arrive\(away)."
        default: return "Your car \(page.journey.isLive ? "is" : "was") \(eta.text) away\(away)."
        }
    }

    private var price: String {
        switch dialog.step {
        case .asking: "The provider may charge a fee."
        case .sending: ""
        case .failed: "The trip goes on as before."
        case .unknown: "Asking the server what became of it …"
        }
    }

    private var hint: String {
        dialog.isWaiting ? "Esc closes; the answer comes in the line below" : "Tab to choose ∙ Enter to confirm ∙ Esc keeps it"
    }

    private func drawButtons(into sheet: inout Sheet, column: Int, row: Int, columns: Int, gap: Int) {
        guard !dialog.isWaiting else { return }
        let isNarrow = columns < 30
        let isFailed = if case .failed = dialog.step { true } else { false }
        let labels: [(CancelDialog.Button, String)] = [
            (.keep, isNarrow ? "Keep" : "Keep trip"), (.cancel, isFailed ? "Try again" : isNarrow ? "Cancel" : "Cancel trip"),
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

extension String {
    /// ` (1.8 km)` as `1.8 km`.
    fileprivate var trimmedBrackets: String { replacing(" (", with: "").replacing(")", with: "") }
}
