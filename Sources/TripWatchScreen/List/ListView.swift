import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Areas of the screen for the parts of the trip list. A part for which there is no room has an empty area.
struct ListLayout: Hashable {
    var title = Rectangle.zero
    var rows = Rectangle.zero
    var summary = Rectangle.zero
    var footer = Rectangle.zero
    var rules: [Int] = []

    init(_ size: Size) {
        var rest = Rectangle(size)
        if size.rows > 3 { (title, rest) = rest.split(top: 1) }
        (rest, footer) = rest.split(bottom: 1)
        if size.rows >= 10 {
            rules = [rest.row, rest.endRow - 2]
            rest = rest.split(top: 1).rest
            (rest, summary) = rest.split(bottom: 1)
            rest = rest.split(bottom: 1).rest
        } else {
            // On a low screen, a prompt or a notice replaces the footer.
            summary = footer
        }
        rows = size.rows >= 16 ? rest.split(top: 1).rest.split(bottom: 1).rest : rest
    }
}

/// The list of all trips: one row each, and a summary below.
struct ListView {
    let state: AppState
    let words: ListWords

    init(_ state: AppState) {
        self.state = state
        words = ListWords(state, rows: ListLayout(state.size).rows.rows)
    }

    func draw(into sheet: inout Sheet) {
        let layout = ListLayout(state.size)
        let bars = BarsView(state: state, page: state.page)
        if !layout.title.isEmpty { bars.drawListTitle(words, into: &sheet, in: layout.title) }
        for row in layout.rules { sheet.rule(row: row) }
        let longest = (
            eta: words.rows.map { displayWidth($0.eta) }.max() ?? 0, clock: words.rows.map { displayWidth($0.clock) }.max() ?? 0
        )
        for (index, row) in words.rows.enumerated() {
            let place = Rectangle(column: 0, row: layout.rows.row + index, columns: state.size.columns, rows: 1)
            draw(row, Columns(state.size.columns, row, longest), into: &sheet, in: place)
        }
        if layout.summary != layout.footer || !words.isAsking && !words.isNotice {
            bars.drawFooter(into: &sheet, in: layout.footer)
        }
        guard layout.summary != layout.footer || words.isAsking || words.isNotice else { return }
        let columns = layout.summary.columns - 2
        // If the typed text is too long, its end stays visible.
        let text = words.isAsking && !words.isNotice ? Self.end(of: words.summary, columns: columns) : words.summary
        sheet.put(
            text, column: 1, row: layout.summary.row, words.isAsking || words.isNotice ? .timelineNow : .event, columns: columns)
        guard words.isNotice else { return }
        NoticeView.draw(text, endRow: layout.summary.endRow, indent: 1, columns: layout.summary.columns, into: &sheet)
    }

    private static func end(of text: String, columns: Int) -> String {
        var shown = Substring(text)
        while displayWidth(String(shown)) > columns { shown = shown.dropFirst() }
        return String(shown)
    }

    /// Widths of a row's parts, in columns; 0 for a part without room. They are listed from right to left.
    private struct Columns {
        var age = 0
        var phase = 0
        var bar = 0
        var clock = 0
        var eta = 0
        /// Whether the column for the remaining time shows the phase.
        let saysPhase: Bool

        /// - Parameter longest: widths of the longest remaining time and of the longest clock time in the list.
        init(_ columns: Int, _ row: ListWords.Row, _ longest: (eta: Int, clock: Int)) {
            if columns >= 30 { eta = columns >= 50 ? max(9, longest.eta + 1) : 12 }
            if columns >= 50 { phase = 16 }
            // On a narrow screen, a clock time with its day would take too much room from all titles, and is left out.
            if columns >= 60 { clock = columns < 70 ? 7 : max(7, longest.clock + 2) }
            if columns >= 70 { age = 6 }
            // A long remaining time takes its room from the bar first, then from the title.
            if columns >= 80 { bar = columns >= 110 ? 26 : max(6, 14 - (eta - 9) - (clock - 7)) }
            // Without a column for the phase, the phase replaces a missing or outdated remaining time.
            saysPhase = phase == 0 && eta > 0 && (row.eta.isEmpty || row.isOld)
            if saysPhase { eta = max(eta, min(displayWidth(row.phase), columns / 2)) }
            // If the row has no age, the phase takes over the columns of the age.
            if row.age.isEmpty { (phase, age) = (phase + age, 0) }
        }

        var all: Int { age + phase + bar + clock + eta }
    }

    private func draw(_ row: ListWords.Row, _ columns: Columns, into sheet: inout Sheet, in area: Rectangle) {
        if row.isFocused { sheet.fill(area, .selection) }
        let (theme, isFocused) = (sheet.theme, row.isFocused)
        func style(_ scope: ThemeScope) -> Style { theme.style(isFocused ? .selection : scope) }
        let digits = max(2, "\(state.pageCount)".count)
        let number = padded("\(row.number)", columns: digits, alignment: .right)
        sheet.put(
            "\(number) \(row.isFocused ? sheet.tier.now : " ")", column: 0, row: area.row, style: style(.textQuiet), columns: digits + 2)
        let start = digits + 3
        let room = max(0, area.columns - columns.all - start - 2)
        let title = displayWidth(row.title) > room ? row.shortTitle : row.title
        sheet.put(title, column: start, row: area.row, style: style(.text), columns: room)
        let edge = area.endColumn - 1
        var end = edge
        func left(_ text: String, _ width: Int, _ scope: ThemeScope, into sheet: inout Sheet) {
            let gap = end < edge ? 1 : 0
            end -= width
            if width > 0 { sheet.put(text, column: end, row: area.row, style: style(scope), columns: width - gap) }
        }
        sheet.putRight(row.age, endColumn: end, row: area.row, style: style(.textQuiet), columns: columns.age)
        end -= columns.age
        left(row.phase, columns.phase, row.scope, into: &sheet)
        end -= columns.bar
        if columns.bar > 0, row.hasBar {
            sheet.drawBar(row.fraction, column: end, row: area.row, columns: columns.bar - 2, isSelected: isFocused)
        }
        left(displayWidth(row.clock) < columns.clock ? row.clock : "", columns.clock, .text, into: &sheet)
        let (text, scope) = columns.saysPhase ? (row.phase, row.scope) : (row.eta, .etaNumber)
        left(text, columns.eta, scope, into: &sheet)
    }
}
