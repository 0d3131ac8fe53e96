import Driver
import FleetEngine
import FleetEngineGRPC
import Geo
import Routing

/// Drives the trips of one vehicle with a simulated car: `BeDriver providers/P/vehicles/V 127.0.0.1:50051`
@main
struct BeDriver {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let name = try VehicleName(arguments.first ?? "providers/demo/vehicles/car-1")
        let endpoint = try ServerEndpoint(arguments.dropFirst().first ?? "127.0.0.1:50051", security: .plaintext)
        let identity = ClientIdentity(role: .driver, vehicleID: name.vehicle, version: "1.0")
        try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: nil) { client in
            let time = SystemTimeSource()
            var car = SimulatedVehicleConfiguration()
            car.startCoordinate = Coordinate(latitude: -36, longitude: -20)
            let driver = TripDriver(
                client: client, vehicleName: name, assignment: .assigned(limit: 1), router: StraightLineRouter(),
                source: SimulatedVehicle(car, time: time), time: time
            ) { event in print(event) }
            // In place of the simulated vehicle, any other `LocationSource` can be used: a receiver, a recording or a phone.
            let result = await driver.run()
            print("served", result.trips.count)
        }
    }
}
