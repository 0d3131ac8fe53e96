package import Driver
package import FleetEngine
import FleetEngineGRPC
package import Geo
import Routing
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
        let router = try way.map { GivenWayRouter(way: $0) } ?? router.open(in: surroundings)
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
        var configuration = TripDriverConfiguration()
        configuration.dwellSeconds = dwell
        configuration.reportIntervalSeconds = reportInterval
        var car = SimulatedVehicleConfiguration()
        car.startWay = way
        let time = surroundings.clock(speed)
        let lines = DriverLines(time: time, streams: surroundings.streams)
        let creating = SelfCreatingVehicle(client, vehicle: vehicle()) { lines.tellCreated(name) }
        let driver = TripDriver(
            client: createsVehicle ? creating : client, vehicleName: name, assignment: assignment, router: router,
            source: SimulatedVehicle(car, time: time), configuration: configuration, time: time, onEvent: { lines.tell($0) })
        let task = Task { await driver.run() }
        signals.windUp { task.cancel() }
        let result = await task.value
        signals.endIfSignalled()
        return result
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
