import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Routes from a router", .timeLimit(.minutes(1)))
struct WayTests {
    private let time = ManualTimeSource(World.start)
    private let pickup = World.place(east: 1_000, north: 500)
    private let dropoff = World.place(east: 3_000, north: 900)

    private func engine(_ router: CornerRouter) -> LocalFleetEngine {
        LocalFleetEngine(
            state: FleetEngineState(straightLine: StraightLineRouter(speedMetersPerSecond: 10)), time: time, router: router,
            searchPatience: .seconds(60))
    }

    private func createVehicle(_ id: String, _ engine: LocalFleetEngine, at place: Coordinate = World.centre) async throws {
        _ = try await engine.createVehicle(.new(id) { $0.vehicle.lastLocation = .at(place) })
    }

    @discardableResult
    private func createTrip(_ id: String, _ vehicle: String, _ engine: LocalFleetEngine) async throws -> WireTrip {
        try await engine.createTrip(
            .new(id) {
                $0.trip.pickupPoint = .at(pickup)
                $0.trip.dropoffPoint = .at(dropoff)
                $0.trip.vehicleID = vehicle
            })
    }

    private func trip(_ id: String, _ engine: LocalFleetEngine) async throws -> WireTrip {
        try await engine.getTrip(.with { $0.name = "\(World.provider)/trips/\(id)" })
    }

    private func set(_ status: WireTripStatus, _ id: String, _ engine: LocalFleetEngine) async throws {
        _ = try await engine.updateTrip(
            .with {
                $0.name = "\(World.provider)/trips/\(id)"
                $0.trip.tripStatus = status
                $0.updateMask.paths = ["trip_status"]
            })
    }

    @discardableResult
    private func move(_ id: String, to place: Coordinate, _ engine: LocalFleetEngine) async throws -> WireVehicle {
        try await engine.updateVehicle(
            .with {
                $0.name = "\(World.provider)/vehicles/\(id)"
                $0.vehicle.lastLocation = .at(place)
                $0.updateMask.paths = ["last_location"]
            })
    }

    private func planners(_ engine: LocalFleetEngine) async -> [String?] {
        await engine.snapshot.vehicles.values.flatMap { [$0.approach?.planner] + $0.between.map(\.leg.planner) }
    }

