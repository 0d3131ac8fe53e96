import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Routes of delivery vehicles from a router", .timeLimit(.minutes(1)))
struct DeliveryWayTests {
    private func engine(_ router: CornerRouter) -> LocalFleetEngine {
        LocalFleetEngine(
            state: FleetEngineState(straightLine: StraightLineRouter(speedMetersPerSecond: 10)), time: ManualTimeSource(World.start),
            router: router)
    }

    private func createVan(_ engine: LocalFleetEngine) async throws {
        _ = try await engine.createDeliveryVehicle(
            .with {
                $0.parent = World.provider
                $0.deliveryVehicleID = "van"
                $0.deliveryVehicle.lastLocation = .at(World.centre)
            })
        for id in ["t1", "t2"] { _ = try await engine.createTask(DeliveryCaller.newTask(id)) }
    }

    private func setStops(_ stops: [WireVehicleJourneySegment], _ engine: LocalFleetEngine) async throws -> WireDeliveryVehicle {
        try await engine.updateDeliveryVehicle(
            .with {
                $0.deliveryVehicle.name = DeliveryCaller.van("van")
                $0.deliveryVehicle.remainingVehicleJourneySegments = stops
                $0.updateMask.paths = ["remaining_vehicle_journey_segments"]
            })
    }

    private func segments(_ engine: LocalFleetEngine) async throws -> [WireVehicleJourneySegment] {
        try await engine.getDeliveryVehicle(.with { $0.name = DeliveryCaller.van("van") }).remainingVehicleJourneySegments
    }

    /// Two stops: the first is one kilometre east of the start, the second is another kilometre east and one kilometre north.
    private var stops: [WireVehicleJourneySegment] {
        var far = DeliveryCaller.stop(1, ["t2"])
        far.stop.plannedLocation.point = DeliveryCaller.point(World.place(east: 2_000, north: 1_000))
        return [DeliveryCaller.stop(0, ["t1"]), far]
    }

    @Test("the straight line is used until the router has answered, and no call waits")
    func settled() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        try await createVan(engine)
        let before = try await setStops(stops, engine)
        #expect(before.remainingVehicleJourneySegments.map(\.path.count) == [2, 2])
        await router.waitUntilAsked(2)
        router.open()
        await engine.waysSettled()
        let after = try await segments(engine)
        #expect(after.map(\.path.count) == [3, 3])
        #expect(after.last.map { abs($0.drivingDistanceMeters.value - 2_000) <= 5 } == true)
        // One kilometre at 5 m/s and one kilometre at 20 m/s take 250 s.
        #expect(after.last.map { abs($0.drivingDuration.seconds - 250) <= 2 } == true)
        #expect(router.asked.count == 2)
        // If the same stops are set again, no new route is needed.
        _ = try await setStops(stops, engine)
        await engine.waysSettled()
        #expect(router.asked.count == 2)
    }

    @Test("a route that a vehicle and a delivery vehicle both need is requested once")
    func shared() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        try await createVan(engine)
        _ = try await engine.createVehicle(.new("car") { $0.vehicle.lastLocation = .at(World.centre) })
        _ = try await engine.createTrip(
            .new("trip") {
                $0.trip.pickupPoint = .at(World.place(east: 1_000))
                $0.trip.dropoffPoint = .at(World.place(east: 2_000))
                $0.trip.vehicleID = "car"
            })
        _ = try await setStops([DeliveryCaller.stop(0, ["t1"]), DeliveryCaller.stop(1, ["t2"])], engine)
        router.open()
        await engine.waysSettled()
        #expect(try await segments(engine).map(\.path.count) == [3, 3])
        #expect(await engine.snapshot.vehicles.values.map(\.missingWays.count) == [0])
        #expect(router.asked.count == 2)
    }

    @Test("no route is requested for a deleted vehicle")
    func deleted() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        try await createVan(engine)
        _ = try await setStops([DeliveryCaller.stop(0, ["t1"])], engine)
        await router.waitUntilAsked(1)
        _ = try await setStops([], engine)
        try await engine.deleteDeliveryVehicle(.with { $0.name = DeliveryCaller.van("van") })
        router.open()
        await engine.waysSettled()
        #expect(await engine.snapshot.deliveryVehicleCount == 0)
        #expect(router.asked.count == 1)
    }
}
