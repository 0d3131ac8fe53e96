import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Key hints of the last line, in reading order. If there is not enough room, the least important hints are left out first. Keys that do
/// nothing now are shown only in the help, in parentheses.
struct FooterHints {
    struct Hint: Hashable {
        var keys: String
        var word: String
        /// Number of empty columns before the hint.
        var gap: Int
        var action: AppAction
    }

    private struct Choice {
        var action: AppAction
        /// Rank of the hint; 0 is the most important. If there is not enough room, the hints with the largest ranks are left out first.
        var rank: Int
        var word: String?
        /// The word for narrow screens; nil to use the action's short word.
        var shortWord: String?
        /// Text that replaces the names of the action's keys; nil to show those names.
        var keys: String?
    }

    private let state: AppState
    private var choices: [Choice]
    private let keyMap: KeyMap

    init(_ state: AppState, page: TripPage?) {
        self.state = state
        keyMap = state.keyMap
        choices = Self.choices(state, page)
    }

    /// Choices in reading order. Hints further right tend to be left out first, but help and quit are kept longest.
    private static func choices(_ state: AppState, _ page: TripPage?) -> [Choice] {
        if let choices = inPanel(state) { return choices }
        let choices = besidePanels(state, page)
        return state.overlay == nil ? choices : choices.filter { !takenByPanels.contains($0.action) }
    }

    /// Actions whose hints are left out while a panel is open. Most of their keys then scroll or close the panel, or do nothing.
    private static let takenByPanels: Set<AppAction> = [.panLeft, .panDown, .pause, .openMarker, .back, .search, .addTrip, .stopWatching]

    /// Returns the choices for a screen without a panel.
    private static func besidePanels(_ state: AppState, _ page: TripPage?) -> [Choice] {
        if let drive = state.drive { return driver(drive) }
        if let list = state.list { return Self.list(list, state.keyMap) }
        if let booking = state.booking { return inBooking(booking) }
        if let shipment = state.shipment { return onShipment(state, shipment) }
        guard let page else { return state.fleet == nil ? onMapAlone : onFleet }
        if state.isReplay { return inReplay(state) }
        if page.status.isFinal { return atEnd(state) }
        if page.failure != nil { return afterFailure(page) }
        return underWay(state, page)
    }

    /// Returns the choices for a panel that takes all keys; nil if the usual keys still work.
    private static func inPanel(_ state: AppState) -> [Choice]? {
        switch state.overlay {
        // The dialog itself names its keys.
        case .cancel: return []
        case .search(let search):
            let enter = Choice(action: .openMarker, rank: 0, word: "go there", keys: "Enter")
            return (search.chosen == nil ? [] : [enter]) + [Choice(action: .back, rank: 1, word: "close", keys: "Esc")]
        case .help where state.helpFilter?.isOpen == true:
            return [
                Choice(action: .openMarker, rank: 0, word: "done", keys: "Enter"),
                Choice(action: .back, rank: 1, word: "all keys", keys: "Esc"),
            ]
        case .help, .stops, .events, .details, .link, nil: return nil
        }
    }

    private static let onMapAlone = [
        Choice(action: .help, rank: 0), Choice(action: .book, rank: 2), Choice(action: .zoomIn, rank: 2), Choice(action: .panLeft, rank: 3),
        Choice(action: .painter, rank: 4), Choice(action: .theme, rank: 5), Choice(action: .quit, rank: 1),
    ]

    private static let onFleet = [
        Choice(action: .help, rank: 0), Choice(action: .nextMarker, rank: 2, word: "vehicle"),
        Choice(action: .fitRoute, rank: 3, word: "all"), Choice(action: .zoomIn, rank: 4), Choice(action: .panLeft, rank: 5),
        Choice(action: .book, rank: 4), Choice(action: .refresh, rank: 6), Choice(action: .quit, rank: 1),
    ]

    private static func inBooking(_ booking: MapBooking) -> [Choice] {
        let next: String? =
            switch booking {
            case .choosingPickup: "set pickup"
            case .choosingDropoff: "set drop-off"
            case .confirming: "book"
            case .uncertain(_, reason: _, isAsking: false): "book again"
            // The question itself names its keys.
            case .sending, .uncertain: nil
            }
        let steps = next.map { word in
            [
                Choice(action: .openMarker, rank: 0, word: word, keys: "Enter"),
                Choice(action: .back, rank: 1, word: "back", keys: "Esc"),
            ]
        }
        return [Choice(action: .help, rank: 2)] + (steps ?? [])
            + [
                Choice(action: .zoomIn, rank: 4), Choice(action: .panLeft, rank: 3), Choice(action: .search, rank: 5),
                Choice(action: .quit, rank: 2),
            ]
    }

