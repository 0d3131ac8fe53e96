import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Synchronization
import Testing
import TripTesting

@testable import Driver

@Suite("A driver with several trips at once, on a manual clock", .timeLimit(.minutes(2)))
struct SharedRideTests {
    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: VehicleName
    private let fleet: ScriptedFleet
    private let log = DriverLog()

    init() throws {
        vehicle = try VehicleName(provider: "sea", vehicle: "boat-1")
        fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
    }

    private func name(_ id: String) throws -> TripName { try TripName(provider: "sea", trip: id) }

    private func trip(_ id: String, from pickup: Coordinate, to dropoff: Coordinate, status: TripStatus = .new) throws -> Trip {
        Trip(
            name: try name(id), vehicleID: "boat-1", status: status, type: .shared, numberOfPassengers: 1, pickupPoint: pickup,
            dropoffPoint: dropoff)
    }

    private var a: Trip { get throws { try trip("a", from: Sea.place(300, 0), to: Sea.place(600, 300)) } }
    private var b: Trip { get throws { try trip("b", from: Sea.place(300, 1_500), to: Sea.place(900, 300)) } }

    private func driver(_ assignment: TripAssignment, onState: (@Sendable (DriverShiftState) -> Void)? = nil) -> TripDriver {
        let log = log
        return TripDriver(
            client: fleet, vehicleName: vehicle, assignment: assignment, router: CornerRouter(),
            source: SimulatedVehicle(SimulatedDrive().car, time: clock), time: clock, onState: onState, onEvent: { log.note($0) })
    }

    private func run(_ assignment: TripAssignment, cancelAt second: Double? = nil) async throws -> TripDriverResult {
        let driver = driver(assignment)
        return try await clock.run(parties: 2, cancelAt: second.map { Sea.start + $0 }) { await driver.run() }
    }

    private static let pooled = [
        "a ENROUTE_TO_PICKUP", "a ARRIVED_AT_PICKUP", "a ENROUTE_TO_DROPOFF", "b ENROUTE_TO_PICKUP", "b ARRIVED_AT_PICKUP",
        "b ENROUTE_TO_DROPOFF", "a COMPLETE", "b COMPLETE",
    ]

