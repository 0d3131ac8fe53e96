public import FleetEngine

/// Parts of a shipment that an update changed.
public struct ShipmentFields: OptionSet, Hashable, Sendable {
    /// Bits, defined by this library.
    public let rawValue: UInt16
    /// Creates the fields with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `state`.
    public static let state = Self(rawValue: 1 << 0)
    /// `outcome`.
    public static let outcome = Self(rawValue: 1 << 1)
    /// `outcomeTime`.
    public static let outcomeTime = Self(rawValue: 1 << 2)
    /// `plannedLocation`.
    public static let plannedLocation = Self(rawValue: 1 << 3)
    /// `targetTimeWindow`.
    public static let targetTimeWindow = Self(rawValue: 1 << 4)
    /// `attributes`.
    public static let attributes = Self(rawValue: 1 << 5)
    /// Any value of `vehicleLocation`.
    public static let vehicleLocation = Self(rawValue: 1 << 6)
    /// `route`.
    public static let route = Self(rawValue: 1 << 7)
    /// `remainingStopCount`.
    public static let remainingStopCount = Self(rawValue: 1 << 8)
    /// `remainingDistanceMeters`.
    public static let remainingDistance = Self(rawValue: 1 << 9)
    /// `estimatedArrivalTime`.
    public static let estimatedArrivalTime = Self(rawValue: 1 << 10)
    /// `estimatedCompletionTime`.
    public static let estimatedCompletionTime = Self(rawValue: 1 << 11)
}

extension ShipmentFields {
    /// Creates the fields that differ between two answers. Without an earlier answer, all fields that have a value count as changed.
    public init(from old: TaskTrackingInfo?, to new: TaskTrackingInfo) {
        self = []
        func mark<Value: Equatable>(_ field: Self, _ value: (TaskTrackingInfo) -> Value, empty: Value) {
            if value(new) != (old.map(value) ?? empty) { insert(field) }
        }
        mark(.state, \.state, empty: .unknown)
        mark(.outcome, \.outcome, empty: nil)
        mark(.outcomeTime, \.outcomeTime, empty: nil)
        mark(.plannedLocation, \.plannedLocation, empty: nil)
        mark(.targetTimeWindow, \.targetTimeWindow, empty: nil)
        mark(.attributes, \.attributes, empty: [])
        mark(.vehicleLocation, \.vehicleLocation, empty: nil)
        mark(.route, \.route, empty: nil)
        mark(.remainingStopCount, \.remainingStopCount, empty: nil)
        mark(.remainingDistance, \.remainingDistanceMeters, empty: nil)
        mark(.estimatedArrivalTime, \.estimatedArrivalTime, empty: nil)
        mark(.estimatedCompletionTime, \.estimatedCompletionTime, empty: nil)
    }
}

/// Details that an answer shares about the drive to a shipment's stop.
public struct SharedParts: OptionSet, Hashable, Sendable {
    /// Bits, defined by this library.
    public let rawValue: UInt8
    /// Creates the parts with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Position of the vehicle.
    public static let location = Self(rawValue: 1 << 0)
    /// Route to the stop.
    public static let route = Self(rawValue: 1 << 1)
    /// Arrival time.
    public static let eta = Self(rawValue: 1 << 2)
    /// Completion time of the task.
    public static let completion = Self(rawValue: 1 << 3)
    /// Remaining distance, in metres.
    public static let distance = Self(rawValue: 1 << 4)
    /// Number of remaining stops.
    public static let stops = Self(rawValue: 1 << 5)

    /// Parts that can change every minute. While the server shares one of them, frequent polls are useful.
    static let quick: Self = [.location, .route, .eta, .completion, .distance]

    /// Creates the parts that an answer shares.
    public init(_ shipment: TaskTrackingInfo) {
        self = []
        if shipment.vehicleLocation != nil { insert(.location) }
        if shipment.route != nil { insert(.route) }
        if shipment.estimatedArrivalTime != nil { insert(.eta) }
        if shipment.estimatedCompletionTime != nil { insert(.completion) }
        if shipment.remainingDistanceMeters != nil { insert(.distance) }
        if shipment.remainingStopCount != nil { insert(.stops) }
    }
}
