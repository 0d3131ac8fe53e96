package import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// The first announced arrival at a stop, and the actual one.
package struct ArrivalRecord: Hashable, Sendable {
    /// The stop as JSON names it: `pickup`, `dropoff`, or `stop` for the stop of a shipment.
    package let waypoint: String
    package let first: Date?
    package let actual: Date?

    /// Returns nil if both times are unknown.
    private init?(_ waypoint: String, first: Date?, actual: Date?) {
        guard first != nil || actual != nil else { return nil }
        self.waypoint = waypoint
        self.first = first
        self.actual = actual
    }

    /// Creates the record of a shipment from all answers about it, oldest first; nil if both times are unknown.
    package init?(_ answers: some Sequence<TaskTrackingInfo>) {
        var first: Date?
        var actual: Date?
        for answer in answers {
            first = first ?? answer.estimatedArrivalTime
            actual = answer.outcomeTime
        }
        self.init("stop", first: first, actual: actual)
    }

    /// Returns the records of a trip's pickup and drop-off.
    fileprivate static func records(_ journey: JourneyTracker, _ history: TripHistory) -> [ArrivalRecord] {
        func record(_ waypoint: String, _ stop: JourneyStop, _ actual: Date?) -> ArrivalRecord? {
            ArrivalRecord(waypoint, first: journey.arrivals[stop].promises.first?.arrival, actual: actual)
        }
        return [
            record("pickup", .pickup, history.enteredAt[.arrivedAtPickup] ?? history.pickedUpAt(journey.trip)),
            record("dropoff", .dropoff, history.droppedOffAt(journey.trip)),
        ].compactMap { $0 }
    }

    /// Seconds from the announced to the actual arrival; negative if the vehicle was early.
    package var secondsLate: Double? {
        guard let first, let actual else { return nil }
        // The displayed times are in whole seconds, so their difference is too.
        return actual.timeIntervalSince1970.rounded(.down) - first.timeIntervalSince1970.rounded(.down)
    }
}

/// Watches a ride, and records the arrivals at its pickup and drop-off.
package struct RideArrivals: Sendable {
    private var history = TripHistory()
    private var observer = TripObserver()
    private var journey: JourneyTracker

    package init(_ name: TripName) { journey = JourneyTracker(tripName: name) }

    package mutating func observe(_ update: TripUpdate) {
        journey.observe(update)
        for fact in observer.observe(update, journey) { history.observe(fact, trip: journey.trip, drivenMeters: 0, at: update.time) }
        if case .trip(let trip, _) = update.kind { history.observe(trip, at: update.time) }
    }

    package var records: [ArrivalRecord] { ArrivalRecord.records(journey, history) }
}
