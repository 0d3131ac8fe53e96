import Driver
import FleetEngine
import FleetEngineGRPC
import Navigation
import Routing

/// The demo's car and its driver.
struct DemoCar: Sendable {
    /// Waiting time at a stop, in seconds.
    static let stopSeconds = 25.0

    private let driver: TripDriver
    /// A stream that ends as soon as the car is on its way to the rider.
    let setOff: AsyncStream<Void>

    /// Creates the vehicle on the server.
    /// - Parameter isCourier: whether the car delivers orders, several at a time, instead of carrying a rider.
    init(client: LiveFleetEngineClient, router: any Router, ride: DemoRide, isCourier: Bool, time: any TimeSource) async throws {
        let name = try VehicleName(provider: "demo", vehicle: "demo-car")
        let vehicle = Vehicle(
            name: name, state: .online, supportedTripTypes: [isCourier ? .shared : .exclusive], maximumCapacity: 4, category: .taxi,
            lastLocation: VehicleLocation(coordinate: ride.start.coordinate, updateTime: time.now()),
            attributes: ["plate": "DEMO 7", "color": "teal", "model": "Made-up"])
        _ = try await client.createVehicle(vehicle)
        var configuration = TripDriverConfiguration()
        configuration.reportIntervalSeconds = 5
        configuration.dwellSeconds = Self.stopSeconds
        var car = SimulatedVehicleConfiguration()
        car.startCoordinate = ride.start.coordinate
        car.incidents = [SimulatedIncident(on: .dropoff, atFraction: 0.35, .jam(lengthMeters: 260, speedMetersPerSecond: 2.8))]
        let (setOff, isOff) = AsyncStream.makeStream(of: Void.self)
        self.setOff = setOff
        driver = TripDriver(
            client: client, vehicleName: name, assignment: .assigned(limit: nil), router: router,
            source: SimulatedVehicle(car, time: time), configuration: configuration, time: time,
            onEvent: { if case .status(_, .enrouteToPickup) = $0 { isOff.finish() } })
    }

    /// Serves trips until the task is cancelled.
    func drive() async { _ = await driver.run() }
}
