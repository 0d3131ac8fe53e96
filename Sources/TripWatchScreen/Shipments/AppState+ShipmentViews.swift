import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The parts of the screen that show the shipment in front. Without a shipment, they draw nothing.
extension AppState {
    func drawShipmentPanel(isWide: Bool, into sheet: inout Sheet, in area: Rectangle) {
        guard let shipmentWords else { return }
        ShipmentPanelView(words: shipmentWords, painter: painter, isWide: isWide).draw(into: &sheet, in: area)
    }

    /// Draws facts beside the events of a wide screen.
    func drawShipmentFacts(into sheet: inout Sheet, in area: Rectangle) {
        guard let shipment, let words = shipmentWords else { return }
        let facts = [
            ("Number", shipment.shortTitle), ("Planned", words.window), ("Arrival", words.windowRelation), ("Distance", words.distance),
            ("Server", words.pace),
        ].filter { !$0.1.isEmpty }
        for (index, fact) in facts.prefix(max(0, area.rows)).enumerated() {
            sheet.put(fact.0, column: area.column, row: area.row + index, .textQuiet, columns: 9)
            sheet.put(fact.1, column: area.column + 10, row: area.row + index, .text, columns: area.columns - 10)
        }
    }

    /// Draws the lines below the map on a small screen, the most important first.
    func drawShipmentCompactly(into sheet: inout Sheet, in area: Rectangle) {
        guard let words = shipmentWords, !area.isEmpty else { return }
        let text = area.inset(columns: 1)
        drawFigure(words, into: &sheet, in: text)
        var row = area.row + 1
        if let fraction = words.fraction, row < area.endRow {
            sheet.drawBar(fraction, column: text.column, row: row, columns: text.columns)
            row += 1
        }
        for line in compactLines(words, sheet.tier, columns: text.columns) where row < area.endRow {
            sheet.put(line.0, column: text.column, row: row, line.1, columns: text.columns)
            row += 1
        }
    }

    private func drawFigure(_ words: ShipmentWords, into sheet: inout Sheet, in area: Rectangle) {
        let figure = [words.eta.heading, words.eta.big, words.eta.unit].joined(separator: " ")
        let whole = [words.clock, words.distance].filter { !$0.isEmpty }.joined(separator: " ")
        // The distance is left out if it does not fit beside the figure.
        let right = words.eta.big.isEmpty || displayWidth("\(figure) \(whole)") <= area.columns ? whole : words.clock
        let used = sheet.putRight(right, endColumn: area.endColumn, row: area.row, .text, columns: area.columns / 2)
        let room = area.columns - used - (used > 0 ? 1 : 0)
        let heading = sheet.put(words.eta.heading + " ", column: area.column, row: area.row, .etaCaption, columns: room)
        let left = max(0, room - heading)
        let detail = Self.fitting([words.eta.detail, words.brief].filter { !$0.isEmpty }, columns: left)
        let number = words.eta.big.isEmpty ? detail : "\(words.eta.big) \(words.eta.unit)"
        sheet.put(number, column: area.column + heading, row: area.row, .etaNumber, columns: left)
    }

    private func compactLines(_ words: ShipmentWords, _ tier: GlyphTier, columns: Int) -> [(String, ThemeScope)] {
        let present = Self.fitting(words.present.map { "\(tier.now) \($0)" }, columns: columns)
        var lines: [(String, ThemeScope)] = [
            (present, .timelineNow), (Self.windowLine(words, columns: columns), .text), (lastEvent(columns: columns), .event),
        ].filter { !$0.0.isEmpty }
        // A notice that is too long for one line is not added here. It is drawn over the last lines.
        if let notice, displayWidth(notice.text) <= columns { lines.insert((notice.text, .timelineNow), at: min(1, lines.count)) }
        return lines
    }

