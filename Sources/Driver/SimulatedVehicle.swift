public import FleetEngine
public import FoundationEssentials
public import Geo
public import Navigation
import Routing
import Synchronization

/// An incident on the routes to stops of one type.
public struct SimulatedIncident: Hashable, Sendable {
    /// The kinds of incidents.
    public enum Kind: Hashable, Sendable {
        /// Traffic moves at `speedMetersPerSecond` over a distance of `lengthMeters`.
        case jam(lengthMeters: Double, speedMetersPerSecond: Double)
        /// The driver leaves the route and needs a new route.
        case wrongTurn(SimulatedWrongTurn.Detour)
    }

    /// The incident happens on the routes to stops of this type.
    public var stop: WaypointType
    /// The position of the incident, as a fraction (0...1) of the route's length.
    public var atFraction: Double
    /// The kind of this incident.
    public var kind: Kind

    /// Creates an incident on the routes to stops of one type, at a fraction of the route's length.
    public init(on stop: WaypointType, atFraction: Double, _ kind: Kind) {
        self.stop = stop
        self.atFraction = atFraction
        self.kind = kind
    }
}

/// The settings of a simulated vehicle on its trips.
public struct SimulatedVehicleConfiguration: Hashable, Sendable {
    /// The first position of the vehicle. If nil, ``startWay`` decides. Without a path either, the vehicle starts at its position on the
    /// server, or else at its first stop.
    public var startCoordinate: Coordinate?
    /// The path on which the vehicle starts; `startCoordinate` overrides it. A vehicle without trips, or without a position on the server,
    /// starts at the path's first point. A vehicle with trips starts at its last position on the server. If the path is at most 200 m away,
    /// this position is moved onto the path.
    public var startWay: Polyline?
    /// The driving style. Its jams and its wrong turn are ignored: see `incidents`.
    public var simulation = SimulationConfiguration()
    /// The incidents on the vehicle's routes.
    public var incidents: [SimulatedIncident] = []
    /// The seed of the receiver's random errors.
    public var seed: UInt64 = 1

    /// Creates a configuration whose vehicle starts at its position on the server, or at the first stop, and meets no incidents.
    public init() {}

    /// Returns the settings for simulating the route to a stop. The positions of the incidents are converted to metres along the route.
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

/// A `DrivingSimulator` that follows a driver's routes and gives a position on request.
public final class SimulatedVehicle: SelfDrivingSource {
    /// The last position is moved onto the path if it is at most this far away, in metres.
    private static let joinMeters = 200.0

    /// The name of the source: `simulation`.
    public let name = "simulation"
    private let configuration: SimulatedVehicleConfiguration
    private let time: any TimeSource
    private let vehicle = Mutex<DrivingSimulator?>(nil)

    /// Creates a vehicle without a position. A `TripDriver` calls the other methods.
    /// - Parameter time: the driver's clock.
    public init(_ configuration: SimulatedVehicleConfiguration = SimulatedVehicleConfiguration(), time: any TimeSource) {
        self.configuration = configuration
        self.time = time
    }

    /// The true position of the vehicle, without its receiver's errors; nil until it is set.
    public var place: Coordinate? { vehicle.withLock { $0?.coordinate } }

    /// The activity of the vehicle; nil until its position is set.
    public var activity: DrivingSimulator.Activity? { vehicle.withLock { $0?.activity } }

    /// - Returns: the position at the deadline; nil while the vehicle has no position, or while its receiver gives none.
    public func nextFix(until deadline: Date) async throws -> LocationFix? {
        try await time.sleep(until: deadline)
        let now = time.now()
        return vehicle.withLock { $0?.advance(to: now) }
    }

    /// Sets the first position as the configuration's `startCoordinate` and `startWay` describe. Does nothing if no position is known.
    /// - Throws: the error of `lastSeen`; `RouteError` for an invalid position.
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

    /// Drives along `route` from the vehicle's current position.
    /// - Returns: the route with the times and the jams of the drive.
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
    /// Returns a route of length 0, for a stationary vehicle.
    fileprivate static func standing(at place: Coordinate) throws -> NavigationRoute {
        try NavigationRoute(legs: [RouterLeg(path: [place], destination: NavigationWaypoint(coordinate: place), durationSeconds: 0)])
    }
}