    private static func inReplay(_ state: AppState) -> [Choice] {
        let pause = state.replay?.hasEnded == true ? "restart" : state.replay?.isPaused == true ? "resume" : "pause"
        return [
            Choice(action: .help, rank: 0), Choice(action: .pause, rank: 2, word: pause, shortWord: pause),
            Choice(action: .slower, rank: 3), Choice(action: .scrubBack, rank: 4), Choice(action: .nextEvent, rank: 5),
            Choice(action: .events, rank: 6),
            Choice(action: .zoomIn, rank: 7), Choice(action: .follow, rank: 8), Choice(action: .quit, rank: 1),
        ]
    }

    private static func onShipment(_ state: AppState, _ page: ShipmentPage) -> [Choice] {
        if page.failure != nil, !page.tracker.isOver(now: state.now) { return afterFailure(page) }
        let several = state.pageCount > 1 ? [Choice(action: .selectTrip, rank: 3), Choice(action: .tripList, rank: 6)] : []
        return [Choice(action: .help, rank: 0)] + several
            + [
                Choice(action: .follow, rank: 3), Choice(action: .zoomIn, rank: 4), Choice(action: .panLeft, rank: 5),
                Choice(action: .refresh, rank: 2), Choice(action: .share, rank: 7), Choice(action: .events, rank: 6),
                Choice(action: .theme, rank: 8), Choice(action: .quit, rank: 1),
            ]
    }

    private static func afterFailure(_ page: some PolledPage) -> [Choice] {
        let copy = page.needsUser ? Choice(action: .copyMessage, rank: 4) : Choice(action: .follow, rank: 4)
        return [
            Choice(action: .help, rank: 0), Choice(action: .refresh, rank: 2, word: page.needsUser ? "try again" : "retry now"),
            Choice(action: .details, rank: 3), copy, Choice(action: .quit, rank: 1),
        ]
    }

    private static func underWay(_ state: AppState, _ page: TripPage) -> [Choice] {
        var choices = [Choice(action: .help, rank: 0)]
        if state.pageCount > 1 { choices += [Choice(action: .selectTrip, rank: 3), Choice(action: .tripList, rank: 6)] }
        choices += [Choice(action: .follow, rank: 3), Choice(action: .zoomIn, rank: 4)]
        if page.isAtStop {
            choices.append(Choice(action: .share, rank: 5))
        } else {
            choices.append(Choice(action: .panLeft, rank: 5))
        }
        let cancel = Choice(action: .cancelTrip, rank: 2, word: page.kind == .order ? "cancel order" : nil)
        choices += [Choice(action: .stops, rank: 6), cancel]
        if !page.isAtStop { choices.append(Choice(action: .share, rank: 7)) }
        choices += [Choice(action: .theme, rank: 8), Choice(action: .quit, rank: 1)]
        return choices
    }

    private static func atEnd(_ state: AppState) -> [Choice] {
        let own =
            state.isAtRidesEnd
            ? [
                Choice(action: .replayRide, rank: 2), Choice(action: .exportRide, rank: 3), Choice(action: .keepRide, rank: 4),
                Choice(action: .share, rank: 5, word: "share summary"), Choice(action: .stops, rank: 6),
            ]
            : [
                Choice(action: .share, rank: 2, word: "share summary"), Choice(action: .events, rank: 3), Choice(action: .stops, rank: 4),
            ]
        let list = state.pageCount > 1 ? [Choice(action: .tripList, rank: 2)] : []
        return [Choice(action: .help, rank: 0)] + own + list + [Choice(action: .quit, rank: 1)]
    }

    private static func list(_ list: TripList, _ keys: KeyMap) -> [Choice] {
        if list.typed != nil {
            return [
                Choice(action: .openMarker, rank: 0, word: "add", keys: "Enter"),
                Choice(action: .back, rank: 1, word: "back", keys: "Esc"),
            ]
        }
        let move = [AppAction.panDown, .panUp].map(keys.shortKey).filter { !$0.isEmpty }.joined(separator: " ")
        return [
            Choice(action: .help, rank: 0), Choice(action: .openMarker, rank: 2, word: "open", keys: keys.shortKey(.openMarker)),
            Choice(action: .panDown, rank: 5, word: "move", keys: move),
            Choice(action: .addTrip, rank: 3, word: "add", keys: keys.shortKey(.addTrip)),
            Choice(action: .stopWatching, rank: 4, word: "stop watching", keys: keys.shortKey(.stopWatching)),
            Choice(action: .quit, rank: 1),
        ]
    }

