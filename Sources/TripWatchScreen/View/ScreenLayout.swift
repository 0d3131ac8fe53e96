import FleetEngine
import TerminalCanvas
import TripWatchWords

/// The areas of the screen's parts, for a given size and state. A part for which there is no room has an empty area.
struct ScreenLayout: Hashable {
    enum Kind: Hashable {
        /// Too small for more than a few words.
        case tooSmall
        /// Three lines of text, and more if there is room.
        case lines
        /// The map above a few lines.
        case compact
        /// The map beside a panel.
        case standard
        /// The map beside a larger panel, with events and details below.
        case wide
        /// A trip that has ended: the map above a summary.
        case summary
        /// Only a map.
        case map
    }

    var kind: Kind
    var title = Rectangle.zero
    var banner = Rectangle.zero
    var map = Rectangle.zero
    var panel = Rectangle.zero
    /// The block below the map, in the wide, compact and summary kinds; the whole screen in the kinds without a map.
    var bottom = Rectangle.zero
    var event = Rectangle.zero
    var footer = Rectangle.zero
    /// Rows with a rule from edge to edge.
    var rules: [Int] = []
    /// Column of the line between map and panel.
    var separator: Int?

    static let smallest = Size(columns: 20, rows: 3)
    static let smallestCompact = Size(columns: 40, rows: 10)
    static let smallestStandard = Size(columns: 60, rows: 16)
    static let smallestWide = Size(columns: 100, rows: 32)
    static let summaryRows = 6

    init(_ state: AppState, page: TripPage?) {
        let size = state.size
        let whole = Rectangle(size)
        let isFinal = page?.status.isFinal ?? false
        kind = state.options.isMapAlone ? .map : Self.kind(size, hasPanel: state.front != nil || state.drive != nil, isFinal: isFinal)
        switch kind {
        case .tooSmall, .lines: bottom = whole
        case .map where state.options.isMapAlone: map = whole
        case .map: layOutMap(whole, bannerRows: state.bookingLines(columns: size.columns - 2 * BookingView.indent).count)
        case .compact: layOutCompact(whole, state)
        case .standard, .summary, .wide:
            layOutFull(whole, bannerRows: Self.bannerRows(state, maximum: size.rows >= 20 ? 3 : 2), isReplay: state.isReplay)
        }
    }

    private static func kind(_ size: Size, hasPanel: Bool, isFinal: Bool) -> Kind {
        func fits(_ smallest: Size) -> Bool { size.columns >= smallest.columns && size.rows >= smallest.rows }
        guard fits(smallest) else { return .tooSmall }
        guard hasPanel else { return .map }
        if fits(smallestStandard) {
            if isFinal { return .summary }
            return fits(smallestWide) ? .wide : .standard
        }
        return fits(smallestCompact) ? .compact : .lines
    }

    private static func bannerRows(_ state: AppState, maximum: Int) -> Int {
        state.banner?.lines(columns: state.size.columns, maximumLines: maximum).count ?? 0
    }

    private mutating func layOutMap(_ whole: Rectangle, bannerRows: Int) {
        map = whole
        if whole.rows >= 6 {
            (title, map) = map.split(top: 1)
            (map, footer) = map.split(bottom: 1)
        }
        (banner, map) = map.split(top: min(bannerRows, Self.mostBookingRows(whole.rows)))
    }

    /// Returns the maximum number of rows of the banner above the map while the user books a ride. Part of the map always stays visible.
    static func mostBookingRows(_ rows: Int) -> Int { max(2, rows - (rows >= 6 ? 4 : 2)) }

    private mutating func layOutFull(_ whole: Rectangle, bannerRows: Int, isReplay: Bool) {
        var rest: Rectangle
        (title, rest) = whole.split(top: 1)
        reserveRule(top: &rest)
        if bannerRows > 0 {
            (banner, rest) = rest.split(top: bannerRows)
            reserveRule(top: &rest)
        }
        (rest, footer) = rest.split(bottom: 1)
        if kind == .wide {
            let last: (rest: Rectangle, bottom: Rectangle) = rest.split(bottom: 1)
            rest = last.rest
            if isReplay { event = last.bottom }
            reserveRule(bottom: &rest)
            (rest, bottom) = rest.split(bottom: whole.rows >= 38 ? 7 : 4)
        } else {
            (rest, event) = rest.split(bottom: 1)
        }
        reserveRule(bottom: &rest)
        if kind == .summary {
            (rest, bottom) = rest.split(bottom: min(Self.summaryRows, rest.rows))
            reserveRule(bottom: &rest)
            map = rest
            return
        }
        // On the widest screens, the panel has room for a long name beside its time.
        let panelColumns = kind == .wide ? min(max(38, whole.columns * 3 / 10), 76) : 28
        var beside: Rectangle
        (map, beside) = rest.split(right: panelColumns)
        separator = beside.column
        beside = beside.split(left: 2).rest
        panel = beside.split(right: kind == .wide ? 2 : 1).rest
    }

    private mutating func layOutCompact(_ whole: Rectangle, _ state: AppState) {
        var rest: Rectangle
        (title, rest) = whole.split(top: 1)
        (rest, footer) = rest.split(bottom: 1)
        if state.isReplay { (rest, event) = rest.split(bottom: 1) }
        // The instruction to the user is never cut; the diagnosis is shown above it if there is room.
        let advice = state.banner?.adviceRows(columns: whole.columns) ?? 0
        let bannerRows = Self.bannerRows(state, maximum: whole.rows >= 14 ? max(3, advice + 1) : max(1, advice))
        if bannerRows > 0 { (banner, rest) = rest.split(top: bannerRows) }
        (rest, bottom) = rest.split(bottom: whole.rows >= 22 ? 8 : 4)
        if rest.rows >= 4 { reserveRule(bottom: &rest) }
        map = rest
    }

    private mutating func reserveRule(top rest: inout Rectangle) {
        guard !rest.isEmpty else { return }
        rules.append(rest.row)
        rest = rest.split(top: 1).rest
    }

    private mutating func reserveRule(bottom rest: inout Rectangle) {
        guard !rest.isEmpty else { return }
        rest = rest.split(bottom: 1).rest
        rules.append(rest.endRow)
    }
}

extension AppState {
    /// Whether the screen has room for only a few words, without lists, questions or a map.
    var isTooSmall: Bool {
        !options.isMapAlone && (size.columns < ScreenLayout.smallest.columns || size.rows < ScreenLayout.smallest.rows)
    }

    /// Whether the present notice is visible. A screen that is too small may have no room for any form of the notice.
    var noticeFits: Bool { !isTooSmall || notice?.form(columns: size.columns) != nil }
}
