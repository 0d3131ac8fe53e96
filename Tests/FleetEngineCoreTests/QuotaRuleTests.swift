import EngineWorld
import FleetEngine
import FleetEngineAPI
import Testing

@testable import FleetEngineCore

@Suite("Quotas of accounts in an engine")
struct QuotaRuleTests {
    private static var two: EngineLimits {
        var limits = EngineLimits()
        limits.tripsPerAccount = 2
        limits.vehiclesPerAccount = 2
        return limits
    }

    @Test("only an account's own trips count, and a deleted or expired one no longer does")
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
        // An expired trip does not count towards its account's quota, even before it is removed.
        _ = try world.engine.createTrip(.new("b"), account: "red", now: world.now)
        world.sweep()
        #expect(world.engine.tripHoldings["red"] == 1 && world.engine.tripHoldings["blue"] == 0)
        try create("e", "red")
    }

    @Test("a trip counts for the account that created it, even after another account changes it")
    func maker() throws {
        var world = World(limits: Self.two)
        _ = try world.change { try $0.createTrip(.new("a"), account: "red", now: $1) }
        try world.createVehicle("car")
        try world.assign("a", to: "car")
        try world.setStatus("a", .complete)
        #expect(world.engine.tripHoldings["red"] == 1 && world.engine.tripHoldings[EngineAccount.anonymous] == 0)
        #expect(world.copy.tripHoldings == world.engine.tripHoldings && world.copy.vehicleHoldings == world.engine.vehicleHoldings)
    }

    @Test("only an account's own vehicles count, and a deleted one no longer does")
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
}
