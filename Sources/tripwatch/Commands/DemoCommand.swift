import ArgumentParser
import DemoTown
import Driver
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import LocalFleetEngine
import ProviderBackend
import TerminalScreen
import TripWatchApp

struct DemoCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "A car comes to you through an invented town.",
        discussion: """
            Everything runs in this process: a Fleet Engine, a provider that books the ride, a driver with a car, and you, following. They \
            talk over real connections on this machine; with --grpc-port another program can look in. q ends it all.
            """)

    @Option(help: ArgumentHelp("Shown seconds in one real second, 0.1 to 1000.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Which town.", valueName: "n"))
    var seed = DemoTown.defaultSeed

    @Option(help: ArgumentHelp("Port of the engine, so that others can look in; 0 takes any free one.", valueName: "port"))
    var grpcPort = 0

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: ScreenOptions

    func validate() throws {
        guard speed.isFinite, (0.1...1_000).contains(speed) else { throw ValidationError("--speed is a number from 0.1 to 1000.") }
        guard (0...65_535).contains(grpcPort) else { throw ValidationError("--grpc-port is a number from 0 to 65535.") }
    }

    /// What the demo plays on.
    private struct Stage {
        let town: DemoTown
        let map: BaseMapSupply
        /// Nil where lines are wanted.
        let screen: TerminalScreen?
        let time: any TimeSource
    }

    mutating func complete(from configuration: Configuration) {
        // The town is a place of its own: neither your map nor your place is in it.
        output.complete(from: configuration)
        look.completeLook(from: configuration)
    }

    func perform() async throws {
        let making = TownInTheMaking(seed: seed)
        let map = output.wantsScreen ? try look.map.open(standard: .demo, town: making) : BaseMapSupply()
        let time = SystemTimeSource(speed: speed)
        let screen = try await CurtainRaiser(output: output, look: look).open(saying: "Building an invented town", now: time.now())
        do {
            try await play(on: Stage(town: await making.town, map: map, screen: screen, time: time)).finish()
        } catch let failure as Failure {
            await CurtainRaiser.close(screen)
            throw failure.end()
        }
    }

    private func play(on stage: Stage) async throws -> TripFollower.End {
        guard let ride = stage.town.ride else {
            throw Failure(message: "town \(seed) has no ride worth watching: take another --seed.", exitCode: ExitCodes.failed)
        }
        var settings = LocalServers.Settings()
        settings.grpcPort = grpcPort
        do {
            return try await LocalServers(settings, town: stage.town, time: stage.time).run { addresses in
                try await self.ride(ride, on: stage, addresses: addresses)
            }
        } catch let error as LocalFleetEngineServer.ListenError {
            throw Failure(message: "\(error). Another --grpc-port helps.", exitCode: ExitCodes.failed)
        }
    }

    private func ride(_ ride: DemoRide, on stage: Stage, addresses: LocalServers.Addresses) async throws -> TripFollower.End {
        let endpoint = try ServerEndpoint(addresses.grpc.description, security: .plaintext)
        if grpcPort != 0, !output.wantsScreen { Terminal.say("listening grpc=\(addresses.grpc) http=\(addresses.http)") }
        return try await withFleetEngineClient(
            endpoint: endpoint, identity: ClientIdentity(role: .driver, version: Version.text), tokens: nil
        ) { driverClient in
            let car = try await DemoCar(client: driverClient, town: stage.town, ride: ride, time: stage.time)
            let driving = Task { await car.drive() }
            defer { driving.cancel() }
            return try await withFleetEngineClient(
                endpoint: endpoint, identity: ClientIdentity(role: .consumer, version: Version.text), tokens: nil
            ) { riderClient in
                try await follow(ride, on: stage, addresses: addresses, client: riderClient)
            }
        }
    }

    @MainActor
    private func follow(
        _ ride: DemoRide, on stage: Stage, addresses: LocalServers.Addresses, client: any ConsumerClient
    ) async throws -> TripFollower.End {
        guard let address = ProviderBackendClient.Address("http://\(addresses.http)") else {
            throw Failure(message: "the provider has no address.", exitCode: ExitCodes.failed)
        }
        let provider = ProviderBackendClient(address: address)
        let name: TripName
        do throws(ProviderBackendError) {
            name = try await provider.book(from: ride.pickup.coordinate, to: ride.dropoff.coordinate, via: [ride.stop.coordinate])
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
        var follower = TripFollower(
            names: [name], client: client, time: stage.time, speed: speed, interval: PollMachine.Configuration.standardInterval,
            output: output, look: look)
        follower.bookedAt = stage.time.now()
        follower.cancel = ProviderOptions.canceller(provider)
        follower.map = stage.map
        follower.screen = stage.screen
        follower.prepare = { options in
            options.mode = .demo
            options.endpoint = addresses.grpc.description
            options.title = options.title ?? "Ride to \(ride.dropoff.name)"
            options.ownPosition = options.ownPosition ?? ride.pickup.coordinate
        }
        return try await follower.run()
    }
}

/// The demo's car and its driver.
struct DemoCar: Sendable {
    private let driver: TripDriver

    /// Creates the vehicle on the engine.
    init(client: LiveFleetEngineClient, town: DemoTown, ride: DemoRide, time: any TimeSource) async throws {
        let name = try VehicleName(provider: "demo", vehicle: "demo-car")
        let vehicle = Vehicle(
            name: name, state: .online, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .taxi,
            lastLocation: VehicleLocation(coordinate: ride.start, updateTime: time.now()),
            attributes: ["plate": "DEMO 7", "color": "teal", "model": "Made-up"])
        _ = try await client.createVehicle(vehicle)
        var configuration = TripDriverConfiguration()
        configuration.startCoordinate = ride.start
        configuration.reportIntervalSeconds = 5
        configuration.dwellSeconds = 25
        configuration.incidents = [
            SimulatedIncident(on: .dropoff, atFraction: 0.35, .jam(lengthMeters: 260, speedMetersPerSecond: 2.8))
        ]
        driver = TripDriver(
            client: client, vehicleName: name, assignment: .assigned(limit: nil), router: DemoTownRouter(town: town),
            configuration: configuration, time: time)
    }

    /// Serves trips until the task is cancelled.
    func drive() async { _ = await driver.run() }
}
