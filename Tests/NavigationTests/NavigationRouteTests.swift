import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Routes from routers' answers")
struct NavigationRouteTests {
    private func leg(_ points: [(Double, Double)], seconds: Double, times: [Double] = [], meters: Double? = nil) -> RouterLeg {
        let path = Fixture.path(points)
        return RouterLeg(
            path: path, destination: NavigationWaypoint(coordinate: path.last ?? Fixture.origin), distanceMeters: meters,
            durationSeconds: seconds, segmentSeconds: times)
    }

    @Test("Segment times are scaled to the leg's duration, and everything ends at exactly 0")
    func normalised() throws {
        // The segments add up to 137.6 s, but the leg takes 146.8 s, because segments do not include the time of turns.
        let route = try NavigationRoute(legs: [leg([(0, 0), (0, 500), (0, 2_000)], seconds: 146.8, times: [37.6, 100], meters: 2_010)])
        #expect(route.durationSeconds == 146.8)
        #expect(abs(route.cumulativeSeconds[1] - 37.6 * 146.8 / 137.6) < 1e-9)
        let only = route.legs[0]
        #expect(route.remaining(ofLeg: only, fromMeters: 0) == RemainingFigures(distanceMeters: 2_010, timeSeconds: 146.8))
        #expect(route.remaining(ofLeg: only, fromMeters: only.endMeters) == RemainingFigures(distanceMeters: 0, timeSeconds: 0))
        #expect(route.remaining(ofLeg: only, fromMeters: 1e9) == RemainingFigures(distanceMeters: 0, timeSeconds: 0))
        let speed = try #require(route.segmentSpeeds[0])
        #expect(abs(speed - 500 / (37.6 * 146.8 / 137.6)) < 0.01)
    }

    @Test("Legs that meet are joined; between other legs, a straight piece is added")
    func joining() throws {
        let route = try NavigationRoute(legs: [
            leg([(0, 0), (0, 100)], seconds: 10), leg([(0, 100), (0, 300)], seconds: 20, times: [20]),
            leg([(40, 300), (40, 400)], seconds: 14, times: [10]),
        ])
        #expect(route.line.coordinates.count == 5)
        #expect(route.cumulativeSeconds.count == 5 && route.segmentSpeeds.count == 4)
        #expect(route.legs.map { $0.startMeters.rounded() } == [0, 100, 300])
        #expect(route.legs.map { $0.endMeters.rounded() } == [100, 300, 440])
        #expect(route.legs.map(\.durationSeconds) == [10, 20, 14])
        #expect(route.segmentSpeeds[0] == nil && route.segmentSpeeds[2] == nil)
        #expect(route.legs.last?.endMeters == route.line.lengthMeters)
        #expect(route.route(ofLeg: 1).lengthMeters.rounded() == 200)
        #expect(route.route(ofLeg: 7).isEmpty)
    }

