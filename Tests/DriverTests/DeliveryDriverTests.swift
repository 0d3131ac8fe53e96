import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing
import TripTesting

@Suite("The driver of a delivery vehicle, on a manual clock", .timeLimit(.minutes(2)))
struct DeliveryDriverTests {
    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: DeliveryVehicleName
    private let fleet: ScriptedDeliveryFleet
    private let log = DeliveryLog()

    init() throws {
        vehicle = try DeliveryVehicleName(provider: "sea", vehicle: "van")
        fleet = ScriptedDeliveryFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
    }

    private static func stop(_ east: Double, _ tasks: String..., seconds: Double = 30, state: VehicleStopState = .new) -> VehicleStop {
        VehicleStop(
            plannedLocation: Sea.place(east, 0), tasks: tasks.map { StopTask(taskID: $0, durationSeconds: seconds) }, state: state)
    }

    /// Returns the driver of a simulated van that drives at 14 m/s.
    private func driver(
        controls: DeliveryControls? = nil, source: (any LocationSource)? = nil, on fleet: ScriptedDeliveryFleet? = nil,
        router: any Router = StraightLineRouter(speedMetersPerSecond: 10), _ change: (inout DeliveryDriverConfiguration) -> Void
    ) -> DeliveryDriver {
        var configuration = DeliveryDriverConfiguration()
        change(&configuration)
        let log = log
        return DeliveryDriver(
            client: fleet ?? self.fleet, vehicleName: vehicle, router: router,
            source: source ?? SimulatedVehicle(SimulatedDrive().car, time: clock), configuration: configuration, time: clock,
            controls: controls, onEvent: { log.note($0) })
    }

    /// Runs the driver of a simulated van for at most `second` seconds. The van drives at 14 m/s.
    private func run(
        until second: Double, controls: DeliveryControls? = nil, source: (any LocationSource)? = nil,
        on fleet: ScriptedDeliveryFleet? = nil, router: any Router = StraightLineRouter(speedMetersPerSecond: 10),
        _ change: (inout DeliveryDriverConfiguration) -> Void = { $0.isAutomatic = true }
    ) async throws -> DeliveryDriverResult {
        let driver = driver(controls: controls, source: source, on: fleet, router: router, change)
        return try await clock.run(parties: 2, cancelAt: Sea.start + second) { await driver.run() }
    }

