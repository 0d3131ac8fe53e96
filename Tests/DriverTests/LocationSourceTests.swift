import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization
import Testing
import TripTesting

/// A location source that returns given fixes, each at the time of the fix.
final class GivenFixes: LocationSource {
    let name = "given fixes"
    private let fixes: [LocationFix]
    private let end: LocationSourceError
    private let time: any TimeSource
    private let given = Mutex(0)

    init(_ fixes: [LocationFix], end: LocationSourceError = .ended, time: any TimeSource) {
        self.fixes = fixes
        self.end = end
        self.time = time
    }

    func nextFix(until deadline: Date) async throws -> LocationFix? {
        let index = given.withLock { $0 }
        guard fixes.indices.contains(index) else { throw end }
        guard fixes[index].time <= max(deadline, time.now()) else {
            try await time.sleep(until: deadline)
            return nil
        }
        try await time.sleep(until: fixes[index].time)
        given.withLock { $0 += 1 }
        return fixes[index]
    }
}

@Suite("A driver whose positions come from a receiver, on a manual clock", .timeLimit(.minutes(2)))
struct LocationSourceTests {
    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: VehicleName
    private let name: TripName
    private let fleet: ScriptedFleet
    private let log = DriverLog()

    init() throws {
        vehicle = try VehicleName(provider: "sea", vehicle: "boat-1")
        name = try TripName(provider: "sea", trip: "t1")
        fleet = ScriptedFleet(clock: clock, vehicle: vehicle)
    }

    private var trip: Trip {
        Trip(
            name: name, vehicleID: "boat-1", status: .new, type: .exclusive, numberOfPassengers: 1, pickupPoint: Sea.place(0, 400),
            dropoffPoint: Sea.place(900, 400))
    }

    /// Returns the fixes of a drive, one per second. The vehicle drives north to the pickup at 10 m/s, waits there for 60 s,
    /// and drives east to the drop-off.
    private func fixes(from second: Int = 0, count: Int = .max) -> [LocationFix] {
        let legs = (0..<40).map { (0.0, Double($0) * 10, 0.0, 10.0) } + (0..<60).map { _ in (0, 400, 0, 0) }
        let rest = (0...90).map { (Double($0) * 10, 400.0, 90.0, $0 < 90 ? 10.0 : 0) } + (0..<30).map { _ in (900, 400, 90, 0) }
        return (legs + rest).prefix(count).enumerated().map { index, fix in
            LocationFix(
                coordinate: Sea.place(fix.0, fix.1), time: Sea.start + Double(second + index), accuracyMeters: 4,
                courseDegrees: fix.3 > 0 ? fix.2 : nil, speedMetersPerSecond: fix.3)
        }
    }

    private func run(
        _ source: some LocationSource, by router: any Router = StraightLineRouter(speedMetersPerSecond: 10)
    ) async throws -> TripDriverResult {
        let (fleet, vehicle, name, clock, log) = (fleet, vehicle, name, clock, log)
        return try await clock.run(parties: 2) {
            await TripDriver(
                client: fleet, vehicleName: vehicle, assignment: .trip(name), router: router, source: source, time: clock,
                onEvent: { log.note($0) }
            ).run()
        }
    }

