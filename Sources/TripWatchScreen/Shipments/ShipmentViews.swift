import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The panel beside the map: figure, progress, planned time and steps. If there is not enough room, the least important parts are left out
/// first.
struct ShipmentPanelView {
    let words: ShipmentWords
    let painter: Painter
    let isWide: Bool

    private enum Part: Hashable, CaseIterable {
        case eta, progress, window, steps

        /// Rank of the part; 0 is the most important. If there is not enough room, the parts with the largest ranks are left out first.
        var rank: Int {
            switch self {
            case .eta: 0
            case .steps: 1
            case .window: 2
            case .progress: 3
            }
        }
    }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        var parts = Part.allCases.filter { rows($0, columns: area.columns) > 0 }
        func needed(gap: Int) -> Int { parts.reduce(gap * parts.count) { $0 + rows($1, columns: area.columns) } }
        while needed(gap: 0) > area.rows, parts.count > 1, let worst = parts.max(by: { $0.rank < $1.rank }) {
            parts.removeAll { $0 == worst }
        }
        let gap = needed(gap: 1) > area.rows ? 0 : 1
        var row = area.row + gap
        for part in parts {
            let height = min(rows(part, columns: area.columns), max(0, area.endRow - row))
            draw(part, into: &sheet, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: height))
            row += height + gap
        }
    }

    private var eta: ETAView { ETAView(words: words.eta, isWide: isWide, painter: painter) }

    /// Returns the lines of text below the heading if no number is shown; empty otherwise.
    private func detail(columns: Int) -> [String] { words.eta.big.isEmpty ? wrapped(words.eta.detail, columns: columns) : [] }

    private func rows(_ part: Part, columns: Int) -> Int {
        switch part {
        case .eta:
            let figure = words.eta.big.isEmpty ? 1 + detail(columns: columns).count : eta.rows
            return figure + wrapped(words.line, columns: columns).count
        case .progress: return words.distance.isEmpty ? 0 : 1
        case .window: return words.windowLines.flatMap { wrapped($0, columns: columns) }.count
        case .steps: return words.steps.count
        }
    }

    private func draw(_ part: Part, into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        switch part {
        case .eta: drawETA(into: &sheet, in: area)
        case .progress:
            sheet.drawProgress(words.fraction, distance: words.distance, distanceColumns: isWide ? 10 : 8, in: area)
        case .window: sheet.put(words.windowLines.flatMap { wrapped($0, columns: area.columns) }, .text, in: area)
        case .steps:
            for (index, step) in Timeline.fitted(words.steps, rows: area.rows).enumerated() {
                sheet.draw(step, in: Rectangle(column: area.column, row: area.row + index, columns: area.columns, rows: 1))
            }
        }
    }

    private func drawETA(into sheet: inout Sheet, in area: Rectangle) {
        var rest = area
        if words.eta.big.isEmpty {
            let lines = detail(columns: area.columns)
            sheet.put(words.eta.heading, column: area.column, row: area.row, .etaCaption, columns: area.columns)
            rest = area.split(top: 1).rest
            sheet.put(lines, .etaUnit, in: rest)
            rest = rest.split(top: min(rest.rows, lines.count)).rest
        } else {
            eta.draw(into: &sheet, in: area)
            rest = area.split(top: min(area.rows, eta.rows)).rest
        }
        sheet.put(wrapped(words.line, columns: area.columns), .text, in: rest)
    }
}

extension Sheet {
    /// Writes as many of the lines as fit, one below the other.
    fileprivate mutating func put(_ lines: [String], _ scope: ThemeScope, in area: Rectangle) {
        for (index, line) in lines.prefix(max(0, area.rows)).enumerated() {
            put(line, column: area.column, row: area.row + index, scope, columns: area.columns)
        }
    }
}
