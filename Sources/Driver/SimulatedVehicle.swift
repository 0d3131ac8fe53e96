public import FleetEngine
public import FoundationEssentials
public import Geo
public import Navigation
import Routing
import Synchronization

/// Something that happens on the way to the stops of one kind.
public struct SimulatedIncident: Hashable, Sendable {
    /// The kinds of incidents.
    public enum Kind: Hashable, Sendable {
        /// Traffic moves at `speedMetersPerSecond` for `lengthMeters`.
        case jam(lengthMeters: Double, speedMetersPerSecond: Double)
        /// The driver leaves the route and needs another one.
        case wrongTurn(SimulatedWrongTurn.Detour)
    }

    /// On the way to stops of this type.
    public var stop: WaypointType
    /// Where on the route, 0...1 of its length.
    public var atFraction: Double
    /// The incident itself.
    public var kind: Kind

    /// An incident at a fraction of the way to stops of one type.
    public init(on stop: WaypointType, atFraction: Double, _ kind: Kind) {
        self.stop = stop
        self.atFraction = atFraction
        self.kind = kind
    }
}

/// How a simulated vehicle drives its trips.
public struct SimulatedVehicleConfiguration: Hashable, Sendable {
    /// Where the vehicle stands at first. Nil asks the server; a vehicle whose place it does not know starts at the first stop.
    public var startCoordinate: Coordinate?
    /// A way that was given: the vehicle starts at its beginning. One that has trips goes on at the place of it that is nearest to where the
    /// server saw it last, or just there if that is more than 200 m away. Not used with a `startCoordinate`.
    public var startWay: Polyline?
    /// How the vehicle drives. Its jams and wrong turn are not used: see `incidents`.
    public var simulation = SimulationConfiguration()
    /// The incidents on the way, by the type of the stop.
    public var incidents: [SimulatedIncident] = []
    /// For the receiver's errors.
    public var seed: UInt64 = 1

    /// A vehicle that starts where the server has it, or at the first stop, and meets no incidents.
    public init() {}

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

/// A `DrivingSimulator` that drives a driver's ways and gives a fix whenever one is waited for.
public final class SimulatedVehicle: SelfDrivingSource {
    /// A given way is joined again within this of the vehicle, metres.
    private static let joinMeters = 200.0

    /// `simulation`.
    public let name = "simulation"
    private let configuration: SimulatedVehicleConfiguration
    private let time: any TimeSource
    private let vehicle = Mutex<DrivingSimulator?>(nil)

    /// A vehicle without a place; a `TripDriver` calls the rest.
    /// - Parameter time: the driver's clock.
    public init(_ configuration: SimulatedVehicleConfiguration = SimulatedVehicleConfiguration(), time: any TimeSource) {
        self.configuration = configuration
        self.time = time
    }

    /// Where the vehicle really is, without its receiver's errors; nil before it has a place.
    public var place: Coordinate? { vehicle.withLock { $0?.coordinate } }

    /// What the vehicle does; nil before it has a place.
    public var activity: DrivingSimulator.Activity? { vehicle.withLock { $0?.activity } }

    /// - Returns: where the vehicle is at the deadline; nil while it has no place, or its receiver has a gap.
    public func nextFix(until deadline: Date) async throws -> LocationFix? {
        try await time.sleep(until: deadline)
        let now = time.now()
        return vehicle.withLock { $0?.advance(to: now) }
    }

    /// Takes the place that the configuration names, or the one where the server saw the vehicle last.
    /// - Throws: what `lastSeen` throws; `RouteError` for a place that is not on earth.
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

    /// Drives along `route` from now on, from where the vehicle is.
    /// - Returns: the route with the times at which it is driven, and its jams.
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
    /// A route that goes nowhere.
    fileprivate static func standing(at place: Coordinate) throws -> NavigationRoute {
        try NavigationRoute(legs: [RouterLeg(path: [place], destination: NavigationWaypoint(coordinate: place), durationSeconds: 0)])
    }
}
