public import FleetEngine

/// Which trips a driver drives.
public enum TripAssignment: Hashable, Sendable {
    /// This one, as soon as it is assigned to the vehicle.
    case trip(TripName)
    /// Those that the vehicle's `current_trips` show, stop by stop in the order of its `waypoints`; nil drives until the task is cancelled.
    case assigned(limit: Int?)
}

/// How a driver works. Figures outside the stated ranges are clamped.
public struct TripDriverConfiguration: Hashable, Sendable {
    /// Whether the driver takes on every trip, arrives where the stops are and goes on after `dwellSeconds` by himself; if not, each of it waits
    /// for a command.
    public var isAutomatic = true
    /// Time at pickup and intermediate stops, seconds; 0 to 86,400.
    public var dwellSeconds = 20.0
    /// The longest that a fix is waited for before everything else is looked at, seconds; 0.1 to 10.
    public var fixIntervalSeconds = 1.0
    /// Time between two looks at trip or vehicle, seconds; 1 to 300.
    public var pollIntervalSeconds = 5.0
    /// See `VehicleReporter.locationUpdateInterval`.
    public var reportIntervalSeconds = VehicleReporterMachine.defaultIntervalSeconds
    /// Whether failures that need someone to do something are waited for; if not, they end the drive.
    public var keepsTrying = true
    /// For the jitter of retries.
    public var seed: UInt64 = 1

    /// The defaults.
    public init() {}

    var dwell: Double { Self.clamp(dwellSeconds, 0...86_400, 20) }
    var fixInterval: Double { Self.clamp(fixIntervalSeconds, 0.1...10, 1) }
    var pollInterval: Double { Self.clamp(pollIntervalSeconds, 1...300, 5) }

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>, _ other: Double) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : other
    }
}
