package import FleetEngine
package import FoundationEssentials

/// An event of a trip that is reported to people and programs by means other than the screen: by the terminal's bell, a
/// notification or a hook.
package struct Moment: Hashable, Sendable {
    /// The raw value is the name that hooks use for the event.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case status
        /// A car was assigned to a trip that had no car.
        case assigned
        /// The expected arrival time differs from the arrival time that was last reported.
        case etaChanged = "eta_changed"
        /// The time until the trip's own next stop, or until an order's drop-off, has fallen to a threshold.
        case timeLeft = "time_left"
        /// The distance to the trip's own next stop, or an order's drop-off, has fallen to a threshold.
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
    /// Type of the stop to which the arrival, the remaining time and the remaining distance refer; nil after the trip.
    package let waypoint: WaypointType?
    /// The shown arrival time at the trip's own next stop. For a report of a delay at the destination, the arrival time at the
    /// destination.
    package let arrival: Date?
    /// Remaining time until the stop, in seconds; never negative.
    package let remainingSeconds: Double?
    package let remainingMeters: Double?
    /// Change of the arrival time since the last report, in seconds; negative if the arrival is earlier.
    package var changedBySeconds: Double?
    /// The threshold that was reached, in seconds or metres.
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
