/// Kind of a task: work that a driver does at a stop, or a period when the vehicle serves no stop.
public enum DeliveryTaskType: String, CaseIterable, Hashable, Sendable {
    /// The server did not report a type, or reported one that this program does not know.
    case unknown = "TYPE_UNSPECIFIED"
    /// A parcel is picked up.
    case pickup = "PICKUP"
    /// A parcel is handed over.
    case delivery = "DELIVERY"
    /// A stop without a parcel, such as one at the depot.
    case scheduledStop = "SCHEDULED_STOP"
    /// The vehicle serves no stop for a while, for example during a break.
    case unavailable = "UNAVAILABLE"

    /// Whether a task of this type is a shipment: a pickup or a delivery. Only shipments have a tracking id.
    public var isShipment: Bool { self == .pickup || self == .delivery }
}

/// Whether a task is still to be done.
public enum DeliveryTaskState: String, CaseIterable, Hashable, Sendable {
    /// The server did not report a state. For a tracked shipment it may mean that the shipment does not exist.
    case unknown = "STATE_UNSPECIFIED"
    /// The task is assigned to a vehicle, or may still be assigned to one.
    case open = "OPEN"
    /// No vehicle will do the task any more. The outcome may still be unknown and may be set later.
    case closed = "CLOSED"
}

/// Outcome of a task.
public enum DeliveryTaskOutcome: String, CaseIterable, Hashable, Sendable {
    /// The task was done.
    case succeeded = "SUCCEEDED"
    /// The task was attempted but not done.
    case failed = "FAILED"
}

/// Source of an outcome's location.
public enum TaskOutcomeLocationSource: String, CaseIterable, Hashable, Sendable {
    /// The provider sent the location.
    case provider = "PROVIDER"
    /// The server used the vehicle's last raw position.
    case lastVehicleLocation = "LAST_VEHICLE_LOCATION"
}

/// Progress of a vehicle towards a stop.
public enum VehicleStopState: String, CaseIterable, Hashable, Sendable {
    /// The server did not report a state.
    case unknown = "STATE_UNSPECIFIED"
    /// The vehicle has not set off for the stop.
    case new = "NEW"
    /// The vehicle is driving to the stop.
    case enroute = "ENROUTE"
    /// The vehicle is at the stop.
    case arrived = "ARRIVED"
}

/// Kind of delivery vehicle. A server treats a vehicle without a type as a car.
public enum DeliveryVehicleType: String, CaseIterable, Hashable, Sendable {
    /// The provider did not set a type, or set one that this program does not know.
    case unknown = "DELIVERY_VEHICLE_TYPE_UNSPECIFIED"
    /// A car or a van.
    case auto = "AUTO"
    /// A motorcycle, moped or other motorised two-wheeler.
    case twoWheeler = "TWO_WHEELER"
    /// A bicycle.
    case bicycle = "BICYCLE"
    /// A person on foot.
    case pedestrian = "PEDESTRIAN"
}
