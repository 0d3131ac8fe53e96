package import FleetEngine
package import FoundationEssentials

/// An event of a shipment that is reported by the terminal's bell, a notification or a hook.
package struct ShipmentMoment: Hashable, Sendable {
    /// The raw value is the name that hooks use for the event.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case state
        /// The expected arrival time differs from the arrival time that was last reported.
        case etaChanged = "eta_changed"
        /// The time to the shipment's stop has fallen to a threshold.
        case timeLeft = "time_left"
        /// The number of stops before the shipment's stop has fallen to a threshold.
        case stopsLeft = "stops_left"
        case outcome
        /// The tracking id now belongs to another task.
        case replaced
        case end
    }

    package let event: Event
    package let shipment: TaskTrackingName
    package let time: Date
    package let state: DeliveryTaskState
    package let outcome: DeliveryTaskOutcome?
    /// The shown arrival time at the shipment's stop; nil if the provider does not share it.
    package let arrival: Date?
    /// Remaining time until the stop, in seconds; never negative.
    package let remainingSeconds: Double?
    package let remainingMeters: Double?
    /// Number of other stops before the shipment's stop; nil if the provider does not share it.
    package let stopsBefore: Int?
    /// Change of the arrival time since the last report, in seconds; negative if the arrival is earlier.
    package let changedBySeconds: Double?

    package init(
        event: Event, shipment: TaskTrackingName, time: Date, state: DeliveryTaskState, outcome: DeliveryTaskOutcome? = nil,
        arrival: Date? = nil, remainingSeconds: Double? = nil, remainingMeters: Double? = nil, stopsBefore: Int? = nil,
        changedBySeconds: Double? = nil
    ) {
        self.event = event
        self.shipment = shipment
        self.time = time
        self.state = state
        self.outcome = outcome
        self.arrival = arrival
        self.remainingSeconds = remainingSeconds
        self.remainingMeters = remainingMeters
        self.stopsBefore = stopsBefore
        self.changedBySeconds = changedBySeconds
    }
}
