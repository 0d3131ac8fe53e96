public import FleetEngine
public import FoundationEssentials
public import Geo
public import Navigation
import Routing
import Synchronization

/// An incident on the route to stops of one type.
public struct SimulatedIncident: Hashable, Sendable {
    /// The kinds of incidents.
    public enum Kind: Hashable, Sendable {
        /// Traffic moves at `speedMetersPerSecond` for `lengthMeters`.
        case jam(lengthMeters: Double, speedMetersPerSecond: Double)
        /// The driver leaves the route and needs another one.
        case wrongTurn(SimulatedWrongTurn.Detour)
    }

    /// Type of the stops on whose routes the incident happens.
    public var stop: WaypointType
    /// Place on the route, 0...1 of its length.
    public var atFraction: Double
    /// The incident itself.
    public var kind: Kind

    /// Creates an incident at a fraction of the route to stops of one type.
    public init(on stop: WaypointType, atFraction: Double, _ kind: Kind) {
        self.stop = stop
        self.atFraction = atFraction
        self.kind = kind
    }
}

/// Settings of a simulated vehicle on its trips.
public struct SimulatedVehicleConfiguration: Hashable, Sendable {
    /// First place of the vehicle. If nil, the server is asked. A vehicle whose place the server does not know starts at the first stop.
    public var startCoordinate: Coordinate?
    /// A given path, at whose beginning the vehicle starts. A vehicle with trips starts at the place on the path nearest to its last place
    /// on the server, or at its last place if that is more than 200 m from the path. A `startCoordinate` overrides the path.
    public var startWay: Polyline?
    /// Driving style. Its jams and wrong turn are not used: see `incidents`.
    public var simulation = SimulationConfiguration()
    /// Incidents, by the type of the stop.
    public var incidents: [SimulatedIncident] = []
    /// Seed of the receiver's errors.
    public var seed: UInt64 = 1

    /// Creates a vehicle that starts at its place on the server, or at the first stop, and meets no incidents.
    public init() {}

    /// The simulation of the route to a stop, with the incidents in metres along the route.
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

/// A `DrivingSimulator` that follows a driver's routes and gives a fix on request.
public final class SimulatedVehicle: SelfDrivingSource {
    /// Distance from the given path within which the vehicle joins it again, metres.
    private static let joinMeters = 200.0

    /// Name of the source, `simulation`.
    public let name = "simulation"
    private let configuration: SimulatedVehicleConfiguration
    private let time: any TimeSource
    private let vehicle = Mutex<DrivingSimulator?>(nil)

    /// Creates a vehicle without a place. A `TripDriver` calls the other methods.
    /// - Parameter time: the driver's clock.
    public init(_ configuration: SimulatedVehicleConfiguration = SimulatedVehicleConfiguration(), time: any TimeSource) {
        self.configuration = configuration
        self.time = time
    }

    /// True place of the vehicle, without its receiver's errors; nil before it has one.
    public var place: Coordinate? { vehicle.withLock { $0?.coordinate } }

    /// Activity of the vehicle; nil before it has a place.
    public var activity: DrivingSimulator.Activity? { vehicle.withLock { $0?.activity } }

    /// - Returns: the fix at the deadline; nil while the vehicle has no place, or its receiver has a gap.
    public func nextFix(until deadline: Date) async throws -> LocationFix? {
        try await time.sleep(until: deadline)
        let now = time.now()
        return vehicle.withLock { $0?.advance(to: now) }
    }

    /// Sets the place from the configuration, or the vehicle's last place on the server.
    /// - Throws: the error of `lastSeen`; `RouteError` for an invalid place.
    public func begin(lastSeen: @Sendable (_ isOptional: Bool) async throws -> Vehicle?) async throws {
        guard let place = try await startPlace(lastSeen) else { return }
        let simulator = try DrivingSimulator(
            standingAt: place, configuration: configuration.simulation(to: .unknown, on: .standing(at: place)), seed: configuration.seed,
            startingAt: time.now())
        vehicle.withLock { $0 = simulator }
    }

    private func startPlace(_ lastSeen: @Sendable (_ isOptional: Bool) async throws -> Vehicle?) async throws -> Coordinate? {
        if let place = configuration.startCoordinate { return place }
        let found = try await lastSeen(configuration.startWay != nil)
        let last = found?.lastLocation.flatMap { $0.coordinate.isBelievablePosition ? $0.coordinate : nil }
        guard let way = configuration.startWay else { return last }
        guard let found, !found.currentTrips.isEmpty, let last else { return way.coordinates.first ?? last }
        guard let near = way.nearest(to: last), near.distanceMeters <= Self.joinMeters else { return last }
        return near.coordinate
    }

    /// Drives along `route` from the vehicle's present place.
    /// - Returns: the route with the times of the drive, and its jams.
    public func follow(_ route: NavigationRoute, to stop: TripStop, change: RouteChange) -> NavigationRoute {
        let simulation = configuration.simulation(to: stop.type, on: route)
        let now = time.now()
        return vehicle.withLock { vehicle in
            if vehicle == nil {
                vehicle = DrivingSimulator(route: route, configuration: simulation, seed: configuration.seed, startingAt: now)
            } else {
                vehicle?.follow(route, configuration: change == .reroute ? nil : simulation)
            }
            return vehicle?.route ?? route
        }
    }
}

extension NavigationRoute {
    /// A route of length 0, for a standing vehicle.
    fileprivate static func standing(at place: Coordinate) throws -> NavigationRoute {
        try NavigationRoute(legs: [RouterLeg(path: [place], destination: NavigationWaypoint(coordinate: place), durationSeconds: 0)])
    }
}
