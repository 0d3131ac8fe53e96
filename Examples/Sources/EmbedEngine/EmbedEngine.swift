import FleetEngine
import FleetEngineAPI
import LocalFleetEngine

/// A Fleet Engine inside of a test: it can be asked directly, and over gRPC by the app under test.
@main
struct EmbedEngine {
    static func main() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        let trip = try await engine.createTrip(
            .with {
                $0.parent = "providers/demo"
                $0.tripID = "trip-1"
                $0.trip.tripType = .exclusive
                $0.trip.pickupPoint.point = .with { ($0.latitude, $0.longitude) = (-36, -20) }
            })
        print("created", trip.name)
        let server = try LocalFleetEngineServer(engine: engine, port: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            print("listening on \(try await server.listeningAddress)")
            // Here the app under test connects.
            server.beginGracefulShutdown()
            try await group.waitForAll()
        }
    }
}
