/// The rules that select which moments are reported, with their thresholds.
package struct MomentRules: Hashable, Sendable {
    /// The smallest change of an arrival time that is reported.
    package enum Change: Hashable, Sendable {
        case seconds(Double)
        /// A fraction, 0 to 1, of the time that remained at the last report.
        case share(Double)
    }

    package var events: Set<Moment.Event>
    /// The shipment events that are reported.
    package var shipmentEvents = Set(ShipmentMoment.Event.allCases)
    package var etaChange = Change.seconds(120)
    /// Whether a change of the arrival time is reported only if the arrival is later.
    package var isOnlyDelay = false
    /// Whether changes of the arrival time at the destination are reported even while another stop comes first.
    package var tellsDestination = false
    /// Thresholds for the time to the next stop, in seconds.
    package var timesLeft = [120.0]
    /// Thresholds for the distance to the next stop, in metres.
    package var distancesLeft = [500.0]
    /// Threshold for the number of stops before a shipment's stop.
    package var stopsLeft = 2
    /// Whether each threshold is reported only once per trip or shipment, and for a ride only on the way to the pickup. If so, a threshold
    /// that is already reached at the start is not reported.
    package var isOncePerTrip = false
    /// Time after which a lost position is reported, in seconds. A position is lost while it is too old, or while there is no
    /// connection.
    package var lostAfterSeconds = 60.0
    /// Whether every report includes the arrival time. If so, the next change is measured from the last report of any kind.
    package var everyMomentTellsArrival = true

    /// After a threshold has been reached, it can be reported again once the value is above this multiple of the threshold.
    package static let rearmingFactor = 1.2

    /// If only delays are reported, each delay is measured from a remembered arrival time. If the expected arrival becomes earlier, and
    /// stays earlier for this many seconds, the new time is remembered instead.
    package static let lastingSeconds = 120.0
    /// An arrival that has become earlier is remembered only if it is earlier by at least this many seconds.
    package static let leastEarlierSeconds = 60.0

    package init(events: Set<Moment.Event>) { self.events = events }

    /// Returns the smallest change of an arrival time that is reported, in seconds.
    /// - Parameter secondsLeft: the time in seconds that remained at the last report.
    package func leastChange(secondsLeft: Double) -> Double {
        switch etaChange {
        case .seconds(let seconds): seconds
        // A share of a very short time is tiny, so the change must also be at least 30 s.
        case .share(let share): max(30, secondsLeft * share)
        }
    }
}

extension MomentRules {
    /// The default rules of hooks.
    package static let hooks = MomentRules(events: Set(Moment.Event.allCases).subtracting([.assigned]))

