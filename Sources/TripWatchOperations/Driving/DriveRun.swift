package import Driver
package import FleetEngine
import FleetEngineGRPC
package import Geo
import Navigation
package import ProgramSurroundings
package import ProviderBackend
import Routing
import TerminalScreen
package import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Runs a driver: reports a vehicle and serves its trips.
package struct DriveRun: Sendable {
    package var name: VehicleName
    package var assignment: TripAssignment
    /// The source of positions.
    package var source: SourceSettings
    /// The route to drive; nil to use the recorded positions or a router. A simulated car starts at the route's first point.
    package var way: Polyline?
    package var router: RouterSettings
    /// Seconds between reports.
    package var reportInterval: Double
    /// Time that the vehicle waits at each stop, in seconds.
    package var dwell: Double
    /// Simulated seconds per real second.
    package var speed: Double
    /// Whether to create the vehicle if the server does not have it.
    package var createsVehicle: Bool
    /// Details by which riders recognise the vehicle. They are set when the vehicle is created.
    package var identity = VehicleIdentity()
    /// The path of a new file for the recording; nil to record nothing.
    package var record: String?
    package var connection: Connection
    /// Whether the driver acts without the user's keys, even on a screen.
    package var isAutomatic = true
    /// Whether to wait for a vehicle that does not exist on the server. If false, the drive ends.
    package var keepsTrying = false
    package var output = OutputSettings(style: .plain)
    package var look = ScreenSettings(map: BaseMapSettings(map: nil, languages: []))
    /// The provider's client, for giving declined trips to other cars; nil without a provider.
    package var provider: ProviderBackendClient?

    package init(
        name: VehicleName, assignment: TripAssignment, source: SourceSettings, way: Polyline?, router: RouterSettings,
        reportInterval: Double, dwell: Double, speed: Double, createsVehicle: Bool, record: String?, connection: Connection
    ) {
        self.name = name
        self.assignment = assignment
        self.source = source
        self.way = way
        self.router = router
        self.reportInterval = reportInterval
        self.dwell = dwell
        self.speed = speed
        self.createsVehicle = createsVehicle
        self.record = record
        self.connection = connection
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if reportInterval < 5 || reportInterval > 60 {
            surroundings.streams.note("tripwatch: --report-interval must be 5 to 60 s: using \(reportInterval < 5 ? 5 : 60) s.")
        }
        guard output.wantsScreen(in: surroundings) else {
            let signals = HelperGuard()
            let watched = Self.watched(surroundings, by: signals)
            return try await performInLines(with: try await means(in: watched), signals, in: watched)
        }
        let means = try await means(in: surroundings)
        if let end = try await performOnScreen(with: means, in: surroundings) { return end }
        let signals = HelperGuard()
        return try await performInLines(with: means, signals, in: Self.watched(surroundings, by: signals))
    }

    /// Returns surroundings in which a failed write ends the drive in the same way as a first signal. The car goes offline before the
    /// process ends. Otherwise, the server would still give trips to the car.
    private static func watched(_ surroundings: Surroundings, by signals: HelperGuard) -> Surroundings {
        var watched = surroundings
        watched.streams.onFailedWrite = { signals.noteFailedWrite($0) }
        return watched
    }

    private func performInLines(
        with means: Means, _ signals: HelperGuard, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        let result = try await ClientSession.run(
            connection, in: surroundings, as: .driver, vehicleID: name.vehicle, guardsHelpers: false
        ) { client in
            if createsVehicle, let words = try await create(client) { surroundings.streams.say("tripwatch: \(words)") }
            return try await drive(client, with: means, signals, in: surroundings)
        }
        return try Self.end(result)
    }

    /// Everything that a drive needs, except the connection to the server.
    struct Means {
        let source: OpenedSource
        let router: any Router
        let recorder: DriveRecorder?
    }

    /// Opens and checks everything that the drive needs, before the first report.
    func means(in surroundings: Surroundings) async throws -> Means {
        let source = try await source.open(vehicle: name.vehicle, route: way, in: surroundings)
        let router = try ways(track: source.way, in: surroundings)
        let recorder = try record.map { path throws(Failure) in try DriveRecorder(path, vehicle: name, in: surroundings) }
        return Means(source: source, router: source.router(router), recorder: recorder)
    }

    /// Returns the router of the drive. A given route is followed on the roads of the chosen router. If no router is chosen, the roads of
    /// the map are used. Without roads, or if the route has many points, the given route is followed exactly. Without a given route, the
    /// chosen router is used, or else the recorded positions, or else the default router.
    private func ways(track: Polyline?, in surroundings: Surroundings) throws(Failure) -> any Router {
        guard let way else {
            guard let track, router.choice == nil else { return try router.open(for: .any, in: surroundings) }
            return GivenWayRouter(way: track)
        }
        guard router.choice != nil || router.hasMapRoads else { return router.straight(GivenWayRouter(way: way), in: surroundings) }
        let roads = try router.open(for: .any, in: surroundings)
        guard router.choice != .straight, way.coordinates.count <= GivenPlacesRouter.maximumPlaces else {
            return GivenWayRouter(way: way, elsewhere: roads)
        }
        return GivenPlacesRouter(way: way, roads: roads)
    }

    private func vehicle(at place: Coordinate? = nil) -> Vehicle {
        Vehicle(
            name: name, state: .offline, supportedTripTypes: [.exclusive, .shared], maximumCapacity: 4, category: .auto,
            lastLocation: place.map { VehicleLocation(coordinate: $0) }, attributes: identity.attributes)
    }

    /// Creates the vehicle. If the server cannot be reached, the vehicle is created later, at the first call that does not find it.
    /// - Returns: a message about the new or existing vehicle; nil for no message.
    private func create(_ client: LiveFleetEngineClient) async throws -> String? {
        do throws(FleetEngineError) {
            _ = try await client.createVehicle(vehicle(at: way?.coordinates.first))
            guard source == .simulation, way == nil else { return nil }
            return "\(printable(name.vehicle)) has no position yet, so it gets no trips: restart with --route 'LAT,LNG;…'."
        } catch {
            if error.code == .permissionDenied {
                let detail = FailureWords(error, error.errorClass()).detail
                throw Failure(
                    message: "This token is not allowed to create \(printable(name.vehicle)) (\(detail)). "
                        + "--create needs a token with the role 'server'; leave out --create if the vehicle already exists.",
                    exitCode: ExitCodes.notAllowed)
            }
            if error.code == .alreadyExists { return await keptIdentity(client) }
            guard error.errorClass() == .retryable else { throw error }
            return nil
        }
    }

    /// Returns a message if the vehicle exists with another identity; nil for no message.
    private func keptIdentity(_ client: LiveFleetEngineClient) async -> String? {
        let wanted = identity.attributes
        guard !wanted.isEmpty, let known = try? await client.getVehicle(name),
            wanted.contains(where: { known.attributes[$0.key] != $0.value })
        else { return nil }
        return "\(printable(name.vehicle)) already exists and keeps its plate, color, model and driver. "
            + "To change them, call PUT /vehicle/\(printable(name.vehicle)) of the provider API."
    }

    private func drive(
        _ client: LiveFleetEngineClient, with means: Means, _ signals: HelperGuard, in surroundings: Surroundings
    ) async throws -> TripDriverResult {
        let time = surroundings.clock(speed)
        let lines = DriverLines(
            time: time, streams: surroundings.streams, server: connection.endpoint.description,
            endsWithoutVehicle: !keepsTrying && !createsVehicle)
        let creating = SelfCreatingVehicle(client, vehicle: vehicle()) { lines.tellCreated(name) }
        let driver = TripDriver(
            client: createsVehicle ? creating : client, vehicleName: name, assignment: assignment, router: means.router,
            source: means.source.start(time), configuration: configuration, time: time, onEvent: { lines.tell($0) },
            onInput: means.recorder?.onInput(time))
        let task = Task { await driver.run() }
        signals.windUp { task.cancel() }
        lines.onMissingVehicle { task.cancel() }
        let result = await task.value
        if let error = lines.missingVehicle {
            signals.endIfSignalled()
            throw Failure(
                message:
                    "\(connection.endpoint) has no vehicle \(printable(name.vehicle)) (\(error.code.name)). Create it on the server, start "
                    + "with --create, or wait for it with --keep-trying.", exitCode: ExitCodes.noSuchTrip)
        }
        sayWhatIsLeft(result, of: means.source, in: surroundings)
        signals.endIfSignalled()
        if let trouble = signals.outputTrouble { throw StandardStreams.failure(trouble) }
        return result
    }

    /// Runs the drive on a screen.
    /// - Returns: how the program ends; nil if no screen is possible and printed lines can replace it.
    private func performOnScreen(with means: Means, in surroundings: Surroundings) async throws -> ProgramEnd? {
        if means.source.readsStandardInput {
            guard output.style == .screen else { return nil }
            throw Failure(
                message: "the screen cannot read keys, because positions are read from standard input: use --output plain.",
                exitCode: ExitCodes.usage)
        }
        let map = try look.map.open(standard: .none, in: surroundings)
        let time = surroundings.clock(speed)
        var options = DriveOptions(vehicle: name)
        options.reportSeconds = reportInterval
        options.source = means.source.name
        options.getsPosition = source != .simulation || way != nil
        let screen = DriveScreen(
            look: look, output: output, map: map, options: options, endpoint: connection.endpoint.description, provider: provider,
            time: time,
            speed: speed, surroundings: surroundings)
        return try await ClientSession.run(
            connection, in: surroundings, as: .driver, vehicleID: name.vehicle, guardsHelpers: false
        ) { client -> ProgramEnd? in
            var screen = screen
            if createsVehicle { screen.notice = try await create(client) }
            let creating = SelfCreatingVehicle(client, vehicle: vehicle())
            do {
                let ending = try await screen.run { controls, onState, onEvent in
                    TripDriver(
                        client: createsVehicle ? creating : client, vehicleName: name, assignment: assignment, router: means.router,
                        source: means.source.start(time), configuration: configurationOnScreen, time: time, controls: controls,
                        onState: onState, onEvent: onEvent, onInput: means.recorder?.onInput(time))
                }
                for trip in ending.result.foundOver {
                    surroundings.streams.say("tripwatch: \(printable(trip.name.description)): \(DriverLines.words(trip.outcome)).")
                }
                sayWhatIsLeft(ending.result, of: means.source, in: surroundings)
                return try ending.byUser ?? Self.end(ending.result)
            } catch let error as TerminalScreenError {
                if output.style == .screen { throw error.failure }
                error.tellWhyLinesCome(surroundings.streams)
                return nil
            }
        }
    }

    /// Reports what the user might not notice: the end of the positions, unfinished trips, and a vehicle that could not be taken
    /// offline.
    private func sayWhatIsLeft(_ result: TripDriverResult, of source: OpenedSource, in surroundings: Surroundings) {
        if result.ending == .sourceEnded {
            surroundings.streams.note("tripwatch: \(source.subject) has ended, so \(printable(name.vehicle)) has stopped.")
        }
        for trip in result.unfinished {
            surroundings.streams.say(
                "tripwatch: \(printable(trip.description)) has not ended and is still assigned to \(printable(name.vehicle)): "
                    + "run 'tripwatch drive' again, or cancel the trip at the provider.")
        }
        // Riders cannot see a vehicle that does not exist on the server, so no warning is needed.
        guard let error = result.lastRefusal, error.code != .notFound else { return }
        surroundings.streams.say(
            "tripwatch: the server does not know that \(printable(name.vehicle)) is offline (\(error.code.name)): riders may still see it."
        )
    }

    private var configuration: TripDriverConfiguration {
        var configuration = TripDriverConfiguration()
        configuration.dwellSeconds = dwell
        configuration.reportIntervalSeconds = reportInterval
        return configuration
    }

    /// The configuration for a screen. The car is checked at least four times a second, so that keys take effect soon.
    private var configurationOnScreen: TripDriverConfiguration {
        var configuration = configuration
        configuration.isAutomatic = isAutomatic
        configuration.fixIntervalSeconds = min(1, 0.25 * speed)
        return configuration
    }

    private static func end(_ result: TripDriverResult) throws(Failure) -> ProgramEnd {
        switch result.ending {
        case .failed(.fleetEngine(let error)): throw ClientSession.failure(error)
        case .failed(let failure): throw Failure(message: "\(failure).", exitCode: ExitCodes.failed)
        case .finished, .sourceEnded:
            let lost = result.trips.filter { $0.outcome == .gone }.map { printable($0.name.description) }
            guard !lost.isEmpty else { return .success }
            throw Failure(message: "the server lost these trips: \(lost.joined(separator: ", ")).", exitCode: ExitCodes.noSuchTrip)
        case .stopped:
            // Only a signal ends the drive early, and that signal also ends the process.
            throw Failure(message: "the driver stopped.", exitCode: ExitCodes.failed)
        }
    }
}
