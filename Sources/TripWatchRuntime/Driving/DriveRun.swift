package import Driver
package import FleetEngine
import FleetEngineGRPC
package import Geo
import Navigation
package import ProviderBackend
import Routing
import TerminalScreen
import TripWatchApp

/// A simulated driver: reports a vehicle and serves its trips.
package struct DriveRun: Sendable {
    package var name: VehicleName
    package var assignment: TripAssignment
    /// The way to drive, from the car's first place on; nil asks the router.
    package var way: Polyline?
    package var router: RouterSettings
    /// Seconds between reports.
    package var reportInterval: Double
    /// Seconds at each stop.
    package var dwell: Double
    /// Simulated seconds in a real one.
    package var speed: Double
    /// The vehicle is created whenever the server does not have it.
    package var createsVehicle: Bool
    package var connection: Connection
    /// Works by itself on a screen, too.
    package var isAutomatic = true
    package var output = OutputSettings(style: .plain)
    package var look = ScreenSettings(map: BaseMapSettings(map: nil, languages: []))
    /// Asked to give declined trips to others; nil where there is none.
    package var provider: ProviderBackendClient?

    package init(
        name: VehicleName, assignment: TripAssignment, way: Polyline?, router: RouterSettings, reportInterval: Double, dwell: Double,
        speed: Double, createsVehicle: Bool, connection: Connection
    ) {
        (self.name, self.assignment, self.way, self.router) = (name, assignment, way, router)
        (self.reportInterval, self.dwell, self.speed) = (reportInterval, dwell, speed)
        (self.createsVehicle, self.connection) = (createsVehicle, connection)
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if reportInterval < 5 || reportInterval > 60 {
            surroundings.streams.say("tripwatch: --report-interval is brought into 5 to 60 s.")
        }
        let router = try way.map { GivenWayRouter(way: $0) } ?? router.open(for: .any, in: surroundings)
        if output.wantsScreen(in: surroundings), let end = try await performOnScreen(by: router, in: surroundings) { return end }
        let signals = HelperGuard()
        let result = try await OneShot.run(
            connection, in: surroundings, as: .driver, vehicleID: name.vehicle, guardsHelpers: false
        ) { client in
            if createsVehicle { try await create(client) }
            return await drive(client, by: router, signals, in: surroundings)
        }
        return try Self.end(result)
    }

    private func vehicle(at place: Coordinate? = nil) -> Vehicle {
        Vehicle(
            name: name, state: .offline, supportedTripTypes: [.exclusive, .shared], maximumCapacity: 4, category: .auto,
            lastLocation: place.map { VehicleLocation(coordinate: $0) })
    }

    /// Makes the vehicle. While the server cannot be reached it is left to the first call that does not find the vehicle.
    private func create(_ client: LiveFleetEngineClient) async throws {
        do throws(FleetEngineError) {
            _ = try await client.createVehicle(vehicle(at: way?.coordinates.first))
        } catch {
            guard error.code == .alreadyExists || error.errorClass() == .retryable else { throw error }
        }
    }

    private func drive(
        _ client: LiveFleetEngineClient, by router: any Router, _ signals: HelperGuard, in surroundings: Surroundings
    ) async -> TripDriverResult {
        let time = surroundings.clock(speed)
        let lines = DriverLines(time: time, streams: surroundings.streams)
        let creating = SelfCreatingVehicle(client, vehicle: vehicle()) { lines.tellCreated(name) }
        let driver = TripDriver(
            client: createsVehicle ? creating : client, vehicleName: name, assignment: assignment, router: router,
            source: source(time: time), configuration: configuration, time: time, onEvent: { lines.tell($0) })
        let task = Task { await driver.run() }
        signals.windUp { task.cancel() }
        let result = await task.value
        signals.endIfSignalled()
        return result
    }

    /// Drives on the screen.
    /// - Returns: nil where there can be no screen and lines will do.
    private func performOnScreen(by router: any Router, in surroundings: Surroundings) async throws -> ProgramEnd? {
        let map = try look.map.open(standard: .none, in: surroundings)
        let time = surroundings.clock(speed)
        var options = DriveOptions(vehicle: name)
        options.reportSeconds = reportInterval
        options.source = "simulation"
        let screen = DriveScreen(
            look: look, output: output, map: map, options: options, endpoint: connection.endpoint.description, provider: provider,
            time: time,
            speed: speed, surroundings: surroundings)
        return try await OneShot.run(
            connection, in: surroundings, as: .driver, vehicleID: name.vehicle, guardsHelpers: false
        ) { client -> ProgramEnd? in
            if createsVehicle { try await create(client) }
            let creating = SelfCreatingVehicle(client, vehicle: vehicle())
            do {
                let ending = try await screen.run { controls, onState, onEvent in
                    TripDriver(
                        client: createsVehicle ? creating : client, vehicleName: name, assignment: assignment, router: router,
                        source: source(time: time), configuration: configurationOnScreen, time: time, controls: controls, onState: onState,
                        onEvent: onEvent)
                }
                return try ending.byUser ?? Self.end(ending.result)
            } catch let error as TerminalScreenError {
                if output.style == .screen { throw Failure(message: "\(error) Use --output plain for lines.", exitCode: ExitCodes.failed) }
                error.tellWhyLinesCome(surroundings.streams)
                return nil
            }
        }
    }

    private var configuration: TripDriverConfiguration {
        var configuration = TripDriverConfiguration()
        configuration.dwellSeconds = dwell
        configuration.reportIntervalSeconds = reportInterval
        return configuration
    }

    /// A person waits for what a key does, so that the car is looked at four times a second.
    private var configurationOnScreen: TripDriverConfiguration {
        var configuration = configuration
        configuration.isAutomatic = isAutomatic
        configuration.fixIntervalSeconds = min(1, 0.25 * speed)
        return configuration
    }

    private func source(time: any TimeSource) -> any LocationSource {
        var car = SimulatedVehicleConfiguration()
        car.startWay = way
        return SimulatedVehicle(car, time: time)
    }

    private static func end(_ result: TripDriverResult) throws(Failure) -> ProgramEnd {
        switch result.ending {
        case .failed(.fleetEngine(let error)): throw OneShot.failure(error)
        case .failed(let failure): throw Failure(message: "\(failure).", exitCode: ExitCodes.failed)
        case .finished, .sourceEnded:
            let lost = result.trips.filter { $0.outcome == .gone }.map { printable($0.name.description) }
            guard !lost.isEmpty else { return .success }
            throw Failure(message: "lost on the server: \(lost.joined(separator: ", ")).", exitCode: ExitCodes.noSuchTrip)
        case .stopped:
            // Only a signal ends it early, and the signal then ends the process.
            throw Failure(message: "the driver stopped.", exitCode: ExitCodes.failed)
        }
    }
}
