import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Applies an update from a trip's model.
    mutating func apply(_ update: TripUpdate, _ journey: JourneyTracker) -> [AppEffect] {
        guard let index = place(of: update.name) else { return [] }
        if index == selected { now = max(now, update.time) }
        let known = pages[index].trip
        pages[index].show(journey, at: update.time)
        if index == selected { endWaiting(update) }
        let facts = pages[index].observer.observe(update, journey)
        if case .failure = update.kind { pages[index].failureAt = update.time }
        if case .trip(let trip, _) = update.kind, !trip.isCalled(like: known) { rename(index, trip) }
        let effects = applyFacts(facts, page: index, at: update.time)
        guard case .trip(let trip, _) = update.kind else { return effects }
        if trip.vehicleID != nil || trip.status.isFinal { apply(.ended, for: update.name) }
        pages[index].history.observe(trip, at: pages[index].clockTime(update.time))
        let measures = index == selected && showsDetails && !trip.status.isFinal ? [AppEffect.measure(update.name)] : []
        return effects + measures + streetToFind(page: index, at: update.time) + resolveCanceling(page: index)
    }

    /// Requests the name of the car's street. Does so only for the trip in front, and only if there is a base map or the screen shows a
    /// replay.
    private mutating func streetToFind(page index: Int, at time: Date) -> [AppEffect] {
        guard index == selected, baseMap != nil || isReplay, let place = pages[index].streets.placeToAsk(pages[index].journey, at: time)
        else { return [] }
        return [.findStreet(of: place, for: pages[index].name)]
    }

    /// Applies the base map's name for the street of a car.
    mutating func applyStreet(_ street: String, of car: CarPlace, for name: TripName) {
        guard let index = place(of: name), !pages[index].status.isFinal else { return }
        let street = sanitised(street, maximumLength: 60)
        guard street.contains(where: { $0 != " " }), let passed = pages[index].streets.observe(street, at: car) else { return }
        pages[index].log.add(note: "\(pages[index].kind.vehicleTitle) passed \(passed)", at: pages[index].clockTime(car.heardAt))
        revision &+= 1
    }

    /// Replaces a notice about a pending answer with the time of the answer. After a failure, only removes the notice, because the failure
    /// has its own texts.
    private mutating func endWaiting(_ update: TripUpdate) {
        switch update.kind {
        case .trip: endWaiting(answeredAt: update.time)
        case .failure: endWaiting(answeredAt: nil)
        case .recovered, .ended, .state: break
        }
    }

    /// - Parameter time: time of the answer, by the local clock; nil after a failure.
    mutating func endWaiting(answeredAt time: Date?) {
        guard notice?.isWaiting == true else { return }
        guard let time else { return notice = nil }
        say("The server answered at \(clock(shownTime(time), withSeconds: true)).")
    }

    /// Street names for trips in the background are requested only if there are at most this many trips.
    private static let mostNamedTrips = 20

    /// Places that need a street name: the unnamed stops of the trip in front, and the unnamed drop-offs of the other trips. On a driver's
    /// screen, the places of the drive. On a map without a trip, the pickup and the drop-off of a booking.
    var unnamedPlaces: [Coordinate] {
        if let drive { return drive.places.filter { $0.isValid && streets[$0] == nil } }
        guard let page else { return [map.pickupLocation, map.dropoffLocation].compactMap { $0 }.filter { streets[$0] == nil } }
        guard let trip = page.trip else { return [] }
        let stops = [(trip.pickupPoint, page.names.pickup), (trip.dropoffPoint, page.names.dropoff)]
        let unnamed = (stops + zip(trip.intermediateDestinations, page.names.stopPlaces)).filter { $0.1.isEmpty }
        let others = pages.count > Self.mostNamedTrips ? [] : pages.filter { $0.name != page.name && $0.names.dropoff.isEmpty }
        return (unnamed.compactMap(\.0) + others.compactMap { $0.trip?.dropoffPoint }).filter(\.isValid)
    }

    /// Applies the street names that the base map has for stops.
    mutating func applyStreetNames(_ found: [Coordinate: String]) {
        streets.merge(found) { _, new in new }
        for index in pages.indices where isShown(index) || pages.count <= Self.mostNamedTrips { rename(index) }
    }

    /// Brings a page to the front and updates its names from the known street names.
    mutating func bringToFront(_ index: Int) {
        selected = index
        if pages.indices.contains(index) { rename(index) }
    }

    private mutating func rename(_ index: Int) {
        if let trip = pages[index].trip { rename(index, trip) }
    }

    /// The maximum number of former vehicles whose cards are kept.
    private static let mostFormerCards = 50

    /// Updates the names of the stops, and the vehicle's card, from the trip.
    private mutating func rename(_ index: Int, _ trip: Trip) {
        let kind = pages[index].kind
        pages[index].names = TripNames(pages[index].name, trip: trip, title: pages[index].title, streets: streets, kind: kind)
        label(index)
        if trip.status.isFinal { return }
        if trip.vehicleID != pages[index].card?.id {
            pages[index].vehicle = nil
            if let former = pages[index].card, pages[index].formerCards.count < Self.mostFormerCards {
                pages[index].formerCards[former.id] = former
            }
        }
        let card = trip.vehicleID.map { VehicleCard(id: $0, vehicle: pages[index].vehicle, attributes: trip.attributes) }
        // A link may hide its vehicle.
        pages[index].card = card.flatMap { $0.id.isEmpty && !$0.isKnown ? nil : $0 }
    }

    /// Sets the labels of the markers.
    private mutating func label(_ index: Int) {
        pages[index].map.labels.dropoff = pages[index].names.dropoff
        pages[index].map.labels.stops = pages[index].names.stopPlaces
        guard pages[index].kind == .order else { return }
        // At the end of the trip the label also contains the time, which must stay.
        if !pages[index].map.labels.pickup.hasPrefix("shop") { pages[index].map.labels.pickup = "shop" }
        if !options.isViewer { pages[index].map.labels.dropoff = "you" }
    }

    mutating func applyVehicle(_ vehicle: Vehicle, for name: TripName) {
        guard let index = place(of: name), pages[index].trip?.vehicleID == vehicle.name.vehicle else { return }
        pages[index].vehicle = vehicle
        pages[index].card = VehicleCard(id: vehicle.name.vehicle, vehicle: vehicle, attributes: pages[index].trip?.attributes ?? [:])
    }

    mutating func applyFacts(_ facts: [TripFact], page index: Int, at time: Date) -> [AppEffect] {
        let moments = pages[index].moments.observe(pages[index].journey, now: time)
        var effects = alerts(moments, page: index, at: time)
        let due = [
            pages[index].observer.newsDue(pages[index].journey, after: time), pages[index].moments.due(pages[index].journey, after: time),
        ].compactMap { $0 }.min()
        pages[index].newsDueAt = due
        if let due { newsDueAt = min(newsDueAt ?? due, due) }
        if !facts.isEmpty, isShown(index) { revision &+= 1 }
        let justBookedAt = options.bookedAt.flatMap { (0..<options.justBookedSeconds).contains(time.timeIntervalSince($0)) ? $0 : nil }
        // If the first status that is seen is later than NEW, the booking itself still gets an entry.
        if let justBookedAt, facts.contains(where: { if case .status(let status, nil) = $0 { status != .new } else { false } }) {
            pages[index].log.add(
                note: pages[index].kind == .order ? "Order created" : "Trip created", at: pages[index].clockTime(justBookedAt))
        }
        let shown = pages[index].clockTime(time)
        for fact in Self.inOrder(facts) {
            // Stops for other people before the shop are not news for an order.
            if case .waypoints = fact, pages[index].kind == .order { continue }
            pages[index].log.add(fact, of: pages[index].trip, at: shown, isAlert: Self.isDelay(fact, in: moments))
            pages[index].history.observe(
                fact, trip: pages[index].trip, drivenMeters: pages[index].journey.taken.lengthMeters, at: shown,
                isJustBooked: justBookedAt != nil)
            if case .end = fact, options.rides.contains(pages[index].name) {
                effects.append(.measure(pages[index].name))
            }
            if case .vehicle(let id?) = fact, let vehicle = try? VehicleName(provider: pages[index].name.provider, vehicle: id) {
                effects.append(.fetchVehicle(vehicle, for: pages[index].name))
            }
        }
        if pages[index].status.isFinal, case .cancel = overlay, index == selected { overlay = nil }
        endCancelNotice(page: index)
        if pages[index].status.isFinal { labelPickupAtEnd(index) }
        return effects
    }

    /// Once the trip is over, labels the pickup's marker with the word for the pickup. For a complete trip, the time of the pickup follows
    /// if it is known.
    private mutating func labelPickupAtEnd(_ index: Int) {
        let word = pages[index].kind.stop(.pickup).lowercased()
        let time = pages[index].status == .complete ? pages[index].history.pickedUpAt(pages[index].trip) : nil
        pages[index].map.labels.pickup = time.map { "\(word) \(clock($0))" } ?? word
    }

    /// Moves the booking in front of the other facts. The observer reports a trip's car before its status, but a trip is booked before it
    /// has a car.
    private static func inOrder(_ facts: [TripFact]) -> [TripFact] {
        func isBooking(_ fact: TripFact) -> Bool { if case .status(.new, nil) = fact { true } else { false } }
        return facts.filter(isBooking) + facts.filter { !isBooking($0) }
    }

    /// Whether a fact is the delay that one of the moments reports.
    private static func isDelay(_ fact: TripFact, in moments: [Moment]) -> Bool {
        guard case .promise(let waypoint, let arrival, let previous) = fact, arrival > previous else { return false }
        return moments.contains { $0.event == .etaChanged && $0.waypoint == waypoint }
    }

    private func alerts(_ moments: [Moment], page index: Int, at time: Date) -> [AppEffect] {
        let eta = pages[index].journey.etaText(now: time)
        return moments.compactMap { alertWords($0, eta, pages[index].kind) }.flatMap { alert(pages[index].names.title, $0) }
    }

    private func alertWords(_ moment: Moment, _ eta: ETAText, _ kind: TripKind) -> String? {
        switch moment.event {
        case .assigned: "A \(kind.vehicle) is assigned"
        case .timeLeft: TripWords.away(eta)
        case .here: options.isViewer ? "The car is at the pickup" : "Your car is here"
        case .etaChanged:
            moment.arrival.map { "Later than announced: \(kind.stop(moment.waypoint ?? .unknown).lowercased()) now \(clock($0))" }
        case .positionLost: "No position from the \(kind.vehicle)"
        case .end where moment.status == .complete: endWords(kind)
        case .status, .distanceLeft, .positionBack, .end: nil
        }
    }

    private func endWords(_ kind: TripKind) -> String {
        let phrases = StatusPhrases.of(.complete, kind: kind)
        return options.isViewer ? phrases.forViewer(.complete, kind).phase : phrases.phase
    }

    func alert(_ title: String, _ text: String) -> [AppEffect] { options.alerts.isLoud ? [.alert(title: title, text: text)] : [] }

    /// Applies the provider's answer to a cancellation.
    mutating func applyCancelResult(_ result: CancelResult, for name: TripName) -> [AppEffect] {
        guard let index = place(of: name) else { return [] }
        switch result {
        case .canceled: noteCanceled(page: index)
        case .failed(let reason):
            pages[index].canceling = .failed(reason)
            show(.failed(reason), else: "Not cancelled: \(reason)")
        case .unknown(let reason):
            guard pages[index].status != .canceled else {
                noteCanceled(page: index)
                return []
            }
            // A server answer that is already on its way may be older than the cancellation.
            pages[index].canceling = .unknown(reason, answersToGo: 2)
            show(.unknown(reason), else: "It is not known whether the \(pages[index].kind.subject) was cancelled: \(reason)")
            return [.refresh(name)]
        }
        return []
    }

    /// Finds out from the server's next answers what became of a cancellation whose answer was lost.
    private mutating func resolveCanceling(page index: Int) -> [AppEffect] {
        guard case .unknown(let reason, let answersToGo) = pages[index].canceling else { return [] }
        if pages[index].status == .canceled {
            noteCanceled(page: index)
        } else if answersToGo > 1 {
            pages[index].canceling = .unknown(reason, answersToGo: answersToGo - 1)
            return [.refresh(pages[index].name)]
        } else {
            pages[index].canceling = .failed(reason)
            show(.failed(reason), else: "Not cancelled: \(reason)")
        }
        return []
    }

    private mutating func noteCanceled(page index: Int) {
        let time = pages[index].clockTime(now)
        pages[index].canceling = .done(time)
        if case .cancel = overlay { overlay = nil }
        say(canceledWords(pages[index], at: time))
        endCancelNotice(page: index)
    }

    /// Removes the notice about a completed cancellation once the page in front itself says that the trip was cancelled.
    private mutating func endCancelNotice(page index: Int) {
        guard index == selected, pages[index].status == .canceled, case .done(let time) = pages[index].canceling,
            notice?.text == canceledWords(pages[index], at: time)
        else { return }
        notice = nil
    }

    /// Shows the result in the dialog if it is open, or else shows the notice in the event line.
    private mutating func show(_ step: CancelDialog.Step, else notice: String) {
        if case .cancel = overlay { overlay = .cancel(CancelDialog(step: step)) } else { say(notice) }
    }
}

extension Trip {
    /// Whether both trips have the same data for names and cards.
    fileprivate func isCalled(like known: Trip?) -> Bool {
        guard let known else { return false }
        return known.attributes == attributes && known.vehicleID == vehicleID && known.pickupPoint == pickupPoint
            && known.dropoffPoint == dropoffPoint && known.intermediateDestinations == intermediateDestinations
            && known.status.isFinal == status.isFinal
    }
}
