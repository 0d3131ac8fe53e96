import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Events from time alone: lost positions and delays")
struct TickTests {
    private func fix(_ second: Double, _ north: Double, accuracy: Double = 5) -> LocationFix {
        LocationFix(
            coordinate: Fixture.place(0, north), time: Fixture.start + second, accuracyMeters: accuracy, courseDegrees: 0,
            speedMetersPerSecond: 10)
    }

    /// Returns the events about the signal and the delay as text, with their time in seconds.
    private func words(_ events: [NavigatorEvent], _ second: Double) -> [String] {
        events.compactMap { event in
            switch event {
            case .didLoseLocation(let silence): "\(Int(second)) lost \(Int(silence))"
            case .didRegainLocation(let silence): "\(Int(second)) back \(Int(silence))"
            case .didUpdateDelayCategory(let category, let delay): "\(Int(second)) \(category) \(Int(delay.rounded()))"
            default: nil
            }
        }
    }

    @Test("After 10 s without a fix the position is lost, once, and the next fix brings it back")
    func lost() {
        var navigator = NavigatorState()
        var told: [String] = []
        for second in stride(from: 0.0, through: 120, by: 1) {
            let now = Fixture.start + second
            if !(21...60).contains(second) { told += words(navigator.apply(fix(second, second * 10), at: now), second) }
            told += words(navigator.apply(.tick(now)), second)
            #expect(navigator.hasLostLocation == (31...60).contains(second), "\(second)")
        }
        #expect(told == ["31 lost 11", "61 back 41"])
    }

    @Test("If fixes come every 15 s, 30 s of silence is not a lost position")
    func rare() {
        var navigator = NavigatorState()
        var told: [String] = []
        for second in stride(from: 0.0, through: 600, by: 1) {
            let now = Fixture.start + second
            let isThere = second.truncatingRemainder(dividingBy: 15) == 0 && second < 300
            if isThere { told += words(navigator.apply(fix(second, second * 10), at: now), second) }
            told += words(navigator.apply(.tick(now)), second)
        }
        #expect(told == ["331 lost 46"])
    }

    @Test("Fixes with an accuracy of 300 m give no position; before the first position, nothing is lost")
    func useless() {
        var navigator = NavigatorState()
        var told: [String] = []
        for second in stride(from: 0.0, through: 200, by: 1) {
            let now = Fixture.start + second
            if second >= 100 { told += words(navigator.apply(fix(second, 0, accuracy: second < 110 ? 5 : 300), at: now), second) }
            told += words(navigator.apply(.tick(now)), second)
        }
        #expect(told == ["120 lost 11"])
    }

    // MARK: Delays

    private func leg(_ meters: Double, seconds: Double, free: Double? = nil) -> RouterLeg {
        RouterLeg(
            path: Fixture.path([(0, 0), (0, meters)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, meters)),
            durationSeconds: seconds, freeFlowSeconds: free)
    }

    @Test("The raw values are the SDK's, and are not a scale")
    func rawValues() {
        #expect(DelayCategory.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect([DelayCategory.noData, .light, .medium, .heavy].map(\.severity) == [0, 1, 2, 3])
    }

    @Test(
        "Share and seconds determine the category",
        arguments: [
            (900.0, 890.0, DelayCategory.light), (900, 845, .light), (360, 300, .medium), (359, 300, .light), (1_240, 1_000, .medium),
            (360, 240, .heavy), (300, 200, .medium), (3_600, 3_000, .heavy), (3_600, 3_001, .medium), (800, 900, .light),
        ])
    func categories(seconds: Double, free: Double, expected: DelayCategory) throws {
        var navigator = NavigatorState()
        navigator.reset(to: try NavigationRoute(legs: [leg(9_000, seconds: seconds, free: free)]))
        _ = navigator.apply(fix(0, 0), at: Fixture.start)
        let events = navigator.apply(.tick(Fixture.start))
        #expect(events.contains { if case .didUpdateDelayCategory(expected, _) = $0 { true } else { false } }, "\(events)")
        #expect(navigator.delayCategoryToNextDestination == expected)
        #expect(abs(try #require(navigator.delay).delaySeconds - max(0, seconds - free)) < 0.01)
    }