    @Test("In automatic mode, it serves every stop in order: sets off, arrives, stays for the tasks' durations, and closes them")
    func automatic() async throws {
        await fleet.plan([Self.stop(700, "t1", "t2"), Self.stop(1_400, "t3")])
        let result = try await run(until: 400)
        #expect(result == DeliveryDriverResult(done: 2, failed: 0, ending: .stopped))
        #expect(
            await fleet.steps == [
                "t1+t2 ENROUTE", "t1+t2 ARRIVED", "t1 SUCCEEDED", "t2 SUCCEEDED", "t3 NEW", "t3 ENROUTE", "t3 ARRIVED", "t3 SUCCEEDED",
                "empty",
            ])
        let arrived = try #require(await fleet.second(of: "t1+t2 ARRIVED"))
        let left = try #require(await fleet.second(of: "t3 NEW"))
        #expect((60...62).contains(left - arrived))
        #expect(log.news.last == .waitingForStops && log.news.contains(.reporting))
    }

    @Test("After the last stop it waits for new ones, and sends nothing when it ends")
    func newStops() async throws {
        await fleet.plan([Self.stop(700, "t1")])
        await fleet.plan([Self.stop(100, "t2")], at: Sea.start + 200)
        #expect(try await run(until: 500).done == 2)
        #expect(await fleet.updates.allSatisfy { !$0.fields.isEmpty })
    }

    @Test("Requests name the same fields as the real SDK: position and figures on the road, only the position at a stop")
    func masks() async throws {
        await fleet.plan([Self.stop(1_400, "t1", seconds: 60)])
        _ = try await run(until: 190)
        let masks = await fleet.updates.map(\.fields).filter { !$0.contains(.stops) }
        let newLeg: DeliveryVehicleUpdate.Fields = [.navigationStatus, .route, .routeEndPoint, .remainingDuration, .remainingDistance]
        #expect(masks.contains { $0.isSuperset(of: newLeg) })
        #expect(masks.count { $0 == [.location, .remainingDuration, .remainingDistance] } > 3)
        let arrived = try #require(await fleet.second(of: "t1 ARRIVED"))
        let standing = await fleet.requests.compactMap { request -> DeliveryVehicleUpdate.Fields? in
            guard case .update(let update) = request.call, request.at >= Sea.start + arrived + 12 else { return nil }
            return update.fields.contains(.stops) ? nil : update.fields
        }
        #expect(!standing.isEmpty && standing.allSatisfy { $0 == [.location] }, "\(standing)")
    }

    @Test("In manual mode, it drives to a stop that the provider has set ENROUTE, and changes nothing itself")
    func untrusted() async throws {
        await fleet.plan([Self.stop(700, "t1", state: .enroute)])
        let result = try await run(until: 200) { $0.isAutomatic = false }
        #expect(result == DeliveryDriverResult(done: 0, failed: 0, ending: .stopped))
        #expect(await fleet.steps.isEmpty)
        let place = try #require(await fleet.vehicle.lastLocation?.coordinate)
        #expect(place.distanceMeters(to: Sea.place(700, 0)) < 30)
    }

    @Test("Each command makes one step; a command that does not fit the stop's state is ignored, and reported")
    func commands() async throws {
        await fleet.plan([Self.stop(700, "t1"), Self.stop(900, "t2")])
        let controls = DeliveryControls()
        let source = Commanding(controls, [10: .arrived, 20: .setOff, 30: .end(.succeeded), 40: .arrived, 50: .end(.failed), 60: .setOff])
        let fixes = source.wrapping(SimulatedVehicle(SimulatedDrive().car, time: clock), clock)
        let result = try await run(until: 80, controls: controls, source: fixes) { $0.isAutomatic = false }
        #expect(result == DeliveryDriverResult(done: 0, failed: 1, ending: .stopped))
        #expect(await fleet.steps == ["t1 ENROUTE", "t1 ARRIVED", "t1 FAILED", "t2 NEW", "t2 ENROUTE"])
        let ignored = log.news.filter { if case .ignored = $0 { true } else { false } }
        #expect(ignored == [.ignored(.arrived, .new), .ignored(.end(.succeeded), .enroute)])
    }

    @Test("A command that the server refuses is reported and dropped; after a failure that is retryable, the command is repeated")
    func refusedCommand() async throws {
        await fleet.plan([Self.stop(700, "t1")])
        await fleet.fail { call, now in
            guard case .update(let update) = call, update.fields.contains(.stops) else { return nil }
            if now < Sea.start + 15 { return Sea.error(.permissionDenied, "not trusted") }
            return now < Sea.start + 32 ? Sea.error(.unavailable, "no connection") : nil
        }
        let controls = DeliveryControls()
        let source = Commanding(controls, [10: .setOff, 30: .setOff])
        let fixes = source.wrapping(SimulatedVehicle(SimulatedDrive().car, time: clock), clock)
        _ = try await run(until: 60, controls: controls, source: fixes) { $0.isAutomatic = false }
        let refused = log.news.filter { if case .refused = $0 { true } else { false } }
        #expect(refused == [.refused(.setOff, Sea.error(.permissionDenied, "not trusted"))])
        #expect(log.retries == [.fleetEngine(Sea.error(.unavailable, "no connection"))], "\(log.retries)")
        #expect(await fleet.steps == ["t1 ENROUTE"])
    }

    @Test("A van with a receiver arrives within 50 m and below 2 m/s, and the end of its source ends the drive")
    func receiver() async throws {
        await fleet.plan([Self.stop(400, "t1")])
        // The van waits 60 m before the stop, and then again 40 m before the stop.
        let places = (0...34).map { (Double($0) * 10, 10.0) } + (0..<20).map { _ in (340, 0.0) } + (0..<60).map { _ in (360, 0.5) }
        let fixes = places.enumerated().map { index, place in
            LocationFix(
                coordinate: Sea.place(place.0, 0), time: Sea.start + Double(index), accuracyMeters: 4, courseDegrees: 90,
                speedMetersPerSecond: place.1)
        }
        let result = try await run(until: 1_000, source: GivenFixes(fixes, time: clock))
        #expect(result == DeliveryDriverResult(done: 1, failed: 0, ending: .sourceEnded))
        let arrived = try #require(await fleet.second(of: "t1 ARRIVED"))
        #expect((55...57).contains(arrived))
    }

    @Test("A restarted driver stays at its stop only for the rest of the tasks' durations")
    func restarted() async throws {
        await fleet.plan([Self.stop(0, "t1", seconds: 100, state: .arrived)])
        let result = try await run(until: 60) {
            $0.isAutomatic = true
            $0.lastArrival = StopArrival(taskIDs: ["t1"], date: Sea.start - 70)
        }
        #expect(result.done == 1)
    }

    @Test("The arrival at another stop does not shorten the time at this one")
    func otherArrival() async throws {
        await fleet.plan([Self.stop(0, "t1", seconds: 100, state: .arrived)])
        let result = try await run(until: 60) {
            $0.isAutomatic = true
            $0.lastArrival = StopArrival(taskIDs: ["t0"], date: Sea.start - 70)
        }
        #expect(result.done == 0)
    }

    @Test("A task with another outcome keeps it and is not reported as done, and the stop is removed from the list nevertheless")
    func otherOutcome() async throws {
        await fleet.plan([Self.stop(0, "t1", "t2", seconds: 5, state: .arrived)])
        await fleet.decide("t1", .failed)
        #expect(try await run(until: 60).done == 1)
        #expect(await fleet.steps == ["t2 SUCCEEDED", "empty"])
        let isTold = log.news.contains { if case .outcomeNotTaken("t1", _) = $0 { true } else { false } }
        #expect(isTold)
        #expect(log.news.contains(.ended(Self.stop(0, "t2", seconds: 5, state: .arrived), .succeeded)), "\(log.news)")
    }

    @Test("Without the right to change stops it continues to report, and resumes as soon as it has the right")
    func denied() async throws {
        await fleet.plan([Self.stop(700, "t1")])
        await fleet.fail { call, now in
            guard case .update(let update) = call, update.fields.contains(.stops), now < Sea.start + 90 else { return nil }
            return Sea.error(.permissionDenied, "not trusted")
        }
        #expect(try await run(until: 400).done == 1)
        let isTold = log.news.contains { if case .notAllowed(Sea.error(.permissionDenied, "not trusted"), _) = $0 { true } else { false } }
        #expect(isTold && log.retries.isEmpty)
        #expect(await fleet.updates.count { $0.fields.contains(.location) } > 20)
    }

    @Test("If the provider removes a stop while the van drives to it, the van drives to the next one")
    func taken() async throws {
        await fleet.plan([Self.stop(2_000, "t1"), Self.stop(300, "t2")])
        await fleet.plan([Self.stop(300, "t2")], at: Sea.start + 30)
        #expect(try await run(until: 300).done == 1)
        #expect(await fleet.steps == ["t1 ENROUTE", "t2 ENROUTE", "t2 ARRIVED", "t2 SUCCEEDED", "empty"])
    }

    @Test("If the provider removes a stop without a route to it, the van drives to the next one at once")
    func noWay() async throws {
        await fleet.plan([Self.stop(2_000, "t1"), Self.stop(300, "t2")])
        await fleet.plan([Self.stop(300, "t2")], at: Sea.start + 60)
        #expect(try await run(until: 200, router: ShortWays()).done == 1)
        #expect(await fleet.steps == ["t1 ENROUTE", "t2 ENROUTE", "t2 ARRIVED", "t2 SUCCEEDED", "empty"])
        #expect(log.retries.contains(.route(ShortWays.failure)))
    }

    @Test("The end of failed reads of the stops is reported once")
    func failedReads() async throws {
        await fleet.plan([Self.stop(2_000, "t1")])
        await fleet.fail { call, now in
            call == .get && now > Sea.start && now < Sea.start + 60 ? Sea.error(.unavailable, "no connection") : nil
        }
        _ = try await run(until: 180)
        let ends = log.news.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(log.retries.count >= 2 && ends.count == 1 && ends.allSatisfy { (50...130).contains($0) }, "\(ends)")
    }

    @Test("A refused read is an answer, so it ends the time without answers")
    func refusedReads() async throws {
        await fleet.plan([Self.stop(2_000, "t1")])
        await fleet.fail { call, now in
            guard call == .get, now > Sea.start, now < Sea.start + 240 else { return nil }
            return now < Sea.start + 30 ? Sea.error(.unavailable, "no connection") : Sea.error(.permissionDenied, "not yours")
        }
        _ = try await run(until: 500)
        let ends = log.news.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(ends.count == 1 && ends.allSatisfy { $0 < 100 }, "\(ends)")
    }

    @Test("A failed creation is not a failed read, because the server has answered the read")
    func failedCreation() async throws {
        let empty = ScriptedDeliveryFleet(clock: clock, vehicle: vehicle, at: nil, isThere: false)
        await empty.fail { call, now in call == .create && now < Sea.start + 20 ? Sea.error(.unavailable, "no connection") : nil }
        let new = DeliveryVehicle(name: vehicle, lastLocation: VehicleLocation(coordinate: Sea.place(0, 0)))
        let driver = driver(on: empty) { $0.newVehicle = new }
        let running = Task { await driver.run() }
        // Until the vehicle is created, the driver is the only task that waits for the clock.
        while await empty.requests.isEmpty, clock.now() < Sea.start + 120 { await clock.advance(by: 1, parties: 1) }
        running.cancel()
        #expect(try await clock.run(parties: 2) { await running.value }.ending == .stopped)
        #expect(log.news.contains(.created) && !log.retries.isEmpty)
        #expect(!log.news.contains { if case .recovered = $0 { true } else { false } }, "\(log.news)")
    }

    @Test("A refused read is repeated, even if the driver may create the vehicle; a refused creation ends the drive")
    func refusedCreation() async throws {
        let denied = Sea.error(.permissionDenied, "not yours")
        let new = DeliveryVehicle(name: vehicle, lastLocation: VehicleLocation(coordinate: Sea.place(0, 0)))
        await fleet.fail { call, now in call == .get && now < Sea.start + 10 ? denied : nil }
        let driver = driver { $0.newVehicle = new }
        let running = Task { await driver.run() }
        // Until the driver has read the vehicle, no other task waits for the clock.
        while await fleet.requests.isEmpty, clock.now() < Sea.start + 60 { await clock.advance(by: 1, parties: 1) }
        running.cancel()
        #expect(try await clock.run(parties: 2) { await running.value }.ending == .stopped)
        #expect(log.retries == [.fleetEngine(denied)])
        let empty = ScriptedDeliveryFleet(clock: clock, vehicle: vehicle, at: nil, isThere: false)
        await empty.fail { call, _ in call == .create ? denied : nil }
        #expect(try await run(until: 120, on: empty) { $0.newVehicle = new }.ending == .failed(.fleetEngine(denied)))
    }

    @Test("If the server does not have the vehicle, the drive ends or the vehicle is created")
    func missing() async throws {
        let empty = ScriptedDeliveryFleet(clock: clock, vehicle: vehicle, at: nil, isThere: false)
        let result = try await run(until: 60, on: empty) { $0.isAutomatic = true }
        #expect(result.ending == .failed(.fleetEngine(Sea.error(.notFound, "no such vehicle"))))
        let new = DeliveryVehicle(name: vehicle, lastLocation: VehicleLocation(coordinate: Sea.place(0, 0)))
        let other = try await run(until: 60, on: empty) { $0.newVehicle = new }
        #expect(other.ending == .stopped && log.news.contains(.created))
    }
}

