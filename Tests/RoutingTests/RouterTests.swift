import Geo
import Routing
import Testing

@Suite("Routers that need no map")
struct RouterTests {
    private static let origin = Coordinate(latitude: 10, longitude: 20)

    private func place(_ east: Double, _ north: Double) -> Coordinate { Self.origin.offset(eastMeters: east, northMeters: north) }

    private func request(_ places: [(Double, Double)], from start: (Double, Double) = (0, 0)) -> RouteRequest {
        RouteRequest(
            origin: place(start.0, start.1), destinations: places.map { NavigationWaypoint(coordinate: place($0.0, $0.1)) })
    }

    @Test("The straight line is a route through all places, and says what it is")
    func straightLine() async throws {
        let router = StraightLineRouter(speedMetersPerSecond: 10)
        let route = try await router.route(request([(0, 500), (300, 500)]))
        #expect(router.name == "straight line" && route.planner == "straight line")
        #expect(route.legs.map { $0.durationSeconds.rounded() } == [50, 30])
        #expect(route.legs.map { $0.lengthMeters.rounded() } == [500, 300])
        #expect(route.legs.allSatisfy { $0.path.count == 2 && $0.segmentSeconds == [$0.durationSeconds] })
        await #expect(throws: RoutingError.self) { try await router.route(request([])) }
        var nowhere = request([(0, 500)])
        nowhere.origin = Coordinate(latitude: .infinity, longitude: 0)
        await #expect(throws: RoutingError.self) { try await router.route(nowhere) }
    }

    @Test("There is one speed where nobody knows better, 30 km/h; one that cannot be is none")
    func townSpeed() async throws {
        let straight = try await StraightLineRouter().route(request([(0, 1_000)]))
        #expect(abs(straight.legs[0].durationSeconds - 120) < 0.2)
        let given = try await GivenWayRouter(way: Polyline([place(0, 0), place(0, 2_000)])).route(request([(0, 1_000)]))
        #expect(abs(given.legs[0].durationSeconds - straight.legs[0].durationSeconds) < 0.1)
        #expect(StraightLineRouter(speedMetersPerSecond: 0).speedMetersPerSecond == 1)
        #expect(StraightLineRouter(speedMetersPerSecond: .nan).speedMetersPerSecond == StraightLineRouter.townSpeedMetersPerSecond)
        #expect(StraightLineRouter(speedMetersPerSecond: 1e9).speedMetersPerSecond == 60)
    }

    @Test("A given way is driven from the place next to the vehicle to the place next to the destination, back too")
    func givenWay() async throws {
        let router = GivenWayRouter(way: Polyline([place(0, 0), place(0, 1_000), place(1_000, 1_000)]))
        let route = try await router.route(request([(500, 1_050), (-20, 400)], from: (30, 200)))
        #expect(route.planner == "given route" && route.legs.count == 2)
        #expect(abs(route.legs[0].lengthMeters - (30 + 800 + 500 + 50)) < 2)
        #expect(abs(route.legs[1].lengthMeters - (50 + 500 + 600 + 20)) < 2)
        #expect(route.legs[1].path.first == place(500, 1_050) && route.legs[1].path.last == place(-20, 400))
    }

    @Test("Far from the given way a place is reached by the other router, else by the straight line")
    func farFromGivenWay() async throws {
        let other = GivenWayRouter(way: Polyline([place(600, 500), place(0, 500), place(0, 0)]))
        let both = GivenWayRouter(way: Polyline([place(0, 0), place(0, 1_000)]), elsewhere: other)
        #expect(try await both.route(request([(600, 500)])).legs[0].lengthMeters > 1_050)
        #expect(try await both.route(request([(0, 900)])).legs[0].lengthMeters < 950)
        let router = GivenWayRouter(way: Polyline([place(0, 0), place(0, 1_000)]))
        let route = try await router.route(request([(600, 500)]))
        #expect(route.legs[0].path.count == 2)
        #expect(try await GivenWayRouter(way: Polyline([])).route(request([(0, 9)])).legs[0].path.count == 2)
    }
}