    @Test("A jam takes four times the time of a free road, slow traffic twice; if less than half is known, there is no delay")
    func traffic() throws {
        let only = leg(10_000, seconds: 1_000)
        let end = Polyline(only.path).lengthMeters
        func delay(_ traffic: [(Double, Double, TrafficSpeed)]) throws -> RouteDelay? {
            let stretches = traffic.map { TrafficStretch(startMeters: end * $0.0, endMeters: end * $0.1, speed: $0.2) }
            return try NavigationRoute(legs: [only], traffic: stretches).delay(ofLeg: 0, fromMeters: 0)
        }
        #expect(try delay([]) == nil)
        #expect(try delay([(0, 0.3, .trafficJam)]) == nil)
        let slow = try #require(try delay([(0, 1, .normal), (0.2, 0.3, .slow), (0.5, 0.6, .trafficJam)]))
        #expect(abs(slow.delaySeconds - 400) < 0.1 && abs(slow.freeFlowSeconds - 1_000) < 0.1)
        let passed = try NavigationRoute(
            legs: [only], traffic: [TrafficStretch(startMeters: 0, endMeters: end / 2, speed: .slow)]
        ).delay(ofLeg: 0, fromMeters: end * 0.25)
        #expect(passed == nil)
    }

    @Test("A delay's category falls when it is a fifth below the limit, or below it for 30 s, and stays in the last minute")
    func falling() throws {
        var navigator = NavigatorState()
        // At first the delay is 150 s, and the leg takes 300 s without traffic. Both shrink evenly along the leg.
        navigator.reset(to: try NavigationRoute(legs: [leg(4_500, seconds: 450, free: 300)]))
        var told: [String] = []
        for second in stride(from: 0.0, through: 440, by: 1) {
            let now = Fixture.start + second
            _ = navigator.apply(fix(second, second * 10), at: now)
            told += words(navigator.apply(.tick(now)), second)
        }
        // After 90 s of driving, the delay falls below 120 s; after 270 s, below 60 s. Each time, the category changes 30 s later.
        #expect(told == ["0 heavy 150", "120 medium 110", "300 light 50"])
    }

    @Test("Another route starts anew, and without a route there is no delay")
    func anew() throws {
        var navigator = NavigatorState()
        navigator.reset(to: try NavigationRoute(legs: [leg(9_000, seconds: 1_800, free: 900)]))
        var told: [String] = []
        func look(_ second: Double) {
            let now = Fixture.start + second
            _ = navigator.apply(fix(second, second * 10), at: now)
            told += words(navigator.apply(.tick(now)), second)
        }
        look(0)
        _ = navigator.apply(.setRoute(try NavigationRoute(legs: [leg(9_000, seconds: 905, free: 900)]), .reroute))
        look(1)
        _ = navigator.apply(.setRoute(nil, .cleared))
        look(2)
        #expect(told == ["0 heavy 900", "1 light 5", "2 noData 0"])
    }

    @Test("New traffic on the same route keeps the progress and is reported; another line is not accepted")
    func updatedTraffic() throws {
        let only = leg(4_000, seconds: 400)
        let route = try NavigationRoute(legs: [only])
        var navigator = NavigatorState()
        navigator.reset(to: route)
        _ = navigator.apply(fix(0, 500), at: Fixture.start)
        let (revision, progress) = (navigator.routeRevision, navigator.progressMeters)
        let jam = TrafficStretch(startMeters: 0, endMeters: 4_000, speed: .trafficJam)
        #expect(navigator.apply(.updateTraffic(route.with(traffic: [jam]))) == [.didUpdateTraffic])
        #expect(navigator.progressMeters == progress && navigator.isGuidanceActive && navigator.routeRevision == revision + 1)
        #expect(navigator.apply(.updateTraffic(route.with(traffic: [jam]))).isEmpty)
        #expect(navigator.apply(.updateTraffic(try Fixture.route(Fixture.squareLoop))).isEmpty)
        #expect(words(navigator.apply(.tick(Fixture.start + 1)), 1).first?.hasPrefix("1 heavy") == true)
    }

    @Test("A simulated jam delays the vehicle by its extra time, and no longer once it is passed")
    func simulatedJam() throws {
        var configuration = SimulationConfiguration()
        configuration.straightSpeedMetersPerSecond = 15
        configuration.jams = [SimulatedJam(offsetMeters: 1_000, lengthMeters: 800, speedMetersPerSecond: 2)]
        let route = try Fixture.route([(0, 0), (0, 6_000)], seconds: 400)
        let timed = route.timed(for: configuration)
        let free = route.timed(for: SimulationConfiguration.straight(15))
        let delay = try #require(timed.delay(ofLeg: 0, fromMeters: 0))
        #expect(abs(delay.delaySeconds - (timed.durationSeconds - free.durationSeconds)) < 0.01)
        #expect(delay.delaySeconds > 300)
        #expect(try #require(timed.delay(ofLeg: 0, fromMeters: 2_000)).delaySeconds < 1)
        #expect(free.delay(ofLeg: 0, fromMeters: 0) == nil)
    }
}

extension SimulationConfiguration {
    fileprivate static func straight(_ speed: Double) -> SimulationConfiguration {
        var configuration = SimulationConfiguration()
        configuration.straightSpeedMetersPerSecond = speed
        return configuration
    }
}