/// A router that finds no route if the distance is more than one kilometre.
private struct ShortWays: Router {
    static let failure = RoutingError("no way", isRetryable: true)
    let name = "short"

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        guard let end = request.destinations.first, request.origin.distanceMeters(to: end.coordinate) <= 1_000 else { throw Self.failure }
        return try await StraightLineRouter(speedMetersPerSecond: 10).route(request)
    }
}

/// Sends commands to the driver at certain times during the drive.
private struct Commanding {
    let controls: DeliveryControls
    let commands: [Int: DeliveryCommand]

    init(_ controls: DeliveryControls, _ commands: [Int: DeliveryCommand]) {
        self.controls = controls
        self.commands = commands
    }

    /// Returns a location source that sends each command together with the first fix at or after the command's time.
    func wrapping(_ car: SimulatedVehicle, _ clock: ManualTimeSource) -> any LocationSource { Source(car: car, clock: clock, plan: self) }

    private struct Source: SelfDrivingSource {
        let car: SimulatedVehicle
        let clock: ManualTimeSource
        let plan: Commanding

        var name: String { car.name }
        var place: Coordinate? { car.place }
        var activity: DrivingSimulator.Activity? { car.activity }

        func begin(lastSeen: @Sendable (_ isOptional: Bool) async throws -> Vehicle?) async throws {
            try await car.begin(lastSeen: lastSeen)
        }

        func follow(_ route: NavigationRoute, to stop: TripStop, change: RouteChange) -> NavigationRoute {
            car.follow(route, to: stop, change: change)
        }

        func nextFix(until deadline: Date) async throws -> LocationFix? {
            let before = clock.now()
            let fix = try await car.nextFix(until: deadline)
            let (start, end) = (Int(before.timeIntervalSince(Sea.start)), Int(clock.now().timeIntervalSince(Sea.start)))
            for second in start..<max(start, end) {
                if let command = plan.commands[second + 1] { plan.controls.tell(command) }
            }
            return fix
        }
    }
}