    @Test("Without segment times, seconds are proportional to metres", arguments: UInt64(1)...20)
    func proportional(seed: UInt64) throws {
        let route = try Fixture.route(Fixture.randomWalk(seed: seed), seconds: 500)
        for share in [0.0, 0.1, 0.37, 0.9, 1] {
            #expect(abs(route.seconds(atMeters: route.line.lengthMeters * share) - 500 * share) < 1e-6)
        }
        #expect(zip(route.cumulativeSeconds, route.cumulativeSeconds.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("An impossible route is refused with a message")
    func refused() {
        let good = leg([(0, 0), (0, 100)], seconds: 10)
        var badPlace = good
        badPlace.path[1] = Coordinate(latitude: .nan, longitude: 0)
        var badCount = good
        badCount.segmentSeconds = [1, 2]
        var badLimit = good
        badLimit.speedLimits = [SpeedLimitStretch(offsetMeters: 0, lengthMeters: .nan, limit: .unlimited)]
        var badStep = good
        badStep.steps = [RouteStep(maneuver: .left, roadName: nil, offsetMeters: -1, lengthMeters: 5)]
        var endless = good
        endless.path = Array(repeating: Fixture.origin, count: PlannedRoute.maximumCoordinates + 1)
        #expect(throws: RouteError.noLegs) { try NavigationRoute(legs: []) }
        #expect(throws: RouteError.emptyPath(leg: 1)) { try NavigationRoute(legs: [good, leg([], seconds: 1)]) }
        #expect(throws: RouteError.invalidCoordinate(leg: 0, index: 1)) { try NavigationRoute(legs: [badPlace]) }
        #expect(throws: RouteError.segmentCountMismatch(leg: 0)) { try NavigationRoute(legs: [badCount]) }
        #expect(throws: RouteError.invalidFigure(leg: 0)) { try NavigationRoute(legs: [badLimit]) }
        #expect(throws: RouteError.invalidFigure(leg: 0)) { try NavigationRoute(legs: [badStep]) }
        #expect(throws: RouteError.tooManyCoordinates(limit: 500_000)) { try NavigationRoute(legs: [endless]) }
        for figure in [-1, Double.nan, .infinity, 1e300] {
            #expect(throws: RouteError.invalidFigure(leg: 0)) { try NavigationRoute(legs: [leg([(0, 0), (0, 9)], seconds: figure)]) }
        }
        #expect(throws: RouteError.emptyPath(leg: 0)) { try NavigationRoute(line: Polyline([]), durationSeconds: 1) }
    }

    @Test("Degenerate routes can be driven too: one place, the same place twice, doubled coordinates")
    func degenerate() throws {
        for points in [[(0.0, 0.0)], [(0, 0), (0, 0)], [(0, 0), (0, 0), (0, 200), (0, 200), (0, 200)]] {
            let route = try NavigationRoute(legs: [leg(points, seconds: 30)])
            var drive = Drive(route)
            drive.run()
            #expect(drive.arrivals == 1, "\(points)")
            #expect(drive.alarms == 0)
            #expect(drive.navigator.remaining?.distanceMeters == 0)
        }
    }

    @Test("Traffic is cut to the route, sorted, freed of overlaps (the worse wins) and joined")
    func traffic() throws {
        let only = leg([(0, 0), (0, 1_000)], seconds: 100)
        let end = Polyline(only.path).lengthMeters
        let traffic = [
            TrafficStretch(startMeters: 300, endMeters: 600, speed: .slow),
            TrafficStretch(startMeters: 400, endMeters: 500, speed: .trafficJam),
            TrafficStretch(startMeters: -50, endMeters: 50, speed: .slow),
            TrafficStretch(startMeters: 50, endMeters: 75, speed: .slow),
            TrafficStretch(startMeters: 900, endMeters: 5_900, speed: .trafficJam),
            TrafficStretch(startMeters: .nan, endMeters: 5, speed: .trafficJam),
            TrafficStretch(startMeters: 10, endMeters: 5, speed: .trafficJam),
            TrafficStretch(startMeters: 7_000, endMeters: 7_005, speed: .trafficJam),
        ]
        let route = try NavigationRoute(legs: [only], traffic: traffic)
        #expect(
            route.traffic == [
                TrafficStretch(startMeters: 0, endMeters: 75, speed: .slow),
                TrafficStretch(startMeters: 300, endMeters: 400, speed: .slow),
                TrafficStretch(startMeters: 400, endMeters: 500, speed: .trafficJam),
                TrafficStretch(startMeters: 500, endMeters: 600, speed: .slow),
                TrafficStretch(startMeters: 900, endMeters: end, speed: .trafficJam),
            ])
    }

    @Test("A leg's traffic counts from the leg's start")
    func legTraffic() throws {
        let first = leg([(0, 0), (0, 1_000)], seconds: 100)
        let start = Polyline(first.path).lengthMeters
        let route = try NavigationRoute(
            legs: [first, leg([(0, 1_000), (0, 2_000)], seconds: 100)],
            traffic: [TrafficStretch(startMeters: start + 200, endMeters: start + 250, speed: .trafficJam)])
        #expect(route.route(ofLeg: 0).traffic.isEmpty)
        let only = try #require(route.route(ofLeg: 1).traffic.first)
        #expect(abs(only.startMeters - 200) < 1e-6 && abs(only.lengthMeters - 50) < 1e-6)
    }

    @Test("Steps and limits of all legs lie on the one line, in proportion to the router's metres")
    func placed() throws {
        var first = leg([(0, 0), (0, 1_000)], seconds: 100, meters: 2_000)
        first.steps = [
            RouteStep(maneuver: .depart, roadName: "Quay", offsetMeters: 0, lengthMeters: 500),
            RouteStep(maneuver: .left, roadName: nil, offsetMeters: 500, lengthMeters: 1_500),
        ]
        first.speedLimits = [
            SpeedLimitStretch(offsetMeters: 800, lengthMeters: 1_600, limit: .unlimited),
            SpeedLimitStretch(offsetMeters: 0, lengthMeters: 1_000, limit: .kilometersPerHour(50)),
        ]
        var second = leg([(0, 1_000), (0, 1_500)], seconds: 100)
        second.speedLimits = [SpeedLimitStretch(offsetMeters: 100, lengthMeters: 100, limit: .kilometersPerHour(30))]
        second.steps = [RouteStep(maneuver: .arrive, roadName: nil, offsetMeters: 9_999, lengthMeters: 0)]
        let route = try NavigationRoute(legs: [first, second])
        #expect(route.legs[0].steps.map { $0.offsetMeters.rounded() } == [0, 250])
        #expect(route.legs[0].steps.map { $0.lengthMeters.rounded() } == [250, 750])
        #expect(route.legs[1].steps.map(\.offsetMeters) == [route.line.lengthMeters])
        let limits = [-1, 1, 499, 501, 999, 1_050, 1_150, 1_300, .nan].map { route.speedLimit(atMeters: $0) }
        let town = SpeedLimit.kilometersPerHour(50)
        #expect(limits == [.unknown, town, town, .unlimited, .unlimited, .unknown, .kilometersPerHour(30), .unknown, .unknown])
    }

    @Test("Miles per hour are converted exactly")
    func limits() {
        #expect(SpeedLimit.milesPerHour(30) == .metersPerSecond(30 * 1_609.344 / 3_600))
        #expect(SpeedLimit.kilometersPerHour(36) == .metersPerSecond(10))
    }
}
