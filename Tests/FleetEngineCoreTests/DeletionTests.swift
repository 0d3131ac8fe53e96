import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Testing

@testable import FleetEngineCore

@Suite("Deletion and expiry")
struct DeletionTests {
    @Test("an assigned active trip cannot be deleted, any other trip can")
    func trips() throws {
        var world = try World.assigned()
        refusal(.failedPrecondition) { try world.deleteTrip("t1") }
        try world.setStatus("t1", .canceled)
        try world.deleteTrip("t1")
        refusal(.notFound) { _ = try world.getTrip("t1") }
        refusal(.notFound) { try world.deleteTrip("t1") }
        try world.createTrip("t2")
        try world.deleteTrip("t2")
        #expect(try world.createTrip("t1").tripStatus == .new)
    }

    @Test("a vehicle with active trips cannot be deleted")
    func vehicles() throws {
        var world = try World.assigned()
        let refused = refusal(.failedPrecondition) { try world.deleteVehicle("car") }
        #expect(refused?.message.contains("t1") == true)
        try world.setStatus("t1", .complete)
        try world.deleteVehicle("car")
        refusal(.notFound) { _ = try world.getVehicle("car") }
        #expect(try world.getTrip("t1").vehicleID == "car")
        #expect(world.engine.routePoints == 0)
    }

    @Test("trips expire seven days after their last change, and then disappear from their vehicle too")
    func sevenDays() throws {
        var world = try World.assigned()
        world.wait(3 * 86_400)
        try world.createTrip("t2") { $0.trip.vehicleID = "car" }
        world.wait(4 * 86_400)
        #expect(try world.getTrip("t1").tripStatus == .new)
        world.wait(1)
        refusal(.notFound) { _ = try world.getTrip("t1") }
        refusal(.notFound) { try world.setStatus("t1", .complete) }
        #expect(try world.getVehicle("car").currentTrips == ["t2"])
        #expect(world.engine.tripCount == 1)
        #expect(try world.createTrip("t1").tripStatus == .new)
        try world.setStatus("t2", .enrouteToPickup)
        world.wait(7 * 86_400)
        #expect(try world.getTrip("t2").tripStatus == .enrouteToPickup)
        world.wait(1)
        refusal(.notFound) { _ = try world.getTrip("t2") }
    }

    @Test("an id is free again at the very second its trip expires")
    func reuse() throws {
        var world = try World.assigned()
        world.wait(7 * 86_400 - 30)
        try world.move("car", to: World.pickup)
        world.wait(31)
        #expect(try world.createTrip("t1").vehicleID.isEmpty)
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
    }

    @Test("expired trips are removed with the next request that writes, or by an explicit sweep", arguments: [true, false])
    func sweep(byItself: Bool) throws {
        var world = World()
        for index in 0..<50 { try world.createTrip("t\(index)") }
        world.wait(8 * 86_400)
        refusal(.notFound) { _ = try world.getTrip("t1") }
        #expect(world.engine.tripCount == 50)
        if byItself { try world.createVehicle("car") } else { world.sweep() }
        #expect(world.engine.tripCount == 0)
    }

    @Test("if the clock goes back, nothing expires")
    func clockBack() throws {
        var world = try World.assigned()
        world.wait(-30 * 86_400)
        try world.move("car", to: World.pickup)
        #expect(try world.getTrip("t1").tripStatus == .new)
    }
}
