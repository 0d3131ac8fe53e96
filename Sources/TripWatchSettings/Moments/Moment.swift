package import FleetEngine
package import FoundationEssentials

/// Something of a trip that is told to people and programs which do not look: by a bell, a notice or a hook.
package struct Moment: Hashable, Sendable {
    /// Raw values are the words of hooks.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case status
        /// A trip that had no car has one.
        case assigned
        /// The arrival is another one than last told.
        case etaChanged = "eta_changed"
        /// The time to the trip's own next stop, of an order to the drop-off, has come down to a threshold.
        case timeLeft = "time_left"
        /// So has the way there.
        case distanceLeft = "distance_left"
        /// The car is at the pickup; not for orders.
        case here
        case positionLost = "position_lost"
        case positionBack = "position_back"
        case end
    }

    package let event: Event
    package let trip: TripName
    package let time: Date
    package let status: TripStatus
    /// The stop that arrival and remaining figures are of; nil when the trip is over.
    package let waypoint: WaypointType?
    /// The arrival at the trip's own next stop, as shown; of a delay at the destination, the arrival there.
    package let arrival: Date?
    /// Never negative.
    package let remainingSeconds: Double?
    package let remainingMeters: Double?
    /// Of a changed arrival: how much later than last told, seconds; negative for earlier.
    package var changedBySeconds: Double?
    /// The threshold that was reached: seconds, or metres.
    package var threshold: Double?
    package let kind: TripKind

    package init(
        event: Event, trip: TripName, time: Date, status: TripStatus, waypoint: WaypointType? = nil, arrival: Date?,
        remainingSeconds: Double?, remainingMeters: Double?,
        changedBySeconds: Double? = nil, threshold: Double? = nil, kind: TripKind = .ride
    ) {
        self.event = event
        self.trip = trip
        self.time = time
        self.status = status
        self.waypoint = waypoint
        self.arrival = arrival
        self.remainingSeconds = remainingSeconds
        self.remainingMeters = remainingMeters
        self.changedBySeconds = changedBySeconds
        self.threshold = threshold
        self.kind = kind
    }
}
