import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization
import Testing

/// A router that gives its answer only when the test allows it.
private actor Gate: Router {
    nonisolated let name = "gate"
    private var asked: [CheckedContinuation<Void, Never>] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        for one in asked { one.resume() }
        asked = []
        await withCheckedContinuation { waiting.append($0) }
        return try await StraightLineRouter().route(request)
    }

    func untilAsked() async {
        if waiting.isEmpty { await withCheckedContinuation { asked.append($0) } }
    }

    func open() {
        for one in waiting { one.resume() }
        waiting = []
    }
}

private struct Refusing: Router {
    let name = "refusing"
    let isRetryable: Bool
    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        throw RoutingError("no", isRetryable: isRetryable)
    }
}

@Suite("Destinations, listeners as sequences, and the background")
struct NavigatorDestinationsTests {
    private let quay = NavigationWaypoint(title: "Quay", coordinate: Fixture.place(0, 1_000))
    private let market = NavigationWaypoint(title: "Market", coordinate: Fixture.place(500, 1_000))

    private func fix(_ second: Double, _ north: Double) -> LocationFix {
        LocationFix(
            coordinate: Fixture.place(0, north), time: Fixture.start + second, accuracyMeters: 5, courseDegrees: 0, speedMetersPerSecond: 9)
    }

    private func located() -> Navigator {
        let navigator = Navigator()
        navigator.update(with: fix(0, 0), at: Fixture.start)
        return navigator
    }

    @Test("The navigator requests a route through all destinations and uses it; guidance is switched on afterwards")
    func destinations() async {
        let navigator = located()
        #expect(await navigator.setDestinations([quay, market], by: StraightLineRouter()) == .ok)
        #expect(navigator.routeLegs.map(\.destination) == [quay, market])
        #expect(!navigator.isGuidanceActive)
        navigator.isGuidanceActive = true
        #expect(navigator.continueToNextDestination() == market)
        #expect(!navigator.isGuidanceActive)
        navigator.clearDestinations()
        #expect(navigator.currentRouteLeg == nil)
    }

    @Test("A prepared route may begin elsewhere than at the newest position, and is used unchanged; a failed search prepares nothing")
    func prepared() async throws {
        let (navigator, place) = (Navigator(), Fixture.place(0, 300))
        let slow = try NavigationRoute(
            legs: [RouterLeg(path: [place, quay.coordinate], destination: quay, durationSeconds: 4_000)])
        let origin = RouteOrigin(coordinate: place)
        #expect(
            await navigator.setDestinations([quay], by: StraightLineRouter(), from: origin) { planned in
                planned.line.coordinates.first == place ? slow : planned
            } == .ok)
        #expect(navigator.state.route == slow)
        #expect(
            await navigator.setDestinations([market], by: Refusing(isRetryable: false), from: origin) { planned in
                Issue.record("nothing was planned")
                return planned
            } != .ok)
        #expect(await navigator.reroute(by: StraightLineRouter(), reason: .offRoute, from: origin) == .ok)
        #expect(navigator.routeLegs.map(\.destination) == [quay] && navigator.state.route != slow)
    }

    @Test("An impossible request gets a status, and the old route stays")
    func statuses() async {
        let navigator = located()
        #expect(await Navigator().setDestinations([quay], by: StraightLineRouter()) == .locationUnavailable)
        #expect(await navigator.setDestinations([quay], by: StraightLineRouter()) == .ok)
        let nowhere = NavigationWaypoint(coordinate: Coordinate(latitude: 99, longitude: 0))
        #expect(await navigator.setDestinations([], by: StraightLineRouter()) == .noWaypoints)
        #expect(await navigator.setDestinations([nowhere], by: StraightLineRouter()) == .invalidWaypoint)
        let (lasting, passing) = (RoutingError("no", isRetryable: false), RoutingError("no", isRetryable: true))
        #expect(await navigator.setDestinations([market], by: Refusing(isRetryable: false)) == .noRouteFound(lasting))
        #expect(await navigator.setDestinations([market], by: Refusing(isRetryable: true)) == .networkError(passing))
        #expect(navigator.routeLegs.map(\.destination) == [quay])
    }

    @Test("A request that a later one overtakes is dropped")
    func overtaken() async {
        let (navigator, gate) = (located(), Gate())
        async let slow = navigator.setDestinations([quay], by: gate)
        await gate.untilAsked()
        #expect(await navigator.setDestinations([market], by: StraightLineRouter()) == .ok)
        await gate.open()
        #expect(await slow == .canceled)
        #expect(navigator.routeLegs.map(\.destination) == [market])
    }

    @Test("Another route to the remaining destinations is requested with its reason, and guidance goes on")
    func reroute() async {
        let navigator = located()
        #expect(await navigator.setDestinations([quay, market], by: StraightLineRouter()) == .ok)
        navigator.isGuidanceActive = true
        let events = navigator.events()
        #expect(await navigator.reroute(by: StraightLineRouter()) == .ok)
        #expect(navigator.isGuidanceActive && navigator.routeLegs.count == 2)
        var heard: [NavigatorEvent] = []
        for await event in events {
            heard.append(event)
            if heard.count == 2 { break }
        }
        #expect(heard == [.didBeginRerouting(.requested), .didChangeRoute(.reroute)])
    }

    @Test("A slow consumer loses the oldest events, and the sequences end with navigator and provider")
    func sequences() async {
        var navigator: Navigator? = located()
        var provider = navigator.map { RoadSnappedLocationProvider(navigator: $0) }
        provider?.startUpdatingLocation()
        let (events, all) = (navigator?.events(bufferingNewest: 2), provider?.locations(bufferingNewest: 100))
        for second in 1...20 { provider?.update(with: fix(Double(second), Double(second) * 9), at: Fixture.start + Double(second)) }
        (provider, navigator) = (nil, nil)
        var (newest, norths): ([Double], [Double]) = ([], [])
        if let events {
            for await case .didUpdateLocation(let location) in events { newest.append(location.timestamp.timeIntervalSince(Fixture.start)) }
        }
        if let all {
            for await location in all { norths.append(location.timestamp.timeIntervalSince(Fixture.start)) }
        }
        #expect(newest == [19, 20])
        #expect(norths == (1...20).map(Double.init))
    }

    @Test("In the background, fixes are used only if that is allowed")
    func background() {
        let navigator = Navigator()
        let provider = RoadSnappedLocationProvider(navigator: navigator)
        provider.startUpdatingLocation()
        #expect(!provider.allowsBackgroundLocationUpdates)
        func north(_ second: Double) -> Double {
            provider.update(with: fix(second, second * 9), at: Fixture.start + second)
            return navigator.state.location?.timestamp.timeIntervalSince(Fixture.start) ?? -1
        }
        let before = north(1)
        provider.isInBackground = true
        let hidden = north(2)
        provider.allowsBackgroundLocationUpdates = true
        let allowed = north(3)
        provider.allowsBackgroundLocationUpdates = false
        provider.isInBackground = false
        #expect([before, hidden, allowed, north(4)] == [1, 1, 3, 4])
    }
}
