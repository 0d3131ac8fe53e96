import FoundationEssentials
import Geo
import Navigation
import Testing

@Suite("Navigator: off route, wrong way, rejoining")
struct OffRouteTests {
    /// Returns one fix for each second, at the given positions in metres. Course and speed follow from the movement.
    private func fixes(_ places: [(Double, Double)], accuracy: Double? = 6) -> [LocationFix] {
        places.enumerated().map { index, place in
            let before = places[max(0, index - 1)]
            let here = Fixture.place(place.0, place.1)
            let last = Fixture.place(before.0, before.1)
            return LocationFix(
                coordinate: here, time: Fixture.start + Double(index), accuracyMeters: accuracy,
                courseDegrees: index > 0 ? last.bearingDegrees(to: here) : nil,
                speedMetersPerSecond: index > 0 ? last.distanceMeters(to: here) : nil)
        }
    }

    private func run(_ navigator: inout NavigatorState, _ fixes: [LocationFix]) -> [(index: Int, event: NavigatorEvent)] {
        fixes.enumerated().flatMap { index, fix in navigator.apply(fix, at: fix.time).milestones.map { (index, $0) } }
    }

    @Test(
        "A missed turn causes an alarm once, on the third fix beyond the limit, also without an accuracy",
        arguments: [(6.0, 53.0), (12.0, 53.0), (24, 83), (nil, 73)] as [(Double?, Double)])
    func missedTurn(accuracy: Double?, limit: Double) throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000), (1_000, 1_000)]))
        let events = run(&navigator, fixes((0...130).map { (0, Double($0) * 10 + 3) }, accuracy: accuracy))
        #expect(events.map(\.event) == [.didLeaveRoute(.distance)])
        let driven = Double(try #require(events.first).index) * 10 + 3 - 1_000
        #expect(driven == limit)
        #expect(navigator.status == .offRoute)
    }

    @Test("A car that starts beside its route is off route only when it drives away, not while it comes nearer or stands")
    func startAway() throws {
        let route = try Fixture.route([(0, 0), (0, 2_000)])
        let near = (0...60).map { (1_000 - Double($0) * 15, 0.0) }
        for places in [near + near.suffix(1).map { _ in (100.0, 0.0) }, Array(repeating: (700.0, 100.0), count: 30)] {
            var navigator = NavigatorState()
            navigator.reset(to: route)
            #expect(run(&navigator, fixes(places)).isEmpty)
            #expect(navigator.status == .enrouteToDestination)
        }
        var navigator = NavigatorState()
        navigator.reset(to: route)
        let away = run(&navigator, fixes((0...30).map { (500 + Double($0) * 10, 0) }))
        #expect(away.map(\.event) == [.didLeaveRoute(.distance)])
        // This vehicle starts beside the route and crosses it. When it drives away on the other side, it has left the route.
        navigator.reset(to: route)
        let through = run(&navigator, fixes((0...60).map { (300 - Double($0) * 10, 200) }))
        #expect(through.map(\.event) == [.didLeaveRoute(.distance)])
        #expect(try #require(through.first).index >= 33)
    }

    @Test("Errors of 6 m do not delay the alarm beyond 120 m", arguments: UInt64(1)...50)
    func missedTurnWithNoise(seed: UInt64) throws {
        let route = try Fixture.route([(0, 0), (0, 1_000), (1_000, 1_000)])
        var configuration = SimulationConfiguration()
        configuration.noise = SimulatedNoise(accuracyMeters: 6)
        configuration.straightSpeedMetersPerSecond = 10
        configuration.wrongTurn = SimulatedWrongTurn(offsetMeters: 1_000, detour: .straight(turnDegrees: 0, lengthMeters: 400))
        var drive = Drive(route, configuration: configuration, seed: seed)
        while drive.alarms == 0, drive.simulator.activity == .driving { drive.step() }
        #expect(drive.alarms == 1)
        #expect(drive.simulator.coordinate.distanceMeters(to: Fixture.place(0, 1_000)) <= 120)
    }

    @Test("Figures are kept while off route, and nothing is reported")
    func held() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000), (1_000, 1_000)]))
        let all = fixes((0...200).map { (0, Double($0) * 10) })
        var events: [NavigatorEvent] = []
        for fix in all where navigator.offRouteReason == nil { events = navigator.apply(fix, at: fix.time) }
        #expect(events.contains(.didLeaveRoute(.distance)))
        let frozen = try #require(navigator.remaining)
        for fix in all.suffix(60) {
            let told = navigator.apply(fix, at: fix.time)
            #expect(told.count == 1)
            #expect(navigator.remaining == frozen)
            #expect(navigator.location?.isSnapped == false)
        }
    }

    @Test("One wild fix causes no alarm")
    func outlier() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        var places = (0...60).map { (0.0, Double($0) * 10) }
        places[30] = (300, 300)
        #expect(run(&navigator, fixes(places)).isEmpty)
    }

    @Test("Fixes with an accuracy worse than 50 m neither cause nor clear an alarm", arguments: [60.0, 99.0, 500.0])
    func untrusted(accuracy: Double) throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        _ = run(&navigator, fixes((0...20).map { (0, Double($0) * 10) }))
        let away = (21...60).map { index in
            LocationFix(
                coordinate: Fixture.place(2_000, 0), time: Fixture.start + Double(index), accuracyMeters: accuracy, courseDegrees: 90,
                speedMetersPerSecond: 10)
        }
        #expect(run(&navigator, away).isEmpty)
        #expect(abs(navigator.progressMeters - 200) < 1)
    }

    @Test("Turning back is noticed after four fixes and 50 m, and is over when the vehicle turns round again")
    func wrongWay() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        let ahead = (0...50).map { (0.0, Double($0) * 10) }
        let back = (1...12).map { (0.0, 500 - Double($0) * 10) }
        let again = (1...20).map { (0.0, 380 + Double($0) * 10) }
        let events = run(&navigator, fixes(ahead + back + again))
        #expect(events.map(\.event) == [.didLeaveRoute(.wrongWay), .didReturnToRoute])
        let alarmMeters = try #require(events.first).index - 50
        #expect((5...8).contains(alarmMeters), "\(alarmMeters * 10) m back")
        #expect(abs(navigator.progressMeters - 580) < 1)
    }

    @Test("At 25 m/s two fixes back are 50 m, but the navigator waits for four")
    func fastWrongWay() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        let ahead = (0...20).map { (0.0, Double($0) * 25) }
        let back = (1...8).map { (0.0, 500 - Double($0) * 25) }
        let events = run(&navigator, fixes(ahead + back))
        #expect(events.map(\.event) == [.didLeaveRoute(.wrongWay)])
        #expect(events.first?.index == 24)
    }

    @Test("After a short cut, the vehicle is found farther along the route, if its course fits")
    func shortCut() throws {
        let detour: [(Double, Double)] = [(0, 0), (0, 300), (800, 300), (800, 0), (0, 0), (-500, 0)]
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(detour))
        // The vehicle drives north, then back and west. It skips the big loop of the route.
        let north = (0...8).map { (0.0, Double($0) * 10) }
        let west = (1...40).map { (-Double($0) * 10, 80 - min(80, Double($0) * 10)) }
        let events = run(&navigator, fixes(north + west)).map(\.event)
        #expect(events.filter { $0 == .didLeaveRoute(.distance) || $0 == .didLeaveRoute(.wrongWay) }.count <= 1)
        #expect(navigator.offRouteReason == nil)
        #expect(abs(navigator.progressMeters - (2_200 + 400)) < 2)
    }

    @Test("A position farther along the route is not used if the course is wrong")
    func parallelStreet() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000), (200, 1_000), (200, 0)]))
        let north = (0...10).map { (0.0, Double($0) * 10) }
        let across = (1...20).map { (Double($0) * 10, 100.0) }
        // The vehicle drives north on a street. The route uses this street later, but southwards.
        let wrong = (1...10).map { (200.0, 100 + Double($0) * 10) }
        let events = run(&navigator, fixes(north + across + wrong)).map(\.event)
        #expect(events == [.didLeaveRoute(.distance)])
        #expect(navigator.progressMeters < 150)
    }

    @Test("A vehicle that starts in the middle of a route is on the route")
    func middle() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.squareLoop))
        #expect(run(&navigator, fixes((0...10).map { (600, 400 - Double($0) * 10) })).isEmpty)
        #expect(abs(navigator.progressMeters - 1_500) < 1)
    }

    @Test("On a street that the route uses in both directions, the course decides", arguments: [(0.0, 300.0), (180, 1_300)])
    func whichWay(course: Double, meters: Double) throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.outAndBack))
        let fix = LocationFix(
            coordinate: Fixture.place(2, 300), time: Fixture.start, accuracyMeters: 6, courseDegrees: course, speedMetersPerSecond: 10)
        _ = navigator.apply(fix, at: Fixture.start)
        #expect(abs(navigator.progressMeters - meters) < 1)
    }

    @Test(
        "A loop that ends where it begins is entered at its beginning, whatever the error",
        arguments: [(0.0, 0.0), (6, 1), (1, 6), (-4, 2)])
    func loopStart(east: Double, north: Double) throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.squareLoop))
        let standing = (0...5).map { index in
            LocationFix(
                coordinate: Fixture.place(east, north), time: Fixture.start + Double(index), accuracyMeters: 6, speedMetersPerSecond: 0)
        }
        #expect(run(&navigator, standing).isEmpty)
        #expect(navigator.progressMeters < 10)
    }

    @Test("Old, repeated and impossible fixes change nothing")
    func badFixes() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        _ = run(&navigator, fixes((0...5).map { (0, Double($0) * 10) }))
        let before = navigator
        let old = LocationFix(coordinate: Fixture.place(0, 500), time: Fixture.start + 3, accuracyMeters: 5)
        let nowhere = LocationFix(coordinate: Coordinate(latitude: .nan, longitude: 0), time: Fixture.start + 9)
        let never = LocationFix(coordinate: Fixture.place(0, 60), time: Date(timeIntervalSinceReferenceDate: .nan))
        for fix in [old, nowhere, never] { #expect(navigator.apply(fix, at: Fixture.start + 9).isEmpty) }
        #expect(navigator == before)
    }

    @Test("A sensor clock that is twenty years off, or set during the drive, does not matter")
    func wrongClock() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.straight))
        for index in 0...60 {
            let shift = index < 30 ? -1_024 * 7 * 86_400.0 : index < 45 ? 0 : -3_000
            let fix = LocationFix(
                coordinate: Fixture.place(0, Double(index) * 10), time: Fixture.start + Double(index) + shift, accuracyMeters: 6,
                courseDegrees: 0, speedMetersPerSecond: 10)
            #expect(navigator.apply(fix, at: Fixture.start + Double(index)).milestones.isEmpty)
        }
        #expect(abs(navigator.progressMeters - 600) < 1)
    }
}
