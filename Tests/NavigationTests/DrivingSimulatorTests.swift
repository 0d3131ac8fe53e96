import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Driving simulator")
struct DrivingSimulatorTests {
    private func run(
        _ simulator: inout DrivingSimulator, seconds: Int, step: Double = 1
    ) -> [LocationFix] {
        (1...seconds).compactMap { simulator.advance(to: Fixture.start + Double($0) * step) }
    }

    private func simulator(_ route: NavigationRoute, _ configuration: SimulationConfiguration = .init(), seed: UInt64 = 3)
        -> DrivingSimulator
    {
        DrivingSimulator(route: route, configuration: configuration, seed: seed, startingAt: Fixture.start)
    }

    private func twoLegs(_ turn: (Double, Double) = (0, 900)) throws -> NavigationRoute {
        let legs = [[(0.0, 0.0), (0, 500)], [(0, 500), turn]].map { points in
            RouterLeg(
                path: Fixture.path(points), destination: NavigationWaypoint(coordinate: Fixture.place(points[1].0, points[1].1)),
                durationSeconds: 60)
        }
        return try NavigationRoute(legs: legs)
    }

    @Test("The vehicle's position depends on the time alone, not on the number of queries")
    func stepIndependence() throws {
        let route = try Fixture.route(Fixture.serpentine)
        var often = simulator(route)
        var seldom = simulator(route)
        var compared = 0
        for tenth in 1...3_000 where often.activity == .driving {
            let now = Fixture.start + Double(tenth) / 10
            _ = often.advance(to: now)
            guard tenth.isMultiple(of: 70) else { continue }
            _ = seldom.advance(to: now)
            compared += 1
            #expect(often.coordinate.distanceMeters(to: seldom.coordinate) < 0.01)
            #expect(abs(often.speedMetersPerSecond - seldom.speedMetersPerSecond) < 0.01)
        }
        #expect(compared > 10 && often.activity == .arrived)
    }

    @Test("Speed starts and ends at 0, stays between its limits, and never jumps", arguments: 0..<Fixture.shapes.count)
    func smooth(index: Int) throws {
        var vehicle = simulator(try Fixture.route(Fixture.shapes[index].points))
        let configuration = SimulationConfiguration()
        var last = 0.0
        var fastest = 0.0
        for tenth in 1...20_000 where vehicle.activity == .driving {
            _ = vehicle.advance(to: Fixture.start + Double(tenth) / 10)
            let speed = vehicle.speedMetersPerSecond
            #expect(speed - last <= configuration.acceleration * 0.1 + 1e-6)
            #expect(last - speed <= configuration.braking * 0.1 + 1e-6)
            fastest = max(fastest, speed)
            last = speed
        }
        #expect(last == 0 && vehicle.activity == .arrived)
        #expect(fastest > 6 && fastest <= 30)
    }

    @Test("A right angle is driven at 6 m/s, and a route's own speeds are kept")
    func speeds() throws {
        var corner = simulator(try Fixture.route([(0, 0), (0, 1_000), (1_000, 1_000)]))
        var atCorner = Double.infinity
        for fix in run(&corner, seconds: 200, step: 0.25) where fix.coordinate.distanceMeters(to: Fixture.place(0, 1_000)) < 3 {
            atCorner = min(atCorner, fix.speedMetersPerSecond ?? 0)
        }
        #expect(abs(atCorner - 6) < 0.3)
        let leg = RouterLeg(
            path: Fixture.path([(0, 0), (0, 500), (0, 1_000)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, 1_000)),
            durationSeconds: 150, segmentSeconds: [50, 100])
        var town = simulator(try NavigationRoute(legs: [leg]))
        let fixes = run(&town, seconds: 160)
        let first = fixes.filter { $0.coordinate.distanceMeters(to: Fixture.place(0, 250)) < 200 }.compactMap(\.speedMetersPerSecond)
        let second = fixes.filter { $0.coordinate.distanceMeters(to: Fixture.place(0, 750)) < 200 }.compactMap(\.speedMetersPerSecond)
        #expect(abs((first.max() ?? 0) - 10) < 0.01)
        #expect(abs((second.max() ?? 0) - 5) < 0.01)
    }

    @Test("The vehicle stops at the end of each leg until it is told to go on")
    func stops() throws {
        var vehicle = simulator(try twoLegs())
        _ = run(&vehicle, seconds: 100)
        #expect(vehicle.activity == .waitingAtStop(leg: 0))
        #expect(vehicle.coordinate.distanceMeters(to: Fixture.place(0, 500)) < 0.01)
        let standing = vehicle.advance(to: Fixture.start + 200)
        #expect(standing?.speedMetersPerSecond == 0)
        #expect(standing?.time == Fixture.start + 200)
        vehicle.proceed()
        for second in 201...300 { _ = vehicle.advance(to: Fixture.start + Double(second)) }
        #expect(vehicle.activity == .arrived)
        vehicle.proceed()
        #expect(vehicle.activity == .arrived)
    }

