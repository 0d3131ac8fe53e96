package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// Prints facts as sentences for a screen reader, without columns or symbols, and with units in words.
package struct SpokenOutput: Sendable {
    private let options: PlainOutput.Options
    private var toldFailure: String?
    private var toldCar: String?
    private var arrival = OwedArrival()
    /// The arrival that was last spoken.
    private var said: (waypoint: WaypointType, arrival: Date)?
    /// Whether the command exits after this fact. If so, the sentence does not announce a retry.
    package var isEnding = false
    /// The trip's vehicle, if the program has requested it.
    package var vehicle: Vehicle?

    package init(options: PlainOutput.Options = PlainOutput.Options()) { self.options = options }

    /// The sentences for a fact, on one line; nil if the fact gets no sentence.
    package mutating func line(_ fact: TripFact, journey: JourneyTracker, time: Date) -> String? {
        guard let sentence = sentence(fact, journey, time) else { return nil }
        arrival.note(fact, journey)
        noteArrival(fact, journey, in: sentence, time)
        return options.showsTrip ? "\(Self.subject(journey)) \(sanitised(journey.tripName.trip, maximumLength: 80)): \(sentence)" : sentence
    }

    /// Returns a summary of the trip's state.
    package func summary(_ journey: JourneyTracker, time: Date) -> String {
        guard let trip = journey.trip else { return "Nothing is known about the \(journey.kind.subject) yet." }
        return [statusSentence(trip.status, journey, time), ageSentence(journey, time)].compactMap { $0 }.joined(separator: " ")
    }

    private mutating func sentence(_ fact: TripFact, _ journey: JourneyTracker, _ time: Date) -> String? {
        switch fact {
        case .status(.new, _) where toldCar != nil: return nil
        case .status(let status, _): return statusSentence(status, journey, time)
        case .vehicle(.some(let id)):
            toldCar = id
            return journey.trip?.status == .new ? statusSentence(.new, journey, time) : nil
        case .vehicle(nil): return "The \(journey.kind.vehicle) was taken off the \(journey.kind.subject)."
        case .promise(let waypoint, let arrival, let previous):
            let minutes = ClockMinutes.count(from: previous, to: arrival)
            guard minutes != 0, !isSaid(arrival, at: waypoint) else { return nil }
            let moved = "\(TripWords.spokenDifference(minutes: minutes)) \(minutes > 0 ? "later" : "earlier") than last announced"
            return "\(Self.stop(waypoint, journey)) is now \(phrase(arrival, time)), \(moved)."
        case .pickupChanged: return "\(journey.kind.movedPickup)."
        case .stopsChanged(let added, let removed): return "The stops have changed\(TripWords.stops(added: added, removed: removed))."
        case .dropoffChanged: return "\(journey.kind.movedDropoff)."
        case .near(_, let eta):
            if eta.value == .overdue { return "The \(journey.kind.vehicle) should arrive \(eta.spoken)." }
            return "The \(journey.kind.vehicle) is \(eta.value == .arriving ? eta.spoken : eta.spoken + " away")."
        case .freshness(let state, let age, let previous): return freshnessSentence(state, age, previous, journey, time)
        case .failure(let failure): return failureSentence(failure)
        case .recovered(let seconds):
            toldFailure = nil
            return "Updates resumed after \(Self.spoken(seconds))."
        case .eta(let eta) where arrival.isOwed && eta.arrival != nil: return away(journey, time)
        case .location, .eta, .route, .waypoints, .traffic, .drawn, .end: return nil
        }
    }

    /// Whether this is the arrival that was last spoken.
    private func isSaid(_ arrival: Date, at waypoint: WaypointType) -> Bool {
        said.map { $0.waypoint == waypoint && ClockMinutes.count(from: $0.arrival, to: arrival) == 0 } ?? false
    }

    private mutating func noteArrival(_ fact: TripFact, _ journey: JourneyTracker, in sentence: String, _ time: Date) {
        switch fact {
        case .promise(let waypoint, let arrival, _): said = (waypoint, arrival)
        case .status, .vehicle, .eta:
            guard let waypoint = journey.estimate?.waypoint, let shown = journey.forecast.shown else { return }
            if sentence.contains(phrase(shown, time)) { said = (waypoint, shown) }
        case .location, .route, .waypoints, .pickupChanged, .stopsChanged, .dropoffChanged, .traffic, .drawn, .freshness, .near, .failure,
            .recovered, .end:
            break
        }
    }

    private func statusSentence(_ status: TripStatus, _ journey: JourneyTracker, _ time: Date) -> String? {
        let id = journey.trip?.vehicleID
        let phrases = StatusPhrases.of(status, journey, isViewer: options.isViewer)
        guard let spoken = phrases.spoken else { return nil }
        let isAssigned = status == .new && id != nil
        let car = isAssigned || (status == .arrivedAtPickup && journey.kind == .ride) ? carSentence(id ?? "", journey) : ""
        let rest = isAssigned || phrases.toward != nil ? away(journey, time) : ""
        return [spoken, car, rest].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the current state in sentences, failures first. Users request it while a command runs.
    package func presentState(_ journey: JourneyTracker, time: Date) -> String {
        let failure = journey.failure.map { FailureWords($0).spoken } ?? ""
        guard journey.trip != nil else { return failure.isEmpty ? "Nothing is known about the \(journey.kind.subject) yet." : failure }
        return [failure, summary(journey, time: time)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The time and distance to the stop in sentences: `Arrival in 6 minutes. Distance 1.8 kilometres. Pickup at 14:13.`
    private func away(_ journey: JourneyTracker, _ time: Date) -> String {
        let eta = journey.etaText(now: time)
        var parts: [String] = []
        switch eta.value {
        case .unknown: parts.append("The arrival time is not known yet.")
        case .arriving: parts.append("The \(journey.kind.vehicle) is arriving.")
        case .overdue: parts.append("The \(journey.kind.vehicle) should arrive any minute.")
        case .lessThanAMinute, .minutes, .hours: parts.append("Arrival in \(eta.spoken).")
        }
        if let meters = journey.estimate?.remainingMeters, eta.value != .arriving {
            let left = Self.spokenUnits(DistanceText.left(meters: meters, system: options.measurementSystem))
            parts.append(DistanceText.isVeryNear(meters: meters) ? "The \(journey.kind.vehicle) is \(left)." : "Distance \(left).")
        }
        if let before = journey.estimate?.stopsBefore, before > 0 {
            parts.append("The \(journey.kind.vehicle) has \(journey.kind.stopsBefore(before, isViewer: options.isViewer)).")
        }
        if let shown = journey.forecast.shown, eta.value != .arriving {
            parts.append("\(Self.stop(journey.estimate?.waypoint ?? .unknown, journey)) \(phrase(shown, time)).")
        }
        if let shop = journey.shopArrivalAhead {
            parts.append("The \(journey.kind.vehicle) should reach the shop \(phrase(shop, time)).")
        }
        return parts.joined(separator: " ")
    }

    /// Returns sentences about the car: its plate, or else its id, and then its looks. The plate is spelled letter by letter, so that a
    /// screen reader does not read it as a word.
    private func carSentence(_ id: String, _ journey: JourneyTracker) -> String {
        let card = VehicleCard(id: id, vehicle: vehicle?.name.vehicle == id ? vehicle : nil, attributes: journey.trip?.attributes ?? [:])
        let words = card.looks.replacing(" ∙", with: ",")
        let looks = words.isEmpty ? "" : " \(words.prefix(1).uppercased())\(words.dropFirst())."
        guard !card.plate.isEmpty else { return card.id.isEmpty ? "" : "Vehicle \(card.id)." + looks }
        return "Plate \(card.plate.filter { $0 != " " }.map(String.init).joined(separator: " "))." + looks
    }

    private func freshnessSentence(
        _ state: Freshness?, _ age: Double?, _ previous: Freshness?, _ journey: JourneyTracker, _ time: Date
    ) -> String? {
        let hasVehicle = journey.trip?.vehicleID != nil
        guard let news = PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: hasVehicle) else { return nil }
        let sentence = news.spoken(journey.kind.vehicle, Self.spoken)
        guard case .old = news, let shown = journey.forecast.shown else { return sentence }
        return sentence + " The last known arrival time is \(Timestamps.clock(shown, now: time, secondsFromGMT: options.secondsFromGMT))."
    }

    private func ageSentence(_ journey: JourneyTracker, _ time: Date) -> String? {
        guard let state = journey.freshness, state != .live, state != .ended, let age = journey.ageSeconds(now: time) else {
            return nil
        }
        return "The last position is \(Self.spoken(age)) old."
    }

    private mutating func failureSentence(_ failure: PollFailure) -> String? {
        let sentence = FailureWords(failure).spoken
        guard isEnding || toldFailure != sentence else { return nil }
        toldFailure = sentence
        let retry = failure.retryInSeconds >= 1 && !isEnding ? " Trying again in \(Self.spoken(failure.retryInSeconds))." : ""
        return sentence + retry
    }

    private func phrase(_ date: Date, _ now: Date) -> String {
        Timestamps.phrase(date, now: now, secondsFromGMT: options.secondsFromGMT)
    }

    /// Returns the word for a stop, for the start of a sentence. For a stop on the way, this is its name, if it has one.
    private static func stop(_ waypoint: WaypointType, _ journey: JourneyTracker) -> String {
        guard waypoint == .intermediate else { return journey.kind.stop(waypoint) }
        let name = TripNames.nextStop(of: journey.trip)
        return name.isEmpty ? journey.kind.stop(.unknown) : name
    }

    private static func subject(_ journey: JourneyTracker) -> String { journey.kind == .order ? "Order" : "Trip" }

    /// Returns a distance with its unit in words: `1.8 kilometres` for `1.8 km`.
    static func spokenUnits(_ distance: String) -> String {
        let names = [" km": "kilometre", " m": "metre", " mi": "mile", " ft": "foot", " yd": "yard"]
        guard let unit = names.keys.first(where: distance.hasSuffix), let name = names[unit] else { return distance }
        let number = distance.dropLast(unit.count)
        return "\(number) \(number == "1" ? name : name == "foot" ? "feet" : name + "s")"
    }

    /// Returns a duration with its unit in words: `2 minutes`.
    static func spoken(_ seconds: Double) -> String {
        let whole = seconds.isNaN ? 0 : Int(min(max(seconds, 0), 1e7).rounded())
        if whole < 60 { return count(whole, "second") }
        return whole < 3_600 ? count(whole / 60, "minute") : count(whole / 3_600, "hour")
    }

    /// Returns a number with its word in the singular or plural: `1 stop`, `2 stops`.
    static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
