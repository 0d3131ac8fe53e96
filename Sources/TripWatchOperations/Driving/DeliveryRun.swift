import Driver
package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
package import ProgramSurroundings
import TripWatchRuntime
import TripWatchWords

/// Runs the driver of a delivery vehicle: reports the vehicle, serves its stops and prints lines.
package struct DeliveryRun: Sendable {
    package var name: DeliveryVehicleName
    /// The settings of the drive, such as the source of positions, the router and the speed. Its settings for trips have no effect.
    package var drive: DriveRun

    package init(name: DeliveryVehicleName, drive: DriveRun) {
        self.name = name
        self.drive = drive
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let means = try await drive.means(in: surroundings)
        let signals = HelperGuard()
        let result = try await ClientSession.run(
            drive.connection, in: surroundings, as: .driver, vehicleID: name.vehicle, guardsHelpers: false
        ) { client in
            try await deliver(client, with: means, signals, in: surroundings)
        }
        return try end(result, of: means.source, in: surroundings)
    }

    /// Drives until the source of positions ends, the driver fails, or the user ends the drive.
    /// - Parameter client: the client for the calls of the vehicle's driver.
    private func deliver(
        _ client: any DeliveryDriverClient, with means: DriveRun.Means, _ signals: HelperGuard, in surroundings: Surroundings
    ) async throws -> DeliveryDriverResult {
        let time = surroundings.clock(drive.speed)
        let memory = StopMemory(name, speed: drive.speed, in: surroundings)
        let lines = DeliveryLines(name, time: time, streams: surroundings.streams, server: drive.connection.endpoint.description)
        let controls = DeliveryControls()
        let driver = DeliveryDriver(
            client: client, vehicleName: name, router: means.router, source: means.source.start(time),
            configuration: configuration(memory, now: time.now()), time: time, controls: controls,
            onEvent: { event in
                memory?.note(event)
                lines.tell(event)
            }, onInput: means.recorder?.onInput(time))
        let task = Task { await driver.run() }
        signals.windUp { task.cancel() }
        let keys =
            means.source.readsStandardInput
            ? nil : DeliveryKeys(surroundings.streams, controls, isAutomatic: drive.isAutomatic, quit: { task.cancel() })
        let result = await task.value
        withExtendedLifetime(keys) {}
        signals.endIfSignalled()
        return result
    }

    private func configuration(_ memory: StopMemory?, now: Date) -> DeliveryDriverConfiguration {
        var configuration = DeliveryDriverConfiguration()
        configuration.isAutomatic = drive.isAutomatic
        configuration.reportIntervalSeconds = drive.reportInterval
        configuration.keepsTrying = drive.keepsTrying
        configuration.lastArrival = memory?.lastArrival(now: now)
        if drive.createsVehicle {
            let place = drive.way?.coordinates.first.map { VehicleLocation(coordinate: $0) }
            let attributes = drive.identity.attributes.sorted { $0.key < $1.key }
            configuration.newVehicle = DeliveryVehicle(
                name: name, type: .auto, lastLocation: place, attributes: attributes.map { DeliveryAttribute(key: $0.key, text: $0.value) })
        }
        return configuration
    }

    private func end(
        _ result: DeliveryDriverResult, of source: OpenedSource, in surroundings: Surroundings
    ) throws(Failure) -> ProgramEnd {
        switch result.ending {
        case .failed(.fleetEngine(let error)): throw failure(error)
        case .failed(let failure): throw Failure(message: "\(failure).", exitCode: ExitCodes.failed)
        case .sourceEnded:
            surroundings.streams.note("tripwatch: \(source.subject) has ended, so \(printable(name.vehicle)) has stopped.")
            return .success
        case .stopped, .finished: return .success
        }
    }

    private func failure(_ error: FleetEngineError) -> Failure {
        let id = printable(name.vehicle)
        switch error.code {
        case .notFound:
            return Failure(
                message:
                    "\(drive.connection.endpoint) has no delivery vehicle \(id) (\(error.code.name)). Create it on the server, start with "
                    + "--create, or wait for it with --keep-trying.", exitCode: ExitCodes.noSuchTrip)
        // Only a refusal to create the vehicle ends the drive with this code.
        case .permissionDenied:
            return Failure(
                message:
                    "This token is not allowed to create \(id) (\(error.code.name)). --create needs a token with the "
                    + "role 'server', or one for a driver from 'token mint --trusted'; leave out --create if the vehicle already exists.",
                exitCode: ExitCodes.notAllowed)
        case .unimplemented: return Failure(message: "This server does not support deliveries.", exitCode: ExitCodes.failed)
        default: return ClientSession.failure(error)
        }
    }
}