    @Test("the vehicle's stops are visited in their order, and each stop sets the status of its own trip")
    func pool() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        let result = try await run(.assigned(limit: 2))
        #expect(await fleet.tripStatuses == Self.pooled)
        #expect(result.trips.map(\.name.trip) == ["a", "b"] && result.trips.map(\.outcome) == [.completed, .completed])
        let ends = await fleet.vehicleUpdates.filter { !$0.route.isEmpty }.compactMap { $0.routeEndPoint?.coordinate }
        #expect(ends == [Sea.place(300, 0), Sea.place(300, 1_500), Sea.place(600, 300), Sea.place(900, 300)])
        #expect(log.all.count { if case .took = $0 { true } else { false } } == 2)
        #expect(log.all.count { $0 == .waitingForTrip } == 1)
    }

    private final class Watch: Sendable {
        let states = Mutex<[DriverShiftState]>([])
    }

    @Test("the state has the vehicle's present stops, and the current trip as last read")
    func states() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        await fleet.change(at: Sea.start + 20) { $0.numberOfPassengers = 3 }
        let watch = Watch()
        let driver = driver(.assigned(limit: 2)) { state in watch.states.withLock { $0.append(state) } }
        _ = try await clock.run(parties: 2) { await driver.run() }
        let states = watch.states.withLock { $0 }
        #expect(states.contains { $0.trip?.status == .enrouteToPickup && $0.trip?.name.trip == "a" && $0.trip?.numberOfPassengers == 3 })
        let bothOnBoard = states.filter {
            guard case .driving(let stop, false) = $0.phase else { return false }
            return stop.type == .dropoff && $0.trip?.name.trip == "a"
        }
        let seen = Set(bothOnBoard.map { state in state.stops.map { "\($0.tripID) \($0.type.word)" } })
        #expect(seen == [["a dropoff", "b dropoff"]])
        #expect(bothOnBoard.allSatisfy { $0.later.map(\.status) == [.enrouteToDropoff] })
    }

    @Test("a stop that was left is in no state, even if the vehicle cannot be read after the status is set")
    func leftStops() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        let failing = Failing()
        await fleet.fail { call, _ in
            failing.isNext.withLock { isNext in
                if case .updateTrip = call { isNext = true }
                guard call == .getVehicle, isNext else { return nil }
                isNext = false
                return Sea.error(.unavailable, "no connection")
            }
        }
        let watch = Watch()
        let driver = driver(.assigned(limit: 2)) { state in watch.states.withLock { $0.append(state) } }
        _ = try await clock.run(parties: 2) { await driver.run() }
        #expect(await fleet.tripStatuses == Self.pooled)
        for state in watch.states.withLock({ $0 }) {
            let onBoard = ([state.trip].compactMap { $0 } + state.later).filter { !$0.status.isBeforePickup }.map(\.name.trip)
            #expect(!state.stops.contains { $0.type == .pickup && onBoard.contains($0.tripID) })
            #expect(state.completed == 0 || !state.stops.contains { $0.tripID == "a" })
        }
    }

    @Test("after the pickup, the pickup is removed even if the trip has got more stops since the vehicle was read")
    func leftPickup() throws {
        let types = [WaypointType.pickup, .intermediate, .dropoff]
        let stops = types.map { TripWaypoint(coordinate: Sea.place(300, 0), tripID: "a", type: $0) }
        var duties = VehicleDuties(Vehicle(name: vehicle, currentTrips: ["a"], waypoints: stops), over: [])
        var onBoard = try a
        onBoard.status = .enrouteToIntermediateDestination
        onBoard.intermediateDestinations = [Sea.place(300, 0), Sea.place(300, 300)]
        duties.removeStopsLeft(by: onBoard)
        #expect(duties.stops.map(\.type) == [.intermediate, .dropoff])
    }

    private final class Failing: Sendable {
        /// Whether the next read of the vehicle fails.
        let isNext = Mutex(false)
    }

    @Test("the new route goes out with the status, not at the next report")
    func routeWithStatus() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        _ = try await run(.assigned(limit: 2))
        let requests = await fleet.requests
        let routes = requests.filter { if case .updateVehicle(let update) = $0.call { !update.route.isEmpty } else { false } }.map(\.at)
        let starts = requests.filter {
            guard case .updateTrip(let update) = $0.call else { return false }
            return [.enrouteToPickup, .complete].contains(update.status) && !(update.name.trip == "b" && update.status == .complete)
        }
        #expect(routes.count == 4 && starts.count == 3)
        for start in starts { #expect(routes.contains(start.at), "\(start.at.timeIntervalSince(Sea.start))") }
    }

    @Test("a rider who is inserted before the next stop is picked up next, and the other trips keep their statuses")
    func inserted() async throws {
        await fleet.assign(try a)
        await fleet.arrange("a+ a-")
        await fleet.assign(try b, at: Sea.start + 55)
        await fleet.arrange("b+ a- b-", at: Sea.start + 55)
        _ = try await run(.assigned(limit: 2))
        #expect(await fleet.tripStatuses == Self.pooled)
        let turned = await fleet.requests.first {
            guard case .updateTrip(let update) = $0.call else { return false }
            return update.name.trip == "b" && update.status == .enrouteToPickup
        }
        #expect(try #require(turned).at <= Sea.start + 62)
    }

    @Test("if other trips end while the vehicle drives to a stop, the result says how they ended")
    func endedElsewhere() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        await fleet.change(at: Sea.start + 100) { if $0.name.trip == "a" { $0.status = .canceled } }
        await fleet.arrange("b+ b-", at: Sea.start + 100)
        let result = try await run(.assigned(limit: 2))
        #expect(result.trips.map(\.name.trip) == ["a", "b"] && result.trips.map(\.outcome) == [.canceled, .completed])
        #expect(await fleet.tripStatuses.last == "b COMPLETE")
        #expect(await fleet.tripStatuses.contains("a COMPLETE") == false)
    }

    @Test("a limit of one trip leaves the others unchanged, in any order")
    func limit() async throws {
        await fleet.assign(try a)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        let result = try await run(.assigned(limit: 1))
        #expect(result.trips.map(\.name.trip) == ["a"])
        #expect(await fleet.tripStatuses.allSatisfy { $0.hasPrefix("a ") })
    }

    @Test("a driver that restarts continues with the vehicle's next stop")
    func resume() async throws {
        var first = try a
        first.status = .enrouteToDropoff
        await fleet.assign(first)
        await fleet.assign(try b)
        await fleet.arrange("a+ b+ a- b-")
        _ = try await run(.assigned(limit: 2))
        #expect(await fleet.tripStatuses == Array(Self.pooled.dropFirst(3)))
    }

    @Test("a trip that both vehicle and server have lost is reported and given up at once; the driver waits on, without a time limit")
    func lost() async throws {
        await fleet.assign(try a)
        await fleet.withdraw(try name("a"), at: Sea.start + 12)
        let result = try await run(.assigned(limit: nil), cancelAt: 900)
        #expect(result.ending == .stopped && result.trips.map(\.outcome) == [.gone])
        let first = try name("a")
        #expect(log.all.contains(.ended(DrivenTrip(name: first, outcome: .gone))))
        #expect(log.news.last == .waitingForTrip || log.all.contains(.waitingForTrip))
        let missing = await fleet.requests.count { if case .getTrip = $0.call { $0.at > Sea.start + 12 } else { false } }
        #expect(missing <= 2)
    }

    @Test("after a lost trip, a server that does not know the vehicle is asked again, and the next trip is driven")
    func lostWithVehicle() async throws {
        await fleet.assign(try a)
        await fleet.withdraw(try name("a"), at: Sea.start + 12)
        await fleet.fail { call, date in
            guard date > Sea.start + 12, date < Sea.start + 600 else { return nil }
            return switch call {
            case .getVehicle, .updateVehicle: Sea.error(.notFound, "no vehicle")
            default: nil
            }
        }
        await fleet.assign(try b, at: Sea.start + 620)
        let result = try await run(.assigned(limit: 2))
        #expect(result.trips.map(\.name.trip) == ["a", "b"] && result.trips.map(\.outcome) == [.gone, .completed])
    }

    @Test("a trip that can no longer be read when its turn comes is not waited for")
    func goneBeforeTaken() async throws {
        await fleet.assign(try a, at: Sea.start + 3)
        await fleet.withdraw(try name("a"), at: Sea.start + 7)
        let first = try name("a")
        await fleet.fail { call, _ in call == .getTrip(first) ? Sea.error(.notFound, "lost") : nil }
        await fleet.assign(try b, at: Sea.start + 60)
        let result = try await run(.assigned(limit: 1))
        #expect(result.trips.map(\.name.trip) == ["b"])
        #expect(log.all.filter { if case .withdrawn = $0 { true } else { false } } == [.withdrawn(first)])
    }

    @Test("a trip that was reassigned and comes back is driven")
    func comesBack() async throws {
        await fleet.assign(try a)
        let first = try name("a")
        await fleet.change(at: Sea.start + 10) { $0.vehicleID = "boat-2" }
        await fleet.withdraw(first, at: Sea.start + 16)
        await fleet.assign(try a, at: Sea.start + 60)
        let result = try await run(.assigned(limit: 2))
        #expect(result.trips.map(\.name.trip) == ["a", "a"] && result.trips.map(\.outcome) == [.reassigned, .completed])
    }

    @Test("a single trip that was lost is waited for, and driven when it comes back")
    func singleTrip() async throws {
        await fleet.assign(try a)
        await fleet.withdraw(try name("a"), at: Sea.start + 12)
        await fleet.assign(try a, at: Sea.start + 400)
        let result = try await run(.trip(try name("a")))
        #expect(result.trips.map(\.outcome) == [.gone, .completed] && result.ending == .finished)
    }

    // MARK: Start

    @Test(
        "with a given route it starts at the route's start, but with a trip it continues where it was",
        arguments: [(false, 0.0, 0.0), (true, 150, 1_200), (true, 250, 1_200)])
    func startWay(hasTrip: Bool, aside: Double, along: Double) async throws {
        let fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(along, aside))
        if hasTrip { await fleet.assign(try trip("a", from: Sea.place(2_000, 0), to: Sea.place(3_000, 0), status: .enrouteToPickup)) }
        var car = SimulatedVehicleConfiguration()
        car.startWay = Polyline([Sea.place(-500, 0), Sea.place(4_000, 0)])
        let driver = TripDriver(
            client: fleet, vehicleName: vehicle, assignment: .assigned(limit: 1), router: CornerRouter(),
            source: SimulatedVehicle(car, time: clock), time: clock)
        _ = try await clock.run(parties: 2, cancelAt: Sea.start + 1) { await driver.run() }
        let first = try #require(await fleet.vehicleUpdates.compactMap(\.location).first)
        let expected = !hasTrip ? Sea.place(-500, 0) : aside <= 200 ? Sea.place(along, 0) : Sea.place(along, aside)
        #expect(first.coordinate.distanceMeters(to: expected) < 2)
    }

    @Test("while the server cannot be reached, its position on the route is unknown, and the server is asked again")
    func startWayUnknown() async throws {
        let fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(1_200, 0))
        await fleet.assign(try trip("a", from: Sea.place(2_000, 0), to: Sea.place(3_000, 0), status: .enrouteToPickup))
        await fleet.fail { call, date in
            call == .getVehicle && date < Sea.start + 20 ? Sea.error(.unavailable, "down") : nil
        }
        var car = SimulatedVehicleConfiguration()
        car.startWay = Polyline([Sea.place(-500, 0), Sea.place(4_000, 0)])
        let driver = TripDriver(
            client: fleet, vehicleName: vehicle, assignment: .assigned(limit: 1), router: CornerRouter(),
            source: SimulatedVehicle(car, time: clock), time: clock)
        let running = Task { await driver.run() }
        while await fleet.vehicleUpdates.isEmpty {
            try Task.checkCancellation()
            await clock.advance(by: 1, parties: 1)
        }
        let first = try #require(await fleet.vehicleUpdates.compactMap(\.location).first)
        #expect(first.coordinate.distanceMeters(to: Sea.place(1_200, 0)) < 20)
        running.cancel()
        _ = try await clock.run(parties: 2) { await running.value }
    }
}

