import ConsumerMap
import FleetEngine
package import Geo
import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings
import TripWatchWords

/// Draws the screen. The map's buffers and the positions of its labels are kept between frames. All other data comes from the state.
package final class AppView {
    private let renderer = MapRenderer()
    /// The last screen, and the values that describe its map. The next screen gets a copy of the map if these values have not changed. Nil
    /// if the map must not be copied, for example because it was covered.
    private var last: (canvas: Canvas, map: DrawnMap)?
    /// The cells of the names on the map that was drawn last.
    private var mapNames: [Rectangle] = []
    /// Number of times the map has been drawn.
    package private(set) var drawnMaps = 0

    private struct DrawnMap: Equatable {
        let signature: MapSignature
        let theme: Theme
        let area: Rectangle
        let size: Size
        let followMark: String?
    }

    package init() {}

    /// Draws the screen for a state.
    package func canvas(_ state: AppState, theme: Theme) -> Canvas {
        var sheet = Sheet(size: state.size, theme: theme, painter: state.painter)
        let page = state.page
        let layout = ScreenLayout(state, page: page)
        if layout.kind == .tooSmall {
            let trip = state.driveWords.map { TinyView($0, state) } ?? page.map { TinyView($0, state) }
            let words = trip ?? state.shipmentTexts ?? TinyView()
            words.draw(into: &sheet, size: state.size, notice: state.notice)
            return sheet.finished()
        }
        let map = DrawnMap(
            signature: MapSignature(state), theme: theme, area: layout.map, size: state.size,
            followMark: state.followMark(dot: sheet.tier.dot))
        if state.list == nil {
            if let last, last.map == map {
                sheet.draw { $0.copy(layout.map, from: last.canvas) }
            } else {
                drawMap(state, page, into: &sheet, in: layout.map)
                if let mark = map.followMark, layout.map.rows >= 3 {
                    // The blanks keep the map's lines away from the words.
                    sheet.put(" \(mark) ", column: layout.map.column, row: layout.map.row, .text, columns: layout.map.columns)
                }
                drawnMaps += 1
            }
            sheet.mapNames = mapNames
            for row in layout.rules { sheet.rule(row: row) }
            drawText(state, page, layout, into: &sheet)
            NoticeView(state: state, layout: layout).draw(into: &sheet)
        } else {
            ListView(state).draw(into: &sheet)
        }
        if state.isAskingForMap { drawQuestion(state, layout, into: &sheet) }
        if state.overlay != nil { OverlayView(state: state).draw(into: &sheet) }
        last = isBare(state, page) ? (sheet.canvas, map) : nil
        return sheet.finished()
    }

    /// Whether the next screen may copy the map. A driver's map is always drawn again, because its route changes with each fix.
    private func isBare(_ state: AppState, _ page: TripPage?) -> Bool {
        state.list == nil && state.overlay == nil && !state.isAskingForMap && state.notice == nil && state.drive == nil
            && (page?.trip != nil || state.shipment?.tracker.shipment != nil)
    }

    private func drawText(_ state: AppState, _ page: TripPage?, _ layout: ScreenLayout, into sheet: inout Sheet) {
        let bars = BarsView(state: state, page: page)
        if let words = state.driveWords { return drawDrive(words, state, bars, layout, into: &sheet) }
        guard state.front != nil else { return drawAlone(state, bars, layout, into: &sheet) }
        switch layout.kind {
        case .tooSmall, .map: break
        case .lines:
            if let page { LinesView(page: page, state: state).draw(into: &sheet, in: layout.bottom) }
            state.drawShipmentLines(into: &sheet, in: layout.bottom)
        case .compact:
            bars.drawShortTitle(into: &sheet, in: layout.title)
            bars.drawBanner(into: &sheet, in: layout.banner)
            if let page { CompactView(page: page, state: state).draw(into: &sheet, in: layout.bottom) }
            state.drawShipmentCompactly(into: &sheet, in: layout.bottom)
            bars.drawEvent(into: &sheet, in: layout.event)
            bars.drawFooter(into: &sheet, in: layout.footer)
        case .standard, .wide, .summary:
            bars.drawTitle(into: &sheet, in: layout.title)
            bars.drawBanner(into: &sheet, in: layout.banner)
            if let separator = layout.separator { sheet.separator(column: separator, from: layout.map.row, to: layout.map.endRow) }
            if let page, layout.kind == .summary {
                SummaryView(page: page, state: state).draw(into: &sheet, in: layout.bottom)
            } else if let page {
                let isWide = layout.kind == .wide
                PanelView(page: page, state: state, isWide: isWide, factRows: isWide ? layout.bottom.rows : 0)
                    .draw(into: &sheet, in: layout.panel)
            }
            state.drawShipmentPanel(isWide: layout.kind == .wide, into: &sheet, in: layout.panel)
            if layout.kind == .wide { WideBottomView(state: state).draw(into: &sheet, in: layout.bottom) }
            bars.drawEvent(into: &sheet, in: layout.event)
            bars.drawFooter(into: &sheet, in: layout.footer)
        }
    }

    /// Draws the texts of a screen that has a map, but no trip and no shipment.
    private func drawAlone(_ state: AppState, _ bars: BarsView, _ layout: ScreenLayout, into sheet: inout Sheet) {
        BookingView(state: state).draw(into: &sheet, in: layout.banner)
        guard !layout.title.isEmpty else { return }
        bars.drawTitle(into: &sheet, in: layout.title)
        if state.notice != nil {
            bars.drawEvent(into: &sheet, in: layout.footer)
        } else {
            bars.drawFooter(into: &sheet, in: layout.footer)
        }
    }

    private func drawDrive(_ words: DriveWords, _ state: AppState, _ bars: BarsView, _ layout: ScreenLayout, into sheet: inout Sheet) {
        switch layout.kind {
        case .tooSmall, .map, .summary: break
        case .lines: DriveLinesView(words: words, state: state).draw(into: &sheet, in: layout.bottom)
        case .compact:
            bars.drawShortTitle(into: &sheet, in: layout.title)
            bars.drawBanner(into: &sheet, in: layout.banner)
            DriveCompactView(words: words, state: state).draw(into: &sheet, in: layout.bottom)
            bars.drawFooter(into: &sheet, in: layout.footer)
        case .standard, .wide:
            bars.drawTitle(into: &sheet, in: layout.title)
            bars.drawBanner(into: &sheet, in: layout.banner)
            if let separator = layout.separator { sheet.separator(column: separator, from: layout.map.row, to: layout.map.endRow) }
            DrivePanelView(words: words, state: state, isWide: layout.kind == .wide).draw(into: &sheet, in: layout.panel)
            if layout.kind == .wide { WideBottomView(state: state).draw(into: &sheet, in: layout.bottom) }
            bars.drawEvent(into: &sheet, in: layout.event)
            bars.drawFooter(into: &sheet, in: layout.footer)
        }
    }

    /// Draws the question about loading a street map. Its last line covers the rule below the map, or the map's lowest row if there is no
    /// rule. A line above it covers one more row of the map. Events, failures and the panel thus stay visible.
    private func drawQuestion(_ state: AppState, _ layout: ScreenLayout, into sheet: inout Sheet) {
        let map = layout.map
        let lines = MapWords.question(columns: state.size.columns, mapColumns: map.columns)
        let last = layout.rules.contains(map.endRow) ? map.endRow : map.endRow - 1
        for (index, line) in lines.enumerated() {
            let row = last - lines.count + 1 + index
            let columns = row < map.endRow ? map.columns : state.size.columns
            sheet.fill(Rectangle(column: 0, row: row, columns: columns, rows: 1), .text)
            sheet.put(line, column: columns > line.count ? 1 : 0, row: row, .timelineNow, columns: columns)
        }
    }

    private func drawMap(_ state: AppState, _ page: TripPage?, into sheet: inout Sheet, in area: Rectangle) {
        mapNames = []
        guard !area.isEmpty else { return }
        let (scene, camera) = Self.map(of: state, theme: sheet.theme)
        mapNames = sheet.draw { renderer.draw(scene, camera: camera, into: &$0, at: area) }.labels.map(\.cells)
        // Beside a dialog, only parts of these texts would be visible.
        guard state.overlay == nil else { return }
        if let page, page.trip == nil { drawWaiting(state, page, for: page.name.trip, into: &sheet, in: area) }
        if let shipment = state.shipment, shipment.tracker.shipment == nil {
            drawWaiting(state, shipment, for: shipment.shortTitle, into: &sheet, in: area)
        }
        if let drive = state.drive, drive.journey.vehicle == nil {
            let words = drive.options.getsPosition ? "Waiting for the first position" : "No position yet; restart with --route 'LAT,LNG;…'"
            drawCentered(words, .textQuiet, into: &sheet, in: area, row: area.row + area.rows / 2)
        }
    }

    /// Returns the scene of the map in front, and its camera.
    package static func map(of state: AppState, theme: Theme) -> (scene: MapScene, camera: Camera) {
        let page = state.page
        var map = state.map
        map.styleCoordinator = MapLook(theme: theme).coordinator(for: state.journeys.first, map.shipment)
        map.labels.lastSeen = state.journeys.first.flatMap { state.lastSeenWords($0) } ?? state.shipmentLastSeen
        var overlays = map.overlays(for: state.journeys)
        if state.isChoosingPlace {
            let style = map.styleCoordinator.markerStyleOptions(markerType: .unknown)
            overlays.markers.append(BookingView.crosshair(at: map.camera.center, style: style))
        }
        let isPolar = overlays.markers.contains { abs($0.coordinate.latitude) > WebMercator.maximumLatitude }
        let scene = MapScene(
            base: state.showsBaseMap ? state.baseMap : nil, ground: state.options.ground, overlays: overlays,
            style: theme.mapStyle, painter: state.painter, colorDepth: theme.depth, fillsAreas: theme.fillsMapAreas,
            units: state.measurementSystem == .metric ? .metric : .imperial,
            showsScale: state.front == nil || page?.trip != nil || state.shipment?.tracker.shipment != nil,
            showsNorth: state.size.columns >= ScreenLayout.smallestWide.columns,
            note: state.mapNote ?? (isPolar ? MapWords.polar : nil) ?? state.shipmentWords.flatMap { $0.pace.isEmpty ? nil : $0.pace })
        return (scene, map.camera)
    }

    /// Returns the overlays of a map without trips: only the user's position, if it is known.
    package static func overlays(ownPosition: Coordinate?, theme: Theme) -> MapOverlays {
        var map = JourneyMap()
        map.ownPosition = ownPosition
        map.styleCoordinator = MapLook(theme: theme).coordinator(for: nil)
        return map.overlays(for: [])
    }

    /// Draws the waiting text in the middle of the map before the first answer.
    private func drawWaiting(
        _ state: AppState, _ page: some PolledPage, for id: String, into sheet: inout Sheet, in area: Rectangle
    ) {
        let server = state.options.endpoint.isEmpty ? "the server" : state.options.endpoint
        let text =
            page.failure == nil
            ? "Asking \(server) for" : "No data from \(server) about"
        for (index, line) in [text, id].enumerated() {
            drawCentered(line, index == 0 ? .textQuiet : .text, into: &sheet, in: area, row: area.row + area.rows / 2 - 1 + index)
        }
    }

    private func drawCentered(_ text: String, _ scope: ThemeScope, into sheet: inout Sheet, in area: Rectangle, row: Int) {
        let shown = fitted(text, columns: max(0, area.columns - 2))
        let column = area.column + (area.columns - displayWidth(shown)) / 2
        guard row < area.endRow, area.rows > 1 else { return }
        // Leftover parts of map labels would look like part of the text.
        sheet.fill(Rectangle(column: area.column, row: row, columns: area.columns, rows: 1), .text)
        sheet.put(shown, column: column, row: row, scope, columns: area.columns)
    }
}

