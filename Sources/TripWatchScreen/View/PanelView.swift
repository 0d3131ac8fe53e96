import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// The panel beside the map: countdown, distance, steps, and the vehicle. If there is not enough room, the least important parts are left
/// out first.
struct PanelView {
    let page: TripPage
    let state: AppState
    let isWide: Bool
    /// Number of rows for facts below the map; 0 on a screen that is not wide.
    let factRows: Int

    private enum Part: Hashable, CaseIterable {
        case eta, progress, reasons, timeline, walk, card, promise

        /// Rank of the part; 0 is the most important. If there is not enough room, the parts with the largest ranks are left out first. The
        /// timeline is shortened instead, and the countdown and the walk always stay.
        var rank: Int {
            switch self {
            case .eta: 0
            case .timeline: 1
            case .card: 2
            case .reasons: 3
            case .walk: 4
            case .progress: 5
            case .promise: 6
            }
        }
    }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        let timeline = Timeline(page, state, isWide: isWide)
        let words = state.etaWords(page)
        let all = Part.allCases.filter { rows($0, words, timeline) > 0 && !isBelow($0) }
        var parts = all
        func needed() -> Int { parts.reduce(parts.count) { $0 + rows($1, words, timeline) } }
        while needed() > area.rows, let worst = parts.filter({ $0 != .timeline }).max(by: { $0.rank < $1.rank }), worst.rank > 0 {
            parts.removeAll { $0 == worst }
        }
        // The walk is more important than empty rows and finished steps.
        parts = all.filter { $0 == .walk || parts.contains($0) }
        let gap = needed() > area.rows ? 0 : 1
        let fixed = parts.reduce(gap) { $0 + ($1 == .timeline ? 0 : rows($1, words, timeline) + gap) }
        let isLoose = isWide && needed() + timeline.steps.count - 1 <= area.rows
        var row = area.row + gap
        for part in parts {
            let height = part == .timeline ? min(rows(part, words, timeline), area.rows - fixed) : rows(part, words, timeline)
            let free = max(0, area.endRow - row)
            var place = Rectangle(column: area.column, row: row, columns: area.columns, rows: min(max(0, height), free))
            if part == .timeline && isLoose { place.rows = min(free, 2 * timeline.steps.count - 1) }
            draw(part, words, timeline, into: &sheet, in: place)
            row += place.rows + gap
        }
    }

    private func rows(_ part: Part, _ words: ETAWords, _ timeline: Timeline) -> Int {
        switch part {
        case .eta: eta(words).rows
        case .progress: hasProgress ? 1 : 0
        case .reasons: state.reasons(page).count
        case .timeline: timeline.steps.count
        case .walk: state.walkWords(page).isEmpty ? 0 : 1
        case .card: cardLines().isEmpty ? 0 : cardLines().count + (isLookedFor ? 1 : 0)
        case .promise: isWide && hasPromise ? 4 : 0
        }
    }

    /// Whether a part is shown below the map instead of in the panel. This applies to the car on a wide screen, except at a stop, and to
    /// the walk if a row below the map is free for it.
    private func isBelow(_ part: Part) -> Bool {
        switch part {
        case .card: isWide && !page.isAtStop
        case .walk: RideFactsView(page: page, state: state).walk(rows: factRows) != nil
        case .eta, .progress, .reasons, .timeline, .promise: false
        }
    }

    private func eta(_ words: ETAWords) -> ETAView {
        ETAView(words: words, isWide: isWide, painter: state.painter, isReversed: page.isFreshlyHere(now: state.now))
    }

    private var hasProgress: Bool { !page.isAtStop && page.journey.estimate?.remainingMeters != nil && page.trip?.vehicleID != nil }

    /// Whether an arrival is shown and was promised. If the car is taken off the trip, the promises stay, but no arrival is shown.
    private var hasPromise: Bool {
        let forecast = page.journey.forecast
        return page.phrases.panel == nil && forecast.shown != nil && !forecast.promises.isEmpty
    }

    private func draw(_ part: Part, _ words: ETAWords, _ timeline: Timeline, into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        switch part {
        case .eta: eta(words).draw(into: &sheet, in: area)
        case .progress: drawProgress(into: &sheet, in: area)
        case .reasons: drawReasons(into: &sheet, in: area)
        case .timeline: drawTimeline(timeline, into: &sheet, in: area)
        case .walk: drawWalk(into: &sheet, in: area)
        case .card: drawCard(into: &sheet, in: area)
        case .promise: drawPromise(into: &sheet, in: area)
        }
    }

    private func drawProgress(into sheet: inout Sheet, in area: Rectangle) {
        guard let meters = page.journey.estimate?.remainingMeters else { return }
        sheet.drawProgress(
            page.journey.progress.fraction, distance: state.distanceLeft(meters), distanceColumns: isWide ? 10 : 8, in: area)
    }

    /// Draws the reasons for a delay. In a narrow panel, the longest reason needs the free column at the edge of the screen.
    private func drawReasons(into sheet: inout Sheet, in area: Rectangle) {
        for (index, line) in state.reasons(page, columns: area.columns + 1).prefix(area.rows).enumerated() {
            sheet.put(line, column: area.column, row: area.row + index, .text, columns: area.columns + 1)
        }
    }

    private func drawTimeline(_ timeline: Timeline, into sheet: inout Sheet, in area: Rectangle) {
        let isLoose = area.rows >= 2 * timeline.steps.count - 1 && timeline.steps.count > 1
        let steps = timeline.fitted(rows: area.rows)
        // The times may use the empty column at the edge of a narrow panel, if this makes room for a name beside them.
        let needsEdge = !isWide && steps.contains { sheet.words($0, columns: area.columns) != sheet.words($0, columns: area.columns + 1) }
        for (index, step) in steps.enumerated() {
            let row = area.row + (isLoose ? 2 * index : index)
            sheet.draw(step, in: Rectangle(column: area.column, row: row, columns: area.columns + (needsEdge ? 1 : 0), rows: 1))
            if isLoose, index + 1 < steps.count {
                sheet.put(sheet.tier.connector, column: area.column, row: row + 1, .rule, columns: 1)
            }
        }
    }

    /// Whether the rider now has to find the car.
    private var isLookedFor: Bool { page.isCarHere }

    private func drawWalk(into sheet: inout Sheet, in area: Rectangle) {
        // The text may use the empty column at the edge of a narrow panel.
        let columns = area.columns + (isWide ? 0 : 1)
        sheet.put(state.walk(page, columns: columns) ?? "", column: area.column, row: area.row, .text, columns: columns)
    }

    /// - Parameter columns: available width. A plate that does not fit is shown without its spaces.
    private func cardLines(columns: Int = .max) -> [String] {
        guard let card = page.shownCard else { return [] }
        guard card.isKnown else { return ["\(page.kind.vehicleTitle) \(card.id)"] }
        let plate = displayWidth(card.spacedPlate) <= columns ? card.spacedPlate : card.plate
        return [plate, card.looks, card.driver].filter { !$0.isEmpty }
    }

    private func drawCard(into sheet: inout Sheet, in area: Rectangle) {
        var row = area.row
        if isLookedFor {
            sheet.put("LOOK FOR", column: area.column, row: row, .etaCaption, columns: area.columns)
            row += 1
        }
        for line in cardLines(columns: area.columns) where row < area.endRow {
            sheet.put(line, column: area.column, row: row, .card, columns: area.columns)
            row += 1
        }
    }

    private func drawPromise(into sheet: inout Sheet, in area: Rectangle) {
        let promises = page.journey.forecast.promises
        guard let first = promises.first, let last = promises.last else { return }
        let moves = page.journey.forecast.moves
        let before = state.clock(first.arrival)
        let times = moves == 0 ? before : "\(before) ▸ \(state.clock(last.arrival))"
        let moved = moves == 0 ? "unchanged" : moves == 1 ? "moved once" : "moved \(moves) times"
        sheet.put("PROMISED ARRIVAL", column: area.column, row: area.row, .etaCaption, columns: area.columns)
        let line = AppState.fitting(["\(times)   \(moved)", times], columns: area.columns)
        sheet.put(line, column: area.column, row: area.row + 1, .text, columns: area.columns)
        let columns = min(24, area.columns)
        let curve = Sparkline(values: promiseCurve(columns: columns * 2), minimumSpan: 240, painter: state.painter)
        let style = sheet.style(.etaHistory)
        sheet.draw {
            curve.draw(into: &$0, in: Rectangle(column: area.column, row: area.row + 2, columns: columns, rows: 1), style: style)
        }
        sheet.put(state.clock(page.clockTime(first.madeAt)), column: area.column, row: area.row + 3, .textQuiet, columns: 12)
        sheet.putRight(state.clock(page.clockTime(state.now)), endColumn: area.column + columns, row: area.row + 3, .textQuiet, columns: 5)
    }

    /// Returns the announced arrival minus the first announced arrival, in seconds, at regular intervals since the first announcement.
    private func promiseCurve(columns: Int) -> [Double?] {
        let promises = page.journey.forecast.promises
        guard let first = promises.first else { return [] }
        let span = max(1, state.now.timeIntervalSince(first.madeAt))
        return (0..<columns).map { index in
            let moment = first.madeAt.addingTimeInterval(span * Double(index + 1) / Double(columns))
            return promises.last { $0.madeAt <= moment }.map { $0.arrival.timeIntervalSince(first.arrival) }
        }
    }
}