    /// Returns the driver's hints in reading order. ``hint(_:isNarrow:)`` leaves out actions that are not possible now.
    private static func driver(_ drive: DrivePage) -> [Choice] {
        [
            Choice(action: .help, rank: 0), Choice(action: .accept, rank: 2), Choice(action: .decline, rank: 3),
            Choice(action: .arrived, rank: 2), Choice(action: .goOn, rank: 2),
            Choice(action: .online, rank: 4, word: drive.isOnline ? "go offline" : "go online"), Choice(action: .follow, rank: 5),
            Choice(action: .zoomIn, rank: 5), Choice(action: .stops, rank: 6), Choice(action: .events, rank: 7),
            Choice(action: .theme, rank: 8), Choice(action: .quit, rank: 1),
        ]
    }

    /// Returns the hints that fit. With fewer than 98 columns, the least important hints are left out; with fewer than 56, words are
    /// shortened. Then more hints are left out until the rest fits, or until one hint is left.
    func fitted(columns: Int) -> [Hint] {
        let isNarrow = columns < 56
        var kept = choices
        if columns < 98 { kept.removeAll { $0.rank > 5 } }
        while true {
            let hints = kept.compactMap { hint($0, isNarrow: isNarrow) }
            let width = hints.enumerated().reduce(0) { $0 + ($1.offset > 0 ? $1.element.gap : 0) + self.width($1.element) }
            guard width > columns, let worst = kept.max(by: { $0.rank < $1.rank }), kept.count > 1 else { return hints }
            kept.removeAll { $0.action == worst.action }
        }
    }

    private func width(_ hint: Hint) -> Int { displayWidth(hint.keys) + 1 + displayWidth(hint.word) }

    private func hint(_ choice: Choice, isNarrow: Bool) -> Hint? {
        guard state.isTyping || state.disabledReason(choice.action) == nil, !isTakenByQuestion(choice.action) else { return nil }
        if let keys = choice.keys {
            return keys.isEmpty ? nil : Hint(keys: keys, word: choice.word ?? "", gap: isNarrow ? 2 : 3, action: choice.action)
        }
        guard let binding = keyMap.binding(of: choice.action), !binding.hintKeys.isEmpty else { return nil }
        let usual = isNarrow ? choice.shortWord ?? binding.shortHint : choice.word ?? binding.hint
        // While a panel is open, the quit key closes the panel.
        let word = choice.action == .quit && state.overlay != nil ? "close" : usual
        return Hint(keys: binding.hintKeys, word: word, gap: isNarrow ? 2 : 3, action: choice.action)
    }

    /// Whether the keys of an action answer the question on the screen instead of triggering the action.
    private func isTakenByQuestion(_ action: AppAction) -> Bool {
        state.isAskingForMap
            && keyMap.keys(of: action).allSatisfy { AppState.answersForMap.keys.contains($0.code) && $0.modifiers.isEmpty }
    }

    /// Returns the hints of the last line with their columns, from the left edge of the screen.
    func placed(columns: Int) -> [(hint: Hint, column: Int)] {
        var column = 1
        return fitted(columns: columns - 2).enumerated().map { index, hint in
            if index > 0 { column += hint.gap }
            defer { column += width(hint) }
            return (hint, column)
        }
    }

    /// Returns the key that a click at a column stands for: the key under the pointer, or else the first key of the hint. Nil outside the
    /// hints.
    func key(at column: Int, columns: Int) -> Key? {
        guard let (hint, start) = placed(columns: columns).first(where: { ($1..<$1 + width($0)).contains(column) }),
            let binding = keyMap.binding(of: hint.action)
        else { return nil }
        // A named key is clicked as a whole; its letters are not keys.
        if let named = keyMap.keys(of: hint.action).first(where: { $0.title == hint.keys }) { return named }
        let keys = binding.entries.flatMap(\.keys)
        let hit = hint.keys.dropFirst(column - start).first.map { Key.character($0) }
        return hit.flatMap { keys.contains($0) ? $0 : nil } ?? keyMap.keys(of: hint.action).first
    }
}
