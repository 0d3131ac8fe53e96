import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization
import Testing

/// A listener that records its calls.
private final class Ear: NavigatorListener, RoadSnappedLocationProviderListener {
    private let heard = Mutex<[String]>([])

    var words: [String] { heard.withLock { $0 } }

    private func note(_ word: String) { heard.withLock { $0.append(word) } }

    func navigator(_ navigator: Navigator, didArriveAt waypoint: NavigationWaypoint) { note("arrived \(waypoint.title)") }
    func navigatorDidChangeRoute(_ navigator: Navigator) { note("route \(navigator.routeLegs.count)") }
    func navigator(_ navigator: Navigator, didUpdateRemainingTime time: Double) { note("time \(Int(time.rounded()))") }
    func navigator(_ navigator: Navigator, didUpdateRemainingDistance distance: Double) { note("distance \(Int(distance.rounded()))") }
    func navigator(_ navigator: Navigator, didLeaveRoute reason: OffRouteReason) { note("left") }
    func navigatorDidReturnToRoute(_ navigator: Navigator) { note("back") }
    func navigator(_ navigator: Navigator, didBeginRerouting reason: RerouteReason) { note("looks for another way: \(reason)") }
    func locationProvider(_ locationProvider: RoadSnappedLocationProvider, didUpdate location: RoadSnappedLocation) {
        note("at \(Int(location.coordinate.distanceMeters(to: Fixture.origin).rounded()))")
    }
}

@Suite("Navigator and location provider with listeners")
struct NavigatorListenerTests {
    private func fix(_ second: Double, north: Double) -> LocationFix {
        LocationFix(
            coordinate: Fixture.place(4, north), time: Fixture.start + second, accuracyMeters: 5, courseDegrees: 0, speedMetersPerSecond: 10
        )
    }

    private func route() throws -> NavigationRoute {
        try NavigationRoute(
            line: Polyline(Fixture.path([(0, 0), (0, 500)])), durationSeconds: 50,
            destination: NavigationWaypoint(title: "Quay", coordinate: Fixture.place(0, 500)))
    }

    @Test("The SDK's order of calls works: listen, start, arrive, go on")
    func order() throws {
        let navigator = Navigator()
        let provider = RoadSnappedLocationProvider(navigator: navigator)
        let ear = Ear()
        navigator.add(ear)
        provider.add(ear)
        navigator.timeUpdateThreshold = 10
        navigator.distanceUpdateThreshold = 100
        navigator.setRoute(try route())
        navigator.isGuidanceActive = true
        provider.update(with: fix(0, north: 100), at: Fixture.start)
        provider.startUpdatingLocation()
        provider.update(with: fix(1, north: 110), at: Fixture.start + 1)
        provider.update(with: fix(38, north: 480), at: Fixture.start + 38)
        #expect(navigator.continueToNextDestination() == nil)
        #expect(!navigator.isGuidanceActive)
        provider.stopUpdatingLocation()
        provider.update(with: fix(39, north: 490), at: Fixture.start + 39)
        #expect(
            ear.words == [
                "route 1", "time 40", "distance 400", "at 110", "time 2", "distance 20", "arrived Quay", "at 480", "route 0",
            ])
        #expect(navigator.timeUpdateThreshold == 10 && navigator.distanceUpdateThreshold == 100)
    }

    @Test("Re-routing is reported once with its reason, and ends with the new route")
    func rerouting() throws {
        let navigator = Navigator()
        let ear = Ear()
        navigator.add(ear)
        navigator.willReroute(.requested)
        navigator.setRoute(try route())
        navigator.willReroute(.offRoute)
        navigator.willReroute(.offRoute)
        #expect(navigator.state.rerouteReason == .offRoute)
        navigator.setRoute(try route(), change: .reroute)
        #expect(navigator.state.rerouteReason == nil)
        #expect(ear.words == ["route 1", "looks for another way: offRoute", "route 1"])
    }

    @Test("Listeners are not kept alive; added twice, they get each event once; removed, they get none")
    func weak() throws {
        let navigator = Navigator()
        let stays = Ear()
        let leaves = Ear()
        weak var gone: Ear?
        do {
            let short = Ear()
            gone = short
            navigator.add(short)
        }
        #expect(gone == nil)
        navigator.add(stays)
        navigator.add(stays)
        navigator.add(leaves)
        navigator.remove(leaves)
        navigator.setRoute(try route())
        #expect(stays.words == ["route 1"])
        #expect(leaves.words.isEmpty)
    }

    @Test("The listener gets the snapped coordinates, and the sensor's own beside them")
    func snapping() throws {
        let navigator = Navigator()
        navigator.setRoute(try route())
        let location = try #require(navigator.update(with: fix(0, north: 100), at: Fixture.start))
        #expect(location.isSnapped)
        #expect(location.coordinate.distanceMeters(to: Fixture.place(0, 100)) < 0.01)
        #expect(location.rawCoordinate == Fixture.place(4, 100))
        #expect(navigator.update(with: fix(0, north: 101), at: Fixture.start) == nil)
    }
}

@Suite("Re-route policy")
struct ReroutePolicyTests {
    private func ask(_ policy: inout ReroutePolicy, _ seconds: Double, _ north: Double, progress: Double = 100) -> Bool {
        policy.shouldAsk(at: Fixture.start + seconds, from: Fixture.place(0, north), progressMeters: progress)
    }

    @Test("One request at a time, 5 s and 50 m apart")
    func limits() {
        var policy = ReroutePolicy()
        var answers = [ask(&policy, 0, 0), ask(&policy, 60, 900)]
        policy.didSucceed()
        answers += [ask(&policy, 4, 900), ask(&policy, 60, 49), ask(&policy, 60, 51)]
        #expect(answers == [true, false, false, false, true])
    }

    @Test("Routes that are left within 100 m lengthen the pause to 10, 20, 60, 60 s, and progress resets it")
    func leftRoutes() {
        var policy = ReroutePolicy()
        var now = 0.0
        let first = ask(&policy, now, 0, progress: 0)
        policy.didSucceed()
        #expect(first)
        for wait in [10.0, 20, 60, 60] {
            let early = ask(&policy, now + wait - 0.1, (now + wait) * 12, progress: 99)
            now += wait
            let due = ask(&policy, now, now * 12, progress: 99)
            policy.didSucceed()
            #expect(!early && due, "\(wait)")
        }
        let reset = ask(&policy, now + 5, (now + 5) * 12)
        policy.didSucceed()
        let again = ask(&policy, now + 15, (now + 15) * 12, progress: 0)
        #expect(reset && again)
    }

    @Test("Failures lengthen the pause to 5, 10, 20, 60, 60 s, and a success resets it")
    func failures() {
        var policy = ReroutePolicy()
        var now = 0.0
        for wait in [5.0, 10, 20, 60, 60] {
            let first = ask(&policy, now, 0)
            policy.didFail(at: Fixture.start + now)
            let early = ask(&policy, now + wait - 0.1, 900)
            #expect(first && !early, "\(wait)")
            now += wait
        }
        var answers = [ask(&policy, now, 0)]
        policy.didSucceed()
        answers.append(ask(&policy, now + 5, 60))
        policy.didFail(at: Fixture.start + now + 5)
        answers.append(ask(&policy, now + 10, 60))
        #expect(answers == [true, true, true])
    }
}