    @Test("The receiver determines the position: each status in order as the stops are reached, and routes from that position")
    func wholeTrip() async throws {
        await fleet.assign(trip)
        let result = try await run(GivenFixes(fixes(), time: clock))
        #expect(result == TripDriverResult(trips: [DrivenTrip(name: name, outcome: .completed)], ending: .finished))
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"])
        var moments: [TripStatus: Double] = [:]
        for request in await fleet.requests {
            if case .updateTrip(let update) = request.call, let status = update.status {
                moments[status] = request.at.timeIntervalSince(Sea.start)
            }
        }
        // The vehicle counts as arrived when it is within 25 m of the stop. At the pickup, the trip continues 20 s later, while the
        // vehicle still waits.
        #expect((37...41).contains(try #require(moments[.arrivedAtPickup])))
        #expect((57...62).contains(try #require(moments[.enrouteToDropoff])))
        #expect((187...191).contains(try #require(moments[.complete])))
        let places = await fleet.vehicleUpdates.compactMap(\.location?.coordinate)
        let driven = Polyline([Sea.place(0, 0), Sea.place(0, 400), Sea.place(900, 400)])
        #expect(places.count > 15 && places.allSatisfy { driven.nearest(to: $0).map { $0.distanceMeters < 2 } ?? false })
        let routes = await fleet.vehicleUpdates.filter { !$0.route.isEmpty }
        #expect(routes.count == 2 && log.reroutes == 0)
        #expect(await fleet.vehicleUpdates.count { $0.state == .offline } == 1)
    }

    /// Plans straight routes that take four times as long as without traffic. The speed is 10 m/s, which is above the limit of 25 km/h.
    private struct SlowTown: Router {
        let name = "slow town"

