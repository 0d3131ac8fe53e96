import ArgumentParser
import DemoTown
import Driver
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import Navigation
import TripWatchApp

struct DriveCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Be the driver: report a vehicle and serve its trips.",
        discussion: """
            With --simulate the car drives by itself: it waits for trips, drives to the vehicle's stops in their order, sets the trips' \
            statuses, and reports its position every ten seconds. It goes on through outages and restarts of the server. Ctrl-C takes the \
            vehicle offline. The vehicle must exist on the server, or be made with --create.
            """)

    @Option(help: ArgumentHelp("The vehicle: providers/PROVIDER/vehicles/ID, or ID with --provider.", valueName: "id"))
    var vehicle: String

    @Flag(help: "Drive a simulated car. The only source of positions so far.")
    var simulate = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The way to drive, from the car's first place on. A car that has a trip goes on where it is.", valueName: "lat,lng;lat,lng…"))
    var route: String?

    @Option(help: ArgumentHelp("Where ways come from when none is given: demo (the invented town) or straight.", valueName: "router"))
    var router: Router?

    @Option(help: ArgumentHelp("Serve this trip only.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("End after that many trips.", valueName: "n"))
    var trips: Int?

    @Option(help: ArgumentHelp("Seconds between reports, 5 to 60.", valueName: "s"))
    var reportInterval = VehicleReporterMachine.defaultIntervalSeconds

    @Option(help: ArgumentHelp("Seconds at each stop.", valueName: "s"))
    var dwell = 20.0

    @Option(help: ArgumentHelp("Simulated seconds in one real second, 0.01 to 1000.", valueName: "n"))
    var speed = 1.0

    @Flag(help: "Create the vehicle whenever the server does not have it, for single and shared rides.")
    var create = false

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions

    enum Router: String, ExpressibleByArgument, CaseIterable { case demo, straight }

    func validate() throws {
        guard simulate else { throw ValidationError("say where positions come from: --simulate is the only source so far.") }
        guard route == nil || router == nil else { throw ValidationError("--route and --router exclude each other.") }
        guard speed.isFinite, (0.01...1_000).contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 1000.") }
        guard dwell.isFinite, (0...86_400).contains(dwell) else { throw ValidationError("--dwell is a number of seconds from 0 to 86400.") }
        guard trips.map({ $0 > 0 }) ?? true else { throw ValidationError("--trips is a number from 1.") }
        guard reportInterval.isFinite else { throw ValidationError("--report-interval is a number of seconds from 5 to 60.") }
    }

    mutating func complete(from configuration: Configuration) {
        connection.complete(from: configuration)
    }

    func perform() async throws {
        let name = try connection.vehicleName(vehicle)
        let way = try route.map { Polyline(try Place.list($0, option: "--route", minimum: 2)) }
        let assignment = try trip.map { TripAssignment.trip(try connection.tripName($0)) } ?? .assigned(limit: trips)
        let time = SystemTimeSource(speed: speed)
        if reportInterval < 5 || reportInterval > 60 { Terminal.say("tripwatch: --report-interval is brought into 5 to 60 s.") }
        let signals = HelperGuard()
        let result = try await OneShot.run(connection, as: .driver, vehicleID: name.vehicle, guardsHelpers: false) { client in
            if create { try await Self.create(name, at: way?.coordinates.first, client) }
            return await drive(name, assignment, way: way, client: client, time: time, signals)
        }
        try finish(result)
    }

    private static func vehicle(_ name: VehicleName, at place: Coordinate? = nil) -> Vehicle {
        Vehicle(
            name: name, state: .offline, supportedTripTypes: [.exclusive, .shared], maximumCapacity: 4, category: .auto,
            lastLocation: place.map { VehicleLocation(coordinate: $0) })
    }

    /// Makes the vehicle. While the server cannot be reached it is left to the first call that does not find the vehicle.
    private static func create(_ name: VehicleName, at place: Coordinate?, _ client: LiveFleetEngineClient) async throws {
        do throws(FleetEngineError) {
            _ = try await client.createVehicle(vehicle(name, at: place))
        } catch {
            guard error.code == .alreadyExists || error.errorClass() == .retryable else { throw error }
        }
    }

    private func drive(
        _ name: VehicleName, _ assignment: TripAssignment, way: Polyline?, client: LiveFleetEngineClient, time: any TimeSource,
        _ signals: HelperGuard
    ) async -> TripDriverResult {
        var configuration = TripDriverConfiguration()
        configuration.startWay = way
        configuration.dwellSeconds = dwell
        configuration.reportIntervalSeconds = reportInterval
        let lines = DriverLines(time: time)
        let creating = SelfCreatingVehicle(client, vehicle: Self.vehicle(name)) { lines.tellCreated(name) }
        let driver = TripDriver(
            client: create ? creating : client, vehicleName: name, assignment: assignment, router: routeProvider(way),
            configuration: configuration, time: time, onEvent: { lines.tell($0) })
        let task = Task { await driver.run() }
        signals.windUp { task.cancel() }
        let result = await task.value
        signals.endIfSignalled()
        return result
    }

    private func routeProvider(_ way: Polyline?) -> any RouteProvider {
        if let way { return GivenWayRouter(way: way) }
        return router == .straight ? StraightLineRouter() : DemoTownRouter(town: DemoTown())
    }

    private func finish(_ result: TripDriverResult) throws {
        switch result.ending {
        case .failed(.fleetEngine(let error)): throw OneShot.failure(error).end()
        case .failed(.route(let error)): throw Failure(message: "\(error).", exitCode: ExitCodes.failed).end()
        case .finished:
            let lost = result.trips.filter { $0.outcome == .gone }.map { Terminal.printable($0.name.description) }
            guard !lost.isEmpty else { return }
            throw Failure(message: "lost on the server: \(lost.joined(separator: ", ")).", exitCode: ExitCodes.noSuchTrip).end()
        case .stopped:
            // Nobody but a signal ends it early, and that ends the process in its own way.
            throw Failure(message: "the driver stopped.", exitCode: ExitCodes.failed).end()
        }
    }
}