    @Test("no call waits for the router: a straight line is used, and the route comes as a separate change with a newer version")
    func event() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        let heard = Mutex<[Change]>([])
        let (start, _) = await engine.observe { changes in heard.withLock { $0 += changes } }
        try await createVehicle("car", engine)
        let first = try await createTrip("t1", "car", engine)
        #expect(first.route.count == 2 && first.remainingWaypoints.map(\.pathToWaypoint.count) == [2, 2])
        #expect(await planners(engine) == ["straight line", "straight line"])
        await router.waitUntilAsked(2)
        #expect(try await trip("t1", engine).currentRouteSegmentVersion == first.currentRouteSegmentVersion)
        router.open()
        await engine.waysSettled()
        let later = try await engine.getTrip(
            .with {
                $0.name = first.name
                $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
                $0.remainingWaypointsRouteVersion = first.remainingWaypointsRouteVersion
            })
        #expect(later.route.count == 3 && later.remainingWaypoints.map(\.pathToWaypoint.count) == [3, 3])
        #expect(abs(later.remainingDistanceMeters.value - 1_500) <= 2)
        #expect(await planners(engine) == ["corner", "corner"])
        #expect(router.asked.count == 2)
        var copy = start
        for change in heard.withLock({ $0 }) { copy.apply(change) }
        #expect(await copy == engine.snapshot)
    }

    @Test("the remaining time decreases with the route's own speeds")
    func speeds() async throws {
        let engine = engine(CornerRouter())
        try await createVehicle("car", engine)
        try await createTrip("t1", "car", engine)
        await engine.waysSettled()
        func left() async throws -> Int { Int(try await trip("t1", engine).remainingTimeToFirstWaypoint.lengthSeconds.rounded()) }
        #expect(try await left() == 150)
        try await move("car", to: World.place(east: 0, north: 250), engine)
        #expect(try await left() == 100)
        try await move("car", to: World.place(east: 500, north: 500), engine)
        #expect(try await left() == 25)
    }

    @Test("the router's answer is dropped if the route is no longer needed, or if the vehicle has left it")
    func superseded() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        try await createVehicle("car", engine)
        try await createTrip("t1", "car", engine)
        try await createVehicle("other", engine, at: World.place(east: 0, north: 800))
        try await createTrip("t2", "other", engine)
        await router.waitUntilAsked(3)
        try await set(.canceled, "t1", engine)
        time.advance(by: 10)
        try await move("other", to: World.place(east: 100, north: 1_500), engine)
        router.open()
        await engine.waysSettled()
        let vehicles = await engine.snapshot.vehicles.values
        #expect(vehicles.first { $0.name.vehicle == "car" }?.approach == nil)
        let other = try #require(vehicles.first { $0.name.vehicle == "other" })
        #expect(other.approach?.line.coordinates.first == World.place(east: 100, north: 1_500) && other.approach?.planner == "corner")
        #expect(other.missingWays.isEmpty)
    }

    @Test("a route that two vehicles need is requested once")
    func once() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        for id in ["one", "two"] {
            try await createVehicle(id, engine)
            try await createTrip("t-\(id)", id, engine)
        }
        router.open()
        await engine.waysSettled()
        #expect(router.asked.count == 2)
        #expect(await planners(engine) == ["corner", "corner", "corner", "corner"])
    }

    @Test("after a failure, the router is asked again only after a pause; until then, the straight line stays")
    func failing() async throws {
        let down = RoutingError("down", isRetryable: true)
        let router = CornerRouter(failures: [down, down])
        let engine = engine(router)
        try await createVehicle("car", engine)
        try await createTrip("t1", "car", engine)
        await engine.waysSettled()
        #expect(await planners(engine) == ["straight line", "straight line"])
        // The vehicle now needs another route. The request for this route waits for the end of the pause.
        try await move("car", to: World.place(east: -300), engine)
        await engine.waysSettled()
        #expect(router.asked.count == 2)
        await time.waitForSleepers()
        // The first pause is 5 s to 6 s.
        time.advance(by: 6.1)
        await router.waitUntilAsked(4)
        await engine.waysSettled()
        #expect(await planners(engine) == ["corner", "corner"])
        #expect(router.asked.count == 4)
    }

    @Test("if there is no route, the straight line stays, and the route is not requested again")
    func noWay() async throws {
        let none = RoutingError("outside", isRetryable: false)
        let router = CornerRouter(failures: [none, none])
        let engine = engine(router)
        try await createVehicle("car", engine)
        let trip = try await createTrip("t1", "car", engine)
        await engine.waysSettled()
        try await move("car", to: World.place(east: 20), engine)
        await engine.waysSettled()
        #expect(router.asked.count == 2)
        #expect(try await self.trip("t1", engine).currentRouteSegmentVersion == trip.currentRouteSegmentVersion)
        #expect(await engine.snapshot.vehicles.values.allSatisfy { $0.missingWays.isEmpty })
    }

    @Test("when a vehicle leaves a stop, a route that is already known is used at once, without a request")
    func onward() async throws {
        let router = CornerRouter()
        let engine = engine(router)
        try await createVehicle("car", engine)
        try await createTrip("t1", "car", engine)
        await engine.waysSettled()
        try await move("car", to: pickup, engine)
        try await set(.enrouteToDropoff, "t1", engine)
        #expect(try await trip("t1", engine).route.count == 3)
        #expect(await planners(engine) == ["corner"])
        #expect(router.asked.count == 2)
    }

    @Test("while the router is slow, the queue holds only the routes that vehicles need now")
    func queue() throws {
        func way(_ number: Int) -> Way { Way(start: World.place(east: Double(number)), end: World.pickup) }
        let cars = [
            WayUser.vehicle(try VehicleName(provider: "plain", vehicle: "one")),
            .deliveryVehicle(try DeliveryVehicleName(provider: "plain", vehicle: "one")),
            .vehicle(try VehicleName(provider: "plain", vehicle: "two")),
        ]
        var queue = WayQueue()
        queue.want([way(0), way(1)], by: cars[0])
        queue.want([way(0)], by: cars[1])
        #expect(queue.next() == way(0) && queue.next() == way(1) && queue.next() == nil && !queue.isIdle)
        queue.isPaused = true
        queue.failed(way(0))
        #expect(queue.answered(way(1)) == [cars[0]] && queue.isIdle && queue.next() == nil)
        // The wanted route of each vehicle keeps changing, sometimes back to an earlier one. The queue must not grow.
        for number in 2..<10_000 {
            queue.want([way(number % 7 == 0 ? 2 : number)], by: cars[number % 3])
            #expect(queue.line.count <= 24)
        }
        queue.want([], by: cars[0])
        queue.isPaused = false
        #expect(queue.next() == way(9_997) && queue.next() == way(9_998) && queue.next() == nil)
        #expect(queue.answered(way(9_997)) == [cars[1]] && queue.answered(way(9_998)) == [cars[2]] && queue.isIdle)
    }

    @Test("a search requests routes for the nearest vehicles, as many as are wanted, and no other call waits for it")
    func search() async throws {
        let router = CornerRouter(isOpen: false)
        let engine = engine(router)
        for index in 0..<20 { try await createVehicle("v\(index)", engine, at: World.place(east: Double(index) * 100)) }
        let request = WireSearchVehiclesRequest.with {
            $0.parent = World.provider
            $0.pickupPoint = .at(World.place(east: 0, north: 300))
            $0.dropoffPoint = .at(dropoff)
            $0.pickupRadiusMeters = 10_000
            $0.count = 3
            $0.minimumCapacity = 1
            $0.tripTypes = [.exclusive]
            $0.orderBy = .pickupPointDistance
            $0.vehicleTypes = [.with { $0.category = .auto }]
        }
        let searching = Task { try await engine.searchVehicles(request) }
        await router.waitUntilAsked(1)
        #expect(try await engine.getVehicle(.with { $0.name = "\(World.provider)/vehicles/v7" }).vehicleState == .online)
        router.open()
        let matches = try await searching.value.matches
        #expect(matches.map { $0.vehicle.name.split(separator: "/").last } == ["v0", "v1", "v2"])
        #expect(matches.map(\.vehiclePickupDistanceMeters.value) == [300, 400, 500])
        #expect(router.asked.count == 4)
    }

    @Test("if the router fails, a search compares straight lines")
    func searchWithoutRouter() async throws {
        let router = CornerRouter(failures: [RoutingError("down", isRetryable: true)])
        let engine = engine(router)
        for index in 0..<2 { try await createVehicle("v\(index)", engine, at: World.place(east: Double(index) * 400)) }
        let matches = try await engine.searchVehicles(
            .with {
                $0.parent = World.provider
                $0.pickupPoint = .at(World.place(east: 0, north: 300))
                $0.pickupRadiusMeters = 10_000
                $0.count = 5
                $0.minimumCapacity = 1
                $0.tripTypes = [.exclusive]
                $0.orderBy = .pickupPointEta
                $0.vehicleTypes = [.with { $0.category = .auto }]
            }
        ).matches
        #expect(matches.map(\.vehiclePickupDistanceMeters.value) == [300, 500])
    }

    /// A router that never answers.
    private struct SilentRouter: Router {
        let name = "silent"
        func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
            for await _ in AsyncStream(Never.self, { _ in }) {}
            throw RoutingError("no answer", isRetryable: true)
        }
    }

    @Test("a slow router keeps no search waiting: straight lines are compared")
    func searchWithSlowRouter() async throws {
        let engine = LocalFleetEngine(time: ManualTimeSource(), router: SilentRouter(), searchPatience: .milliseconds(1))
        try await createVehicle("v", engine, at: World.place(east: 400))
        let matches = try await engine.searchVehicles(
            .with {
                $0.parent = World.provider
                $0.pickupPoint = .at(World.place(east: 0, north: 300))
                $0.pickupRadiusMeters = 10_000
                $0.count = 5
                $0.minimumCapacity = 1
                $0.tripTypes = [.exclusive]
                $0.orderBy = .pickupPointEta
                $0.vehicleTypes = [.with { $0.category = .auto }]
            }
        ).matches
        #expect(matches.map(\.vehiclePickupDistanceMeters.value) == [500])
    }
}
