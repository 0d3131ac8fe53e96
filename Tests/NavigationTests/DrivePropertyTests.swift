import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Simulated drives with a navigator on board")
struct DrivePropertyTests {
    private func check(_ drive: Drive, _ name: String) {
        #expect(drive.arrivals == 1, "\(name)")
        #expect(drive.alarms == 0, "\(name)")
        #expect(!drive.progressFalls, "\(name)")
        #expect(drive.navigator.remaining?.distanceMeters == 0, "\(name)")
        #expect(drive.navigator.remaining?.timeSeconds == 0, "\(name)")
        #expect(drive.navigator.status == .arrivedAtDestination, "\(name)")
    }

    @Test(
        "Without noise every shape is driven to its end: one arrival, no alarm, progress never falls", arguments: 0..<Fixture.shapes.count)
    func shapes(index: Int) throws {
        let shape = Fixture.shapes[index]
        var drive = Drive(try Fixture.route(shape.points))
        drive.run()
        check(drive, shape.name)
        #expect(drive.simulator.activity == .arrived)
    }

    @Test("Progress differs from the vehicle's by at most the distance of a second", arguments: 0..<Fixture.shapes.count)
    func progressIsTrue(index: Int) throws {
        let route = try Fixture.route(Fixture.shapes[index].points)
        var drive = Drive(route)
        var travelled = 0.0
        while drive.simulator.activity == .driving {
            let before = drive.simulator.coordinate
            drive.step()
            travelled += before.distanceMeters(to: drive.simulator.coordinate)
            // `travelled` adds up straight lines, which cut corners. So the progress must be at least as long.
            #expect(drive.navigator.progressMeters >= travelled - 1, "\(Fixture.shapes[index].name)")
            #expect(drive.navigator.progressMeters <= travelled + 40, "\(Fixture.shapes[index].name)")
        }
    }

    @Test("Without noise random walks are driven to their ends", arguments: UInt64(1)...60)
    func randomWalks(seed: UInt64) throws {
        var drive = Drive(try Fixture.route(Fixture.randomWalk(seed: seed)), seed: seed)
        drive.run()
        check(drive, "seed \(seed)")
    }

    @Test("A sensor without course and speed is enough, whatever the shape", arguments: 0..<Fixture.shapes.count)
    func withoutCourse(index: Int) throws {
        let shape = Fixture.shapes[index]
        let route = try Fixture.route(shape.points)
        var drive = Drive(route)
        var bare = NavigatorState()
        bare.reset(to: route)
        var events: [NavigatorEvent] = []
        for _ in 0..<2_000 where drive.simulator.activity == .driving || events.isEmpty {
            drive.step()
            let fix = LocationFix(coordinate: drive.simulator.coordinate, time: drive.now, accuracyMeters: 5)
            events += bare.apply(fix, at: drive.now)
        }
        let milestones = events.milestones
        #expect(milestones == [.didArrive(route.legs[0].destination)], "\(shape.name): \(milestones)")
    }

    @Test("With errors of 6 m a town's shapes still give one arrival and no alarm", arguments: 0..<Fixture.shapes.count, UInt64(1)...5)
    func noise(index: Int, seed: UInt64) throws {
        let shape = Fixture.shapes[index]
        var configuration = SimulationConfiguration()
        configuration.noise = SimulatedNoise(accuracyMeters: 6)
        var drive = Drive(try Fixture.route(shape.points), configuration: configuration, seed: seed)
        drive.run(and: 60)
        #expect(drive.arrivals == 1, "\(shape.name) \(seed)")
        #expect(drive.alarms == 0, "\(shape.name) \(seed)")
        #expect(!drive.progressFalls)
    }

    @Test("An hour straight on with errors of 6 m causes no alarm", arguments: UInt64(1)...8)
    func straightHour(seed: UInt64) throws {
        var configuration = SimulationConfiguration()
        configuration.noise = SimulatedNoise(accuracyMeters: 6)
        configuration.straightSpeedMetersPerSecond = 10
        var drive = Drive(try Fixture.route([(0, 0), (0, 37_000)]), configuration: configuration, seed: seed)
        for _ in 0..<3_600 { drive.step() }
        #expect(drive.alarms == 0)
        #expect(drive.navigator.progressMeters > 35_000)
    }

    @Test("Gaps of half a minute do not throw the navigator off")
    func gaps() throws {
        var configuration = SimulationConfiguration()
        configuration.gaps = [SimulatedGap(afterSeconds: 30, durationSeconds: 35), SimulatedGap(afterSeconds: 90, durationSeconds: 20)]
        for shape in Fixture.shapes {
            var drive = Drive(try Fixture.route(shape.points), configuration: configuration)
            drive.run()
            #expect(drive.arrivals == 1, "\(shape.name)")
            #expect(drive.alarms == 0, "\(shape.name)")
        }
    }

