public import FleetEngine

/// The trips that a driver serves.
public enum TripAssignment: Hashable, Sendable {
    /// A single trip, as soon as it is assigned to the vehicle.
    case trip(TripName)
    /// The trips in the vehicle's `current_trips`, in the order of its `waypoints`. `limit` is the maximum number of trips; nil for
    /// no limit.
    case assigned(limit: Int?)
}

/// The settings of a driver. Numbers outside the stated ranges are clamped.
public struct TripDriverConfiguration: Hashable, Sendable {
    /// Whether the driver acts without commands: it accepts every trip, arrives at the stops, and leaves them after `dwellSeconds`. If
    /// false, it waits for a command before each of these steps. A trip needs a command to be accepted only if its status is NEW and the
    /// assignment is `TripAssignment.assigned`.
    public var isAutomatic = true
    /// The time that an automatic driver waits at a pickup or an intermediate stop, in seconds; 0 to 86,400.
    public var dwellSeconds = 20.0
    /// The longest time that the driver waits for a position, in seconds, 0.1 to 10. If no position arrives, the driver continues with
    /// its other work.
    public var fixIntervalSeconds = 1.0
    /// The time between two reads of the trip or vehicle, in seconds, 1 to 300.
    public var pollIntervalSeconds = 5.0
    /// The time between two reports, in seconds; see `VehicleReporter.locationUpdateInterval`.
    public var reportIntervalSeconds = VehicleReporterMachine.defaultIntervalSeconds
    /// Whether the driver keeps trying after failures that a person must fix. If false, such a failure ends the drive.
    public var keepsTrying = true
    /// The seed for the random variation of the time between retries.
    public var seed: UInt64 = 1

    /// Creates the default settings.
    public init() {}

    var dwell: Double { Self.clamp(dwellSeconds, 0...86_400, 20) }
    var fixInterval: Double { Self.clamp(fixIntervalSeconds, 0.1...10, 1) }
    var pollInterval: Double { Self.clamp(pollIntervalSeconds, 1...300, 5) }

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>, _ other: Double) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : other
    }
}
