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
        let used = sheet.putRight(line.right, endColumn: column + columns, row: row, .text, columns: columns / 2)
        let heading = sheet.put(line.heading + " ", column: column, row: row, .etaCaption, columns: columns - used)
        let room = columns - used - heading - (used > 0 ? 1 : 0)
        sheet.put(line.number, column: column + heading, row: row, .etaNumber, columns: max(0, room))
    }

    /// The countdown in forms of decreasing width: the distance is left out first, then the stop's name.
    private var headlines: [Headline] {
        let words = state.etaWords(page)
        let time = page.status.isFinal ? page.endedAt : page.isCounting ? page.journey.forecast.shown : nil
        let clock = time.map { state.clock($0) } ?? ""
        let right = [clock, page.status.isFinal ? "" : distance].filter { !$0.isEmpty }.joined(separator: " ")
        var numbers = words.big.isEmpty ? [clock.isEmpty || page.phrases.panel != nil ? words.detail : ""] : [words.number]
        if words.big.isEmpty, !words.stopwatch.isEmpty { numbers.append(words.stopwatch) }
        // At other stops, and for a viewer of a link, a heading such as "AT STOP 1" already says that the car is there.
        if words.isHere { numbers = [page.status == .arrivedAtPickup && !state.options.isViewer ? "HERE" : ""] }
        // The end time replaces the number.
        if page.status.isFinal, !clock.isEmpty { numbers = [""] }
        let forms = [(words.heading, right), (words.heading, clock), (shortHeading(words), clock)]
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
            } else if page.journey.estimate?.remainingMeters != nil, page.trip?.vehicleID != nil {
                sheet.drawBar(page.journey.progress.fraction, column: area.column, row: row, columns: area.columns)
            } else {
                putEvent(into: &sheet, in: area, row: row)
            }
        case 1:
            // A notice too long for one line covers the last lines instead.
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
        case 3: putEvent(into: &sheet, in: area, row: row)
        default: break
        }
    }

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
            // A notice too long for one line covers the last lines instead.
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

