import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Navigator: figures, arrival, legs")
struct NavigatorProgressTests {
    private func fix(_ second: Double, _ east: Double, _ north: Double, speed: Double = 10) -> LocationFix {
        LocationFix(
            coordinate: Fixture.place(east, north), time: Fixture.start + second, accuracyMeters: 5, courseDegrees: 0,
            speedMetersPerSecond: speed)
    }

    private func twoLegs() throws -> NavigationRoute {
        let first = RouterLeg(
            path: Fixture.path([(0, 0), (0, 1_000)]), destination: NavigationWaypoint(title: "Gate A", coordinate: Fixture.place(5, 1_000)),
            distanceMeters: 1_020, durationSeconds: 100)
        let second = RouterLeg(
            path: Fixture.path([(0, 1_000), (0, 1_500)]),
            destination: NavigationWaypoint(title: "Gate B", coordinate: Fixture.place(0, 1_500)),
            durationSeconds: 50)
        return try NavigationRoute(legs: [first, second])
    }

    @Test("A golden drive through two legs: figures, thresholds, arrival, next leg")
    func golden() throws {
        let route = try twoLegs()
        var settings = NavigatorConfiguration()
        settings.timeUpdateThreshold = 19.5
        settings.distanceUpdateThreshold = 250
        var navigator = NavigatorState()
        navigator.reset(to: route, settings)
        var log: [String] = []
        for second in 0...105 {
            let events = navigator.apply(fix(Double(second), 0, min(1_000, Double(second) * 10)), at: Fixture.start + Double(second))
            log += events.compactMap { line($0, second) }
        }
        #expect(
            log == [
                "0 time 100", "0 distance 1020", "20 time 80", "25 distance 765", "40 time 60", "50 distance 510", "60 time 40",
                "75 distance 255", "80 time 20", "98 arrived Gate A", "100 time 0", "100 distance 0",
            ])
        #expect(navigator.apply(.continueToNextDestination) == [.didChangeRoute(.nextDestination)])
        #expect(navigator.status == .noGuidance)
        #expect(navigator.routeLegs.map(\.destination.title) == ["Gate B"])
        #expect(navigator.apply(fix(110, 0, 1_100), at: Fixture.start + 110).count == 1)
        _ = navigator.apply(.setGuidanceActive(true))
        let events = navigator.apply(fix(111, 0, 1_110), at: Fixture.start + 111)
        #expect(events.compactMap { line($0, 111) } == ["111 time 39", "111 distance 390"])
        #expect(navigator.status == .enrouteToDestination)
    }

    private func line(_ event: NavigatorEvent, _ second: Int) -> String? {
        switch event {
        case .didUpdateLocation: nil
        case .didUpdateRemainingTime(let time): "\(second) time \(Int(time.rounded()))"
        case .didUpdateRemainingDistance(let distance): "\(second) distance \(Int(distance.rounded()))"
        case .didArrive(let waypoint): "\(second) arrived \(waypoint.title)"
        case .didChangeRoute(let change): "\(second) route \(change)"
        case .didLeaveRoute(let reason): "\(second) left \(reason)"
        case .didReturnToRoute: "\(second) back"
        default: "\(second) \(event)"
        }
    }

    @Test("Within 50 m the state is arrived; the listener is notified at 25 m, once")
    func zone() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000)]))
        var told: [Int] = []
        for second in 0...120 {
            let north = min(1_000, Double(second) * 10)
            let events = navigator.apply(fix(Double(second), 0, north), at: Fixture.start + Double(second))
            if events.contains(where: { if case .didArrive = $0 { true } else { false } }) { told.append(second) }
            #expect((navigator.status == .arrivedAtDestination) == (north >= 950), "\(north)")
        }
        #expect(told == [98])
    }

    @Test("Standing 40 m before the end for five seconds counts as an arrival")
    func standing() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000)]))
        var arrivedAt: [Int] = []
        for second in 0...110 {
            let north = min(960, Double(second) * 10)
            let events = navigator.apply(fix(Double(second), 0, north, speed: second < 97 ? 10 : 0.3), at: Fixture.start + Double(second))
            if !events.milestones.isEmpty { arrivedAt.append(second) }
        }
        #expect(arrivedAt == [102])
    }

    @Test("Passing the door 45 m before the line's end and driving away counts as an arrival; passing it early does not")
    func passing() throws {
        var navigator = NavigatorState()
        let route = try Fixture.route([(0, 0), (0, 1_000)])
        navigator.reset(to: route)
        var events: [NavigatorEvent] = []
        for second in 0...120 {
            let north = second <= 96 ? Double(second) * 10 : 960 - Double(second - 96) * 10
            events += navigator.apply(
                LocationFix(
                    coordinate: Fixture.place(0, north), time: Fixture.start + Double(second), accuracyMeters: 5,
                    courseDegrees: second <= 96 ? 0 : 180, speedMetersPerSecond: 10), at: Fixture.start + Double(second))
        }
        #expect(events.milestones == [.didArrive(route.legs[0].destination)])
    }

    @Test("Rolling away from the end of a loop at its beginning does not count as an arrival")
    func loopStart() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route(Fixture.squareLoop))
        let events = (0...8).flatMap { second in
            navigator.apply(fix(Double(second), -4 * Double(second), 0, speed: 4), at: Fixture.start + Double(second))
        }
        #expect(events.milestones.isEmpty)
    }

    @Test("After an arrival, the next leg starts at its beginning; after a dropped leg, it starts at the vehicle's position")
    func nextLeg() throws {
        let loop = RouterLeg(
            path: Fixture.path([(0, 1_000), (300, 1_000), (300, 700), (-20, 700), (-20, 1_000)]),
            destination: NavigationWaypoint(coordinate: Fixture.place(-20, 1_000)), durationSeconds: 120)
        let first = RouterLeg(
            path: Fixture.path([(0, 0), (0, 1_000)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, 1_000)),
            durationSeconds: 100)
        let route = try NavigationRoute(legs: [first, loop])
        for (lastNorth, next, meters) in [(990.0, (-16.0, 992.0), 0.0), (500, (300, 900), 400)] {
            var navigator = NavigatorState()
            navigator.reset(to: route)
            for second in stride(from: 0, through: lastNorth / 10, by: 1) {
                _ = navigator.apply(fix(second, 0, second * 10), at: Fixture.start + second)
            }
            _ = navigator.apply(.continueToNextDestination)
            _ = navigator.apply(fix(150, next.0, next.1, speed: 0), at: Fixture.start + 150)
            #expect(abs(navigator.progressMeters - 1_000 - meters) < 25, "\(lastNorth): \(navigator.progressMeters)")
        }
    }

    @Test("Without guidance there are locations and nothing else")
    func noGuidance() throws {
        var navigator = NavigatorState()
        _ = navigator.apply(.setRoute(try twoLegs(), .newDestinations))
        for second in 0...120 {
            let events = navigator.apply(fix(Double(second), 0, min(1_000, Double(second) * 10)), at: Fixture.start + Double(second))
            #expect(events.count == 1)
        }
        #expect(navigator.status == .noGuidance)
        #expect(navigator.location?.isSnapped == true)
    }

    @Test("A re-route keeps guidance, reports the new figures at once, and forgets the alarm")
    func reroute() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try Fixture.route([(0, 0), (0, 1_000), (1_000, 1_000)]))
        for second in 0...115 {
            _ = navigator.apply(fix(Double(second), 0, Double(second) * 10), at: Fixture.start + Double(second))
        }
        #expect(navigator.status == .offRoute)
        let new = try Fixture.route([(0, 1_150), (0, 1_600)], seconds: 45)
        let revision = navigator.routeRevision
        #expect(navigator.apply(.setRoute(new, .reroute)) == [.didChangeRoute(.reroute)])
        #expect(navigator.routeRevision == revision + 1)
        #expect(navigator.isGuidanceActive)
        let events = navigator.apply(fix(116, 0, 1_160), at: Fixture.start + 116)
        #expect(events.dropFirst().compactMap { line($0, 116) } == ["116 time 44", "116 distance 440"])
        #expect(navigator.status == .enrouteToDestination)
    }

    @Test("After the last leg there is no route; clearing an absent route causes no event")
    func clearing() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try twoLegs())
        _ = navigator.apply(.continueToNextDestination)
        #expect(navigator.apply(.continueToNextDestination) == [.didChangeRoute(.cleared)])
        #expect(navigator.remaining == nil)
        #expect(navigator.status == .noGuidance)
        #expect(navigator.apply(.continueToNextDestination) == [])
        #expect(navigator.apply(.setRoute(nil, .cleared)) == [])
        #expect(navigator.apply(.setGuidanceActive(true)) == [])
        #expect(!navigator.isGuidanceActive)
        let events = navigator.apply(fix(1, 0, 0), at: Fixture.start + 1)
        #expect(events == [.didUpdateLocation(RoadSnappedLocation(fix(1, 0, 0)))])
    }

    @Test("Unknown figures are nil, however a sensor writes them")
    func unknown() {
        let fix = LocationFix(
            coordinate: Fixture.origin, time: Fixture.start, accuracyMeters: -1, courseDegrees: -1, speedMetersPerSecond: -1,
            altitudeMeters: .nan)
        let location = RoadSnappedLocation(fix)
        #expect(location.accuracyMeters == nil && location.courseDegrees == nil)
        #expect(location.speedMetersPerSecond == nil && location.altitudeMeters == nil)
        let odd = LocationFix(
            coordinate: Fixture.origin, time: Fixture.start, accuracyMeters: .infinity, courseDegrees: 720.5, speedMetersPerSecond: 1e9)
        #expect(odd.accuracyMeters == nil && odd.courseDegrees == 0.5 && odd.speedMetersPerSecond == nil)
    }

    @Test("The street name is taken from the current step")
    func street() throws {
        let steps = [
            RouteStep(maneuver: .depart, roadName: "Wick Lane", offsetMeters: 0, lengthMeters: 400),
            RouteStep(maneuver: .left, roadName: nil, offsetMeters: 400, lengthMeters: 100),
            RouteStep(maneuver: .right, roadName: "Anchor Row", offsetMeters: 500, lengthMeters: 500),
        ]
        let leg = RouterLeg(
            path: Fixture.path([(0, 0), (0, 1_000)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, 1_000)),
            durationSeconds: 100, steps: steps)
        var navigator = NavigatorState()
        #expect(navigator.streetName == nil)
        navigator.reset(to: try NavigationRoute(legs: [leg]))
        var names: [String?] = []
        for second in [10.0, 39, 45, 51, 99] {
            _ = navigator.apply(fix(second, 0, second * 10), at: Fixture.start + second)
            names.append(navigator.streetName)
        }
        #expect(names == ["Wick Lane", "Wick Lane", nil, "Anchor Row", "Anchor Row"])
    }
}