extension Sheet {
    mutating func separator(column: Int, from start: Int, to end: Int) {
        let cell = Cell(tier.separator, style: style(.rule))
        let line = Rectangle(column: column, row: start, columns: 1, rows: end - start)
        draw { $0.fill(line, with: cell) }
    }
}

/// The block at the bottom of a wide screen: the last events below the current notice, and facts beside them. A rider sees facts about the
/// ride or the shipment; a driver sees facts about the connection.
struct WideBottomView {
    let state: AppState

    /// Returns the first column of the block beside the events.
    static func detailsColumn(_ columns: Int) -> Int { max(columns / 2, columns - max(47, columns * 3 / 8)) }

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        let details = Self.detailsColumn(area.columns)
        if let notice = state.notice {
            sheet.put(notice.text, column: 1, row: area.row, .timelineNow, columns: details - 3)
        }
        let first = state.notice == nil ? 0 : 1
        for (index, event) in state.loggedEvents.suffix(max(0, area.rows - first)).reversed().enumerated() {
            let line = state.line(event, columns: details - 3)
            sheet.put(line, column: 1, row: area.row + first + index, index == 0 ? .event : .textQuiet, columns: details - 3)
        }
        if let page = state.page {
            let facts = Rectangle(column: details, row: area.row, columns: area.columns - details - 1, rows: area.rows)
            return RideFactsView(page: page, state: state).draw(into: &sheet, in: facts)
        }
        state.drawShipmentFacts(
            into: &sheet,
            in: Rectangle(column: details, row: area.row, columns: area.columns - details - 1, rows: area.rows))
        for (index, detail) in DetailList(state).short.prefix(area.rows).enumerated() {
            sheet.put(detail.0, column: details, row: area.row + index, .textQuiet, columns: 7)
            sheet.put(detail.1, column: details + 8, row: area.row + index, .text, columns: area.columns - details - 9)
        }
    }
}
