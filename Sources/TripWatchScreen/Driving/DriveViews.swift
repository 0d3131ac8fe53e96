import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The driver's panel beside the map: the next stop and its arrival time, the turn, progress, speed and delay, the stops, the next rider,
/// and the last report. If there is not enough room, the least important parts are left out first.
struct DrivePanelView {
    let words: DriveWords
    let state: AppState
    let isWide: Bool

    private enum Part: Hashable, CaseIterable {
        case eta, turn, progress, motion, steps, card, report

        /// Rank of the part; 0 is the most important. If there is not enough room, the parts with the largest ranks are left out first.
        var rank: Int {
            switch self {
            case .eta: 0
            case .card: 1
            case .turn: 2
            case .steps: 3
            case .report: 4
            case .motion: 5
            case .progress: 6
            }
        }
    }

    private var eta: ETAView { ETAView(words: words.eta, isWide: isWide, painter: state.painter) }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        var parts = Part.allCases.filter { rows($0) > 0 }
        func needed(gap: Int) -> Int { parts.reduce(gap * parts.count) { $0 + rows($1) } }
        while needed(gap: 0) > area.rows, parts.count > 1, let worst = parts.max(by: { $0.rank < $1.rank }) {
            parts.removeAll { $0 == worst }
        }
        let gap = needed(gap: 1) > area.rows ? 0 : 1
        var row = area.row + gap
        for part in parts {
            let height = min(rows(part), max(0, area.endRow - row))
            draw(part, into: &sheet, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: height))
            row += height + gap
        }
    }

    private func rows(_ part: Part) -> Int {
        switch part {
        case .eta: eta.rows
        case .turn: words.turn.count
        case .progress: words.fraction == nil ? 0 : 1
        case .motion: [words.speed, words.delay].count { !$0.isEmpty }
        case .steps: min(words.steps.count, isWide ? 9 : 5)
        case .card: words.card.map { 1 + $0.lines.count + ($0.isOffer ? 1 : 0) } ?? 0
        case .report: 1
        }
    }

    private func draw(_ part: Part, into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        switch part {
        case .eta: eta.draw(into: &sheet, in: area)
        case .turn:
            for (index, line) in words.turn.prefix(area.rows).enumerated() {
                let scope: ThemeScope = index == 0 ? .timelineNow : .text
                sheet.put(line, column: area.column, row: area.row + index, scope, columns: area.columns)
            }
        case .progress: drawProgress(into: &sheet, in: area)
        case .motion: drawMotion(into: &sheet, in: area)
        case .steps:
            for (index, step) in words.steps(rows: area.rows).enumerated() {
                sheet.draw(step, in: Rectangle(column: area.column, row: area.row + index, columns: area.columns, rows: 1))
            }
        case .card: if let card = words.card { drawCard(card, into: &sheet, in: area) }
        case .report: sheet.drawReport(words, column: area.column, row: area.row, columns: area.columns)
        }
    }

    private func drawProgress(into sheet: inout Sheet, in area: Rectangle) {
        guard let fraction = words.fraction else { return }
        sheet.drawProgress(fraction, distance: words.distance, distanceColumns: isWide ? 10 : 8, in: area)
    }

    private func drawMotion(into sheet: inout Sheet, in area: Rectangle) {
        let lines = [(words.speed, words.isTooFast), (words.delay, words.isLate)].filter { !$0.0.isEmpty }
        for (index, line) in lines.prefix(area.rows).enumerated() {
            let scope: ThemeScope = line.1 ? .freshnessNotLive : index == 0 ? .text : .textQuiet
            sheet.put(line.0, column: area.column, row: area.row + index, scope, columns: area.columns)
        }
    }

    private func drawCard(_ card: DriveWords.Card, into sheet: inout Sheet, in area: Rectangle) {
        sheet.put(card.heading, column: area.column, row: area.row, .etaCaption, columns: area.columns)
        for (index, line) in card.lines.prefix(max(0, area.rows - 1)).enumerated() {
            sheet.put(line, column: area.column, row: area.row + 1 + index, .card, columns: area.columns)
        }
        let row = area.row + 1 + card.lines.count
        guard card.isOffer, row < area.endRow else { return }
        sheet.drawAnswers(state, column: area.column, row: row, columns: area.columns)
    }
}