    @Test("A jam slows the vehicle along its length; the route shows it as traffic and in its times")
    func jam() throws {
        let route = try Fixture.route([(0, 0), (0, 2_000)])
        var configuration = SimulationConfiguration()
        configuration.jams = [SimulatedJam(offsetMeters: 800, lengthMeters: 400, speedMetersPerSecond: 2.5)]
        var vehicle = simulator(route, configuration)
        #expect(vehicle.route.traffic == [TrafficStretch(startMeters: 800, endMeters: 1_200, speed: .trafficJam)])
        let free = simulator(route).route.durationSeconds
        #expect(vehicle.route.durationSeconds > free + 130 && vehicle.route.durationSeconds < free + 200)
        let slow = run(&vehicle, seconds: 400).filter { fix in
            (800.5...1_199.5).contains(Fixture.origin.distanceMeters(to: fix.coordinate))
        }
        #expect(slow.count >= 158 && slow.allSatisfy { abs(($0.speedMetersPerSecond ?? 0) - 2.5) < 0.01 })
        #expect(vehicle.activity == .arrived)
    }

    @Test("The route's times are the times of the drive", arguments: 0..<Fixture.shapes.count)
    func timed(index: Int) throws {
        var vehicle = simulator(try Fixture.route(Fixture.shapes[index].points))
        let route = vehicle.route
        // The times of the route and the drive agree only at the line's coordinates. Between two coordinates, the vehicle's speed may
        // change, but the route's does not.
        for (place, seconds) in zip(route.line.coordinates, route.cumulativeSeconds) {
            _ = vehicle.advance(to: Fixture.start + seconds)
            #expect(vehicle.coordinate.distanceMeters(to: place) < 1)
        }
        #expect(route.line.coordinates.count >= 2)
        _ = vehicle.advance(to: Fixture.start + route.durationSeconds + 0.001)
        #expect(vehicle.activity == .arrived)
    }

    @Test("Same seed, same fixes; another seed, other errors of the stated size")
    func seeded() throws {
        let route = try Fixture.route([(0, 0), (0, 20_000)])
        var configuration = SimulationConfiguration()
        configuration.noise = SimulatedNoise(accuracyMeters: 12)
        var (one, two, other) = (simulator(route, configuration), simulator(route, configuration), simulator(route, configuration, seed: 4))
        let first = run(&one, seconds: 600)
        #expect(first == run(&two, seconds: 600))
        #expect(first != run(&other, seconds: 600))
        var inside = 0
        var total = 0
        for seed in UInt64(1)...40 {
            var vehicle = simulator(route, configuration, seed: seed)
            for fix in run(&vehicle, seconds: 60) {
                total += 1
                if fix.coordinate.distanceMeters(to: truth(vehicle, fix)) <= 12 { inside += 1 }
            }
        }
        #expect(abs(Double(inside) / Double(total) - 0.68) < 0.08, "\(inside) of \(total)")
    }

    /// Returns the true position of the vehicle at the time of the fix, from the same drive without noise.
    private func truth(_ vehicle: DrivingSimulator, _ fix: LocationFix) -> Coordinate {
        var clean = DrivingSimulator(route: vehicle.route, seed: 0, startingAt: Fixture.start)
        _ = clean.advance(to: fix.time)
        return clean.coordinate
    }

    @Test("In a gap there are no fixes, and the vehicle drives on")
    func gap() throws {
        var configuration = SimulationConfiguration()
        configuration.gaps = [SimulatedGap(afterSeconds: 10, durationSeconds: 30)]
        var vehicle = simulator(try Fixture.route(Fixture.straight), configuration)
        let fixes = run(&vehicle, seconds: 60)
        #expect(fixes.count == 30)
        let speeds = zip(fixes, fixes.dropFirst()).filter { $1.time.timeIntervalSince($0.time) > 20 }
        #expect(speeds.count == 1)
        #expect(speeds.allSatisfy { $0.coordinate.distanceMeters(to: $1.coordinate) > 400 })
    }

    @Test("A paused vehicle stands; a multiplier makes it faster and its times shorter")
    func paceControls() throws {
        var vehicle = simulator(try Fixture.route(Fixture.straight))
        _ = run(&vehicle, seconds: 20)
        vehicle.pause()
        let before = vehicle.coordinate
        #expect(vehicle.advance(to: Fixture.start + 60)?.speedMetersPerSecond == 0)
        #expect(vehicle.coordinate == before)
        vehicle.resume()
        #expect((vehicle.advance(to: Fixture.start + 61)?.speedMetersPerSecond ?? 0) > 20)
        var fast = SimulationConfiguration()
        fast.speedMultiplier = 5
        let route = try Fixture.route(Fixture.straight)
        #expect(abs(simulator(route, fast).route.durationSeconds * 5 - simulator(route).route.durationSeconds) < 0.01)
    }

