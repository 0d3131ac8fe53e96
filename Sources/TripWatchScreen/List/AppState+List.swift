import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Sort key of the list. Trips whose car is at the pickup come first, and ended trips come last.
    private struct Place: Comparable {
        var rank: Int
        var arrival: Double
        var index: Int

        static func < (a: Place, b: Place) -> Bool { (a.rank, a.arrival, a.index) < (b.rank, b.arrival, b.index) }
    }

    /// Page indices in the list's order: trips, then shipments.
    var listOrder: [Int] { tripOrder + shipments.indices.map { pages.count + $0 } }

    /// Indices of the trips in the list's order: trips whose car is at the pickup, trips sorted by their arrival time, trips without a
    /// known arrival time, ended trips.
    var tripOrder: [Int] {
        pages.indices.map { index -> Place in
            let page = pages[index]
            // The server may still send an arrival time for a ride that no longer has a car.
            let hasArrival = page.trip?.vehicleID != nil || page.isCounting
            let arrival = hasArrival ? page.journey.forecast.shown?.timeIntervalSince1970 : nil
            if page.status.isFinal { return Place(rank: 3, arrival: 0, index: index) }
            if page.isCarHere { return Place(rank: 0, arrival: 0, index: index) }
            return Place(rank: arrival == nil ? 2 : 1, arrival: arrival ?? 0, index: index)
        }.sorted().map(\.index)
    }

    /// Returns the visible rows of the list: as many as fit, including the row of the selected page.
    /// - Parameter order: order of all pages.
    func listWindow(_ order: [Int], rows: Int) -> Range<Int> {
        guard let list, rows > 0, !order.isEmpty else { return 0..<0 }
        let focus = order.firstIndex(of: selected) ?? 0
        var first = min(list.first, max(0, order.count - rows))
        if focus < first { first = focus }
        if focus >= first + rows { first = focus - rows + 1 }
        return max(0, first)..<min(order.count, max(0, first) + rows)
    }
}

// MARK: - Keys and the mouse

extension AppState {
    mutating func openList() {
        list = TripList(origin: front)
        overlay = nil
    }

    /// - Returns: the effects; nil if the list is not open, or if the key does the same in the list as elsewhere.
    mutating func pressInList(_ key: Key, _ action: AppAction?) -> [AppEffect]? {
        guard let list else { return nil }
        if let typed = list.typed { return type(key, after: typed) }
        let rows = max(1, ListLayout(size).rows.rows)
        switch (key.code, action) {
        case (.pageUp, _): moveInList(by: -rows)
        case (.pageDown, _), (.character(" "), _): moveInList(by: rows)
        case (_, .firstTrip): moveInList(by: -pageCount)
        case (_, .lastTrip): moveInList(by: pageCount)
        case (_, .panUp), (_, .previousTrip), (_, .previousMarker): moveInList(by: -1)
        case (_, .panDown), (_, .nextTrip), (_, .nextMarker): moveInList(by: 1)
        case (_, .openMarker): self.list = nil
        case (_, .back), (_, .tripList): leaveList()
        case (_, .addTrip): if let reason = disabledReason(.addTrip) { say(reason) } else { self.list?.typed = "" }
        case (_, .stopWatching): return stopWatching()
        case (_, let action?) where Self.mapActions.contains(action):
            say("The list has no map" + naming(.openMarker) { "; press \($0) to open the page" } + ".")
        default: return nil
        }
        return []
    }

    private static let mapActions = cameraActions.union([.painter, .baseMap])

    private mutating func moveInList(by step: Int) {
        let order = listOrder
        guard let place = order.firstIndex(of: selected) else { return }
        bringToFront(order[min(max(0, place + step), order.count - 1)])
        let first = listWindow(order, rows: ListLayout(size).rows.rows).lowerBound
        list?.first = first
    }

    private mutating func leaveList() {
        if let origin = list?.origin, let index = place(of: origin) { bringToFront(index) }
        list = nil
    }

    mutating func handleInList(_ mouse: MouseEvent) {
        let area = ListLayout(size).rows
        switch mouse.action {
        case .scroll(.up): moveInList(by: -1)
        case .scroll(.down): moveInList(by: 1)
        case .press(.left) where area.contains(mouse.position) && list?.typed == nil:
            let order = listOrder
            let place = listWindow(order, rows: area.rows).lowerBound + mouse.position.row - area.row
            guard order.indices.contains(place) else { return }
            // A click on the selected trip opens it.
            if order[place] == selected { list = nil } else { bringToFront(order[place]) }
        default: break
        }
    }
}

// MARK: - Adding and removing trips

extension AppState {
    /// Maximum number of trips and shipments watched at once.
    package static let mostTrips = 10_000

    private mutating func type(_ key: Key, after typed: String) -> [AppEffect] {
        let isControl = key.modifiers.contains(.control)
        switch key.code {
        case .escape: list?.typed = nil
        case .character("c") where isControl: list?.typed = nil
        case .character("u") where isControl: list?.typed = ""
        case .backspace: list?.typed = String(typed.dropLast())
        case .enter: return add(typed)
        case .character(let character) where !isControl: paste(String(character))
        default: break
        }
        return []
    }

