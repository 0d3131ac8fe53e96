import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The lines below the map on a small screen.
struct CompactView {
    /// Minimum width of a screen that shows the walk to the pickup, in columns.
    static let leastColumnsForWalk = 48

    let page: TripPage
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        let text = area.inset(columns: 1)
        var row = area.row
        if area.rows >= 8 && !state.etaWords(page).big.isEmpty && state.painter != .ascii {
            row += drawLargeETA(into: &sheet, in: text)
        } else {
            drawETA(into: &sheet, column: text.column, row: row, columns: text.columns)
            row += 1
        }
        for line in 0..<max(0, area.endRow - row) { draw(line: line, into: &sheet, in: text, row: row + line) }
    }

    private func drawLargeETA(into sheet: inout Sheet, in area: Rectangle) -> Int {
        let words = state.etaWords(page)
        sheet.put(words.heading, column: area.column, row: area.row, .etaCaption, columns: area.columns)
        let big = BigText(words.big, height: .three, painter: state.painter)
        let style = sheet.style(.etaNumber)
        let used = sheet.draw { big.draw(into: &$0, at: Position(column: area.column, row: area.row + 1), style: style) }
        let beside = area.column + used + 2
        let room = area.endColumn - beside
        sheet.put(words.unit(columns: room), column: beside, row: area.row + 2, .etaUnit, columns: room)
        let both = [words.detail, distance].filter { !$0.isEmpty }.joined(separator: "  ")
        let detail = displayWidth(both) <= room || words.detail.isEmpty ? both : words.detail
        sheet.put(detail, column: beside, row: area.row + 1 + big.size.rows - 1, .etaUnit, columns: room)
        return big.size.rows + 1
    }

    /// One line with the countdown.
    private struct Headline {
        var heading: String
        var number: String
        /// The text at the right edge.
        var right: String

        var columns: Int { displayWidth([heading, number, right].filter { !$0.isEmpty }.joined(separator: " ")) }
    }

    private func drawETA(into sheet: inout Sheet, column: Int, row: Int, columns: Int) {
        let lines = headlines
        guard let line = lines.first(where: { $0.columns <= columns }) ?? lines.last else { return }
        let room = line.columns <= columns ? columns : columns / 2
        let used = sheet.putRight(line.right, endColumn: column + columns, row: row, .text, columns: room)
        let heading = sheet.put(line.heading + " ", column: column, row: row, .etaCaption, columns: columns - used)
        let rest = columns - used - heading - (used > 0 ? 1 : 0)
        sheet.put(line.number, column: column + heading, row: row, .etaNumber, columns: max(0, rest))
    }

    /// The countdown in forms of decreasing width: the full form, then without the time's zone, then without the distance, then without
    /// both. A last form, also without both, has the word `STOP` in place of an intermediate stop's name. While the car waits at the
    /// pickup, the pickup's name takes the place of the distance.
    private var headlines: [Headline] {
        let words = state.etaWords(page)
        let time = page.status.isFinal ? page.endedAt : page.isCounting ? page.journey.forecast.shown : nil
        let clock = time.map { state.clock($0) } ?? ""
        let zoned = time.map { clock + state.options.zone(after: $0) } ?? ""
        let place = page.isCarHere && !page.names.pickup.isEmpty ? "at \(page.names.pickup)" : ""
        let more = [page.status.isFinal ? "" : distance, place]
        let rights = [zoned, clock].map { ([$0] + more).filter { !$0.isEmpty }.joined(separator: " ") }
        var numbers = words.big.isEmpty ? [clock.isEmpty || page.phrases.panel != nil ? words.detail : ""] : [words.number]
        if words.big.isEmpty, !words.stopwatch.isEmpty { numbers.append(words.stopwatch) }
        // The word `HERE` is shown only while the car is at the pickup, and not to the viewer of a link. In other cases, a heading such as
        // "AT STOP 1" already says where the car is.
        if words.isHere { numbers = [page.status == .arrivedAtPickup && !state.options.isViewer ? "HERE" : ""] }
        // The end time replaces the number.
        if page.status.isFinal, !clock.isEmpty { numbers = [""] }
        let forms = (rights + [zoned, clock]).map { (words.heading, $0) } + [(shortHeading(words), clock)]
        return forms.flatMap { form in numbers.map { Headline(heading: form.0, number: $0, right: form.1) } }
    }

    /// Returns the heading with the word `STOP` instead of the stop's name.
    private func shortHeading(_ words: ETAWords) -> String {
        guard page.journey.estimate?.waypoint == .intermediate else { return words.heading }
        return words.heading.replacing(state.stopWord(page).uppercased(), with: TripWords.stop(.intermediate).uppercased())
    }

    private var distance: String {
        guard page.isCounting, let meters = page.journey.estimate?.remainingMeters else { return "" }
        return state.distanceLeft(meters)
    }

    /// Draws one of the lines below the countdown. Lines are ordered from most to least important.
    private func draw(line: Int, into sheet: inout Sheet, in area: Rectangle, row: Int) {
        if page.status.isFinal { return drawEnd(line: line, into: &sheet, in: area, row: row) }
        switch line {
        case 0:
            if page.isAtStop {
                let detail = state.etaWords(page).detail(columns: area.columns)
                sheet.put(detail, column: area.column, row: row, .etaUnit, columns: area.columns)
            } else if hasBar {
                sheet.drawBar(page.journey.progress.fraction, column: area.column, row: row, columns: area.columns)
            } else {
                putEvent(into: &sheet, in: area, row: row)
            }
        case 1:
            // A notice that fits in one line is drawn here. A longer one covers the last lines.
            if let notice = state.notice, displayWidth(notice.text) <= area.columns {
                sheet.put(notice.text, column: area.column, row: row, .timelineNow, columns: area.columns)
            } else if page.isAtStop, let next = Timeline(page, state, isWide: false).next {
                // The line above already says that the car is here, so this line shows the next step.
                sheet.draw(next, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: 1))
            } else {
                let phase = "\(sheet.tier.now) \(state.phaseLine(page, dot: sheet.tier.dot, columns: area.columns - 2))"
                put(phase, .timelineNow, withWalk: true, into: &sheet, in: area, row: row)
            }
        case 2: put(cardLine, .card, withWalk: page.isAtStop, into: &sheet, in: area, row: row)
        case 3 where page.isAtStop || hasBar: putEvent(into: &sheet, in: area, row: row)
        default: break
        }
    }

    /// Whether line 0 shows a bar with the progress to the next stop. If not, line 0 shows the last event. At a stop, line 0 shows details
    /// of the stop in either case.
    private var hasBar: Bool { page.journey.estimate?.remainingMeters != nil && page.trip?.vehicleID != nil }

    /// Draws a line of text, with the walk to the pickup to its right if there is room.
    private func put(
        _ text: String, _ scope: ThemeScope, withWalk: Bool, into sheet: inout Sheet, in area: Rectangle, row: Int
    ) {
        let used = sheet.put(text, column: area.column, row: row, scope, columns: area.columns)
        let room = area.columns - used - 1
        guard withWalk, state.size.columns >= Self.leastColumnsForWalk, let walk = state.walk(page, columns: room) else { return }
        sheet.putRight(walk, endColumn: area.endColumn, row: row, .text, columns: room)
    }

    private func putEvent(into sheet: inout Sheet, in area: Rectangle, row: Int) {
        let bars = BarsView(state: state, page: page)
        let line = bars.eventLine(columns: area.columns, withNotice: false, withFailure: !state.bannerTellsFailure)
        sheet.put(line, column: area.column, row: row, .event, columns: area.columns)
    }

    /// Draws the ride's result, as in the summary of a larger screen.
    private func drawEnd(line: Int, into sheet: inout Sheet, in area: Rectangle, row: Int) {
        let summary = SummaryView(page: page, state: state)
        func put(_ text: String, _ scope: ThemeScope) { sheet.put(text, column: area.column, row: row, scope, columns: area.columns) }
        switch line {
        case 0:
            let names = page.names
            put(page.status != .complete ? names.title : names.dropoff.isEmpty ? names.place : names.dropoff, .text)
        case 1:
            // A notice that fits in one line is drawn here. A longer one covers the last lines.
            if let notice = state.notice, displayWidth(notice.text) <= area.columns {
                put(notice.text, .timelineNow)
            } else {
                put(summary.rideLine(columns: area.columns), .text)
            }
        case 2: put(summary.promiseLine(columns: area.columns), .text)
        case 3: put(BarsView(state: state, page: page).eventLine(columns: area.columns, withNotice: false), .event)
        default: break
        }
    }

    private var cardLine: String {
        guard let card = page.shownCard else { return page.names.title }
        return card.isKnown
            ? [card.plate, card.looks].filter { !$0.isEmpty }.joined(separator: " ∙ ") : "\(page.kind.vehicleTitle) \(card.id)"
    }
}

