package import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing
import TerminalCanvas

/// Prints facts as lines for users and logs: `14:07:12 eta         pickup 14:13 (6 min, 1.8 km), was 14:12`.
package struct PlainOutput: Sendable {
    /// The options that determine the format of a line.
    package struct Options: Sendable {
        /// Returns the offset of the displayed time zone from GMT at a time, in seconds.
        package var secondsFromGMT: @Sendable (Date) -> Int
        package var measurementSystem: MeasurementSystem
        /// Whether each line begins with the trip's name, because several trips are followed.
        package var showsTrip: Bool
        /// Whether the user watches the trip through a link. Such a user is not always the trip's rider or customer.
        package var isViewer = false

        package init(
            secondsFromGMT: @escaping @Sendable (Date) -> Int = { _ in 0 }, measurementSystem: MeasurementSystem = .metric,
            showsTrip: Bool = false
        ) {
            self.secondsFromGMT = secondsFromGMT
            self.measurementSystem = measurementSystem
            self.showsTrip = showsTrip
        }
    }

    private let options: Options
    /// The word and the sentences of the last printed failure of each trip.
    private var toldFailure: [TripName: String] = [:]
    private var arrival = OwedArrival()
    /// Whether a line has reported that the position was lost.
    private var hasLostPosition = false
    /// Whether the command exits after the facts that are printed next. If so, the line of a failure is always printed, and announces no
    /// retry.
    package var isEnding = false
    /// The trip's vehicle, if the program has requested it.
    package var vehicle: Vehicle?

    package init(options: Options = Options()) { self.options = options }

    /// Returns the line for a fact, without a line break; nil if the fact gets no line.
    package mutating func line(_ fact: TripFact, journey: JourneyTracker, time: Date) -> String? {
        guard let (word, text) = words(fact, journey, time) else { return nil }
        arrival.note(fact, journey)
        let clock = Timestamps.clock(time, secondsFromGMT: options.secondsFromGMT(time), withSeconds: true)
        let trip = options.showsTrip ? TripWords.column(sanitised(journey.tripName.trip, maximumLength: 64), 16) + " " : ""
        return "\(clock) \(trip)\(TripWords.column(word, 11)) \(text)"
    }

    private mutating func words(_ fact: TripFact, _ journey: JourneyTracker, _ time: Date) -> (String, String)? {
        switch fact {
        case .status(let status, _): return statusWords(status, journey, time)
        case .vehicle(let id):
            // The lost position belongs to the previous vehicle.
            hasLostPosition = false
            guard let id else { return ("released", "the \(journey.kind.vehicle) was taken off the \(journey.kind.subject)") }
            let known = vehicle?.name.vehicle == id ? vehicle : nil
            let card = VehicleCard(id: id, vehicle: known, attributes: journey.trip?.attributes ?? [:]).line
            // A link may hide the car's identity.
            let car = card.isEmpty ? "a \(journey.kind.vehicle) is assigned" : card
            guard journey.trip?.status == .new else { return ("assigned", car) }
            let stop = Self.name(journey.estimate?.waypoint ?? .pickup, journey)
            return ("assigned", "\(car), \(arrivalWords(stop, journey, time))")
        case .promise(let waypoint, let arrival, let previous):
            let minutes = ClockMinutes.count(from: previous, to: arrival)
            let moved = "\(minutes < 0 ? "-" : "+")\(TripWords.difference(minutes: minutes))"
            let isNext = waypoint == journey.estimate?.waypoint
            let name = Self.name(waypoint, journey)
            let stop = isNext ? arrivalWords(name, journey, time) : "\(name) \(clock(arrival, time))"
            return ("eta", stop + ", was \(clock(previous, time)) (\(moved))")
        case .pickupChanged: return (journey.kind.stop(.pickup).lowercased(), "changed")
        case .stopsChanged(let added, let removed): return ("stops", "changed" + TripWords.stops(added: added, removed: removed))
        case .dropoffChanged: return journey.kind == .order ? ("delivery", "to another place") : ("drop-off", "changed")
        case .near(_, let eta): return ("near", TripWords.away(eta))
        case .freshness(let state, let age, let previous): return freshnessWords(state, age, previous, journey)
        case .eta(let eta) where arrival.isOwed && eta.arrival != nil:
            return ("eta", arrivalWords(Self.name(eta.waypoint, journey), journey, time))
        case .failure(let failure): return failureWords(failure, journey.tripName)
        case .recovered(let seconds):
            toldFailure[journey.tripName] = nil
            return ("back", "updates resumed after \(TripWords.age(seconds))")
        case .location, .eta, .route, .waypoints, .traffic, .drawn, .end: return nil
        }
    }

    private func statusWords(_ status: TripStatus, _ journey: JourneyTracker, _ time: Date) -> (String, String)? {
        // A new trip that has a car gets no line for its status (`line` is nil), because the car's own line already has the arrival.
        let phrases = StatusPhrases.of(status, journey, isViewer: options.isViewer)
        guard let line = phrases.line else { return nil }
        // The line's text already names a stop on the way, so the arrival is given without the name.
        let toward = phrases.toward.map { journey.kind.stop($0).lowercased() }
        let rest =
            status == .complete
            ? journey.arrivedAt(now: time).map { " \(clock($0, time))" } ?? ""
            : toward.map { (line.text.isEmpty ? "" : ", ") + arrivalWords($0, journey, time) } ?? ""
        return (line.word, line.text + rest)
    }

    /// Returns the word for a stop, for use inside a line. For a stop on the way, this is its name, if it has one.
    private static func name(_ waypoint: WaypointType, _ journey: JourneyTracker) -> String {
        let name = waypoint == .intermediate ? TripNames.nextStop(of: journey.trip) : ""
        return name.isEmpty ? journey.kind.stop(waypoint).lowercased() : name
    }

    /// The arrival in words: `pickup 14:13 (6 min, 1.8 km)`. An unknown duration or distance is left out.
    private func arrivalWords(_ stop: String, _ journey: JourneyTracker, _ time: Date) -> String {
        var parts: [String] = []
        let eta = journey.etaText(now: time)
        if eta.value != .unknown { parts.append(eta.text) }
        if let meters = journey.estimate?.remainingMeters {
            parts.append(DistanceText.left(meters: meters, system: options.measurementSystem))
        }
        if let before = journey.estimate?.stopsBefore, before > 0 {
            parts.append(journey.kind.stopsBefore(before, isViewer: options.isViewer))
        }
        if let shop = journey.shopArrivalAhead { parts.append("shop \(clock(shop, time))") }
        let clockTime = journey.forecast.shown.map { " \(clock($0, time))" } ?? " time not known yet"
        return stop + clockTime + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    private mutating func freshnessWords(
        _ state: Freshness?, _ age: Double?, _ previous: Freshness?, _ journey: JourneyTracker
    ) -> (String, String)? {
        var news = PositionNews(state, ageSeconds: age, previous: previous, hasVehicle: journey.trip?.vehicleID != nil)
        if state == .live, hasLostPosition { news = .back }
        hasLostPosition = news == .lost || (hasLostPosition && state != .live)
        return news.map { $0.line(journey.kind) }.map { ($0.word, $0.text) }
    }

    /// Returns the words for a failure; nil if the last failure had the same words, so that an outage does not fill the screen. If the
    /// command ends, the words are always returned.
    private mutating func failureWords(_ failure: PollFailure, _ name: TripName) -> (String, String)? {
        let words = FailureWords(failure)
        let word = Self.word(failure, isEnding: isEnding)
        // The cause is not compared: it may alternate, for example between a refused and a reset connection.
        let news = "\(word): \(words.spoken)"
        guard toldFailure.updateValue(news, forKey: name) != news || isEnding else { return nil }
        let retry = failure.retryInSeconds >= 1 && !isEnding ? " Trying again in \(TripWords.age(failure.retryInSeconds))." : ""
        return (word, words.line + retry)
    }

    /// Returns the word at the start of the line for a failure.
    static func word(_ failure: PollFailure, isEnding: Bool) -> String {
        if failure.errorClass == .retryable || failure.isWithinGrace { return FailureWords.isAnswer(failure.error) ? "error" : "offline" }
        return failure.errorClass == .actionRequired(.waitForQuota) && !isEnding ? "paused" : "stopped"
    }

    private func clock(_ date: Date, _ now: Date) -> String {
        Timestamps.clock(date, now: now, secondsFromGMT: options.secondsFromGMT)
    }
}
