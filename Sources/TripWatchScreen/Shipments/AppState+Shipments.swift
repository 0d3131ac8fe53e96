import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Applies an update from a shipment's model.
    /// - Parameter interval: time between two polls of the model, in seconds.
    mutating func apply(_ update: ShipmentUpdate, intervalSeconds interval: Double) -> [AppEffect] {
        guard let index = shipments.firstIndex(where: { $0.name == update.name }) else { return [] }
        let isInFront = front == .shipment(update.name)
        if isInFront { now = max(now, update.time) }
        let wasAnswered = shipments[index].tracker.shipment != nil
        let wasOnItsWay = shipments[index].onWayAt != nil
        shipments[index].apply(update, intervalSeconds: interval)
        if isInFront { endWaiting(update) }
        note(shipments[index].observer.observe(update, shipments[index].tracker), of: index, at: update.time)
        let moments = shipments[index].moments.observe(update, shipments[index].tracker)
        // The first answer is the state at the start, not news.
        return wasAnswered ? alerts(moments, of: index, isNewlyOnItsWay: !wasOnItsWay && shipments[index].onWayAt != nil) : []
    }

    private mutating func endWaiting(_ update: ShipmentUpdate) {
        switch update.kind {
        case .shipment: endWaiting(answeredAt: update.time)
        case .failure: endWaiting(answeredAt: nil)
        case .replaced, .recovered, .state, .ended: break
        }
    }

    /// Updates all shipments as time passes, because positions get older even without an answer.
    mutating func tickShipments(at time: Date) -> [AppEffect] {
        var effects: [AppEffect] = []
        for index in shipments.indices {
            shipments[index].tick(now: time)
            note(shipments[index].observer.tick(shipments[index].tracker, now: time), of: index, at: time)
            let moments = shipments[index].moments.tick(shipments[index].tracker, now: time)
            effects += alerts(moments, of: index)
        }
        return effects
    }

    /// Returns the reason why a key does nothing on a shipment's page, as a sentence; nil if the key works.
    func disabledReason(_ action: AppAction, _ page: ShipmentPage) -> String? {
        let isOver = page.tracker.isOver(now: now)
        switch action {
        case .nextTrip, .previousTrip, .selectTrip: return pageCount > 1 ? nil : "There is only one shipment."
        case .follow where isOver: return "The shipment has ended."
        case .follow where page.tracker.shipment == nil, .centerVehicle where page.tracker.shipment == nil:
            return "Nothing is known about the shipment yet."
        case .follow: return page.map.shipment?.vehicle == nil ? "The position is not shared." : nil
        case .centerVehicle: return page.map.shipment?.vehicle == nil ? "The position is not shared." : nil
        case .fitRoute: return map.consumerMarkers(journeys).isEmpty ? "There is no location to show yet." : nil
        case .stops, .share: return page.tracker.shipment == nil ? "Nothing is known about the shipment yet." : nil
        case .refresh: return isOver ? "The shipment has ended: there are no more updates." : nil
        case .copyMessage: return page.failure == nil ? "There is no error to copy." : nil
        case .cancelTrip: return "A shipment cannot be cancelled here."
        case .shareLink: return linkReason(page, isOver: isOver)
        case .replayRide, .exportRide, .keepRide: return "This key works only for trips. To record a shipment, restart with --record."
        default: return nil
        }
    }

    private func linkReason(_ page: ShipmentPage, isOver: Bool) -> String? {
        if list != nil { return "This works only on a shipment's page" + naming(.openMarker) { "; press \($0) to open it" } + "." }
        if let reason = options.noLinkReason { return reason }
        if case .served = page.link { return nil }
        if isOver { return "The shipment has ended." }
        return page.tracker.shipment == nil ? "Nothing is known about the shipment yet." : nil
    }

    /// Returns the title of a page; empty if the page does not exist.
    func title(of name: FollowedName) -> String {
        switch name {
        case .trip(let name): place(of: name).map { pages[$0].names.title } ?? ""
        case .shipment(let name): shipments.first { $0.name == name }?.title ?? ""
        }
    }

    /// The number of pages of each kind: `2 trips`, `1 trip and 1 shipment`.
    var countWords: String { Self.countWords(trips: pages.count, shipments: shipments.count) }

    static func countWords(trips: Int, shipments: Int) -> String {
        func count(_ number: Int, _ word: String) -> String? { number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")" }
        return [count(trips, "trip"), count(shipments, "shipment")].compactMap { $0 }.joined(separator: " and ")
    }

    /// The failure of the page in front and its remedy, in one line; nil without a failure.
    var failureSentence: String? {
        if let shipment { return shipment.failure.map { ShipmentFailureWords($0, of: shipment.name).sentence } }
        return page?.failure.map { FailureWords($0).sentence }
    }

    /// Describes a marker on a shipment's map in one line; nil on other maps.
    func shipmentMarkerWords(_ marker: ConsumerMarker) -> String? {
        guard let words = shipmentWords else { return nil }
        return switch marker.type {
        case .vehicle: "Vehicle ∙ \(words.cornerLine(dot: " ∙ "))"
        case .tripPickupPoint: ["Planned place", words.window].filter { !$0.isEmpty }.joined(separator: " ∙ ")
        case .unknown, .tripDropoffPoint, .intermediateDestination: "Your position"
        }
    }
}
