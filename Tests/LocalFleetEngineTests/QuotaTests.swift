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

    @Test("an account has its own trips only, and a deleted or expired one gives its place back")
    func trips() throws {
        var world = World(limits: Self.two)
        func create(_ id: String, _ account: String) throws {
            _ = try world.change { try $0.createTrip(.new(id), account: account, now: $1) }
        }
        for id in ["a", "b"] { try create(id, "red") }
        refusal(.resourceExhausted) { try create("c", "red") }
        refusal(.alreadyExists) { try create("a", "red") }
        try create("c", "blue")
        try world.deleteTrip("a")
        try create("d", "red")
        refusal(.resourceExhausted) { try create("e", "red") }
        world.wait(7 * 86_400 + 1)
        // The expired trip of the same name counts for nobody, also before it is swept.
        _ = try world.engine.createTrip(.new("b"), account: "red", now: world.now)
        world.sweep()
        #expect(world.engine.tripHoldings["red"] == 1 && world.engine.tripHoldings["blue"] == 0)
        try create("e", "red")
    }

    @Test("a trip stays its maker's, whoever changes it")
    func maker() throws {
        var world = World(limits: Self.two)
        _ = try world.change { try $0.createTrip(.new("a"), account: "red", now: $1) }
        try world.createVehicle("car")
        try world.assign("a", to: "car")
        try world.setStatus("a", .complete)
        #expect(world.engine.tripHoldings["red"] == 1 && world.engine.tripHoldings[EngineAccount.anonymous] == 0)
        #expect(world.copy.tripHoldings == world.engine.tripHoldings && world.copy.vehicleHoldings == world.engine.vehicleHoldings)
    }

    @Test("an account has its own vehicles only, and a deleted one gives its place back")
    func vehicles() throws {
        var world = World(limits: Self.two)
        func create(_ id: String, _ account: String) throws {
            _ = try world.change { try $0.createVehicle(.new(id), account: account, now: $1) }
        }
        for id in ["a", "b"] { try create(id, "red") }
        refusal(.resourceExhausted) { try create("c", "red") }
        try create("c", "blue")
        try world.deleteVehicle("a")
        try create("d", "red")
    }

    @Test("over gRPC the account is the token's, and the refusal names account and quota")
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
                let words = "the account server@tripwatch.local has its quota of 2 trips (max-trips-per-account): delete some first"
                #expect(error?.message == words)
                try await create("c", .admin)
            }
        }
    }

    @Test("what the provider API makes belongs to an account of its own")
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
        #expect(vehicles?.message.contains("2 vehicles (max-vehicles-per-account)") == true)
        _ = try await engine.createTrip(.new("own"))
    }
}