/// The lines below the map on a small driver's screen.
struct DriveCompactView {
    let words: DriveWords
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        let text = area.inset(columns: 1)
        drawETA(into: &sheet, in: text)
        for line in 1..<max(2, min(5, area.rows)) where line < area.rows {
            draw(line: line, into: &sheet, column: text.column, row: text.row + line, columns: text.columns)
        }
        for (index, step) in words.steps(rows: max(0, area.rows - 5)).enumerated() {
            sheet.draw(step, in: Rectangle(column: text.column, row: text.row + 5 + index, columns: text.columns, rows: 1))
        }
    }

    private func drawETA(into sheet: inout Sheet, in area: Rectangle) {
        let right = [words.eta.detail.hasPrefix("at ") ? String(words.eta.detail.dropFirst(3)) : "", words.distance]
        let used = sheet.putRight(
            right.filter { !$0.isEmpty }.joined(separator: " "), endColumn: area.endColumn, row: area.row, .text, columns: area.columns / 2)
        let number = words.eta.big.isEmpty ? words.eta.detail : "\(words.eta.big) \(words.eta.unit)"
        let heading = sheet.put(words.eta.heading + " ", column: area.column, row: area.row, .etaCaption, columns: area.columns - used)
        let room = max(0, area.columns - used - heading - 1)
        sheet.put(number, column: area.column + heading, row: area.row, .etaNumber, columns: room)
    }

    /// Draws one of the lines below the countdown. Lines are ordered from most to least important.
    private func draw(line: Int, into sheet: inout Sheet, column: Int, row: Int, columns: Int) {
        switch line {
        case 1:
            if let fraction = words.fraction {
                sheet.drawBar(fraction, column: column, row: row, columns: columns)
            } else if let card = words.card {
                sheet.put(card.lines.first ?? card.heading, column: column, row: row, .card, columns: columns)
            } else if !words.eta.big.isEmpty {
                sheet.put(words.eta.detail, column: column, row: row, .etaUnit, columns: columns)
            }
        case 2:
            if state.notice != nil {
                sheet.put(words.event, column: column, row: row, .timelineNow, columns: columns)
            } else if let card = words.card, words.fraction != nil || card.lines.count > 1 {
                let text =
                    words.fraction == nil ? card.lines.dropFirst().joined(separator: " ∙ ") : "\(card.heading): \(card.lines.first ?? "")"
                sheet.put(text, column: column, row: row, .card, columns: columns)
            } else if !words.turn.isEmpty, !words.isTooFast {
                sheet.put(words.turn.joined(separator: " "), column: column, row: row, .timelineNow, columns: columns)
            } else {
                let scope: ThemeScope = words.isTooFast || words.isLate ? .freshnessNotLive : .text
                sheet.put(words.motion.isEmpty ? words.event : words.motion, column: column, row: row, scope, columns: columns)
            }
        case 3: sheet.drawReport(words, column: column, row: row, columns: columns)
        default: sheet.put(words.event, column: column, row: row, .event, columns: columns)
        }
    }
}

/// The lines of a driver's screen that is very small: three, or more if there is room.
struct DriveLinesView {
    let words: DriveWords
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        var lines: [(String, ThemeScope)] = [(etaLine(area.columns), .etaNumber), (middle(sheet.tier, area.columns), middleScope)]
        let more: [(String, ThemeScope)] = [
            (words.motion, .text), (words.card.map { "\($0.heading): \($0.lines.first ?? "")" } ?? "", .card), (words.event, .event),
            (words.report, .textQuiet),
        ].filter { !$0.0.isEmpty }
        lines += more.prefix(max(0, area.rows - 3))
        sheet.drawLines(lines, corner: [words.shortCorner, words.corner.word], words.cornerScope, keys: state, in: area)
    }

    private func etaLine(_ columns: Int) -> String {
        let at = words.eta.detail.hasPrefix("at ") ? "  " + words.eta.detail.dropFirst(3) : ""
        return displayWidth(words.eta.short + at) <= columns ? words.eta.short + at : words.eta.short
    }

    private var middleScope: ThemeScope {
        state.notice == nil && words.reportMood == .bad ? .bannerRetry : .timelineNow
    }

    /// Returns the text of the middle line. The first of these that applies is shown: the notice, the failed report, the key to press or
    /// `for a trip`, the next turn, the distance and speed. The turn is skipped if it does not fit, if the vehicle is too fast, or if its
    /// position is old.
    private func middle(_ tier: GlyphTier, _ columns: Int) -> String {
        if let notice = state.notice { return notice.text }
        if words.reportMood == .bad { return "\(tier.warning) \(words.report)" }
        if !words.eta.stopwatch.isEmpty { return "\(tier.now) \(words.eta.stopwatch)" }
        let turns = words.isTooFast ? [] : [words.turn.joined(separator: " "), words.turn.first ?? ""].map { "\(tier.now) \($0)" }
        if !words.turn.isEmpty, let turn = turns.first(where: { displayWidth($0) <= columns }) { return turn }
        let speeds = [words.speed, String(words.speed.prefix { $0 != "∙" }).trimmed].filter { !$0.isEmpty }
        let lines = speeds.map { "\(tier.now) \(words.distance)\(tier.dot)\($0)" }
        return lines.first { displayWidth($0) <= columns } ?? "\(tier.now) \(words.distance.isEmpty ? words.eta.detail : words.distance)"
    }
}

extension String {
    /// The text without its trailing space.
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}

extension Sheet {
    /// Draws the result of the last report, with its symbol.
    mutating func drawReport(_ words: DriveWords, column: Int, row: Int, columns: Int) {
        let (sign, scope): (String, ThemeScope) =
            switch words.reportMood {
            case .good: (tier.done, .textQuiet)
            case .bad: (tier.isASCII ? tier.warning : tier.failed, .freshnessOffline)
            case .quiet: (tier.next, .textQuiet)
            }
        put("\(sign) \(words.report)", column: column, row: row, scope, columns: columns)
    }

    /// Draws the keys that answer an offer.
    fileprivate mutating func drawAnswers(_ state: AppState, column: Int, row: Int, columns: Int) {
        var place = column
        for action in [AppAction.accept, .decline] where state.disabledReason(action) == nil {
            guard let binding = state.options.keyMap.binding(of: action) else { continue }
            place += put(binding.hintKeys, column: place, row: row, .key, columns: column + columns - place) + 1
            place += put(binding.hint, column: place, row: row, .text, columns: column + columns - place) + 3
        }
    }
}
