import ConsumerMap
import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    mutating func press(_ key: Key) -> [AppEffect] {
        // A key without a meaning in the app does not remove the notice.
        guard !key.modifiers.contains(.alt), key.code != .insert else { return [] }
        if isTooSmall { return pressUnseen(key) }
        if isAskingForMap, let answer = answerForMap(key) { return answer }
        let action = action(for: key)
        if list?.typed != nil, overlay == nil, action != .suspend, action != .redraw {
            notice = nil
            return pressInList(key, action) ?? []
        }
        if action == .quit && (overlay == nil && !awaitsBooking || key.modifiers.contains(.control)) { return quit(key) }
        if action == .suspend { return [.suspend] }
        if action == .redraw { return [.redraw] }
        let priorNotice = notice?.number
        notice = nil
        switch overlay {
        case .cancel(let dialog): return press(key, action, in: dialog)
        case .search(let search): return press(key, action, in: search)
        case .some(let open):
            if open == .help, filterHelp(key, action) { return [] }
            if open == .link, let effects = pressOnLink(key, action) { return effects }
            if scrollOverlay(key, action) || closeOverlay(open, action) { return [] }
            if action == .nextTrip || action == .previousTrip || action == .selectTrip { overlay = nil }
        case nil: if let effects = pressInList(key, action) ?? pressInBooking(key, action) { return effects }
        }
        guard let action else { return [] }
        if let reason = disabledReason(action) {
            if !reason.isEmpty { say(reason) }
            return []
        }
        return perform(action, key: key, priorNotice: priorNotice)
    }

    /// Whether keys type text into a panel. Enter and Esc then act on the panel, even if their usual actions are disabled.
    var isTyping: Bool {
        if case .search = overlay { return true }
        return overlay == .help && helpFilter?.isOpen == true
    }

    /// Handles keys on a screen too small for panels. Panels cannot be opened or used until the terminal is larger.
    private mutating func pressUnseen(_ key: Key) -> [AppEffect] {
        guard let action = action(for: key) else { return [] }
        switch action {
        case .quit: return quit(key)
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .accept, .decline, .arrived, .goOn, .online, .nextTrip, .previousTrip, .refresh, .units, .theme, .painter, .pause:
            // Keys that the user types into a panel must not act on the trip when the panel no longer fits on the screen.
            if isTyping {
                say(TinyView.needed)
                return []
            }
            if let reason = disabledReason(action) {
                if !reason.isEmpty { say(reason) }
                return []
            }
            return perform(action, key: key, priorNotice: noticeFits ? notice?.number : nil)
        default:
            say(TinyView.needed)
            return []
        }
    }

    /// Quits. A driver with an unfinished trip is first asked to press the key again. A key with Ctrl quits at once.
    private mutating func quit(_ key: Key) -> [AppEffect] {
        !key.modifiers.contains(.control) && asksBeforeEndingShift() ? [] : [.quit(code: ExitCodes.success)]
    }

    /// Whether the question about the map is shown and takes keys. The map must be drawn and show its trip, if it has one. No panel, list
    /// or notice may be shown.
    var isAskingForMap: Bool {
        // While the screen asks whether to book again, `y` answers that question instead.
        guard asksForMap, !asksToBookAgain else { return false }
        guard overlay == nil, list == nil, notice == nil, !isTooSmall, !isBeforeItsPlace else { return false }
        return !ScreenLayout(self, page: page).map.isEmpty
    }

    /// Keys that answer the question of whether a map may be loaded. Only a capital letter changes the configuration.
    static let answersForMap: [Key.Code: MapConsent] = [.character("y"): .once, .character("A"): .always, .character("N"): .never]

    /// Returns nil for a key that does not answer the question.
    private mutating func answerForMap(_ key: Key) -> [AppEffect]? {
        guard !key.modifiers.contains(.control) else { return nil }
        let answer = Self.answersForMap[key.code]
        guard answer != nil || key.code == .escape else { return nil }
        asksForMap = false
        isMapAnswered = answer != nil
        return answer.map { [.answerMap($0)] } ?? []
    }

    /// Shows or hides the base map. If the user still has to decide whether a map may be loaded, asks that question instead.
    private mutating func switchBaseMap() {
        if options.asksForMap, !isMapAnswered {
            asksForMap = true
            if let mapReason { say(mapReason) }
            return
        }
        showsBaseMap.toggle()
        say("Base map: \(showsBaseMap ? "on" : "off")")
    }

    /// - Parameter priorNotice: number of the notice shown when the key was pressed.
    private mutating func perform(_ action: AppAction, key: Key, priorNotice: Int?) -> [AppEffect] {
        switch action {
        case .accept, .decline, .arrived, .goOn, .online: return performForDriver(action, priorNotice: priorNotice)
        case .pause, .slower, .faster, .scrubBack, .scrubForward, .nextEvent, .previousEvent: return performOnReplay(action, key: key)
        case .replayRide: return page.map { [.ride(.replay, of: $0.name)] } ?? []
        case .exportRide: return page.map { [.ride(.export, of: $0.name)] } ?? []
        case .keepRide: return page.map { [.ride(.keep, of: $0.name)] } ?? []
        case .help: open(.help)
        case .tripList: openList()
        case .addTrip, .stopWatching: break
        case .stops: open(.stops)
        case .events: open(.events)
        case .details: open(.details)
        case .book: booking = .choosingPickup
        case .cancelTrip: open(.cancel(CancelDialog()))
        case .search: return openSearch()
        case .nextTrip: select(selected + 1)
        case .previousTrip: select(selected - 1)
        case .selectTrip: if let place = keyMap.keys(of: .selectTrip).firstIndex(of: key) { select(place) }
        case .share: return [.copy(shareLine)]
        case .shareLink: return openLink()
        case .copyMessage: return failureSentence.map { [.copy($0)] } ?? []
        case .refresh:
            say("Asking the server …", isWaiting: true)
            let trip = page.flatMap { $0.status.isFinal ? nil : AppEffect.refresh($0.name) }
            let shipment = shipment.flatMap { $0.tracker.isOver(now: now) ? nil : AppEffect.refreshShipment($0.name) }
            return [trip, shipment, fleet.map { _ in .askFleet }, mapHost.map { _ in .askMap }].compactMap { $0 }
        case .theme: return [.nextTheme]
        case .painter: nextPainter()
        case .baseMap: switchBaseMap()
        case .units: nextUnits()
        case .back: goBack()
        case .quit, .suspend, .redraw: break
        default: performOnMap(action)
        }
        return []
    }

    mutating func open(_ overlay: Overlay) {
        self.overlay = overlay
        scroll = 0
        helpFilter = nil
    }

    private mutating func select(_ index: Int) {
        guard pageCount > 0 else { return }
        guard (0..<pageCount).contains(index) || abs(index - selected) == 1 else {
            return say("There \(pageCount == 1 ? "is" : "are") \(countWords).")
        }
        bringToFront((index + pageCount) % pageCount)
        overlay = nil
    }

    private mutating func nextPainter() {
        let next = options.painters.firstIndex(of: painter).map { ($0 + 1) % options.painters.count } ?? 0
        if options.painters.indices.contains(next) { painter = options.painters[next] }
        say("Drawing: \(painter.rawValue)")
    }

    private mutating func nextUnits() {
        let all = MeasurementSystem.allCases
        let next = all.firstIndex(of: measurementSystem).map { ($0 + 1) % all.count } ?? 0
        measurementSystem = all[next]
        say("Units: \(measurementSystem == .metric ? "metric" : measurementSystem.rawValue.uppercased())")
    }

    /// Goes back one level. Esc never quits.
    private mutating func goBack() {
        if overlay != nil {
            overlay = nil
        } else if map.selectedMarker != nil {
            map.select(nil)
        } else if front != nil || drive != nil, !map.isAllowCameraAutoUpdate {
            map.isAllowCameraAutoUpdate = true
        }
    }

    private mutating func closeOverlay(_ open: Overlay, _ action: AppAction?) -> Bool {
        let own: AppAction =
            switch open {
            case .help: .help
            case .stops: .stops
            case .events: .events
            case .details: .details
            case .cancel: .cancelTrip
            case .link: .shareLink
            case .search: .search
            }
        guard action == own || action == .back || action == .quit || action == .openMarker else { return false }
        overlay = nil
        return true
    }

    /// Scrolls lists and help, at most to the end of their text.
    private mutating func scrollOverlay(_ key: Key, _ action: AppAction?) -> Bool {
        let text = OverlayText(self)
        let rows = text?.visibleRows(size) ?? 1
        // One line of the previous page stays visible.
        let page = max(1, rows - 1)
        let isControl = key.modifiers.contains(.control)
        let step: Int
        switch (key.code, action) {
        case (.pageUp, _): step = -page
        case (.pageDown, _), (.character(" "), _): step = page
        case (.character("u"), _) where isControl: step = -max(1, rows / 2)
        case (.character("d"), _) where isControl: step = max(1, rows / 2)
        case (.home, _), (.character("g"), _): step = -10_000
        case (.end, _), (.character("G"), _): step = 10_000
        case (_, .panUp): step = -1
        case (_, .panDown): step = 1
        default: return false
        }
        scroll = min(max(0, scroll + step), text?.greatestScroll(self) ?? 0)
        return true
    }
}

// MARK: - Confirmation before cancelling

extension AppState {
    private mutating func press(_ key: Key, _ action: AppAction?, in dialog: CancelDialog) -> [AppEffect] {
        var dialog = dialog
        switch (key.code, action) {
        case (.tab, _), (.backtab, _), (.left, _), (.right, _), (_, .panLeft), (_, .panRight):
            guard !dialog.isWaiting else { return [] }
            dialog.focus = dialog.focus == .keep ? .cancel : .keep
            overlay = .cancel(dialog)
        case (.escape, _), (_, .back), (_, .quit): overlay = nil
        case (.enter, _): return confirm(dialog)
        default: break
        }
        return []
    }

    private mutating func confirm(_ dialog: CancelDialog) -> [AppEffect] {
        guard !dialog.isWaiting else { return [] }
        guard dialog.focus == .cancel, let name = page?.name else {
            overlay = nil
            return []
        }
        overlay = .cancel(CancelDialog(step: .sending, focus: .cancel))
        pages[selected].canceling = .asked
        return [.cancelTrip(name)]
    }
}