extension Sheet {
    /// Draws the lines of a very small screen, and below them the corner's text and the keys.
    /// - Parameters:
    ///   - corner: texts for the corner, the longest first.
    ///   - state: names the keys; nil if the viewer cannot use keys.
    mutating func drawLines(
        _ lines: [(String, ThemeScope)], corner: [String], _ scope: ThemeScope, keys state: AppState?, in area: Rectangle
    ) {
        for (row, line) in lines.prefix(max(0, area.rows - 1)).enumerated() {
            put(wholeWords(line.0, columns: area.columns), column: area.column, row: row, line.1, columns: area.columns)
        }
        let last = area.endRow - 1
        let hints = state?.cornerHints(hasWords: area.columns >= 30, columns: area.columns / 2) ?? ""
        // On the narrowest screen, two columns at the edge stay free, unless the corner's text needs one of them.
        let margin = area.columns > 20 || displayWidth((corner.first ?? "") + hints) + 2 == area.columns ? 1 : 2
        let used = putRight(hints, endColumn: area.endColumn - margin, row: last, .key, columns: area.columns / 2)
        let room = area.columns - used - margin - 1
        let text = AppState.fitting(corner, columns: room)
        put(wholeWords(text, columns: room), column: area.column, row: last, scope, columns: room)
    }
}
