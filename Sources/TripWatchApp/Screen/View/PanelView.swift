import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap

/// The panel beside the map: the number, how far it is, the steps, what to look for. What has no room is left out, the least important first.
struct PanelView {
    let page: TripPage
    let state: AppState
    let isWide: Bool

    private enum Part: Hashable, CaseIterable {
        case eta, progress, timeline, card, promise, follow

        /// Parts are left out from the highest on.
        var rank: Int {
            switch self {
            case .eta: 0
            case .timeline: 1
            case .card: 2
            case .progress: 3
            case .promise: 4
            case .follow: 5
            }
        }
    }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        let timeline = Timeline(page, state, isWide: isWide)
        let words = state.etaWords(page)
        var parts = Part.allCases.filter { rows($0, words, timeline) > 0 }
        func needed() -> Int { parts.reduce(parts.count) { $0 + rows($1, words, timeline) } }
        while needed() > area.rows, let worst = parts.filter({ $0 != .timeline }).max(by: { $0.rank < $1.rank }), worst.rank > 0 {
            parts.removeAll { $0 == worst }
        }
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
        case .eta: words.big.isEmpty ? 2 : state.painter == .ascii ? (fitsOneLine(words) ? 3 : 4) : digitRows + (words.isHere ? 2 : 1)
        case .progress: hasProgress ? 1 : 0
        case .timeline: timeline.steps.count
        case .card: page.card == nil || !page.status.isBeforePickup ? 0 : cardLines.count + (page.status.isAtStop ? 1 : 0)
        case .promise: isWide && page.journey.forecast.promises.count > 0 && !page.status.isAtStop ? 4 : 0
        case .follow: page.trip == nil || isWide ? 0 : 1
        }
    }

    private var digitHeight: BigText.Height { isWide ? .four : .three }
    private var digitRows: Int { BigText("0", height: digitHeight, painter: sheetPainter).size.rows }
    private var sheetPainter: Painter { state.painter }
    private var hasProgress: Bool { !page.status.isAtStop && page.journey.estimate?.remainingMeters != nil && page.trip?.vehicleID != nil }

    /// In ASCII the number is text like any other and stands with the rest in a line.
    private func fitsOneLine(_ words: ETAWords) -> Bool {
        displayWidth("   \(words.big) \(words.unit(columns: .max))   \(words.detail)") <= (isWide ? 34 : 25)
    }

    private func draw(_ part: Part, _ words: ETAWords, _ timeline: Timeline, into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        switch part {
        case .eta: drawETA(words, into: &sheet, in: area)
        case .progress: drawProgress(into: &sheet, in: area)
        case .timeline: drawTimeline(timeline, into: &sheet, in: area)
        case .card: drawCard(into: &sheet, in: area)
        case .promise: drawPromise(into: &sheet, in: area)
        case .follow: drawFollow(into: &sheet, in: area)
        }
    }

    private func drawETA(_ words: ETAWords, into sheet: inout Sheet, in area: Rectangle) {
        var caption = sheet.style(.etaCaption)
        if page.isFreshlyHere(now: state.now) { caption.attributes.insert(.reverse) }
        sheet.put(words.heading, column: area.column, row: area.row, style: caption, columns: area.columns)
        guard !words.big.isEmpty else {
            sheet.put(words.detail, column: area.column, row: area.row + 1, .etaUnit, columns: area.columns)
            return
        }
        if state.painter == .ascii {
            let used = sheet.put("   " + words.big, column: area.column, row: area.row + 2, .etaNumber, columns: area.columns)
            let isOne = fitsOneLine(words)
            let unit = words.unit(columns: area.columns - used - 1)
            let rest = (isOne ? [unit, words.detail] : [unit]).filter { !$0.isEmpty }.joined(separator: "   ")
            sheet.put(rest, column: area.column + used + 1, row: area.row + 2, .etaUnit, columns: area.columns - used - 1)
            if !isOne { sheet.put(words.detail, column: area.column + 3, row: area.row + 3, .etaUnit, columns: area.columns - 3) }
            return
        }
        let big = BigText(words.big, height: digitHeight, painter: state.painter)
        let style = sheet.style(.etaNumber)
        let top = Position(column: area.column, row: area.row + 1)
        let used = sheet.draw { big.draw(into: &$0, at: top, style: style) }
        if words.isHere {
            sheet.put(words.detail, column: area.column, row: top.row + big.size.rows, .etaUnit, columns: area.columns)
            return
        }
        let beside = area.column + used + (isWide ? 3 : 2)
        let room = area.endColumn - beside
        let unit = words.unit(columns: room)
        sheet.put(unit, column: beside, row: top.row + 1, .etaUnit, columns: room)
        if unit == words.unit { sheet.put(words.remark, column: beside, row: top.row, .etaUnit, columns: room) }
        sheet.put(words.detail, column: beside, row: top.row + big.size.rows - 1, .etaUnit, columns: room)
    }

    private func drawProgress(into sheet: inout Sheet, in area: Rectangle) {
        guard let meters = page.journey.estimate?.remainingMeters else { return }
        let bar = ProgressBar(fraction: page.journey.progress.fraction, painter: state.painter)
        let columns = area.columns - (isWide ? 10 : 8)
        let (done, rest) = (sheet.style(.progressDone), sheet.style(.progressLeft))
        _ = sheet.draw { bar.draw(into: &$0, column: area.column, row: area.row, columns: columns, done: done, rest: rest) }
        sheet.putRight(state.distance(meters), endColumn: area.endColumn, row: area.row, .text, columns: area.columns - columns - 1)
    }

    private func drawTimeline(_ timeline: Timeline, into sheet: inout Sheet, in area: Rectangle) {
        let isLoose = area.rows >= 2 * timeline.steps.count - 1 && timeline.steps.count > 1
        let steps = timeline.fitted(rows: area.rows)
        for (index, step) in steps.enumerated() {
            let row = area.row + (isLoose ? 2 * index : index)
            sheet.draw(step, in: Rectangle(column: area.column, row: row, columns: area.columns, rows: 1))
            if isLoose, index + 1 < steps.count {
                sheet.put(sheet.tier.connector, column: area.column, row: row + 1, .rule, columns: 1)
            }
        }
    }

    private var cardLines: [String] {
        guard let card = page.card else { return [] }
        guard card.isKnown else { return ["Car \(card.id)"] }
        return [card.spacedPlate, card.looks, card.driver].filter { !$0.isEmpty }
    }

    private func drawCard(into sheet: inout Sheet, in area: Rectangle) {
        var row = area.row
        if page.status.isAtStop {
            sheet.put("LOOK FOR", column: area.column, row: row, .etaCaption, columns: area.columns)
            row += 1
        }
        for line in cardLines where row < area.endRow {
            sheet.put(line, column: area.column, row: row, .card, columns: area.columns)
            row += 1
        }
    }

    private func drawPromise(into sheet: inout Sheet, in area: Rectangle) {
        let promises = page.journey.forecast.promises
        guard let first = promises.first, let last = promises.last else { return }
        let moves = page.journey.forecast.moves
        let times =
            moves == 0 ? state.clock(upTo: first.arrival) : "\(state.clock(upTo: first.arrival)) ▸ \(state.clock(upTo: last.arrival))"
        let moved = moves == 0 ? "not moved" : moves == 1 ? "moved once" : "moved \(moves) times"
        sheet.put("PROMISE SO FAR", column: area.column, row: area.row, .etaCaption, columns: area.columns)
        sheet.put("\(times)   \(moved)", column: area.column, row: area.row + 1, .text, columns: area.columns)
        let columns = min(24, area.columns)
        let curve = Sparkline(values: promiseCurve(columns: columns * 2), minimumSpan: 240, painter: state.painter)
        let style = sheet.style(.etaHistory)
        sheet.draw {
            curve.draw(into: &$0, in: Rectangle(column: area.column, row: area.row + 2, columns: columns, rows: 1), style: style)
        }
        sheet.put(state.clock(first.madeAt), column: area.column, row: area.row + 3, .textQuiet, columns: 5)
        sheet.putRight(state.clock(state.now), endColumn: area.column + columns, row: area.row + 3, .textQuiet, columns: 5)
    }

    /// The announced arrival over the time since the first announcement, seconds later than that.
    private func promiseCurve(columns: Int) -> [Double?] {
        let promises = page.journey.forecast.promises
        guard let first = promises.first else { return [] }
        let span = max(1, state.now.timeIntervalSince(first.madeAt))
        return (0..<columns).map { index in
            let moment = first.madeAt.addingTimeInterval(span * Double(index + 1) / Double(columns))
            return promises.last { $0.madeAt <= moment }.map { $0.arrival.timeIntervalSince(first.arrival) }
        }
    }

    private func drawFollow(into sheet: inout Sheet, in area: Rectangle) {
        let isFollowing = page.map.isAllowCameraAutoUpdate
        let zoom = page.map.camera.zoom
        let tenths = (zoom * 10).rounded().clamped()
        let right = "zoom \(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
        sheet.put(isFollowing ? "follow on" : "follow off ∙ f", column: area.column, row: area.row, .textQuiet, columns: area.columns - 10)
        sheet.putRight(right, endColumn: area.endColumn, row: area.row, .textQuiet, columns: 10)
    }
}
