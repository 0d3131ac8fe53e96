public import FleetEngine
public import Geo
public import Navigation
import Routing

/// Something that happens on the way to the stops of one kind.
public struct SimulatedIncident: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Traffic barely moves for so many metres.
        case jam(lengthMeters: Double, speedMetersPerSecond: Double)
        /// The driver leaves the route and has to be given another one.
        case wrongTurn(SimulatedWrongTurn.Detour)
    }

    /// On the way to stops of this type.
    public var stop: WaypointType
    /// Where on the route, 0...1 of its length.
    public var atFraction: Double
    public var kind: Kind

    public init(on stop: WaypointType, atFraction: Double, _ kind: Kind) {
        self.stop = stop
        self.atFraction = atFraction
        self.kind = kind
    }
}

/// Which trips a driver drives.
public enum TripAssignment: Hashable, Sendable {
    /// This one, as soon as it is assigned to the vehicle.
    case trip(TripName)
    /// Those that the vehicle's `current_trips` show, stop by stop in the order of its `waypoints`; nil drives until the task is cancelled.
    case assigned(limit: Int?)
}

/// How a simulated driver works. Figures outside the stated ranges are clamped.
public struct TripDriverConfiguration: Hashable, Sendable {
    /// Where the vehicle stands at first. Nil asks the server; a vehicle whose place it does not know starts at the first stop.
    public var startCoordinate: Coordinate?
    /// A way that was given: the vehicle starts at its beginning. One that has trips goes on at the place of it that is nearest to where the
    /// server saw it last, or just there if that is more than 200 m away. Not used with a `startCoordinate`.
    public var startWay: Polyline?
    /// Time at pickup and intermediate stops, seconds; 0 to 86,400.
    public var dwellSeconds = 20.0
    /// Time between two fixes, seconds; 0.1 to 10.
    public var fixIntervalSeconds = 1.0
    /// Time between two looks at trip or vehicle, seconds; 1 to 300.
    public var pollIntervalSeconds = 5.0
    /// See `VehicleReporter.locationUpdateInterval`.
    public var reportIntervalSeconds = VehicleReporterMachine.defaultIntervalSeconds
    /// How the vehicle drives. Its jams and wrong turn are not used: see `incidents`.
    public var simulation = SimulationConfiguration()
    public var incidents: [SimulatedIncident] = []
    /// Whether failures that need someone to do something are waited for; if not, they end the drive.
    public var keepsTrying = true
    /// For the receiver's errors and the jitter of retries.
    public var seed: UInt64 = 1

    public init() {}

    var dwell: Double { Self.clamp(dwellSeconds, 0...86_400, 20) }
    var fixInterval: Double { Self.clamp(fixIntervalSeconds, 0.1...10, 1) }
    var pollInterval: Double { Self.clamp(pollIntervalSeconds, 1...300, 5) }

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>, _ other: Double) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : other
    }

    /// The simulation of the way to a stop, with the incidents brought to metres of its route.
    func simulation(to type: WaypointType, on route: NavigationRoute) -> SimulationConfiguration {
        var result = simulation
        result.jams = []
        result.wrongTurn = nil
        for incident in incidents where incident.stop == type && incident.atFraction.isFinite {
            let offset = route.line.lengthMeters * min(1, max(0, incident.atFraction))
            switch incident.kind {
            case .jam(let length, let speed):
                result.jams.append(SimulatedJam(offsetMeters: offset, lengthMeters: length, speedMetersPerSecond: speed))
            case .wrongTurn(let detour):
                result.wrongTurn = SimulatedWrongTurn(offsetMeters: offset, detour: detour)
            }
        }
        return result
    }
}

extension NavigationRoute {
    /// A route that goes nowhere.
    static func standing(at place: Coordinate) throws -> NavigationRoute {
        try NavigationRoute(legs: [RouterLeg(path: [place], destination: NavigationWaypoint(coordinate: place), durationSeconds: 0)])
    }
}