    /// Parses `eta_changed=2min,time_left=2min,distance_left=500m`: for each event a threshold, `on` or `off`. Events that are not in the
    /// text keep their rules.
    ///
    /// - Throws: an error whose text can follow the name of an option.
    package func reading(_ text: String) throws(RuleError) -> MomentRules {
        var rules = self
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
            guard words.count == 2, let name = words.first, let value = words.last else { throw RuleError(.form(String(part))) }
            let ofTrip = Moment.Event(rawValue: name).flatMap { $0 == .assigned ? nil : $0 }
            let ofShipment = ShipmentMoment.Event(rawValue: name)
            guard ofTrip != nil || ofShipment != nil else { throw RuleError(.event(name)) }
            try rules.set(ofTrip, ofShipment, value)
        }
        return rules
    }

    /// Sets the rule for an event that trips, shipments or both have.
    private mutating func set(_ ofTrip: Moment.Event?, _ ofShipment: ShipmentMoment.Event?, _ value: String) throws(RuleError) {
        guard value != "off" else {
            if let ofTrip { events.remove(ofTrip) }
            if let ofShipment { shipmentEvents.remove(ofShipment) }
            return
        }
        if let ofTrip {
            guard set(ofTrip, value) else { throw RuleError(.value(ofTrip, value)) }
            events.insert(ofTrip)
        } else if let ofShipment, !set(ofShipment, value) {
            throw RuleError(.shipment(ofShipment, value))
        }
        if let ofShipment { shipmentEvents.insert(ofShipment) }
    }

    /// The largest allowed threshold for the number of stops.
    private static let mostStops = 1_000

    /// Sets the rule for an event that only shipments have.
    private mutating func set(_ event: ShipmentMoment.Event, _ value: String) -> Bool {
        guard event == .stopsLeft else { return value == "on" }
        guard let stops = Int(value), (0...Self.mostStops).contains(stops) else { return false }
        stopsLeft = stops
        return true
    }

    private mutating func set(_ event: Moment.Event, _ value: String) -> Bool {
        switch event {
        case .etaChanged:
            if value.hasSuffix("%"), let percent = Double(value.dropLast()), percent.isFinite, (1...1_000).contains(percent) {
                etaChange = .share(percent / 100)
            } else if let seconds = Self.seconds(value) {
                etaChange = .seconds(seconds)
            } else {
                return false
            }
        case .timeLeft:
            guard let seconds = Self.seconds(value) else { return false }
            timesLeft = [seconds]
        case .distanceLeft:
            guard let meters = Self.meters(value) else { return false }
            distancesLeft = [meters]
        case .positionLost:
            guard let seconds = Self.seconds(value) else { return false }
            lostAfterSeconds = seconds
        case .status, .assigned, .here, .positionBack, .end: return value == "on"
        }
        return true
    }

    /// Parses a duration such as `90s`, `2min` or `2h`. Returns seconds; nil for other text, or for more than a day. Refuses `500m`,
    /// because the user probably means metres.
    private static func seconds(_ text: String) -> Double? {
        guard text.last != "m" else { return nil }
        return TimeSpanText.seconds(text).flatMap { $0 <= 86_400 ? $0 : nil }
    }

    /// Parses a distance such as `500m` or `1.5km`. Returns metres; nil for other text, for 0, or for more than 1,000 km.
    private static func meters(_ text: String) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let factor = ["m": 1.0, "km": 1_000][String(text.dropFirst(digits.count))] else { return nil }
        let meters = number * factor
        return meters.isFinite && meters > 0 && meters <= 1_000_000 ? meters : nil
    }

    /// An error in a text that sets rules.
    package struct RuleError: Error, Hashable, CustomStringConvertible {
        enum Kind: Hashable, Sendable {
            case form(String)
            case event(String)
            case value(Moment.Event, String)
            case shipment(ShipmentMoment.Event, String)
        }

        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }

        /// The names of trip events, followed by the names of events that only shipments have.
        private static var names: [String] {
            let ofTrips = Moment.Event.allCases.filter { $0 != .assigned }.map(\.rawValue)
            return ofTrips + ShipmentMoment.Event.allCases.map(\.rawValue).filter { !ofTrips.contains($0) }
        }

        package var description: String {
            switch kind {
            case .form(let part): "\(quoted(part)) must have the form EVENT=THRESHOLD, such as time_left=2min"
            case .event(let name):
                "there is no event \(quoted(name)); the events are "
                    + Self.names.joined(separator: ", ")
            case .value(.distanceLeft, let value): "\(quoted(value)) must be a distance (such as 500m or 1.5km) or \"off\""
            case .value(.etaChanged, let value):
                "\(quoted(value)) must be a time (such as 90s or 2min), a percentage (such as 20%) or \"off\""
            case .value(.timeLeft, let value), .value(.positionLost, let value):
                "\(quoted(value)) must be a time (such as 90s or 2min) or \"off\""
            case .shipment(.stopsLeft, let value): "\(quoted(value)) must be a number of stops (such as 3) or \"off\""
            case .shipment(let event, let value): "\(quoted(value)) is not allowed; set \(event.rawValue) to \"on\" or \"off\""
            case .value(let event, let value): "\(quoted(value)) is not allowed; set \(event.rawValue) to \"on\" or \"off\""
            }
        }
    }
}
