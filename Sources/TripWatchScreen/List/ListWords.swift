import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Texts of the visible part of the trip list.
struct ListWords: Hashable {
    struct Row: Hashable {
        /// Number of the page, from 1; its tab shows the same number.
        var number: Int
        var isFocused: Bool
        var title: String
        /// Shorter title for narrow screens.
        var shortTitle: String
        /// Time until the arrival, or the state instead: `6 min`, `here`, `arrived`.
        var eta: String
        /// Clock time of the arrival; empty while unknown.
        var clock: String
        /// Completed fraction of the current leg, 0 to 1.
        var fraction: Double?
        var hasBar: Bool
        /// Current phase, or the failure.
        var phase: String
        var age: String
        /// Whether the numbers of the row are out of date.
        var isOld: Bool
        var scope: ThemeScope
    }

    var title: String
    var corner: String
    var cornerScope: ThemeScope
    var rows: [Row]
    /// Summary of all trips, or the current notice.
    var summary: String
    var isNotice: Bool
    /// Whether the prompt for the name of a trip or shipment replaces the summary.
    var isAsking: Bool

    init(_ state: AppState, rows count: Int) {
        let order = state.listOrder
        let window = state.listWindow(order, rows: count)
        // Words that all titles begin with are left out, because they do not distinguish the rows.
        let titles = state.pages.map(\.names.title) + state.shipments.map(\.title)
        let shared = TripNames.sharedBeginning(of: titles).count
        rows = window.map { place in
            let index = order[place]
            let shipment = index < state.pages.count ? nil : state.shipments[index - state.pages.count]
            return shipment.map { Self.row(state, index, $0, sharedCount: shared) } ?? Self.row(state, index, sharedCount: shared)
        }
        let trips = state.countWords
        title = window.count < order.count ? "\(trips)   \(window.lowerBound + 1)-\(window.upperBound)" : trips
        (corner, cornerScope) = Self.corner(state)
        isNotice = state.notice != nil
        isAsking = state.list?.typed != nil
        summary = state.notice?.text ?? Self.summary(state, state.tripOrder)
        // A notice about the typed name stays until the next key.
        if let typed = state.list?.typed, !isNotice {
            let prompt = state.addsShipment ? "Tracking id, or a trip's full name" : "Trip id, or a shipment's full name"
            summary = "\(prompt): \(typed)_"
        }
    }

    private static func row(_ state: AppState, _ index: Int, sharedCount: Int) -> Row {
        let page = state.pages[index]
        let isUnderWay = page.trip != nil && !page.status.isFinal
        let shown = isUnderWay && page.isCounting ? page.journey.forecast.shown : nil
        let ended = page.status == .complete ? page.endedAt : nil
        let age = isUnderWay ? page.journey.ageSeconds(now: state.now) : nil
        return Row(
            number: index + 1, isFocused: index == state.selected, title: String(page.names.title.dropFirst(sharedCount)),
            shortTitle: sharedCount == 0 ? page.names.place : String(page.names.title.dropFirst(sharedCount)),
            eta: eta(state, page),
            clock: (shown ?? ended).map { state.clock($0) } ?? "",
            fraction: page.journey.progress.fraction,
            hasBar: isUnderWay && page.trip?.vehicleID != nil && page.journey.estimate?.remainingMeters != nil,
            phase: phase(state, page), age: age.map(TripWords.age) ?? "",
            isOld: isUnderWay && !page.journey.isLive, scope: scope(page))
    }

    private static func row(_ state: AppState, _ index: Int, _ page: ShipmentPage, sharedCount: Int) -> Row {
        let words = ShipmentWords(page, state)
        let hasTime = !words.eta.big.isEmpty
        let isOver = page.tracker.isOver(now: state.now)
        let phase =
            page.failure.map { page.needsUser ? state.shortFailure($0) : state.answeredWord(page) ?? "offline" }
            ?? (hasTime && !words.brief.isEmpty ? words.brief : words.short)
        return Row(
            number: index + 1, isFocused: index == state.selected, title: String(page.title.dropFirst(sharedCount)),
            shortTitle: page.shortTitle, eta: hasTime ? words.short : "", clock: words.clock, fraction: words.fraction,
            hasBar: !words.distance.isEmpty, phase: isOver ? words.short : phase,
            age: words.tellsAnswer ? "" : words.age.replacing(" ago", with: ""),
            isOld: !page.tracker.isCurrent, scope: isOver ? .freshnessEnded : page.tracker.isCurrent ? .text : words.cornerScope)
    }

