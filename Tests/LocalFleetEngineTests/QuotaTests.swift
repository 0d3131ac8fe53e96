import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Quotas of accounts", .timeLimit(.minutes(1)))
struct QuotaTests {
    private static var two: EngineLimits {
        var limits = EngineLimits()
        limits.tripsPerAccount = 2
        limits.vehiclesPerAccount = 2
        return limits
    }

    @Test("over gRPC, the account is the token's, and the refusal states account and quota")
    func tokens() async throws {
        let gate = openGate()
        let engine = LocalFleetEngine(
            state: FleetEngineState(options: EngineOptions(limits: Self.two)), time: SystemTimeSource())
        try await Servers.with(gate: gate, engine: engine) { servers in
            try await withGRPCClient(transport: try servers.transport()) { client in
                let trips = WireTripService.Client(wrapping: client)
                func create(_ id: String, _ role: AccountRole) async throws {
                    let token = try await gate.mint(role, tripID: "*", vehicleID: "*").secret
                    _ = try await trips.createTrip(.new(id), metadata: ["authorization": "Bearer \(token)"])
                }
                for id in ["a", "b"] { try await create(id, .server) }
                let error = await #expect(throws: RPCError.self) { try await create("c", .server) }
                #expect(error?.code == .resourceExhausted)
                let words =
                    "the account server@tripwatch.local has reached its quota of trips (--max-trips-per-account 2): delete some first"
                #expect(error?.message == words)
                try await create("c", .admin)
            }
        }
    }

    @Test("trips and vehicles of the provider API belong to its own account")
    func providerAPI() async throws {
        let engine = LocalFleetEngine(
            state: FleetEngineState(options: EngineOptions(limits: Self.two)), time: SystemTimeSource())
        let ids = IDs()
        let desk = ProviderDesk(provider: "plain", engine: engine, time: SystemTimeSource()) { ids.next() }
        func book() async throws {
            _ = try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
        }
        for _ in 1...2 { try await book() }
        let trips = await #expect(throws: FleetEngineError.self) { try await book() }
        #expect(trips?.code == .resourceExhausted && trips?.message.contains("account provider-api") == true)
        for id in ["a", "b"] { _ = try await desk.createVehicle(id, VehicleSettings()) }
        let vehicles = await #expect(throws: FleetEngineError.self) { _ = try await desk.createVehicle("c", VehicleSettings()) }
        #expect(vehicles?.message.contains("quota of vehicles (--max-vehicles-per-account 2)") == true)
        _ = try await engine.createTrip(.new("own"))
    }
}
