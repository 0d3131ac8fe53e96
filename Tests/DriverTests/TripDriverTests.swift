import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization
import Testing
import TripTesting

@Suite("Trip driver on a manual clock", .timeLimit(.minutes(2)))
struct TripDriverTests {
    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: VehicleName
    private let fleet: ScriptedFleet
    private let log = DriverLog()

    init() throws {
        vehicle = try VehicleName(provider: "sea", vehicle: "boat-1")
        fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
    }

    private func trip(_ id: String = "t1", stops: Int = 0, status: TripStatus = .new, vehicleID: String? = "boat-1") throws -> Trip {
        Trip(
            name: try TripName(provider: "sea", trip: id), vehicleID: vehicleID, status: status, type: .exclusive, numberOfPassengers: 1,
            pickupPoint: Sea.place(300, 400), dropoffPoint: Sea.place(900, 1_600),
            intermediateDestinations: (0..<stops).map { Sea.place(300 + 200 * Double($0), 900) },
            intermediateDestinationsVersion: stops > 0 ? DataVersion(seconds: 17, nanoseconds: 9) : nil)
    }

    private func driver(
        _ assignment: TripAssignment, router: any Router = CornerRouter(), _ change: (inout SimulatedDrive) -> Void = { _ in }
    ) -> TripDriver {
        var drive = SimulatedDrive()
        change(&drive)
        let log = log
        return TripDriver(
            client: fleet, vehicleName: vehicle, assignment: assignment, router: router, source: SimulatedVehicle(drive.car, time: clock),
            configuration: drive.driver, time: clock, onEvent: { log.note($0) })
    }

    private func run(_ driver: TripDriver, cancelAt second: Double? = nil) async throws -> TripDriverResult {
        try await clock.run(parties: 2, cancelAt: second.map { Sea.start + $0 }) { await driver.run() }
    }

    /// Expects that the vehicle goes OFFLINE exactly once, in the last update of the run.
    private func expectOneOffline(_ sourceLocation: SourceLocation = #_sourceLocation) async {
        let updates = await fleet.vehicleUpdates
        #expect(updates.count { $0.fields.contains(.state) && $0.state == .offline } == 1, sourceLocation: sourceLocation)
        #expect(updates.last == VehicleUpdate(fields: [.state, .deviceSettings], state: .offline), sourceLocation: sourceLocation)
        #expect(clock.deadlines.isEmpty, sourceLocation: sourceLocation)
    }

    private var name: TripName { get throws { try TripName(provider: "sea", trip: "t1") } }

