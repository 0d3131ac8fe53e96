import EngineWorld
import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Assigning trips to vehicles", .timeLimit(.minutes(1)))
struct ProviderMatchingTests {
    private let time = ManualTimeSource()
    private let engine: LocalFleetEngine
    private let desk: ProviderDesk

    init() {
        engine = LocalFleetEngine(time: time)
        let ids = IDs()
        desk = ProviderDesk(provider: "plain", engine: engine, time: time) { ids.next() }
    }

    private func vehicle(_ id: String, east: Double? = 100, _ settings: VehicleSettings = VehicleSettings()) async throws {
        _ = try await desk.createVehicle(id, settings)
        if let east { try await place(id, east: east) }
    }

    private func place(_ id: String, east: Double, accuracy: Double? = nil, raw: Bool = false) async throws {
        try await place(id, at: World.place(east: east), accuracy: accuracy, raw: raw)
    }

    private func place(_ id: String, at place: Coordinate, accuracy: Double? = nil, raw: Bool = false) async throws {
        _ = try await engine.updateVehicle(
            .with {
                $0.name = "providers/plain/vehicles/\(id)"
                $0.vehicle.lastLocation = .at(place)
                $0.updateMask.paths = ["last_location"]
                guard let accuracy else { return }
                if raw {
                    $0.vehicle.lastLocation.rawLocationAccuracy = .init(accuracy)
                } else {
                    $0.vehicle.lastLocation.latlngAccuracy = .init(accuracy)
                }
            })
    }

