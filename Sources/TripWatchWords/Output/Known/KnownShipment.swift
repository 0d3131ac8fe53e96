package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// A shipment that was followed on this machine, in its last known state. The record contains no token, personal data or location.
package struct KnownShipment: Hashable, Sendable {
    package let name: TaskTrackingName
    package var state = DeliveryTaskState.open
    package var outcome: DeliveryTaskOutcome?
    /// The arrival at the shipment's stop; after a success, the time of the outcome. Nil while unknown, and after a failure.
    package var arrival: Date?
    package var window: TimeWindow?
    /// The number of stops before the shipment's stop; nil if the server did not share the number.
    package var stopsBefore: Int?
    /// Whether the vehicle was on its way to the shipment's stop.
    package var isOnItsWay = false
    package var server: KnownTrip.Server
    /// The time at which this program last began to follow the shipment.
    package var openedAt: Date
    package var lastSeenAt: Date

    /// Creates the record of a shipment that this program begins to follow.
    package init(name: TaskTrackingName, server: KnownTrip.Server, openedAt: Date) {
        self.name = name
        self.server = server
        self.openedAt = openedAt
        lastSeenAt = openedAt
    }

    /// Records the state of the shipment.
    package mutating func note(_ tracker: ShipmentTracker, at now: Date) {
        guard let shipment = tracker.shipment else { return }
        state = shipment.state
        outcome = shipment.outcome
        window = shipment.targetTimeWindow
        stopsBefore = shipment.stopsBefore
        arrival =
            switch shipment.outcome {
            case .succeeded: shipment.outcomeTime
            case .failed: nil
            case nil: tracker.arrival.shown
            }
        isOnItsWay = ShipmentState(tracker, now: now).map { [.arrivesIn, .arrivesSoon, .onItsWay].contains($0.figure) } ?? false
        lastSeenAt = now
    }

    /// Whether the shipment has an outcome or is closed.
    var isOver: Bool { outcome != nil || state == .closed }

    /// Whether `before` has the same state and is at most a minute older, so that it need not be replaced.
    package func isAsJustSeen(_ before: KnownShipment) -> Bool {
        var same = self
        same.lastSeenAt = before.lastSeenAt
        if KnownTrip.isNear(arrival, before.arrival) { same.arrival = before.arrival }
        return same == before && (0...KnownTrip.sameLookSeconds).contains(lastSeenAt.timeIntervalSince(before.lastSeenAt))
    }

    /// Returns this record, merged with another program's record of the same shipment. The later state wins.
    func merged(with old: KnownShipment) -> KnownShipment {
        var merged = old.lastSeenAt > lastSeenAt ? old : self
        merged.openedAt = max(openedAt, old.openedAt)
        merged.server = server
        if server.endpoint == old.server.endpoint { merged.server.providerURL = server.providerURL ?? old.server.providerURL }
        return merged
    }
}

extension KnownShipment {
    /// One JSON object with the same keys as for a trip; the title is null.
    var jsonText: JSONText {
        .object { line in
            line.add("name", .string(name.description))
            line.add("title", nil)
            line.add("status", .string(outcome?.rawValue ?? state.rawValue))
            line.add("eta", arrival.map(JSONText.time))
            line.add("last_seen", .time(lastSeenAt))
            line.add("endpoint", .string(server.endpoint))
            line.add("provider", .string(name.provider))
        }
    }

    /// Returns the cells for `tripwatch list`: name, a dash for the title, short word, arrival and time last seen.
    /// - Parameter clock: formats a time in the user's time zone.
    func cells(now: Date, secondsFromGMT: @escaping @Sendable (Date) -> Int, clock: (Date) -> String) -> [String] {
        let time = arrival.map(clock) ?? "--:--"
        return [name.description, "–", short(now: now, secondsFromGMT), time, KnownTrip.seen(lastSeenAt, now: now)].map {
            sanitised($0, maximumLength: 200)
        }
    }

    /// The word for the shipment's last known state, as its page would show it now.
    private func short(now: Date, _ secondsFromGMT: @escaping @Sendable (Date) -> Int) -> String {
        var shipment = TaskTrackingInfo(name: name, state: state, outcome: outcome, targetTimeWindow: window)
        shipment.remainingStopCount = stopsBefore.map { $0 + 1 }
        shipment.estimatedArrivalTime = arrival
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: now, kind: .shipment(shipment, changed: [])))
        guard let page = ShipmentState(tracker, now: now, secondsFromGMT: secondsFromGMT) else { return "" }
        // In a table of trips and shipments, the short word `failed` would read like a failed request.
        if page.figure == .notDone { return "not completed" }
        return page.figure == .planned && isOnItsWay ? ShipmentState.onItsWay : page.short
    }
}

// MARK: - The file

extension KnownShipment {
    /// The largest stored number of stops before a shipment's own stop. Larger numbers are stored as this one.
    private static let mostStops = 1_000_000

    /// A shipment in the file of known trips. Times are seconds since 1970.
    struct Entry: Codable {
        var tracking: String
        var state: String
        var outcome: String?
        var eta: Double?
        var start: Double?
        var end: Double?
        var stops: Int?
        var way: Bool?
        var opened: Double
        var seen: Double
        var endpoint: String
        var plaintext: Bool
        var ca: String?
        var provider: String?
    }

    /// Reads an entry; nil if its name, its state or a time is invalid.
    init?(_ entry: Entry) {
        guard let name = try? TaskTrackingName(entry.tracking), let state = DeliveryTaskState(rawValue: entry.state),
            entry.seen.isFinite, entry.opened.isFinite
        else { return nil }
        let server = KnownTrip.Server(endpoint: entry.endpoint, isPlaintext: entry.plaintext, caFile: entry.ca, providerURL: entry.provider)
        self.init(name: name, server: server, openedAt: Date(timeIntervalSince1970: entry.opened))
        self.state = state
        outcome = entry.outcome.flatMap(DeliveryTaskOutcome.init(rawValue:))
        arrival = entry.eta.map { Date(timeIntervalSince1970: $0) }
        if let start = entry.start, let end = entry.end {
            window = TimeWindow(start: Date(timeIntervalSince1970: start), end: Date(timeIntervalSince1970: end))
        }
        stopsBefore = entry.stops.flatMap { (0...Self.mostStops).contains($0) ? $0 : nil }
        isOnItsWay = entry.way ?? false
        lastSeenAt = Date(timeIntervalSince1970: entry.seen)
    }

    var entry: Entry {
        Entry(
            tracking: name.description, state: state.rawValue, outcome: outcome?.rawValue, eta: arrival?.timeIntervalSince1970,
            start: window?.start.timeIntervalSince1970, end: window?.end.timeIntervalSince1970,
            stops: stopsBefore.map { min($0, Self.mostStops) }, way: isOnItsWay ? true : nil, opened: openedAt.timeIntervalSince1970,
            seen: lastSeenAt.timeIntervalSince1970, endpoint: server.endpoint, plaintext: server.isPlaintext, ca: server.caFile,
            provider: server.providerURL)
    }
}
