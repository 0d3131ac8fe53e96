import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

extension LoggedEvent {
    /// Whether the event is a failed request.
    var isFailure: Bool { if case .fact(.failure, stopIndex: _) = content { true } else { false } }
}

/// Texts for events.
extension AppState {
    /// Events of the trip, shipment or driver in front, oldest first.
    var loggedEvents: [LoggedEvent] { drive?.log.events ?? page?.log.events ?? shipment?.shownEvents ?? [] }

    /// Returns the text of an event with its time, shortened if there is little room.
    func line(_ event: LoggedEvent, columns: Int) -> String {
        let time = clock(event.time, withSeconds: true)
        let (all, brief) = (words(event), words(event, isBrief: true))
        let lines = ["\(time)  \(all)", "\(time)  \(brief)", "\(time) \(brief)", "\(time.dropLast(3)) \(brief)"]
        return lines.first { displayWidth($0) <= columns } ?? lines[1]
    }

    /// - Parameter isBrief: whether to omit the optional parts.
    func words(_ event: LoggedEvent, isBrief: Bool = false) -> String {
        switch event.content {
        case .note(let text): text
        case .fact(.failure(let failure), _) where isBrief:
            shipment.map { ShipmentFailureWords(failure, of: $0.name).meaning } ?? FailureWords(failure).meaning
        case .fact(let fact, let stopIndex):
            page.map { words(fact, stopIndex: stopIndex, $0, isAlert: event.isAlert && !isBrief) } ?? shipment.map { words(fact, $0) } ?? ""
        }
    }

    private func words(_ fact: TripFact, stopIndex: Int, _ page: TripPage, isAlert: Bool) -> String {
        switch fact {
        case .status(let status, let previous): return words(status, stopIndex: stopIndex, isFirst: previous == nil, page)
        case .vehicle(let id):
            guard let id else { return "The \(page.kind.vehicle) was taken off the \(page.kind.subject)" }
            let name = carName(page, id: id)
            return "\(page.kind.vehicleTitle) assigned" + (name.isEmpty ? "" : ": \(name)")
        case .promise(let waypoint, let arrival, let previous):
            let minutes = ClockMinutes.count(from: previous, to: arrival)
            let moved = "\(minutes < 0 ? "-" : "+")\(TripWords.difference(minutes: minutes))"
            let parts = [moved, isAlert ? alertWords(.delay) : ""].filter { !$0.isEmpty }
            let stop = stopWord(waypoint, index: stopIndex, page)
            return "\(stop) \(clock(previous)) ▸ \(clock(arrival)) (\(parts.joined(separator: ", ")))"
        case .pickupChanged: return page.kind.movedPickup
        case .stopsChanged(let added, let removed): return "The stops have changed" + TripWords.stops(added: added, removed: removed)
        case .dropoffChanged: return page.kind.movedDropoff
        case .freshness(let state, let age, let previous):
            return PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: true)?.event(page.kind) ?? ""
        case .near(_, let eta): return TripWords.away(eta)
        case .waypoints(let before, _):
            guard before == 0 else { return TripKind.ride.stopsBefore(before, isViewer: options.isViewer) }
            return options.isViewer ? "This \(page.kind.subject)'s stop is next" : "You are next"
        case .failure(let failure):
            return FailureWords(failure).meaning + (failure.attempt > 1 ? " (try \(failure.attempt))" : "")
        case .recovered(let seconds): return "Updates resumed after \(TripWords.age(seconds))"
        case .location, .eta, .route, .traffic, .drawn, .end: return ""
        }
    }

    private func words(_ status: TripStatus, stopIndex: Int, isFirst: Bool, _ page: TripPage) -> String {
        var phrases = StatusPhrases.of(
            status, kind: page.kind, stopIndex: stopIndex, stopCount: page.trip?.intermediateDestinations.count ?? 0,
            stopName: page.names.stop(stopIndex))
        if options.isViewer { phrases = phrases.forViewer(status, page.kind) }
        if status == .canceled, case .done = page.canceling, page.card != nil { return "\(phrases.event), \(page.kind.vehicle) released" }
        if status == .enrouteToDropoff, page.kind == .ride, !page.names.dropoff.isEmpty { return "On the way to \(page.names.dropoff)" }
        if isFirst {
            if page.history.createdAt != nil { return phrases.firstEvent ?? phrases.event }
            if status == .unknown { return phrases.event }
            return status == .new ? "Booked earlier" : "Status: \(phrases.phaseInSentence)"
        }
        let alert = status == .arrivedAtPickup && page.kind == .ride ? alertWords(.here) : ""
        return phrases.event + (alert.isEmpty ? "" : " (\(alert))")
    }

    /// Returns the notice about a completed cancellation. It says that the car is released only if a car was assigned.
    func canceledWords(_ page: TripPage, at time: Date) -> String {
        "Cancelled \(clock(time))." + (page.card == nil ? "" : " \(page.kind.vehicleTitle) released.")
    }

    /// Returns a text that says how the user was alerted to an event, such as `bell rang`. Empty if the settings request no alert for this
    /// event, and for a viewer of a link.
    private func alertWords(_ word: Alerts.Word) -> String {
        guard options.footer == nil, options.alerts.words.contains(word) else { return "" }
        let ways = options.alerts.ways
        let parts = (ways.contains(.bell) ? ["bell rang"] : []) + (ways.contains(.notice) ? ["desktop notice sent"] : [])
        return parts.joined(separator: ", ")
    }

    /// Returns a short description of the car, or its id if no description is known; empty without a car.
    /// - Parameter id: id of the car, which may be a former one; nil for the present car.
    func carName(_ page: TripPage, id: String? = nil) -> String {
        let known = id == nil || page.card?.id == id ? page.card : id.flatMap { page.formerCards[$0] }
        guard let card = known, card.isKnown else { return id ?? page.card?.id ?? "" }
        return [card.looks, card.plate].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
