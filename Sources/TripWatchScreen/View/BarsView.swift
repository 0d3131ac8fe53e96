import ConsumerMap
import FleetEngine
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// The lines at the top and the bottom of the screen.
struct BarsView {
    let state: AppState
    let page: TripPage?

    /// Minimum width of a tab, in columns.
    static let tabColumns = 24

    func drawTitle(into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .title)
        let end = area.endColumn - 1
        guard let corner = corner(dot: sheet.tier.dot) else { return drawMapTitle(into: &sheet, in: area) }
        let clock = state.clock(state.shownNow, withSeconds: state.isReplay)
        sheet.putRight(clock, endColumn: end, row: area.row, .title, columns: clock.count)
        let cornerEnd = end - clock.count - (area.columns >= 70 ? 4 : 2)
        let used = drawFreshness(corner, into: &sheet, endColumn: cornerEnd, row: area.row, columns: area.columns / 2)
        let room = cornerEnd - used - 2
        if state.pageCount > 1 {
            drawTabs(into: &sheet, row: area.row, endColumn: room)
        } else {
            sheet.put("tripwatch", column: 1, row: area.row, .title, columns: room)
            let isNamed = !state.isReplay || page?.names.ownTitle != nil
            var title = isNamed ? page?.names.title ?? otherTitle : state.options.recordingName
            if isNamed, displayWidth(title) > room - 13, let place = page?.names.place { title = place }
            sheet.put(title, column: 13, row: area.row, .title, columns: room - 13)
        }
    }

    /// Title of a shipment's or a driver's page.
    private var otherTitle: String { state.shipment?.title ?? state.driveWords?.title ?? "" }

    /// A text about the freshness of the data, and its colour.
    private struct Corner {
        var text: String
        var scope: ThemeScope
    }

    /// - Parameter dot: separator between word and age; nil to use the short form.
    private func corner(dot: String?) -> Corner? {
        if let words = state.driveWords { return Corner(text: dot.map(words.cornerLine) ?? words.shortCorner, scope: words.cornerScope) }
        if let replay = state.replay { return Corner(text: replay.corner, scope: .freshnessEnded) }
        if let words = state.shipmentWords {
            return Corner(text: dot.map(words.cornerLine) ?? words.shortCorner, scope: words.cornerScope)
        }
        return page.map { page in
            Corner(text: dot.map { state.freshnessLine(page, dot: $0) } ?? state.shortFreshness(page), scope: state.freshnessScope(page))
        }
    }

    /// Draws the word in the corner, in the word's own colour on the background of the bar. If that colour is not readable there, or if the
    /// bar is in reverse video, the word gets the background of the screen. A word without its own colour gets the colours of the bar.
    private func drawFreshness(_ corner: Corner, into sheet: inout Sheet, endColumn: Int, row: Int, columns: Int) -> Int {
        let text = corner.text
        let bar = sheet.style(.title)
        var style = sheet.style(corner.scope)
        if style.foreground == .default {
            let isReversed = bar.attributes.contains(.reverse) != style.attributes.contains(.reverse)
            style = Style(foreground: bar.foreground, background: bar.background, attributes: bar.attributes.union(style.attributes))
            if !isReversed { style.attributes.remove(.reverse) }
        } else if !bar.attributes.contains(.reverse),
            style.background == bar.background || bar.background.hasContrast(with: style.foreground)
        {
            style.background = bar.background
        } else {
            let width = min(columns, sheet.width(text))
            sheet.fill(Rectangle(column: endColumn - width - 1, row: row, columns: width + 2, rows: 1), .text)
        }
        return sheet.putRight(text, endColumn: endColumn, row: row, style: style, columns: columns)
    }

    /// Draws a numbered tab for each page. The tab of the page in front is bold and underlined, which also shows without colours. If there
    /// is no room for tabs, only the number and the title of the page in front are drawn.
    private func drawTabs(into sheet: inout Sheet, row: Int, endColumn: Int) {
        let share = (endColumn - 14) / max(1, state.pageCount)
        sheet.put("tripwatch", column: 1, row: row, .title, columns: endColumn - 1)
        guard share >= Self.tabColumns else {
            let text = "\(state.selected + 1) of \(state.pageCount)   \(page?.names.title ?? otherTitle)"
            sheet.put(text, column: 13, row: row, .title, columns: endColumn - 13)
            return
        }
        let names = TripNames.distinct(state.pages.map(\.names.title) + state.shipments.map(\.title))
        var column = 14
        for (index, words) in (state.pages.map(tabWords) + state.shipmentTabs).enumerated() {
            var style = sheet.style(.title)
            if index == state.selected { style.attributes.formUnion([.bold, .underline]) }
            let room = min(share - 3, endColumn - column)
            let eta = " ▸ " + words
            let name = fitted("\(index + 1) \(names[index])", columns: room - sheet.width(eta), ellipsis: "")
            column += sheet.put(name + eta, column: column, row: row, style: style, columns: room) + 3
        }
    }

    /// Returns the short text for a trip's state in the trip's tab.
    private func tabWords(_ page: TripPage) -> String {
        if page.status.isFinal { return page.phrases.standing ?? "" }
        guard page.isCounting else { return page.trip?.vehicleID == nil ? "no \(page.kind.vehicle) yet" : "here" }
        let eta = page.etaText(now: state.now)
        if eta.value != .unknown { return eta.text }
        if page.kind == .ride, let before = page.trip?.stopsBefore, before > 0 { return "\(before) stops" }
        return page.trip == nil ? "⋯" : page.trip?.vehicleID == nil ? "no \(page.kind.vehicle) yet" : "no ETA"
    }

    private func drawMapTitle(into sheet: inout Sheet, in area: Rectangle) {
        let center = state.map.camera.center
        let place = "\(center.latitude.fixed(decimals: 4)), \(center.longitude.fixed(decimals: 4))"
        let zoom = "zoom \(state.map.camera.zoom.fixed(decimals: 1))"
        let used = sheet.putRight("\(place)   \(zoom)", endColumn: area.endColumn - 1, row: area.row, .title, columns: area.columns - 2)
        let room = area.columns - used - 4
        let title = state.fleet.map { "tripwatch   \(FleetWords.title($0) { state.clock($0) })" }
        sheet.put(
            title ?? AppState.fitting(["tripwatch map", "tripwatch"], columns: room), column: 1, row: area.row, .title, columns: room)
    }

    /// Draws the title of the trip list: the number of trips and shipments, and the freshness of their data.
    func drawListTitle(_ words: ListWords, into sheet: inout Sheet, in area: Rectangle) {
        sheet.fill(area, .title)
        let end = area.endColumn - 1
        sheet.putRight(state.clock(state.shownNow), endColumn: end, row: area.row, .title, columns: 5)
        let cornerEnd = end - 5 - (area.columns >= 70 ? 4 : 2)
        let corner = Corner(text: words.corner, scope: words.cornerScope)
        let used = drawFreshness(corner, into: &sheet, endColumn: cornerEnd, row: area.row, columns: area.columns / 2)
        // The number of trips is more important than the program's name.
        let isWide = area.columns >= 40 && 13 + sheet.width(words.title) <= cornerEnd - used - 2
        if isWide { sheet.put("tripwatch", column: 1, row: area.row, .title, columns: 10) }
        let start = isWide ? 13 : 1
        sheet.put(words.title, column: start, row: area.row, .title, columns: max(0, cornerEnd - used - 2 - start))
    }

    /// Draws the short title of small screens.
    func drawShortTitle(into sheet: inout Sheet, in area: Rectangle) {
        guard let corner = corner(dot: nil) else { return }
        sheet.fill(area, .title)
        let end = area.endColumn - 1
        sheet.putRight(state.clock(state.shownNow), endColumn: end, row: area.row, .title, columns: 5)
        let used = drawFreshness(corner, into: &sheet, endColumn: end - 7, row: area.row, columns: area.columns / 2)
        let number = state.pageCount > 1 ? "\(state.selected + 1)/\(state.pageCount) " : ""
        sheet.put(number + (page?.names.place ?? otherTitle), column: 1, row: area.row, .title, columns: end - 7 - used - 3)
    }

    func drawBanner(into sheet: inout Sheet, in area: Rectangle) {
        guard let words = state.banner, !area.isEmpty else { return }
        let scope: ThemeScope = words.needsUser ? .bannerAction : .bannerRetry
        sheet.fill(area, scope)
        let sign = words.needsUser ? sheet.tier.failed : sheet.tier.warning
        sheet.put(sign, column: 1, row: area.row, scope, columns: 1)
        for (index, line) in words.lines(columns: area.columns, maximumLines: area.rows).enumerated() {
            sheet.put(line, column: BannerWords.indent, row: area.row + index, scope, columns: area.columns - BannerWords.indent)
        }
    }

    /// Draws the notice. Without a notice, draws the position of a replay, or else the newest event.
    func drawEvent(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        if let replay = state.replay, state.notice == nil { return ScrubBarView(state: state, replay: replay).draw(into: &sheet, in: area) }
        let columns = area.columns - 2
        sheet.put(eventLine(columns: columns), column: 1, row: area.row, state.notice == nil ? .event : .timelineNow, columns: columns)
    }

    /// - Parameters:
    ///   - columns: available width. If there is room, the last event of a ride is followed by the name of its recording.
    ///   - withNotice: whether a notice replaces the event.
    ///   - withFailure: whether the event may be a failure; false if another line says what failed.
    func eventLine(columns: Int, withNotice: Bool = true, withFailure: Bool = true) -> String {
        if withNotice, let notice = state.notice { return notice.text }
        guard let event = state.loggedEvents.last(where: { withFailure || !$0.isFailure }) else { return "" }
        let line = state.line(event, columns: columns)
        guard let page, page.status.isFinal, let recording = page.recording else { return line }
        let whole = "\(line). Recorded: \(recording.name) (\(recording.size))"
        return displayWidth(whole) <= columns ? whole : line
    }

    /// Draws the text for viewers if there is one, or else the keys that are useful now. If there is little room, only the most important
    /// keys are drawn.
    func drawFooter(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        sheet.fill(area, .footer)
        if let words = state.options.footer {
            sheet.put(words, column: 1, row: area.row, .footer, columns: area.columns - 2)
            return
        }
        for (hint, place) in FooterHints(state, page: page).placed(columns: area.columns) {
            var column = area.column + place
            let style = sheet.style(.key, on: .footer)
            column += sheet.put(hint.keys, column: column, row: area.row, style: style, columns: area.endColumn - column) + 1
            sheet.put(hint.word, column: column, row: area.row, .footer, columns: area.endColumn - column)
        }
    }
}

extension AppState {
    /// Replaces the text that viewers see in place of the key hints.
    package mutating func setFooter(_ words: String) { options.footer = words }
}

extension Color {
    /// Whether text in this colour is readable on the other colour. Palette colours are compared by xterm's default values. The result
    /// is true if either colour is the terminal's default colour, whose value is unknown.
    fileprivate func hasContrast(with other: Color) -> Bool {
        contrast(with: other).map { $0 >= 4.5 } ?? true
    }
}