        func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
            let plain = try await StraightLineRouter(speedMetersPerSecond: 10).route(request)
            let legs = plain.legs.map { leg in
                var slow = leg
                slow.freeFlowSeconds = leg.durationSeconds / 4
                slow.speedLimits = [SpeedLimitStretch(offsetMeters: 0, lengthMeters: leg.lengthMeters, limit: .kilometersPerHour(25))]
                return slow
            }
            do throws(RouteError) {
                return try PlannedRoute(planner: name, legs: legs)
            } catch {
                throw RoutingError("\(error)", isRetryable: false)
            }
        }
    }

    @Test("Delay, speeding and a lost position are among its events, in this order")
    func onTheWay() async throws {
        await fleet.assign(trip)
        let given = fixes().enumerated().filter { !(120..<150).contains($0.offset) }.map(\.element)
        #expect(try await run(GivenFixes(given, time: clock), by: SlowTown()).trips.map(\.outcome) == [.completed])
        let told = log.navigation.compactMap { event -> String? in
            switch event {
            case .didUpdateDelayCategory(let category, let seconds): "\(category) \(Int(seconds.rounded()))"
            case .didUpdateSpeedAlertSeverity(let severity, let percent): "\(severity) \(Int(percent.rounded()))"
            case .didLoseLocation(let seconds): "lost \(Int(seconds))"
            case .didRegainLocation(let seconds): "back \(Int(seconds))"
            case .didChangeRoute(let change): "\(change)"
            case .didArrive: "arrived"
            default: nil
            }
        }
        // The vehicle drives at 36 km/h, which is 11 km/h or 44 % above the limit. This is a minor excess.
        #expect(
            told == [
                "newDestinations", "light 29", "minor 44", "arrived", "notSpeeding 0", "newDestinations", "medium 67", "minor 44",
                "lost 11",
                "light 53", "back 31", "arrived", "cleared",
            ], "\(told)")
    }

    @Test("While the receiver has no position, no route is requested")
    func lateFirstFix() async throws {
        await fleet.assign(trip)
        let result = try await run(GivenFixes(fixes(from: 45), time: clock))
        #expect(result.trips.map(\.outcome) == [.completed])
        let first = await fleet.requests.first { if case .updateVehicle(let update) = $0.call { !update.route.isEmpty } else { false } }
        #expect(try #require(first?.at).timeIntervalSince(Sea.start) >= 45)
    }

    @Test("A trip that is cancelled while the receiver has no position ends at once")
    func cancelledBeforeFix() async throws {
        await fleet.assign(trip)
        await fleet.change(at: Sea.start + 20) { $0.status = .canceled }
        let result = try await run(GivenFixes(fixes(from: 600), time: clock))
        #expect(result.trips.map(\.outcome) == [.canceled])
        #expect(clock.now().timeIntervalSince(Sea.start) < 30)
    }

    @Test("When the source ends or fails, the vehicle goes OFFLINE and the reason is reported", arguments: [true, false])
    func end(isBroken: Bool) async throws {
        await fleet.assign(trip)
        let error = isBroken ? LocationSourceError.broken("the cable is out") : .ended
        let result = try await run(GivenFixes(fixes(count: 70), end: error, time: clock))
        #expect(result.ending == (isBroken ? .failed(.location(error)) : .sourceEnded))
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF"])
        let updates = await fleet.vehicleUpdates
        #expect(updates.last == VehicleUpdate(fields: [.state, .deviceSettings], state: .offline))
        #expect(clock.now().timeIntervalSince(Sea.start) < 75)
    }

    @Test("If a source ends after a single position, that position is reported before the vehicle goes OFFLINE", arguments: [0, 3])
    func onlyFix(at second: Int) async throws {
        await fleet.assign(trip)
        _ = try await run(GivenFixes(fixes(from: second, count: 1), time: clock))
        let updates = await fleet.vehicleUpdates
        #expect(updates.compactMap(\.location?.coordinate) == [Sea.place(0, 0)])
        #expect(updates.last == VehicleUpdate(fields: [.state, .deviceSettings], state: .offline))
    }

    @Test("A track that has only places and leaves the route gets new routes")
    func bareTrack() async throws {
        await fleet.assign(trip)
        let places = (0..<20).map { (0.0, Double($0) * 10) } + (1...30).map { (Double($0) * 10, 190.0) }
        let given = places.enumerated().map { second, place in
            LocationFix(coordinate: Sea.place(place.0, place.1), time: Sea.start + Double(second))
        }
        #expect(try await run(GivenFixes(given, time: clock)).ending == .sourceEnded)
        #expect(log.reroutes > 0)
    }

    @Test("A track that leads away from the stop gets a new route about once a minute", arguments: [nil, 4] as [Double?])
    func trackAway(accuracy: Double?) async throws {
        await fleet.assign(trip)
        let given = (0..<1_200).map { second in
            LocationFix(coordinate: Sea.place(0, Double(second) * -10), time: Sea.start + Double(second), accuracyMeters: accuracy)
        }
        #expect(try await run(GivenFixes(given, time: clock)).ending == .sourceEnded)
        #expect((10...25).contains(log.reroutes), "\(log.reroutes)")
    }

    /// A router that returns straight routes. Its only street runs north and south through the origin.
    private struct Street: Router {
        let name = "street"

        func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
            try await StraightLineRouter(speedMetersPerSecond: 10).route(request)
        }

        func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? {
            let road = Coordinate(latitude: place.latitude, longitude: Sea.origin.longitude)
            return road.distanceMeters(to: place) <= meters ? road : nil
        }
    }

    @Test("Without a route, a position near a road is reported on the road, and a position farther away is not changed")
    func nearestRoad() async throws {
        let given = (0..<80).map { second in
            LocationFix(
                coordinate: Sea.place(second < 40 ? 12 : 40, Double(second) * 10), time: Sea.start + Double(second), accuracyMeters: 4)
        }
        let (fleet, vehicle, clock) = (fleet, vehicle, clock)
        let source = GivenFixes(given, time: clock)
        let result = try await clock.run(parties: 2) {
            await TripDriver(
                client: fleet, vehicleName: vehicle, assignment: .assigned(limit: nil), router: Street(), source: source, time: clock
            ).run()
        }
        #expect(result.ending == .sourceEnded)
        let reported = await fleet.vehicleUpdates.compactMap(\.location)
        let (snapped, raw) = (reported.filter { $0.isRoadSnapped == true }, reported.filter { $0.isRoadSnapped == false })
        #expect(snapped.count > 2 && raw.count > 2 && snapped.count + raw.count == reported.count)
        for location in snapped {
            #expect(location.coordinate.longitude == Sea.origin.longitude)
            #expect(abs(try #require(location.rawCoordinate).longitude - Sea.place(12, 0).longitude) < 1e-5)
        }
        #expect(raw.allSatisfy { $0.coordinate == $0.rawCoordinate })
    }
}
