import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing
import TripTesting

@Suite("Trip driver on a manual clock", .timeLimit(.minutes(2)))
struct TripDriverTests {
    let clock = ManualTimeSource(Sea.start)
    let vehicle: VehicleName
    let fleet: ScriptedFleet
    let log = DriverLog()

    init() throws {
        vehicle = try VehicleName(provider: "sea", vehicle: "boat-1")
        fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
    }

    func trip(_ id: String = "t1", stops: Int = 0, status: TripStatus = .new, vehicleID: String? = "boat-1") throws -> Trip {
        Trip(
            name: try TripName(provider: "sea", trip: id), vehicleID: vehicleID, status: status, type: .exclusive, numberOfPassengers: 1,
            pickupPoint: Sea.place(300, 400), dropoffPoint: Sea.place(900, 1_600),
            intermediateDestinations: (0..<stops).map { Sea.place(300 + 200 * Double($0), 900) },
            intermediateDestinationsVersion: stops > 0 ? DataVersion(seconds: 17, nanoseconds: 9) : nil)
    }

    func driver(
        _ assignment: TripAssignment, router: any Router = CornerRouter(), _ change: (inout SimulatedDrive) -> Void = { _ in }
    ) -> TripDriver {
        var drive = SimulatedDrive()
        change(&drive)
        let log = log
        return TripDriver(
            client: fleet, vehicleName: vehicle, assignment: assignment, router: router, source: SimulatedVehicle(drive.car, time: clock),
            configuration: drive.driver, time: clock, onEvent: { log.note($0) })
    }

    func run(_ driver: TripDriver, cancelAt second: Double? = nil) async throws -> TripDriverResult {
        try await clock.run(parties: 2, cancelAt: second.map { Sea.start + $0 }) { await driver.run() }
    }

    /// Expects that the vehicle goes OFFLINE exactly once, in the last update of the run, and that no task still waits for the clock.
    func expectOneOffline(_ sourceLocation: SourceLocation = #_sourceLocation) async {
        let updates = await fleet.vehicleUpdates
        #expect(updates.count { $0.fields.contains(.state) && $0.state == .offline } == 1, sourceLocation: sourceLocation)
        #expect(updates.last == VehicleUpdate(fields: [.state, .deviceSettings], state: .offline), sourceLocation: sourceLocation)
        #expect(clock.deadlines.isEmpty, sourceLocation: sourceLocation)
    }

    var name: TripName { get throws { try TripName(provider: "sea", trip: "t1") } }

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
        // The vehicle drives at most 14 m/s and reports every 10 s, so its reported position is at most 140 m behind.
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

    @Test("Cancelling the task ends the run at once with one OFFLINE", arguments: [0.5, 33, 61, 100])
    func taskCancelled(second: Double) async throws {
        await fleet.assign(try trip())
        let result = try await run(driver(.trip(name)), cancelAt: second)
        #expect(result.ending == .stopped && result.trips.isEmpty)
        #expect(clock.now() == Sea.start + second)
        await expectOneOffline()
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
            // Two tasks send requests at the same time, so the requests are sorted. The requests at the start time are left out, because
            // their contents depend on which task sends first.
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