/// The texts of a very small screen: three lines, or more if there is room.
struct LinesView {
    let page: TripPage
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        let columns = area.columns
        // Viewers of a link have no keys. If there is room, they are told instead when the link ends.
        let footer = state.options.footer.flatMap { displayWidth($0) <= columns && area.rows > 5 ? $0 : nil }
        let rows = max(0, area.rows - (footer == nil ? 3 : 4))
        let lines: [(String, ThemeScope)] = [
            (etaLine(columns: columns), .etaNumber), (phaseLine(sheet.tier, columns: columns, rows: area.rows), phaseScope),
        ]
        var more: [(String, ThemeScope)] = [
            (instructionLine(columns: columns), .bannerAction), (titleLine, .text), (walkLine(columns: columns), .text),
            (cardLine, .card), (state.trafficWords(page, columns: columns) ?? "", .text),
        ].filter { !$0.0.isEmpty }
        more += failureLines(columns: columns, rows: rows - more.count).map { ($0, ThemeScope.text) }
        if page.status.isFinal {
            let summary = SummaryView(page: page, state: state)
            let facts = [summary.released, summary.rideLine(columns: columns), summary.promiseLine(columns: columns)]
            more += facts.filter { !$0.isEmpty }.map { ($0, ThemeScope.text) }
        } else {
            let events = eventLines(columns: columns, rows: rows - more.count, ellipsis: sheet.tier.ellipsis)
            more += events.map { ($0, ThemeScope.event) }
        }
        // If a row is still free, a long title may take a second one.
        if rows > more.count, let place = more.firstIndex(where: { $0.0 == titleLine }) {
            let title = wrapped(titleLine, columns: columns, maximumLines: 2, ellipsis: sheet.tier.ellipsis)
            more.replaceSubrange(place...place, with: title.map { ($0, ThemeScope.text) })
        }
        // After the trip, the first line says what the corner would say.
        let freshness = page.status.isFinal ? [] : [state.shortFreshness(page), state.freshnessWords(page).word]
        let corner = state.replay.map { [$0.position] } ?? freshness
        let ending: [(String, ThemeScope)] = footer.map { [($0, .textQuiet)] } ?? []
        sheet.drawLines(
            lines + more.prefix(rows) + ending, corner: corner, state.freshnessScope(page), showsKeys: state.options.footer == nil, in: area
        )
    }

    /// Returns the arrival line: `Pickup 6 min  14:13`. If the line would be too long, the name of the stop is left out
    /// first, and the countdown last.
    private func etaLine(columns: Int) -> String {
        let words = state.etaWords(page)
        if let ended = page.endedAt { return AppState.fitting(["\(words.short) \(state.clock(ended))", words.short], columns: columns) }
        guard page.isCounting, let shown = page.journey.forecast.shown else { return words.short }
        let (eta, clock) = (page.etaText(now: state.now), state.clock(shown))
        return AppState.fitting([words.short, eta.text, eta.short].map { "\($0)  \(clock)" } + [clock], columns: columns)
    }

    /// The trip's title. After the trip, it is left out if it repeats the place on the second line.
    private var titleLine: String {
        page.status.isFinal && page.names.title.contains(page.names.place) ? "" : page.names.title
    }

    /// Returns the last event. If it does not fit in one line, it is wrapped into the free rows, or else cut after a word.
    private func eventLines(columns: Int, rows: Int, ellipsis: String) -> [String] {
        let line = BarsView(state: state, page: page).eventLine(columns: columns, withNotice: false, withFailure: page.failure == nil)
        if displayWidth(line) <= columns { return [line] }
        if rows > 1 { return wrapped(line, columns: columns, maximumLines: rows, ellipsis: ellipsis) }
        return ["\(wholeWords(line, columns: columns - 1 - displayWidth(ellipsis))) \(ellipsis)"]
    }

    private func walkLine(columns: Int) -> String {
        columns >= CompactView.leastColumnsForWalk ? state.walk(page, columns: columns) ?? "" : ""
    }

    private var phaseScope: ThemeScope {
        if state.notice != nil { return .timelineNow }
        return page.failure == nil ? .timelineNow : page.needsUser ? .bannerAction : .bannerRetry
    }

    /// Returns the diagnosis and the instruction in one line; nil if they do not fit, or if the user need not act.
    private func troubleLine(columns: Int) -> String? {
        guard let failure = page.failure, page.needsUser else { return nil }
        let line = "\(Self.shortWords(failure)): \(Self.shortAdvice(failure))"
        return displayWidth(line) + 2 <= columns ? line : nil
    }

    /// Returns the instruction to the user; empty if the diagnosis line already contains it.
    private func instructionLine(columns: Int) -> String {
        guard let failure = page.failure, page.needsUser, troubleLine(columns: columns) == nil else { return "" }
        return Self.shortAdvice(failure)
    }

    /// Returns the full text of a failure if it fits in one line, or else its meaning in several lines; empty if they do not fit.
    private func failureLines(columns: Int, rows: Int) -> [String] {
        guard let words = page.failure.map({ FailureWords($0) }) else { return [] }
        let lines = displayWidth(words.line) <= columns ? [words.line] : wrapped(words.meaning, columns: columns)
        return lines.count <= rows ? lines : []
    }

    private func phaseLine(_ tier: GlyphTier, columns: Int, rows: Int) -> String {
        if let notice = state.notice, displayWidth(notice.text) <= columns { return notice.text }
        if let failure = page.failure {
            let retry = page.retrySeconds(now: state.now).map { "retry in \(TripWords.countdown($0))" } ?? "retrying"
            guard page.needsUser else { return "\(tier.warning) \(retry)" }
            // With three lines, the instruction is kept rather than the diagnosis. The corner already says that updates have stopped.
            let words = rows > 3 ? Self.shortWords(failure) : Self.shortAdvice(failure)
            return "\(tier.failed) \(troubleLine(columns: columns) ?? words)"
        }
        let phases = phases.map { "\(tier.now) \($0)" }
        let phase = phases.first { displayWidth($0) <= columns } ?? phases.last ?? ""
        guard let meters = page.phaseMeters else { return phase }
        let lines = phases.flatMap { phase in [state.distanceLeft(meters), state.distance(meters)].map { "\(phase) \($0)" } }
        return lines.first { displayWidth($0) <= columns } ?? phase
    }

    /// Texts for the phase, the longest first. The shorter ones still contain the number of stops before this trip's stop.
    private var phases: [String] {
        guard let trip = page.trip, let others = state.othersPhase(page), let before = state.stopsBeforeWords(page) else {
            return [shortPhase]
        }
        return (trip.stopsBefore > 1 ? [] : [others]) + [before, "\(trip.stopsBefore) stop\(trip.stopsBefore == 1 ? "" : "s") first"]
    }

    /// A short text for the phase.
    private var shortPhase: String {
        if let brief = page.phrases.brief { return brief }
        if page.status.isFinal { return page.names.place }
        let hasStopwatch = page.trip == nil || page.phrases.standing != nil
        return hasStopwatch ? state.etaWords(page).stopwatch : state.phaseWords(page)
    }

    /// Returns a short text that says why a poll failed, in at most 15 columns.
    static func shortWords(_ failure: PollFailure) -> String {
        if LinkEnd.isEnd(failure.error) { return "link has ended" }
        guard case .actionRequired(let action) = failure.errorClass else {
            return failure.error.origin == .server ? "server error" : "no answer"
        }
        return switch action {
        case .checkTripName: failure.error.code == .notFound ? "no such trip" : "request refused"
        case .checkTripExists: "trip is gone"
        case .getNewToken, .checkTokenSource: "sign-in needed"
        case .checkPermission: failure.error.isServiceDisabled ? "not enabled" : "not allowed"
        case .waitForQuota: failure.error.isRateExceeded ? "too many calls" : "quota used up"
        case .checkAddress: "wrong server"
        case .checkCertificate: "not trusted"
        case .checkClock: "clock is wrong"
        case .updateTripwatch: "update needed"
        case .contactProvider: "not supported"
        }
    }

    /// Returns the instruction to the user, in at most 18 columns.
    static func shortAdvice(_ failure: PollFailure) -> String {
        if LinkEnd.isEnd(failure.error) { return "ask for a new link" }
        guard case .actionRequired(let action) = failure.errorClass else { return "wait" }
        return switch action {
        case .checkTripName: "check the name"
        case .getNewToken where failure.error.lacksToken: "start with a token"
        case .getNewToken: "new token, then r"
        case .checkTokenSource: "check token source"
        case .checkPermission: "check the token"
        case .waitForQuota: "wait a while"
        case .checkAddress: "check --endpoint"
        case .checkCertificate: "check --ca"
        case .checkClock: "set the clock"
        case .updateTripwatch: "update tripwatch"
        case .checkTripExists, .contactProvider: "ask the provider"
        }
    }

    private var cardLine: String {
        guard let card = page.shownCard else { return "" }
        return card.isKnown
            ? [card.plate, card.looks].filter { !$0.isEmpty }.joined(separator: " ∙ ") : "\(page.kind.vehicleTitle) \(card.id)"
    }
}

