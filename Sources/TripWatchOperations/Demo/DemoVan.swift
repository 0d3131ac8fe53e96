import Driver
import FleetEngine
import FleetEngineGRPC
import Routing

/// The demo's van and its driver.
struct DemoVan: Sendable {
    private let driver: DeliveryDriver

    /// Creates the van, its tasks and its stops on the server.
    init(client: LiveFleetEngineClient, router: any Router, parcel: DemoParcel, time: any TimeSource) async throws {
        let name = parcel.vehicle
        _ = try await client.createDeliveryVehicle(
            DeliveryVehicle(name: name, type: .auto, lastLocation: VehicleLocation(coordinate: parcel.start, updateTime: time.now())))
        _ = try await client.batchCreateTasks(parcel.tasks, of: name.provider)
        _ = try await VehicleStops(client: client, vehicleName: name).setVehicleStops(parcel.stops)
        var configuration = DeliveryDriverConfiguration()
        configuration.isAutomatic = true
        configuration.reportIntervalSeconds = 5
        var van = SimulatedVehicleConfiguration()
        van.startCoordinate = parcel.start
        driver = DeliveryDriver(
            client: client, vehicleName: name, router: router, source: SimulatedVehicle(van, time: time), configuration: configuration,
            time: time)
    }

    /// Serves the stops until the task is cancelled.
    func drive() async { _ = await driver.run() }
}