    /// Inserts pasted text into the field that is being edited.
    mutating func paste(_ text: String) {
        if let typed = list?.typed {
            list?.typed = String((typed + text.filter { !$0.isNewline }).prefix(TripList.longestName))
        } else {
            for character in text.prefix(PlaceSearch.maximumLength) where !character.isNewline {
                if case .search(let search) = overlay { _ = press(Key(.character(character)), nil, in: search) }
            }
        }
    }

    private mutating func add(_ typed: String) -> [AppEffect] {
        let text = typed.split(separator: " ").joined(separator: " ")
        guard !text.isEmpty else {
            list?.typed = nil
            return []
        }
        let name: FollowedName
        do throws(ResourceNameError) {
            name = try pageName(text)
        } catch {
            let isIDWithoutProvider = !text.contains("/") && options.provider == nil
            say("Not added: \(error)" + (isIDWithoutProvider ? "; for ids, restart with --provider NAME." : "."))
            return []
        }
        list?.typed = nil
        if let index = place(of: name) {
            bringToFront(index)
            say("\(title(of: name)) is already being watched.")
            return []
        }
        guard pageCount < Self.mostTrips else {
            say("Not added: at most \(Self.mostTrips) trips and shipments can be watched.")
            return []
        }
        if let reason = reasonAgainst(name) {
            say("Not added: \(reason)")
            return []
        }
        let effect = addPage(name)
        if let index = place(of: name) { bringToFront(index) }
        say("\(title(of: name)) was added.")
        return [effect]
    }

    /// Returns the reason, as a sentence, why pages of this kind (trip or shipment) cannot be added; nil if they can.
    private func reasonAgainst(_ name: FollowedName) -> String? {
        switch name {
        case .trip: options.noTripReason
        case .shipment: options.noShipmentReason
        }
    }

    /// Adds the page of a trip or shipment.
    /// - Returns: the effect that starts to watch it.
    private mutating func addPage(_ name: FollowedName) -> AppEffect {
        switch name {
        case .trip(let name):
            append(name)
            return .watch(name)
        case .shipment(let name):
            append(name)
            return .watchShipment(name)
        }
    }

    /// Whether an id that is typed without a provider belongs to a shipment: true if only shipments are watched.
    var addsShipment: Bool { pages.isEmpty && !shipments.isEmpty }

    /// Returns the trip or shipment for typed text: a full resource name, or a bare id at the screen's provider.
    private func pageName(_ text: String) throws(ResourceNameError) -> FollowedName {
        guard !text.contains("/"), let provider = options.provider else {
            let isShipment = text.contains("/") ? text.contains("/taskTrackingInfo/") : addsShipment
            return try isShipment ? .shipment(TaskTrackingName(text)) : .trip(TripName(text))
        }
        if addsShipment { return .shipment(try TaskTrackingName(provider: provider, trackingID: text)) }
        return .trip(try TripName(provider: provider, trip: text))
    }

    private mutating func stopWatching() -> [AppEffect] {
        if let shipment { return stopWatching(shipment) }
        guard let page else { return [] }
        guard pageCount > 1 else {
            let subject = page.kind.subject
            let leaving = naming(.quit) { "; press \($0) to quit" }
            say("This is the only \(subject)\(leaving)." + (page.status.isFinal ? "" : " Quitting does not cancel it."))
            return []
        }
        let next = nextInList
        remove(page.name)
        leave(.trip(page.name), for: next)
        let rest = page.trip == nil || page.status.isFinal ? "." : "; the \(page.kind.subject) is not cancelled."
        say("\(page.names.title) is no longer being watched" + rest)
        return [.stopWatching(page.name)]
    }

    private mutating func stopWatching(_ page: ShipmentPage) -> [AppEffect] {
        guard pageCount > 1 else {
            say("This is the only shipment" + naming(.quit) { "; press \($0) to quit" } + ".")
            return []
        }
        let next = nextInList
        remove(page.name)
        leave(.shipment(page.name), for: next)
        say("\(page.title) is no longer being watched.")
        return [.stopWatchingShipment(page.name)]
    }

    /// The page after the page in front, in the list's order; for the last page, the page before it.
    private var nextInList: FollowedName? {
        let order = listOrder
        let place = order.firstIndex(of: selected) ?? 0
        let index = order[place + 1 < order.count ? place + 1 : max(0, place - 1)]
        return index < pages.count ? .trip(pages[index].name) : .shipment(shipments[index - pages.count].name)
    }

    /// Brings the page `next` to the front after `page` was removed.
    private mutating func leave(_ page: FollowedName, for next: FollowedName?) {
        if list?.origin == page { list?.origin = next }
        if let next, let index = place(of: next) { bringToFront(index) }
    }
}