    private static func eta(_ state: AppState, _ page: TripPage) -> String {
        // If this text is empty, the row shows its phase instead, for example a failure.
        if page.trip == nil { return page.failure == nil ? "⋯" : "" }
        guard page.isCounting else { return "" }
        let text = page.etaText(now: state.now)
        return text.value == .unknown ? "" : text.text
    }

    private static func phase(_ state: AppState, _ page: TripPage) -> String {
        if let failure = page.failure, !page.status.isFinal {
            if page.needsUser { return LinesView.shortWords(failure) }
            return state.answeredWord(page) ?? (page.trip == nil ? "no answer yet" : "offline")
        }
        guard let trip = page.trip else { return "connecting" }
        if page.journey.freshness == .notLive { return TripWords.freshness(.notLive) }
        if trip.vehicleID == nil, trip.status.isBeforePickup { return "no \(page.kind.vehicle) yet" }
        if let standing = page.phrases.standing { return standing }
        if trip.stopsBefore > 0, page.kind == .ride { return "\(trip.stopsBefore) stop\(trip.stopsBefore == 1 ? "" : "s") first" }
        return page.phrases.inSentence
    }

    private static func scope(_ page: TripPage) -> ThemeScope {
        if page.needsUser { return .freshnessStopped }
        switch page.journey.freshness {
        case .offline: return .freshnessOffline
        case .notLive: return .freshnessNotLive
        case .quiet: return .freshnessQuiet
        case .ended: return .freshnessEnded
        case .stopped: return .freshnessStopped
        case .live, nil: return .text
        }
    }

    /// Returns the text for the corner: the freshness word of the page with the worst data. If no data are outdated, the text may
    /// say how many unfinished trips are live.
    private static func corner(_ state: AppState) -> (String, ThemeScope) {
        let open = state.pages.filter { !$0.status.isFinal }
        let shipments = state.shipments.filter { !$0.tracker.isOver(now: state.now) }
        let worst = open.max { badness($0) < badness($1) }
        let rank = worst.map { badness($0) } ?? 0
        if let shipment = shipments.max(by: { badness($0) < badness($1) }), badness(shipment) > rank {
            let words = ShipmentWords(shipment, state)
            return (words.corner, words.cornerScope)
        }
        if let worst, rank > 0 { return (state.freshnessWords(worst).word, state.freshnessScope(worst)) }
        guard !open.isEmpty else { return shipmentCorner(shipments) }
        let live = open.count { $0.journey.isLive && $0.failure == nil && $0.journey.vehicle != nil }
        if live == open.count { return ("live", .freshnessLive) }
        if open.allSatisfy({ $0.trip == nil && $0.failure == nil }) { return ("connecting", .textQuiet) }
        if open.allSatisfy({ $0.failure == nil && $0.trip?.vehicleID == nil }) {
            return (open.allSatisfy { $0.kind == .order } ? "no courier yet" : "no car yet", .textQuiet)
        }
        if open.allSatisfy({ $0.failure == nil && $0.journey.vehicle == nil }) { return ("no position yet", .textQuiet) }
        return ("\(live) of \(open.count) live", live == 0 ? .freshnessOffline : .freshnessNotLive)
    }

    private static func badness(_ page: TripPage) -> Int { badness(page.journey.freshness, page) }

    private static func badness(_ page: ShipmentPage) -> Int {
        page.failure != nil || page.tracker.shipment?.vehicleLocation != nil ? badness(page.tracker.freshness, page) : 0
    }

    /// Returns a rank for the freshness; a higher rank is worse. The rank is 0 if the data are live, and before the first position. A
    /// page that needs the user's action ranks worse than a page that waits for a quota.
    private static func badness(_ freshness: Freshness?, _ page: some PolledPage) -> Int {
        switch freshness {
        case .live, .ended, nil: 0
        case .quiet: 1
        case .notLive: 2
        case .offline: 3
        case .stopped: page.isWaitingForQuota ? 4 : 5
        }
    }