    /// Draws a few lines of text on a very small screen.
    func drawShipmentLines(into sheet: inout Sheet, in area: Rectangle) {
        guard let words = shipmentWords, let shipment else { return }
        let columns = area.columns
        let clock = words.clock.isEmpty ? "" : "  \(words.clock)"
        let first = Self.fitting([words.eta.short + clock, words.short + clock, words.short], columns: columns)
        let more: [(String, ThemeScope)] = [
            (shipment.title, .text), (Self.windowLine(words, columns: columns), .text), (words.distance, .text),
            (lastEvent(columns: columns), .event),
        ].filter { !$0.0.isEmpty }
        let lines = [(first, ThemeScope.etaNumber), secondLine(words, shipment, sheet.tier, columns: columns)]
        sheet.drawLines(
            lines + more.prefix(max(0, area.rows - 3)), corner: [words.shortCorner, words.corner], words.cornerScope, keys: self, in: area)
    }

    /// Returns the text of the second line, which is below the figure: a notice that fits, or else the failure, or else the state. Once the
    /// shipment is over, the failure is left out.
    private func secondLine(
        _ words: ShipmentWords, _ page: ShipmentPage, _ tier: GlyphTier, columns: Int
    ) -> (String, ThemeScope) {
        if let notice, displayWidth(notice.text) <= columns { return (notice.text, .timelineNow) }
        guard let failure = page.failure, !page.tracker.isOver(now: now) else {
            return (Self.fitting(presentTexts(words).map { "\(tier.now) \($0)" }, columns: columns), .timelineNow)
        }
        if page.needsUser { return ("\(tier.failed) \(shortFailure(failure))", .bannerAction) }
        return ("\(tier.warning) \(retryWords(page))", .bannerRetry)
    }

    /// The shipment in front as text for a terminal that is too small for the screen; nil without a shipment.
    var shipmentTexts: TinyView? {
        guard let words = shipmentWords, let shipment else { return nil }
        let stopped = shipment.isWaitingForQuota ? "paused" : "stopped"
        let failure = shipment.failure.map { [shortFailure($0), shipment.needsUser ? stopped : answeredWord(shipment) ?? "offline"] }
        let isKnown = shipment.tracker.shipment != nil
        let figure = isKnown ? [words.eta.short, words.short, words.eta.heading.lowercased()] : ["connecting", "wait"]
        let age = words.age.replacing(" ago", with: "")
        return TinyView(items: [figure, [words.clock], failure ?? presentTexts(words), [words.shortCorner, age, words.corner]])
    }

    /// Returns the texts for the state below the figure on a very small screen, the longest first.
    private func presentTexts(_ words: ShipmentWords) -> [String] {
        if !words.eta.stopwatch.isEmpty { return [words.eta.stopwatch] }
        // Without a text for the state, the first line is only the heading, so this line shows the detail.
        return words.brief.isEmpty || !words.present.isEmpty ? words.present : [words.eta.detail, words.brief]
    }

    private static func windowLine(_ words: ShipmentWords, columns: Int) -> String {
        fitting([words.windowLines.joined(separator: ", "), words.windowRelation], columns: columns)
    }

    private func lastEvent(columns: Int) -> String {
        BarsView(state: self, page: nil).eventLine(columns: columns, withNotice: false, withFailure: !bannerTellsFailure)
    }

    /// Returns the first of the texts that fits, or else the last text.
    package static func fitting(_ texts: [String], columns: Int) -> String {
        texts.first { displayWidth($0) <= columns } ?? texts.last ?? ""
    }

    /// Returns facts about the connection, for the details panel.
    func details(of page: ShipmentPage) -> [(String, String)] {
        let tracker = page.tracker
        let pace = ("updates", DetailList.pace(page, isOver: tracker.isOver(now: now), seconds: tracker.pollIntervalSeconds))
        var facts = [("shipment", page.name.description), ("server", DetailList.server(self)), pace] + DetailList.look(self)
        if let shipment = tracker.shipment { facts.append(("state", shipment.outcome?.rawValue ?? shipment.state.rawValue)) }
        if let answer = tracker.lastAnswerAt { facts.append(("answer", clock(page.clockTime(answer), withSeconds: true))) }
        return facts
    }
}