    /// Drives a route with errors in the positions. Returns the largest error of the navigator's progress, in metres.
    private func worstError(
        _ points: [(Double, Double)], noise: Double, speed: Double, knowsCourse: Bool, seed: UInt64
    ) throws -> Double {
        let route = try Fixture.route(points)
        var configuration = SimulationConfiguration()
        configuration.straightSpeedMetersPerSecond = speed
        var truth = DrivingSimulator(route: route, configuration: configuration, seed: seed, startingAt: Fixture.start)
        configuration.noise = SimulatedNoise(accuracyMeters: noise)
        var vehicle = DrivingSimulator(route: route, configuration: configuration, seed: seed, startingAt: Fixture.start)
        var navigator = NavigatorState()
        navigator.reset(to: route)
        var (now, travelled, worst) = (Fixture.start, 0.0, 0.0)
        while truth.activity == .driving {
            now += 1
            for part in 1...4 {
                let before = truth.coordinate
                _ = truth.advance(to: now - 1 + Double(part) / 4)
                travelled += before.distanceMeters(to: truth.coordinate)
            }
            guard let fix = vehicle.advance(to: now) else { continue }
            let bare = LocationFix(coordinate: fix.coordinate, time: now, accuracyMeters: noise)
            _ = navigator.apply(knowsCourse ? fix : bare, at: now)
            worst = max(worst, abs(navigator.progressMeters - travelled))
        }
        return worst
    }

    @Test(
        "With errors of 12 m progress stays within 60 m of the truth, also between streets 20 m apart", arguments: 0..<Fixture.shapes.count)
    func noisyTruth(index: Int) throws {
        let shape = Fixture.shapes[index]
        for seed in UInt64(1)...10 {
            let error = try worstError(shape.points, noise: 12, speed: 14, knowsCourse: true, seed: seed)
            #expect(error < 60, "\(shape.name) \(seed)")
        }
    }

    @Test("On foot, without course and with errors of 4 m, progress stays within 40 m of the truth", arguments: 0..<Fixture.shapes.count)
    func walkingTruth(index: Int) throws {
        let shape = Fixture.shapes[index]
        for seed in UInt64(1)...5 {
            let error = try worstError(shape.points, noise: 4, speed: 1.5, knowsCourse: false, seed: seed)
            #expect(error < 40, "\(shape.name) \(seed)")
        }
    }

    @Test(
        "A drive works across the date line, at 80° north and on the equator",
        arguments: [(0.0, 179.999), (80, 10), (-60, -179.999), (0, 0)])
    func anywhere(latitude: Double, longitude: Double) throws {
        let start = Coordinate(latitude: latitude, longitude: longitude)
        let path = [(0.0, 0.0), (500, 0), (500, 700), (-900, 700), (-900, -300)].map { start.offset(eastMeters: $0.0, northMeters: $0.1) }
        var drive = Drive(try NavigationRoute(line: Polyline(path), durationSeconds: 300))
        drive.run()
        check(drive, "\(start)")
    }

    @Test("Whatever the input, progress stays on the leg, never falls there, and nothing crashes", arguments: UInt64(1)...30)
    func hostile(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let route = try NavigationRoute(
            legs: [(0.0, 0.0), (800, 0), (800, 900)].map { middle in
                RouterLeg(
                    path: Fixture.path([middle, (middle.0 + 400, middle.1 + 300)]),
                    destination: NavigationWaypoint(coordinate: Fixture.place(middle.0 + 400, middle.1 + 300)), durationSeconds: 60)
            })
        let odd = [Double.nan, .infinity, -.infinity, -1, 0, 1e308, -1e308, 359.999]
        var settings = NavigatorConfiguration()
        if seed.isMultiple(of: 3) {
            func figure() -> Double { random.element(of: odd) ?? 0 }
            (settings.timeUpdateThreshold, settings.distanceUpdateThreshold) = (figure(), figure())
            (settings.arrivalMeters, settings.arrivalZoneMeters, settings.alarmAccuracyMeters) = (figure(), figure(), figure())
            (settings.offRouteMeters, settings.offRouteAccuracyFactor) = (figure(), figure())
        }
        var navigator = NavigatorState()
        navigator.reset(to: route, settings)
        var (revision, progress) = (navigator.routeRevision, 0.0)
        for index in 0..<500 {
            let near = Fixture.place(random.double(in: -200...1_500), random.double(in: -200...1_500))
            let far = Coordinate(latitude: random.double(in: -95...95), longitude: random.double(in: -190...190))
            let fix = LocationFix(
                coordinate: random.chance(0.8) ? near : far,
                time: Fixture.start + (random.chance(0.9) ? Double(index) : random.element(of: odd) ?? 0),
                accuracyMeters: random.chance(0.7) ? random.double(in: 0...120) : random.element(of: odd),
                courseDegrees: random.chance(0.7) ? random.double(in: 0...360) : random.element(of: odd),
                speedMetersPerSecond: random.chance(0.7) ? random.double(in: 0...40) : random.element(of: odd))
            _ = navigator.apply(fix, at: Fixture.start + Double(index))
            if random.chance(0.01) { _ = navigator.apply(.continueToNextDestination) }
            if random.chance(0.01) { _ = navigator.apply(.setRoute(random.chance(0.7) ? route : nil, .reroute)) }
            if navigator.routeRevision != revision { (revision, progress) = (navigator.routeRevision, 0) }
            #expect(navigator.progressMeters >= progress)
            progress = navigator.progressMeters
            guard let leg = navigator.currentRouteLeg, let left = navigator.remaining else { continue }
            #expect(progress >= leg.startMeters && progress <= leg.endMeters)
            #expect((0...leg.distanceMeters).contains(left.distanceMeters) && (0...leg.durationSeconds).contains(left.timeSeconds))
        }
    }
}