extension Sheet {
    /// Draws the lines of a very small screen, and below them the corner's text and the keys.
    /// - Parameters:
    ///   - corner: texts for the corner, the longest first.
    ///   - showsKeys: whether the viewer can use keys.
    mutating func drawLines(
        _ lines: [(String, ThemeScope)], corner: [String], _ scope: ThemeScope, showsKeys: Bool = true, in area: Rectangle
    ) {
        for (row, line) in lines.prefix(max(0, area.rows - 1)).enumerated() {
            put(wholeWords(line.0, columns: area.columns), column: area.column, row: row, line.1, columns: area.columns)
        }
        let last = area.endRow - 1
        let hints = !showsKeys ? "" : area.columns >= 30 ? "? help  q quit" : "?  q"
        // On the narrowest screen, two columns at the edge stay free, unless the corner's text needs one of them.
        let margin = area.columns > 20 || displayWidth((corner.first ?? "") + hints) + 2 == area.columns ? 1 : 2
        let used = putRight(hints, endColumn: area.endColumn - margin, row: last, .key, columns: area.columns / 2)
        let room = area.columns - used - margin - 1
        let text = AppState.fitting(corner, columns: room)
        put(wholeWords(text, columns: room), column: area.column, row: last, scope, columns: room)
    }
}