    @Test("Time that runs backwards or is invalid moves nothing")
    func badTime() throws {
        var vehicle = simulator(try Fixture.route(Fixture.straight))
        _ = run(&vehicle, seconds: 20)
        let before = vehicle.coordinate
        _ = vehicle.advance(to: Fixture.start)
        _ = vehicle.advance(to: Date(timeIntervalSinceReferenceDate: .nan))
        #expect(vehicle.coordinate == before)
        #expect(vehicle.advance(to: Fixture.start + 21) != nil)
        #expect(vehicle.coordinate != before)
    }

    @Test("After a wrong turn, the vehicle leaves the route, and follows a new route from its position", arguments: [90.0, -90, 180, 30])
    func wrongTurn(degrees: Double) throws {
        var configuration = SimulationConfiguration()
        configuration.wrongTurn = SimulatedWrongTurn(offsetMeters: 400, detour: .straight(turnDegrees: degrees, lengthMeters: 300))
        var vehicle = simulator(try Fixture.route([(0, 0), (0, 1_000)]), configuration)
        _ = run(&vehicle, seconds: 150)
        #expect(vehicle.activity == .astray)
        let here = vehicle.coordinate
        #expect(abs(here.distanceMeters(to: Fixture.place(0, 400)) - 300) < 1)
        #expect(abs((Fixture.place(0, 400).bearingDegrees(to: here) - degrees).remainder(dividingBy: 360)) < 1)
        let back = try NavigationRoute(line: Polyline([here, Fixture.place(0, 1_000)]), durationSeconds: 60)
        vehicle.follow(back)
        #expect(vehicle.activity == .driving)
        #expect(vehicle.coordinate.distanceMeters(to: here) < 0.5)
        for second in 151...400 { _ = vehicle.advance(to: Fixture.start + Double(second)) }
        #expect(vehicle.activity == .arrived)
        #expect(vehicle.coordinate.distanceMeters(to: Fixture.place(0, 1_000)) < 0.5)
    }

    @Test(
        "A new route is joined at the current speed if the vehicle is on it, and at 8 m/s at most from beside it",
        arguments: [(0.5, true), (3, false)])
    func follow(east: Double, keepsSpeed: Bool) throws {
        var vehicle = simulator(try Fixture.route(Fixture.straight))
        _ = run(&vehicle, seconds: 20)
        let (before, speed) = (vehicle.coordinate, vehicle.speedMetersPerSecond)
        vehicle.follow(try Fixture.route([(east, 200), (east, 3_000), (1_000, 3_000)]))
        #expect(vehicle.coordinate.distanceMeters(to: before) < 1)
        #expect(speed > 20 && (keepsSpeed ? abs(vehicle.speedMetersPerSecond - speed) < 0.5 : vehicle.speedMetersPerSecond <= 8))
        _ = vehicle.advance(to: Fixture.start + 21)
        #expect(vehicle.coordinate.distanceMeters(to: before) < 40)
        #expect(vehicle.coordinate.latitude > before.latitude)
    }

    @Test("A vehicle without a route stays where it was put")
    func standing() throws {
        var vehicle = try DrivingSimulator(standingAt: Fixture.place(10, 10), seed: 1, startingAt: Fixture.start)
        #expect(vehicle.activity == .arrived)
        #expect(vehicle.advance(to: Fixture.start + 100)?.coordinate.distanceMeters(to: Fixture.place(10, 10)) ?? 9 < 0.01)
        vehicle.follow(try Fixture.route([(10, 10), (10, 500)]))
        _ = vehicle.advance(to: Fixture.start + 130)
        #expect(vehicle.coordinate.distanceMeters(to: Fixture.place(10, 10)) > 100)
        #expect(throws: RouteError.self) {
            try DrivingSimulator(standingAt: Coordinate(latitude: 91, longitude: 0), seed: 1, startingAt: Fixture.start)
        }
    }

    @Test("Impossible settings are clamped and cause no crash")
    func hostileSettings() throws {
        for bad in [Double.nan, .infinity, -.infinity, -5, 0, 1e300] {
            var configuration = SimulationConfiguration()
            configuration.turnSpeedMetersPerSecond = bad
            configuration.straightSpeedMetersPerSecond = bad
            configuration.acceleration = bad
            configuration.braking = bad
            configuration.speedMultiplier = bad
            configuration.accuracyMeters = bad
            configuration.noise = SimulatedNoise(accuracyMeters: bad, correlationSeconds: bad)
            configuration.jams = [SimulatedJam(offsetMeters: bad, lengthMeters: bad, speedMetersPerSecond: bad)]
            configuration.gaps = [SimulatedGap(afterSeconds: bad, durationSeconds: bad)]
            configuration.wrongTurn = SimulatedWrongTurn(offsetMeters: bad, detour: .straight(turnDegrees: bad, lengthMeters: bad))
            var vehicle = simulator(try Fixture.route(Fixture.outAndBack), configuration)
            for fix in run(&vehicle, seconds: 60) { #expect(fix.coordinate.isValid) }
            #expect(vehicle.coordinate.isValid && vehicle.speedMetersPerSecond.isFinite)
        }
    }
}