    @Test("A trip with two intermediate stops: each status in order, the stops' index and version, then OFFLINE")
    func wholeTrip() async throws {
        await fleet.assign(try trip(stops: 2))
        let result = try await run(driver(.trip(name)))
        #expect(result == TripDriverResult(trips: [DrivenTrip(name: try name, outcome: .completed)], ending: .finished))
        #expect(
            await fleet.statuses == [
                "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION 0", "ARRIVED_AT_INTERMEDIATE_DESTINATION",
                "ENROUTE_TO_INTERMEDIATE_DESTINATION 1", "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE",
            ])
        #expect(await fleet.requests.allSatisfy { $0.failure == nil })
        await expectOneOffline()
        #expect(log.retries.isEmpty && log.reroutes == 0)
    }

    @Test("It arrives at the stops, waits there for the right time, and reports every 10 s, with the route once per leg")
    func places() async throws {
        await fleet.assign(try trip())
        _ = try await run(driver(.trip(name)) { $0.driver.dwellSeconds = 45 })
        let requests = await fleet.requests
        var lastPlace: Coordinate?
        var moments: [TripStatus: (at: Date, place: Coordinate?)] = [:]
        for request in requests {
            if case .updateVehicle(let update) = request.call { lastPlace = update.location?.coordinate ?? lastPlace }
            if case .updateTrip(let update) = request.call, let status = update.status { moments[status] = (request.at, lastPlace) }
        }
        let arrived = try #require(moments[.arrivedAtPickup]?.at)
        let left = try #require(moments[.enrouteToDropoff]?.at)
        #expect((45...46).contains(left.timeIntervalSince(arrived)))
        // The vehicle drives at most 14 m/s and reports every 10 s, so a report is at most 140 m late.
        #expect(try #require(moments[.arrivedAtPickup]?.place).distanceMeters(to: Sea.place(300, 400)) < 140)
        #expect(try #require(moments[.complete]?.place).distanceMeters(to: Sea.place(900, 1_600)) < 140)
        let updates = await fleet.vehicleUpdates
        #expect(updates.count { $0.fields.contains(.route) && !$0.route.isEmpty } == 2)
        let times = await fleet.updateTimes
        #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) <= 11 })
        #expect(updates.contains { $0.navigationStatus == .arrivedAtDestination && $0.fields.contains(.navigationStatus) })
    }

    @Test("The reported remaining time is the time that the drive really takes, including a jam")
    func honestFigures() async throws {
        await fleet.assign(try trip())
        let driver = driver(.trip(try name)) {
            $0.car.incidents = [SimulatedIncident(on: .dropoff, atFraction: 0.4, .jam(lengthMeters: 200, speedMetersPerSecond: 2))]
        }
        _ = try await run(driver)
        let requests = await fleet.requests
        let done = try #require(requests.last { if case .updateTrip = $0.call { true } else { false } }?.at)
        var checked = 0
        var isOnLastLeg = false
        for request in requests {
            if case .updateTrip(let update) = request.call { isOnLastLeg = update.status == .enrouteToDropoff }
            guard isOnLastLeg, case .updateVehicle(let update) = request.call, let left = update.remainingTimeSeconds,
                update.fields.contains(.location)
            else { continue }
            checked += 1
            #expect(abs(done.timeIntervalSince(request.at) - left) < 8, "\(left)")
        }
        #expect(checked > 10)
        let traffic = await fleet.vehicleUpdates.last { $0.fields.contains(.route) && !$0.route.isEmpty }?.route.traffic
        let jam = try #require(traffic?.first)
        #expect(traffic?.count == 1 && jam.speed == .trafficJam)
        #expect(abs(jam.startMeters - 0.4 * 1_800) < 2 && abs(jam.lengthMeters - 200) < 0.1)
    }

    @Test("A cancelled trip ends without an error within one poll, wherever the vehicle is", arguments: [10.0, 60, 75, 130])
    func canceled(second: Double) async throws {
        await fleet.assign(try trip())
        await fleet.change(at: Sea.start + second) { $0.status = .canceled }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.canceled] && result.ending == .finished)
        #expect(clock.now().timeIntervalSince(Sea.start) <= second + 12)
        #expect(
            await fleet.requests.filter { $0.at > Sea.start + second }.allSatisfy { if case .updateTrip = $0.call { false } else { true } })
        await expectOneOffline()
    }

    @Test("A trip that is given to another vehicle ends too; one that is not yet assigned to this vehicle is waited for")
    func reassigned() async throws {
        await fleet.assign(try trip(vehicleID: nil))
        await fleet.change(at: Sea.start + 40) { $0.vehicleID = "boat-1" }
        await fleet.change(at: Sea.start + 70) { $0.vehicleID = "boat-2" }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.reassigned])
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP"])
        await expectOneOffline()
    }

    @Test("Cancelling the task ends the run at once with one OFFLINE", arguments: [0.5, 33, 61, 100])
    func taskCancelled(second: Double) async throws {
        await fleet.assign(try trip())
        let result = try await run(driver(.trip(name)), cancelAt: second)
        #expect(result.ending == .stopped && result.trips.isEmpty)
        #expect(clock.now() == Sea.start + second)
        await expectOneOffline()
    }

    @Test(
        "A trip that was cancelled since the last poll counts as over at the end of the run; any other one is left unfinished",
        arguments: [true, false])
    func lastLook(isCanceled: Bool) async throws {
        await fleet.assign(try trip())
        if isCanceled { await fleet.change(at: Sea.start + 63.5) { $0.status = .canceled } }
        let result = try await run(driver(.trip(name)), cancelAt: 63.5)
        let over = isCanceled ? [DrivenTrip(name: try name, outcome: .canceled)] : []
        #expect(result.ending == .stopped && result.trips == over && result.foundOver == over)
        #expect(result.unfinished == (isCanceled ? [] : [try name]))
    }

    @Test("Without a trip it waits online for one, and then drives the requested number of trips")
    func assigned() async throws {
        await fleet.assign(try trip("t1"), at: Sea.start + 60)
        await fleet.assign(try trip("t2"), at: Sea.start + 300)
        let result = try await run(driver(.assigned(limit: 2)))
        #expect(result.trips.map(\.name.trip) == ["t1", "t2"])
        #expect(result.trips.map(\.outcome) == [.completed, .completed])
        #expect(log.news.first == .waitingForTrip)
        let online = await fleet.vehicleUpdates.filter { $0.state == .online }
        #expect(!online.isEmpty)
        await expectOneOffline()
    }

    @Test("It waits through an outage of three minutes, and drives the trip to its end")
    func outage() async throws {
        await fleet.assign(try trip(stops: 1))
        await fleet.fail { _, date in
            date > Sea.start + 40 && date < Sea.start + 220 ? Sea.error(.unavailable, "no connection") : nil
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.retries.count >= 3 && log.retries.count < 20)
        // The longest pause between two attempts is 60 s + 20 %, so calls resume at most 72 s after the end of the outage.
        let back = await fleet.requests.first { $0.at >= Sea.start + 220 && $0.failure == nil }?.at
        #expect(try #require(back).timeIntervalSince(Sea.start + 220) <= 72)
        await expectOneOffline()
    }

    @Test("The end of failed polls is reported once, even if the reports never failed")
    func polls() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in
            guard case .getTrip = call, date > Sea.start + 10, date < Sea.start + 60 else { return nil }
            return Sea.error(.unavailable, "no connection")
        }
        #expect(try await run(driver(.trip(name))).trips.map(\.outcome) == [.completed])
        let ends = log.all.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(log.retries.count >= 2 && ends.count == 1 && ends.allSatisfy { (45...122).contains($0) }, "\(ends)")
        #expect(!log.all.contains { if case .reportRefused = $0 { true } else { false } })
    }

    @Test("A refusal is an answer: it ends the time without answers, even before a read succeeds")
    func refusedPolls() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in
            guard case .getTrip = call, date > Sea.start + 10, date < Sea.start + 180 else { return nil }
            return date < Sea.start + 30 ? Sea.error(.unavailable, "no connection") : Sea.error(.unauthenticated, "no token")
        }
        let driver = driver(.trip(try name)) { $0.driver.keepsTrying = true }
        #expect(try await run(driver).trips.map(\.outcome) == [.completed])
        let ends = log.all.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(ends.count == 1 && ends.allSatisfy { $0 < 100 }, "\(ends)")
    }

    @Test(
        "When the server answers reads again, the report is repeated at once, but not if the server asks for fewer calls",
        arguments: [
            nil, Sea.error(.permissionDenied), Sea.error(.resourceExhausted),
            Sea.error(.permissionDenied, "", [.retryInfo(delaySeconds: 90)]),
        ])
    func reportAfterSilence(answer: FleetEngineError?) async throws {
        await fleet.fail { call, date in
            guard date > Sea.start + 10, date < Sea.start + 900 else { return nil }
            if date < Sea.start + 300 { return Sea.error(.unavailable, "no connection") }
            // The first read after the silence gets an answer; the reports still fail.
            return call == .getVehicle ? answer : Sea.error(.unavailable, "no connection")
        }
        _ = try await run(driver(.assigned(limit: nil)) { $0.driver.keepsTrying = true }, cancelAt: 500)
        let read = try #require(await fleet.requests.first { $0.call == .getVehicle && $0.at >= Sea.start + 300 }?.at)
        let asksToWait = answer?.code == .resourceExhausted || answer?.retryDelaySeconds != nil
        #expect(await fleet.updateTimes.contains(read) != asksToWait)
        #expect(log.all.count { if case .recovered = $0 { true } else { false } } == 1)
    }

    @Test("If the server does not know the vehicle, that is an answer too")
    func unknownVehicle() async throws {
        await fleet.fail { call, date in
            guard call == .getVehicle else { return nil }
            return date == Sea.start ? Sea.error(.unavailable, "no connection") : Sea.error(.notFound, "no vehicle")
        }
        let driver = driver(.assigned(limit: nil)) { $0.car.startWay = Polyline([Sea.place(0, 0), Sea.place(900, 0)]) }
        let running = Task { await driver.run() }
        // Until the second request, only the driver waits for the clock. The reporter has nothing to report yet.
        while await fleet.requests.count < 2 {
            try Task.checkCancellation()
            await clock.advance(by: 1, parties: 1)
        }
        running.cancel()
        _ = try await clock.run(parties: 2) { await running.value }
        #expect(log.all.count { if case .recovered = $0 { true } else { false } } == 1, "\(log.news)")
    }

    @Test("Each single call may fail once without harm")
    func oneFailure() async throws {
        let calls = try await callsOfATrip(failing: nil)
        #expect(calls > 40)
        for number in 1...calls { #expect(try await callsOfATrip(failing: number) >= number, "call \(number)") }
    }

    @Test("If the vehicle's position cannot be read at first, the read is repeated, and the trip is driven")
    func noStartPlace() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in call == .getVehicle && date == Sea.start ? Sea.error(.unavailable, "no connection") : nil }
        let driver = driver(.trip(try name))
        let running = Task { await driver.run() }
        // Until the second request, only the driver waits for the clock. The reporter has nothing to report yet.
        while await fleet.requests.count < 2 {
            try Task.checkCancellation()
            await clock.advance(by: 1, parties: 1)
        }
        #expect(log.retries.count == 1)
        let result = try await clock.run(parties: 2) { await running.value }
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(await fleet.requests.count { $0.call == .getVehicle } == 2)
    }

    /// Drives a trip with one stop on a new server. The call with the given number, counted from 1, fails.
    /// - Returns: the number of calls.
    private func callsOfATrip(failing number: Int?) async throws -> Int {
        let world = try TripDriverTests()
        await world.fleet.assign(try trip(stops: 1))
        let seen = Mutex(0)
        await world.fleet.fail { _, _ in
            seen.withLock { count in
                count += 1
                return count == number ? Sea.error(.internal, "once") : nil
            }
        }
        let result = try await world.run(world.driver(.trip(name)) { $0.car.startCoordinate = Sea.place(0, 0) })
        #expect(result.trips.map(\.outcome) == [.completed], "call \(number ?? 0)")
        #expect(await world.fleet.statuses.count == 6, "call \(number ?? 0)")
        #expect(await world.fleet.requests.count { $0.failure != nil } == (number == nil ? 0 : 1), "call \(number ?? 0)")
        let taken = await world.fleet.requests.filter { $0.failure == nil }
        let updates = taken.compactMap { if case .updateVehicle(let update) = $0.call { update } else { nil } }
        #expect(updates.contains { $0.state == .online && $0.fields.contains(.state) }, "call \(number ?? 0)")
        #expect(updates.count { !$0.route.isEmpty } == 3, "call \(number ?? 0)")
        return await world.fleet.requests.count
    }

    @Test(
        "A change is not made twice if its answer was lost",
        arguments: [TripStatus.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
    func lostAnswer(status: TripStatus) async throws {
        await fleet.assign(try trip())
        await fleet.loseAnswer(to: status)
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        let asked = await fleet.requests.count { if case .updateTrip(let request) = $0.call { request.status == status } else { false } }
        #expect(asked == 1)
        let told = log.all.compactMap { if case .status(_, let status) = $0 { status } else { nil } }
        #expect(told == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
    }

    @Test("If the stops change at the last moment, their new version is read and sent back")
    func otherVersion() async throws {
        await fleet.assign(try trip(stops: 1))
        await fleet.change(before: .enrouteToIntermediateDestination) {
            $0.intermediateDestinationsVersion = DataVersion(seconds: 18, nanoseconds: 0)
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(await fleet.statuses.contains("ENROUTE_TO_INTERMEDIATE_DESTINATION 0"))
        #expect(await fleet.requests.contains { $0.failure?.message == "other version" })
    }

    @Test(
        "No status is sent to a trip that was cancelled or reassigned since the last poll",
        arguments: [TripOutcome.canceled, .reassigned])
    func overBeforeStatus(outcome: TripOutcome) async throws {
        await fleet.assign(try trip())
        // The wait at the pickup ends between two polls.
        await fleet.change(at: try await timeOfStatus(.enrouteToDropoff) - 0.5) {
            if outcome == .canceled { $0.status = .canceled } else { $0.vehicleID = "boat-2" }
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [outcome])
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"])
        #expect(await fleet.requests.allSatisfy { $0.failure == nil })
        #expect(log.all.contains(.ended(DrivenTrip(name: try name, outcome: outcome))))
    }

    @Test("No status is sent to a trip that was taken from the vehicle: the driver reports that, and continues when the trip is back")
    func changedBeforeStatus() async throws {
        await fleet.assign(try trip())
        let time = try await timeOfStatus(.enrouteToDropoff)
        await fleet.change(at: time - 0.5) { $0.vehicleID = nil }
        await fleet.change(at: time + 20) { $0.vehicleID = "boat-1" }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.all.contains(.notSent(try name, .enrouteToDropoff, found: .arrivedAtPickup)))
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"])
        let sent = await fleet.requests.filter { if case .updateTrip = $0.call { true } else { false } }.map(\.at)
        #expect(sent.allSatisfy { $0 < time - 0.5 || $0 >= time + 20 })
    }

    /// Returns the time at which the driver sends this status if nothing goes wrong and nothing is changed.
    private func timeOfStatus(_ status: TripStatus) async throws -> Date {
        let world = try TripDriverTests()
        await world.fleet.assign(try trip())
        _ = try await world.run(world.driver(.trip(name)))
        return try #require(
            await world.fleet.requests.first {
                if case .updateTrip(let request) = $0.call { request.status == status } else { false }
            }?.at)
    }

    @Test("If the drop-off moves, the vehicle drives to the new place")
    func movedStop() async throws {
        await fleet.assign(try trip())
        await fleet.change(at: Sea.start + 120) { $0.dropoffPoint = Sea.place(-600, 900) }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        let end = await fleet.vehicleUpdates.last { $0.fields.contains(.route) && !$0.route.isEmpty }?.routeEndPoint
        #expect(try #require(end).coordinate == Sea.place(-600, 900))
        #expect(try #require(await fleet.vehicle.lastLocation).coordinate.distanceMeters(to: Sea.place(-600, 900)) < 140)
    }

    @Test("After a wrong turn it is off route, gets a new route, and arrives", arguments: [90.0, -90, 180])
    func wrongTurn(degrees: Double) async throws {
        await fleet.assign(try trip())
        let driver = driver(.trip(try name)) {
            $0.car.incidents = [
                SimulatedIncident(on: .dropoff, atFraction: 0.3, .wrongTurn(.straight(turnDegrees: degrees, lengthMeters: 250)))
            ]
        }
        let result = try await run(driver)
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.reroutes >= 1)
        let reason: RerouteReason = abs(degrees) == 180 ? .wrongWay : .offRoute
        let began = try #require(log.navigation.firstIndex(of: .didBeginRerouting(reason)))
        #expect(log.navigation[began...].contains(.didChangeRoute(.reroute)))
        #expect(try #require(await fleet.vehicle.lastLocation).coordinate.distanceMeters(to: Sea.place(900, 1_600)) < 140)
    }

    @Test("A router that fails is asked again; if it finds no route, the run ends only if the driver does not keep trying")
    func routerFailures() async throws {
        await fleet.assign(try trip())
        let router = CornerRouter { $0 <= 3 ? RoutingError("router is down", isRetryable: true) : nil }
        let result = try await run(driver(.trip(name), router: router))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.retries.count == 3)
        let never = CornerRouter { _ in RoutingError("no way", isRetryable: false) }
        await fleet.assign(try trip())
        let end = try await run(driver(.trip(name), router: never) { $0.driver.keepsTrying = false })
        #expect(end.ending == .failed(.route(RoutingError("no way", isRetryable: false))))
    }

    @Test("A trip that does not exist ends the run only if the driver does not keep trying")
    func notFound() async throws {
        let end = try await run(driver(.trip(name)) { $0.driver.keepsTrying = false })
        #expect(end.ending == .failed(.fleetEngine(Sea.error(.notFound, "no trip"))))
        await expectOneOffline()
        let waits = try await run(driver(.trip(name)), cancelAt: clock.now().timeIntervalSince(Sea.start) + 600)
        #expect(waits.ending == .stopped)
    }

    @Test("A known trip that disappears is given up after a minute, and the next one is driven")
    func gone() async throws {
        await fleet.assign(try trip("t1"))
        await fleet.assign(try trip("t2"))
        let first = try name
        await fleet.fail { call, date in
            switch call {
            case .getTrip(let name) where name == first && date > Sea.start + 30: Sea.error(.notFound, "deleted")
            case .updateTrip(let request) where request.name == first && date > Sea.start + 30: Sea.error(.notFound, "deleted")
            default: nil
            }
        }
        let result = try await run(driver(.assigned(limit: 2)))
        #expect(result.trips.map(\.outcome) == [.gone, .completed])
        await expectOneOffline()
    }

    @Test(
        "A driver that restarts continues at the trip's status",
        arguments: [TripStatus.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff])
    func resume(status: TripStatus) async throws {
        await fleet.assign(try trip(status: status))
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        let order = ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        #expect(await fleet.statuses == Array(order.drop { $0 != status.name }.dropFirst()))
    }

    @Test("A drop-off that is not known yet is waited for during the ride")
    func laterDropoff() async throws {
        var open = try trip()
        open.dropoffPoint = nil
        await fleet.assign(open)
        await fleet.change(at: Sea.start + 300) { $0.dropoffPoint = Sea.place(900, 1_600) }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(clock.now() > Sea.start + 300)
        #expect(try #require(await fleet.vehicle.lastLocation).coordinate.distanceMeters(to: Sea.place(900, 1_600)) < 140)
    }

    @Test("Impossible settings are clamped, and the trip is driven", arguments: [Double.nan, .infinity, -1, 0, 1e300])
    func hostileSettings(figure: Double) async throws {
        await fleet.assign(try trip())
        let driver = driver(.trip(try name)) {
            $0.driver.dwellSeconds = figure
            $0.driver.fixIntervalSeconds = figure
            $0.driver.pollIntervalSeconds = figure
            $0.driver.reportIntervalSeconds = figure
            $0.car.incidents = [
                SimulatedIncident(on: .dropoff, atFraction: figure, .jam(lengthMeters: figure, speedMetersPerSecond: figure))
            ]
        }
        let result = try await clock.run(parties: 2, limit: 200_000) { await driver.run() }
        #expect(result.trips.map(\.outcome) == [.completed])
        await expectOneOffline()
    }

    @Test("With the same seed, two runs have the same requests at the same times")
    func deterministic() async throws {
        var runs: [[String]] = []
        for _ in 0..<3 {
            let clock = ManualTimeSource(Sea.start)
            let fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
            await fleet.assign(try trip(stops: 1))
            await fleet.fail { _, date in date > Sea.start + 100 && date < Sea.start + 150 ? Sea.error(.unavailable) : nil }
            var car = SimulatedVehicleConfiguration()
            car.simulation.noise = SimulatedNoise(accuracyMeters: 6)
            let driver = TripDriver(
                client: fleet, vehicleName: vehicle, assignment: .trip(try name), router: CornerRouter(),
                source: SimulatedVehicle(car, time: clock), time: clock)
            _ = try await clock.run(parties: 2) { await driver.run() }
            // Two tasks send requests at the same time, so the requests are sorted. The first ones are left out, because their contents
            // depend on the order.
            let requests = await fleet.requests.filter { $0.at > Sea.start }
            runs.append(requests.map { "\($0.at.timeIntervalSince(Sea.start)) \($0.call)" }.sorted())
        }
        for run in runs.dropFirst() { #expect(run == runs[0], "\(run.difference(from: runs[0]))") }
        #expect(runs[0].count > 50)
    }

    @Test("On the computer's clock, 2,000 times as fast, a trip is driven as well")
    func scaledClock() async throws {
        let fast = SystemTimeSource(speed: 2_000)
        await fleet.assign(try trip())
        let driver = TripDriver(
            client: fleet, vehicleName: vehicle, assignment: .trip(try name), router: StraightLineRouter(),
            source: SimulatedVehicle(time: fast), time: fast)
        let result = await driver.run()
        #expect(result.trips.map(\.outcome) == [.completed])
    }
}
