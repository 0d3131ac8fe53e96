import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The texts of a very small screen: three lines, or more if there is room.
struct LinesView {
    let page: TripPage
    let state: AppState

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        let columns = area.columns
        // Viewers of a link have no keys. Instead of key hints, they see when the link ends, if there is room.
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
        // After the trip, the first line already shows the corner's text.
        let freshness = page.status.isFinal ? [] : [state.shortFreshness(page), state.freshnessWords(page).word]
        let corner = state.replay.map { [$0.position] } ?? freshness
        let ending: [(String, ThemeScope)] = footer.map { [($0, .textQuiet)] } ?? []
        sheet.drawLines(
            lines + more.prefix(rows) + ending, corner: corner, state.freshnessScope(page),
            keys: state.options.footer == nil ? state : nil, in: area)
    }

    /// Returns the first line. While an arrival is counted down, it is `Pickup 6 min` and the clock time. If this is too long, the name of
    /// the stop is left out first, and the clock time is always kept. At other times, it is the trip's status. After the trip, the end time
    /// follows if it fits.
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

    /// Returns the full text of a failure if it fits in one line, or else its meaning in several lines; empty if there are not enough rows,
    /// or without a failure.
    private func failureLines(columns: Int, rows: Int) -> [String] {
        guard let words = page.failure.map({ FailureWords($0) }) else { return [] }
        let lines = displayWidth(words.line) <= columns ? [words.line] : wrapped(words.meaning, columns: columns)
        return lines.count <= rows ? lines : []
    }

    private func phaseLine(_ tier: GlyphTier, columns: Int, rows: Int) -> String {
        if let notice = state.notice, displayWidth(notice.text) <= columns { return notice.text }
        if let failure = page.failure {
            guard page.needsUser else { return "\(tier.warning) \(state.retryWords(page))" }
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

    /// Texts for the phase, the longest first. If the car makes stops for other riders first, the texts contain the number of these stops.
    /// With a single such stop, the longest text instead names the purpose of the stop.
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
        case .checkTripName: failure.error.code == .notFound ? "no such trip" : "server refused"
        case .checkTripExists: "trip is gone"
        case .getNewToken: "no valid token"
        case .checkTokenSource: "no usable token"
        case .checkPermission: "not allowed"
        case .waitForQuota: failure.error.isRateExceeded ? "limit reached" : "quota used up"
        case .checkAddress: "wrong server"
        case .checkCertificate: "bad certificate"
        case .checkClock: "clock is wrong"
        case .updateTripwatch: "update needed"
        case .contactProvider where failure.error.isServiceDisabled: "API not enabled"
        case .contactProvider: failure.error.isQuotaZero ? "quota is zero" : "server problem"
        }
    }

    /// Returns the instruction to the user, in at most 18 columns.
    static func shortAdvice(_ failure: PollFailure) -> String {
        if LinkEnd.isEnd(failure.error) { return "ask for a new link" }
        guard case .actionRequired(let action) = failure.errorClass else { return "wait" }
        return switch action {
        case .checkTripName: "check the name"
        case .getNewToken where failure.error.lacksToken: "restart with token"
        case .getNewToken: "get a new token"
        case .checkTokenSource: "check token source"
        case .checkPermission: "check the token"
        case .waitForQuota: "wait a while"
        case .checkAddress: "check --endpoint"
        case .checkCertificate: "check --ca"
        case .checkClock: "set the clock"
        case .updateTripwatch: "update tripwatch"
        case .contactProvider where failure.error.isQuotaZero: "ask for more quota"
        case .checkTripExists, .contactProvider: "ask the provider"
        }
    }

    private var cardLine: String {
        guard let card = page.shownCard else { return "" }
        return card.isKnown
            ? [card.plate, card.looks].filter { !$0.isEmpty }.joined(separator: " ∙ ") : "\(page.kind.vehicleTitle) \(card.id)"
    }
}