    /// Returns the text for the corner of a list that has no running trip and no shipment with old data.
    private static func shipmentCorner(_ open: [ShipmentPage]) -> (String, ThemeScope) {
        guard !open.isEmpty else { return ("ended", .freshnessEnded) }
        return (open.allSatisfy { $0.tracker.shipment == nil } ? "connecting" : "connected", .textQuiet)
    }

    /// Returns the summary of all pages. The summary names the trips and shipments that need the user's action, and then the trips whose
    /// car waits for the user. Without such trips and shipments, it gives the next arrival.
    private static func summary(_ state: AppState, _ order: [Int]) -> String {
        let stuck = order.filter { state.pages[$0].needsUser && !state.pages[$0].status.isFinal }
        let shipments = state.shipments.filter { $0.needsUser && !$0.tracker.isOver(now: state.now) }
        let here = order.filter { state.pages[$0].isCarHere }
        guard stuck.isEmpty, shipments.isEmpty, here.isEmpty else { return urgent(state, stuck: stuck, shipments, here: here) }
        let open = order.filter { !state.pages[$0].status.isFinal }
        if let next = open.first(where: { !isStale(state.pages[$0], state) }) ?? open.first {
            let page = state.pages[next]
            let eta = eta(state, page)
            guard !eta.isEmpty, page.trip != nil, !isStale(page, state) else { return calm(state) }
            let all = "\(calm(state)) Next: \(page.names.title), \(eta)."
            return AppState.fitting([all, "Next: \(page.names.place), \(eta)."], columns: state.size.columns - 2)
        }
        let hasOpen = state.shipments.contains { !$0.tracker.isOver(now: state.now) }
        return hasOpen ? calm(state) : state.pages.isEmpty ? "All shipments have ended." : "All trips have ended."
    }

    /// Whether the expected arrival time has passed, and the position is too old to show whether the car has arrived.
    private static func isStale(_ page: TripPage, _ state: AppState) -> Bool {
        let isPast = page.journey.forecast.shown.map { $0 <= page.clockTime(state.now) } ?? false
        return isPast && !page.journey.isLive
    }

    /// Returns the sentence for a list in which no page needs the user's action. It gives the number of pages whose last request failed.
    private static func calm(_ state: AppState) -> String {
        let trips = state.pages.count { $0.failure != nil && !$0.status.isFinal }
        let shipments = state.shipments.count { $0.failure != nil && !$0.tracker.isOver(now: state.now) }
        let words = AppState.countWords(trips: trips, shipments: shipments)
        return words.isEmpty ? "Nothing needs your attention." : "Cannot update \(words) now."
    }

    /// Returns the text about trips and shipments that need the user's action, and trips whose car waits for the user. If the names do not
    /// fit, the text says only how many there are, so that the instruction stays whole.
    private static func urgent(_ state: AppState, stuck: [Int], _ shipments: [ShipmentPage], here: [Int]) -> String {
        func names(_ titles: [String]) -> String {
            let shown = titles.prefix(2).joined(separator: ", ")
            return shown + (titles.count > 2 ? " and \(titles.count - 2) more" : "")
        }
        let (start, act) = state.options.isViewer ? ("At the pickup", "at the pickup") : ("Waiting for you", "waiting for you")
        let cars = here.count == 1 ? "1 car is \(act)." : "\(here.count) cars are \(act)."
        let waiting = here.isEmpty ? [] : ["\(start): \(names(here.map { state.pages[$0].names.title })).", cars]
        let columns = state.size.columns - 2
        let titles = stuck.map { state.pages[$0].names.title } + shipments.map(\.title)
        guard !titles.isEmpty else { return AppState.fitting(waiting, columns: columns) }
        let keys = state.naming(.openMarker) { open in state.naming(.details) { ": press \(open), then \($0)" } }
        let need = "need\(titles.count == 1 ? "s" : "") attention\(keys)."
        let count = AppState.countWords(trips: stuck.count, shipments: shipments.count)
        let needing = ["\(names(titles)) \(need)", "\(count) \(need)"]
        let both = waiting.flatMap { here in needing.map { "\($0) \(here)" } }
        return AppState.fitting(both + needing + ["\(titles.count) \(need)", "Needs attention\(keys)."], columns: columns)
    }
}
