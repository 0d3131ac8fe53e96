import Driver
import FleetEngine
import FleetEngineGRPC
import HTTPServing
import JourneySharing
import LocalFleetEngine
import MapRouting
package import ProgramSurroundings
import ProviderBackend
import Routing
import TileSources
import TripRecording
package import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Runs a ride, an order or a parcel in an invented town. Server, provider, driver and user run in one process, over real connections.
package struct DemoRun: Sendable {
    /// Simulated seconds per real second.
    package var speed: Double
    /// Number of the ride, from 1. Numbers past the last ride wrap around to the first one.
    package var rideNumber: UInt64
    /// Port of the server; 0 for any free port.
    package var grpcPort: Int
    package var output: OutputSettings
    package var look: ScreenSettings
    /// Version of this program, for the server's records.
    package var version: String
    /// Path of a new file for the recording; nil to record nothing.
    package var record: String?
    /// The subject that the user follows: a ride, an order or a parcel.
    package var subject = Subject.ride

    /// The kinds of demos.
    package enum Subject: Sendable {
        case ride
        /// A courier brings an order, after a delivery to another customer.
        case order
        /// A van delivers a parcel at the last stop of its round.
        case parcel
    }

    package init(speed: Double, rideNumber: UInt64, grpcPort: Int, output: OutputSettings, look: ScreenSettings, version: String) {
        self.speed = speed
        self.rideNumber = rideNumber
        self.grpcPort = grpcPort
        self.output = output
        self.look = look
        self.version = version
    }

    /// Longest time to wait for the car to start, in seconds.
    private static let longestStartSeconds = 3.0

    private var isOrder: Bool { subject == .order }

    /// The values that all participants of a demo share.
    struct Stage {
        let ride: DemoRide
        /// All rides of the town.
        let rides: [DemoRide]
        /// Router on the town's roads, for both server and driver.
        let router: any Router
        /// The map on the screen.
        let map: BaseMapSupply
        let time: any TimeSource
        let surroundings: Surroundings
        var file: RecordingFile?
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let town = try BaseMapFile.openTown()
        var stage = Stage(
            ride: try DemoRide.ride(rideNumber, of: town), rides: DemoRide.all(of: town), router: MapRouter(source: town),
            map: output.wantsScreen(in: surroundings) ? try look.map.open(standard: .town, in: surroundings) : BaseMapSupply(),
            time: surroundings.clock(speed), surroundings: surroundings)
        if let record { stage.file = try RecordingFile(record, in: surroundings) }
        var settings = LocalServers.Settings()
        settings.grpcPort = grpcPort
        settings.stopSeconds = DemoCar.stopSeconds
        do {
            let servers = try LocalServers(settings, router: stage.router, time: stage.time, log: surroundings.log)
            return try await servers.run { [stage] addresses in try await play(on: stage, servers.engine, addresses: addresses) }
        } catch let error as ListenError {
            throw Failure(message: "\(error). Choose another --grpc-port.", exitCode: ExitCodes.failed)
        }
    }

    private func play(
        on stage: Stage, _ engine: LocalFleetEngine, addresses: LocalServers.Addresses
    ) async throws -> ProgramEnd {
        let endpoint = try ServerEndpoint(addresses.grpc.description, security: .plaintext)
        if grpcPort != 0, !output.wantsScreen(in: stage.surroundings) {
            stage.surroundings.streams.note("listening grpc=\(addresses.grpc) http=\(addresses.http)")
        }
        if subject == .parcel { return try await playParcel(on: stage, engine, at: endpoint) }
        return try await withFleetEngineClient(
            endpoint: endpoint, identity: ClientIdentity(role: .driver, version: version), tokens: nil,
            onCall: stage.surroundings.log.callReporter
        ) { driverClient in
            let car = try await DemoCar(
                client: driverClient, router: stage.router, ride: stage.ride, isCourier: isOrder, time: stage.time)
            let recording = recording(on: stage)
            let roundTrips = RoundTrips()
            return try await withFleetEngineClient(
                endpoint: endpoint, identity: ClientIdentity(role: .consumer, version: version), tokens: nil,
                onCall: roundTrips.listening(stage.surroundings.log.callReporter), onAnswer: recording.onAnswer
            ) { riderClient in
                try await follow(on: stage, engine, car, recording, roundTrips, addresses: addresses, client: riderClient)
            }
        }
    }

    private func recording(on stage: Stage) -> RideRecording {
        var scene = RecordedScene()
        scene.isInTown = true
        scene.placeNames = stage.ride.names
        scene.bookedAt = stage.time.now()
        let isKept = output.wantsScreen(in: stage.surroundings) && !look.isReadOnly
        let folder = isKept ? RideFolder(keeping: look.keptRides, in: stage.surroundings, isDemo: true) : nil
        return RideRecording(folder: folder, mostRides: 1, scene: scene, in: stage.surroundings)
    }

    @MainActor
    private func follow(
        on stage: Stage, _ engine: LocalFleetEngine, _ car: DemoCar, _ recording: RideRecording, _ roundTrips: RoundTrips,
        addresses: LocalServers.Addresses, client: any ConsumerClient
    ) async throws -> ProgramEnd {
        let ride = stage.ride
        guard let address = ProviderBackendClient.Address("http://\(addresses.http)") else {
            throw Failure(message: "the address of the demo's provider is not valid.", exitCode: ExitCodes.failed)
        }
        let provider = ProviderBackendClient(address: address, onRequest: stage.surroundings.log.requestReporter)
        let name: TripName
        do throws(ProviderBackendError) {
            name = try await book(ride, at: provider)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
        // Without this wait, the first answer would have a straight line instead of the route through the town.
        await engine.waysSettled()
        // The driver starts after the booking, so that its first poll of the server finds the trip.
        let driving = Task { await car.drive() }
        defer { driving.cancel() }
        // The screen starts only once the car is on the way.
        _ = await within(Self.longestStartSeconds) { for await _ in car.setOff {} }
        var follower = TripFollower(
            names: [name], client: client, time: stage.time, speed: speed, interval: PollMachine.Configuration.standardInterval,
            output: output, look: look, surroundings: stage.surroundings)
        let bookedAt = stage.time.now()
        follower.bookedAt = bookedAt
        follower.cancel = provider.canceller
        follower.map = stage.map
        follower.recording = recording
        follower.roundTrips = roundTrips
        if let file = stage.file { recording.add(name, to: file, time: stage.time) } else { recording.add(name, time: stage.time) }
        follower.prepare = { options in
            options.mode = .demo
            options.endpoint = addresses.grpc.description
            options.bookedAt = bookedAt
            // The demo itself has just booked the trip, so the first status counts as a change, however late this status arrives.
            options.justBookedSeconds = .infinity
            options.placeNames = ride.names
            options.title = options.title ?? (isOrder ? "Order from \(Self.shop)" : "Ride to \(ride.dropoff.name)")
            options.ownPosition = options.ownPosition ?? (isOrder ? ride.dropoff : ride.pickup).coordinate
        }
        return try await follower.run()
    }

    /// Name of the shop in an order.
    private static let shop = "Noodle House"

    /// Books the ride. For an order, first books another delivery for the same courier, from the courier's position.
    private func book(_ ride: DemoRide, at provider: ProviderBackendClient) async throws(ProviderBackendError) -> TripName {
        guard isOrder else {
            let names = ["pickup_name": ride.pickup.name, "stop_1_name": ride.stop.name, "dropoff_name": ride.dropoff.name]
            return try await provider.bookTrip(
                from: ride.pickup.coordinate, to: ride.dropoff.coordinate, via: [ride.stop.coordinate], attributes: names
            ).trip
        }
        let kind = [TripKind.attributeKey: TripKind.order.rawValue]
        _ = try await provider.bookTrip(from: ride.start.coordinate, to: ride.stop.coordinate, type: .shared, attributes: kind)
        return try await provider.bookTrip(
            from: ride.pickup.coordinate, to: ride.dropoff.coordinate, type: .shared,
            attributes: kind.merging(["pickup_name": Self.shop, "dropoff_name": ride.dropoff.name]) { $1 }
        ).trip
    }
}