    @discardableResult
    private func book(_ type: TripType = .exclusive) async throws -> String {
        try await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: type).vehicleID
    }

    private func vehicleID(_ trip: String) async throws -> String { try await desk.trip(trip).vehicleID }

    private func set(_ status: TripStatus, _ trip: String) async throws {
        _ = try await desk.update(trip, status: status, intermediateDestinationIndex: nil)
    }

    @Test("the nearest vehicle is chosen; of two equally near ones, the older; never one without a position")
    func nearest() async throws {
        try await vehicle("nowhere", east: nil)
        try await vehicle("far", east: -5_000)
        try await vehicle("near", east: 900)
        try await vehicle("later", east: 900)
        #expect(try await book() == "near")
        #expect(try await book() == "later")
        #expect(try await book() == "far")
        #expect(try await book() == "")
        try await place("nowhere", east: 9_000)
        #expect(try await vehicleID("t4") == "nowhere")
    }

    @Test("a vehicle is no nearer than its accuracy proves; an unknown accuracy counts as 50 m")
    func inaccurate() async throws {
        for id in ["vague", "raw", "sure", "unknown"] { try await vehicle(id, east: nil) }
        try await place("vague", east: 990, accuracy: 2_200)
        try await place("raw", east: 1_000, accuracy: 900, raw: true)
        try await place("sure", east: 500, accuracy: 10)
        try await place("unknown", east: 520)
        // Vehicles are ordered by their distance plus the accuracy of their position: 510 m, 530 m, 900 m and 2,210 m.
        #expect(try await book() == "sure")
        #expect(try await book() == "unknown")
        #expect(try await book() == "raw")
        #expect(try await book() == "vague")
    }

    @Test("a vehicle at exactly 0,0 gets no trip until it is elsewhere")
    func zeroPlace() async throws {
        try await vehicle("lost", east: nil)
        try await place("lost", at: Coordinate(latitude: 0, longitude: 0))
        #expect(try await book() == "")
        try await vehicle("far", east: -50_000)
        #expect(try await vehicleID("t1") == "far")
        #expect(try await book() == "")
        try await place("lost", east: 900)
        #expect(try await vehicleID("t2") == "lost")
    }

    @Test("each second of a position's age after 2 min counts as 15 m; a vehicle that is silent for an hour still gets a trip")
    func silent() async throws {
        try await vehicle("silent", east: 900)
        time.advance(by: 180)
        try await vehicle("near", east: 1_500)
        try await vehicle("far", east: 40_000)
        #expect(try await book() == "near")
        #expect(try await book() == "silent")
        #expect(try await book() == "far")
        try await vehicle("lost", east: 900)
        time.advance(by: 3_600)
        try await vehicle("fresh", east: 50_000)
        #expect(try await book() == "fresh")
        #expect(try await book() == "lost")
    }

    @Test("a vehicle that is 100 km away, in any direction, gets no trip until it is nearer")
    func abroad() async throws {
        try await vehicle("east", east: 102_000)
        try await vehicle("north", east: nil)
        try await place("north", at: Coordinate(latitude: World.pickup.latitude + 1, longitude: World.pickup.longitude))
        #expect(try await book() == "")
        try await place("east", east: 90_000)
        #expect(try await vehicleID("t1") == "east")
        #expect(try await book() == "")
        try await place("north", at: Coordinate(latitude: World.pickup.latitude + 0.8, longitude: World.pickup.longitude))
        #expect(try await vehicleID("t2") == "north")
    }

    @Test("a trip that only far vehicles could take does not hold up the trips after it")
    func tooFar() async throws {
        try await vehicle("one")
        let far = World.place(east: 300_000)
        _ = try await desk.book(pickup: far, dropoff: World.dropoff, stops: [], type: .exclusive)
        #expect(try await book() == "one")
        try await vehicle("two", east: 299_000)
        #expect(try await vehicleID("t1") == "two")
    }

    @Test("a trip that no vehicle could take gets one when its pickup is moved")
    func movedPickup() async throws {
        try await vehicle("one")
        _ = try await desk.book(pickup: World.place(east: 300_000), dropoff: World.dropoff, stops: [], type: .exclusive)
        #expect(try await vehicleID("t1") == "")
        _ = try await engine.updateTrip(
            .with {
                $0.name = "providers/plain/trips/t1"
                $0.trip.pickupPoint = .at(World.pickup)
                $0.updateMask.paths = ["pickup_point"]
            })
        #expect(try await vehicleID("t1") == "one")
    }

    @Test("a declined trip goes to the next vehicle, waits if all have declined, and never returns to one that has")
    func declined() async throws {
        try await vehicle("near")
        try await vehicle("far", east: 5_000)
        #expect(try await book() == "near")
        #expect(try await desk.release("t1").vehicleID == "far")
        #expect(try await desk.release("t1").vehicleID == "")
        // A later trip is assigned while t1 is still waiting.
        #expect(try await book() == "near")
        try await set(.canceled, "t2")
        try await place("near", east: 200)
        #expect(try await vehicleID("t1") == "")
        try await vehicle("third", east: 9_000)
        #expect(try await vehicleID("t1") == "third")
        try await set(.enrouteToPickup, "t1")
        await #expect(throws: FleetEngineError.self) { try await desk.release("t1") }
        #expect(try await vehicleID("t1") == "third")
    }

    @Test("a vehicle that is taken off the road gets no trip until its driver is back")
    func offline() async throws {
        try await vehicle("one")
        try await state(.offline, "one")
        #expect(try await book() == "")
        try await state(.online, "one")
        #expect(try await vehicleID("t1") == "one")
    }

    private func state(_ state: WireVehicleState, _ id: String) async throws {
        _ = try await engine.updateVehicle(
            .with {
                $0.name = "providers/plain/vehicles/\(id)"
                $0.vehicle.vehicleState = state
                $0.updateMask.paths = ["vehicle_state"]
            })
    }

    @Test("the trip that has waited longest is served first when a vehicle appears, changes or is free again")
    func firstComeFirstServed() async throws {
        for _ in 1...3 { try await book() }
        try await vehicle("one")
        #expect(try await vehicleID("t1") == "one")
        try await vehicle("shared", VehicleSettings(tripTypes: [.shared]))
        #expect(try await vehicleID("t2") == "")
        _ = try await desk.updateVehicle("shared", VehicleSettings(tripTypes: [.shared, .exclusive]))
        #expect(try await vehicleID("t2") == "shared")
        try await set(.complete, "t1")
        #expect(try await vehicleID("t3") == "one")
    }

    @Test("a cancelled trip no longer waits")
    func cancelled() async throws {
        try await book()
        try await book()
        try await set(.canceled, "t1")
        try await vehicle("one")
        #expect(try await vehicleID("t1") == "")
        #expect(try await vehicleID("t2") == "one")
    }

    @Test("a vehicle with a trip gets another one only back to back, after the pickup")
    func backToBack() async throws {
        try await vehicle("one", VehicleSettings(backToBack: true))
        try await book()
        #expect(try await book() == "")
        try await set(.arrivedAtPickup, "t1")
        #expect(try await vehicleID("t2") == "")
        try await set(.enrouteToDropoff, "t1")
        #expect(try await vehicleID("t2") == "one")
        #expect(try await book() == "")
    }

    @Test("shared trips share a vehicle as long as there are seats")
    func pooling() async throws {
        try await vehicle("bus", VehicleSettings(tripTypes: [.shared, .exclusive], capacity: 2))
        for _ in 1...3 { #expect(try await book(.shared) == "bus") }
        #expect(try await book() == "")
        let stops = try await desk.vehicle("bus").waypoints.map { "\($0.tripID) \($0.waypointType == .pickupWaypointType ? "in" : "out")" }
        #expect(stops == ["t1 in", "t2 in", "t1 out", "t3 in", "t2 out", "t3 out"], "\(stops)")
    }

    @Test("however many book at once, no vehicle gets two trips that exclude each other")
    func atOnce() async throws {
        for number in 1...5 { try await vehicle("v\(number)", east: Double(number) * 100) }
        let desk = desk
        let given = await withTaskGroup(of: String?.self) { group in
            for _ in 1...20 {
                group.addTask {
                    try? await desk.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive).vehicleID
                }
                group.addTask {
                    _ = try? await desk.updateVehicle("v1", VehicleSettings(capacity: 3))
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1 ?? "") }.filter { !$0.isEmpty }
        }
        #expect(given.sorted() == ["v1", "v2", "v3", "v4", "v5"])
        for number in 1...5 { #expect(try await desk.vehicle("v\(number)").currentTrips.count == 1) }
    }

    @Test("a trip that is assigned, cancelled or deleted no longer waits, and does not count against the limit of waiting trips")
    func gone() async throws {
        for _ in 1...4 { try await book() }
        try await set(.canceled, "t1")
        _ = try await engine.deleteTrip(.with { $0.name = "providers/plain/trips/t2" })
        _ = try await engine.createVehicle(.new("own") { $0.parent = "providers/plain" })
        _ = try await engine.updateTrip(
            .with {
                $0.name = "providers/plain/trips/t3"
                $0.trip.vehicleID = "own"
                $0.updateMask.paths = ["vehicle_id"]
            })
        let request = WireCreateTripRequest.new("x") { $0.parent = "providers/plain" }
        _ = try await engine.dispatchTrip(request, waitingLimit: 2)
        let another = WireCreateTripRequest.new("y") { $0.parent = "providers/plain" }
        await #expect(throws: FleetEngineError.self) { try await engine.dispatchTrip(another, waitingLimit: 2) }
        try await vehicle("one")
        #expect(try await vehicleID("t4") == "one")
    }

    @Test("trips that are removed after a week free their vehicles, also those of other providers")
    func swept() async throws {
        let other = ProviderDesk(provider: "other", engine: engine, time: time) { "old" }
        _ = try await other.createVehicle("car", VehicleSettings())
        let report = WireUpdateVehicleRequest.with {
            $0.name = "providers/other/vehicles/car"
            $0.vehicle.lastLocation = .at(World.place(east: 0))
            $0.updateMask.paths = ["last_location"]
        }
        _ = try await engine.updateVehicle(report)
        let old = try await other.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive)
        #expect(old.vehicleID == "car")
        time.advance(by: 6 * 86_400)
        let later = ProviderDesk(provider: "other", engine: engine, time: time) { "new" }
        #expect(try await later.book(pickup: World.pickup, dropoff: World.dropoff, stops: [], type: .exclusive).vehicleID == "")
        time.advance(by: 86_400 - 60)
        _ = try await engine.updateVehicle(report)
        time.advance(by: 120)
        try await book()
        #expect(try await later.trip("new").vehicleID == "car")
    }

    @Test("a booking or a busy vehicle's report costs no more with many busy vehicles and waiting trips")
    func cost() async throws {
        for number in 1...1_000 {
            try await vehicle("v\(number)", east: Double(number))
            try await book()
        }
        var costs: [Int] = []
        for _ in 1...100 {
            let before = await engine.dispatchLooks("plain")
            #expect(try await book() == "")
            costs.append(await engine.dispatchLooks("plain") - before)
        }
        #expect(costs[59] <= 3 * max(1, costs[0]), "\(costs)")
        #expect(costs.allSatisfy { $0 <= 3 }, "\(costs)")
        let before = await engine.dispatchLooks("plain")
        for number in 1...1_000 { try await place("v\(number)", east: Double(number) + 5) }
        #expect(await engine.dispatchLooks("plain") - before == 1_000)
        try await set(.complete, "t7")
        #expect(try await vehicleID("t1001") == "v7")
        #expect(await engine.dispatchLooks("plain") - before < 1_010)
    }

    @Test("a report of a free vehicle is compared once with each trip that is too far away, and such a trip once with each vehicle")
    func farCost() async throws {
        for number in 1...300 { try await vehicle("v\(number)", east: Double(number)) }
        let far = World.place(east: 300_000)
        // The cost of the first booking is not checked, because that booking must also read all vehicles.
        _ = try await desk.book(pickup: far, dropoff: World.dropoff, stops: [], type: .exclusive)
        for _ in 2...300 {
            let before = await engine.dispatchLooks("plain")
            _ = try await desk.book(pickup: far, dropoff: World.dropoff, stops: [], type: .exclusive)
            let cost = await engine.dispatchLooks("plain") - before
            #expect(cost == 300, "\(cost)")
        }
        for number in 1...300 {
            let before = await engine.dispatchLooks("plain")
            try await place("v\(number)", east: Double(number) + 5)
            #expect(await engine.dispatchLooks("plain") - before == 301)
        }
        #expect(try await book() == "v300")
    }
}