@Suite("What a driver learns about his reports")
struct ReportNewsTests {
    private let online = VehicleUpdate(fields: [.state, .deviceSettings], state: .online)

    @Test("online is reported with the first update that the server accepts, and never before")
    func onlineOnce() {
        var news = ReportNews()
        let failure = Sea.error(.notFound, "no vehicle")
        #expect(news.didFail(failure, retryAt: Sea.start + 31, now: Sea.start) == .reportRefused(failure, retryAfterSeconds: 31))
        #expect(news.didSucceed(VehicleUpdate(fields: [.location]), at: Sea.start + 31) == .reportAccepted(afterSeconds: 31))
        #expect(news.didSucceed(online, at: Sea.start + 32) == .online)
        #expect(news.didSucceed(online, at: Sea.start + 42) == nil)
    }

    @Test("each cause is reported once, until a report is accepted again")
    func causes() {
        var news = ReportNews()
        _ = news.didSucceed(online, at: Sea.start)
        for second in 1...3 {
            let told = [Sea.error(.unavailable, "refused"), Sea.error(.unavailable, "reset"), Sea.error(.internal, "refused")].map {
                news.didFail($0, retryAt: Sea.start + 60, now: Sea.start + Double(second)) != nil
            }
            #expect(told == [second == 1, second == 1, second == 1])
        }
        #expect(news.didFail(Sea.error(.invalidArgument, "update_mask cannot be empty"), retryAt: nil, now: Sea.start) == nil)
        #expect(news.didSucceed(online, at: Sea.start + 61) == .reportAccepted(afterSeconds: 60))
        let again = Sea.error(.unavailable, "refused")
        #expect(news.didFail(again, retryAt: nil, now: Sea.start + 99) == .reportRefused(again, retryAfterSeconds: nil))
    }

    @Test("a server with ever new error texts does not fill the memory")
    func bounded() {
        var news = ReportNews()
        let told = (0..<1_000).count { news.didFail(Sea.error(.unknown, "\($0)"), retryAt: nil, now: Sea.start) != nil }
        #expect(told == 32)
    }
}
