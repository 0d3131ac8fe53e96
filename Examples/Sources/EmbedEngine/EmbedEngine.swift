import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineSnapshot
import LocalFleetEngine

/// Runs a whole ride in an engine, as a test would. The test fills the engine with data and calls it directly; the app under test calls it
/// over gRPC.
@main
struct EmbedEngine {
    static let seed = """
        {"version":1,"trips":[{"name":"providers/demo/trips/ride-1","tripType":"EXCLUSIVE","vehicleId":"car-7",
        "pickupPoint":{"point":{"latitude":-36,"longitude":-20}},"dropoffPoint":{"point":{"latitude":-36.01,"longitude":-20}}}],
        "vehicles":[{"name":"providers/demo/vehicles/car-7","vehicleState":"ONLINE","vehicleType":{"category":"AUTO"},
        "lastLocation":{"location":{"latitude":-35.99,"longitude":-20}}}]}
        """

    static func main() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        try await engine.load(FleetSnapshot(json: Array(seed.utf8)))
        let server = try LocalFleetEngineServer(engine: engine, port: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            print("listening on \(try await server.listeningAddress)")  // The app under test connects here.
            for status in [WireTripStatus.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete] {
                let trip = try await engine.updateTrip(
                    .with {
                        $0.name = "providers/demo/trips/ride-1"
                        $0.trip.tripStatus = status
                        $0.updateMask.paths = ["trip_status"]
                    })
                print(status, trip.remainingDistanceMeters.value, "m to the next stop")
            }
            let end = try await engine.export()
            precondition(end.trips.first?.tripStatus == .complete)
            server.beginGracefulShutdown()
            try await group.waitForAll()
        }
    }
}
