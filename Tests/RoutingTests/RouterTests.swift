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

    @Test("The straight line is a route through all places, and is marked as such")
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

    @Test("The default speed is 30 km/h in every router, and impossible speeds are corrected")
    func townSpeed() async throws {
        let straight = try await StraightLineRouter().route(request([(0, 1_000)]))
        #expect(abs(straight.legs[0].durationSeconds - 120) < 0.2)
        let given = try await GivenWayRouter(way: Polyline([place(0, 0), place(0, 2_000)])).route(request([(0, 1_000)]))
        #expect(abs(given.legs[0].durationSeconds - straight.legs[0].durationSeconds) < 0.1)
        #expect(StraightLineRouter(speedMetersPerSecond: 0).speedMetersPerSecond == 1)
        #expect(StraightLineRouter(speedMetersPerSecond: .nan).speedMetersPerSecond == StraightLineRouter.townSpeedMetersPerSecond)
        #expect(StraightLineRouter(speedMetersPerSecond: 1e9).speedMetersPerSecond == 60)
    }

    @Test("A given route is driven from its point next to the vehicle to its point next to the destination, backwards too")
    func givenWay() async throws {
        let router = GivenWayRouter(way: Polyline([place(0, 0), place(0, 1_000), place(1_000, 1_000)]))
        let route = try await router.route(request([(500, 1_050), (-20, 400)], from: (30, 200)))
        #expect(route.planner == "given route" && route.legs.count == 2)
        #expect(abs(route.legs[0].lengthMeters - (30 + 800 + 500 + 50)) < 2)
        #expect(abs(route.legs[1].lengthMeters - (50 + 500 + 600 + 20)) < 2)
        #expect(route.legs[1].path.first == place(500, 1_050) && route.legs[1].path.last == place(-20, 400))
    }

    @Test("A place far from the given route is reached by the other router, or else by the straight line")
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

    /// A router along the axes: first to the north, then to the east, with a turn at the corner.
    private struct Streets: Router {
        let name = "streets"

        func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
            var legs: [RouterLeg] = []
            var from = request.origin
            for destination in request.destinations {
                let corner = Coordinate(latitude: destination.coordinate.latitude, longitude: from.longitude)
                let (north, east) = (from.distanceMeters(to: corner), corner.distanceMeters(to: destination.coordinate))
                legs.append(
                    RouterLeg(
                        path: [from, corner, destination.coordinate], destination: destination, distanceMeters: north + east,
                        durationSeconds: (north + east) / 10, segmentSeconds: [north / 10, east / 10],
                        steps: [
                            RouteStep(maneuver: .depart, roadName: "North Road", offsetMeters: 0, lengthMeters: north),
                            RouteStep(maneuver: .right, roadName: "East Road", offsetMeters: north, lengthMeters: east),
                            RouteStep(maneuver: .arrive, roadName: nil, offsetMeters: north + east, lengthMeters: 0),
                        ]))
                from = destination.coordinate
            }
            do throws(RouteError) {
                return try PlannedRoute(planner: name, legs: legs)
            } catch {
                throw RoutingError("\(error)", isRetryable: false)
            }
        }
    }

    @Test("The other router's routes lead through given places, as one leg with its figures and manoeuvres")
    func givenPlaces() async throws {
        let way = Polyline([place(0, 0), place(400, 300), place(1_000, 1_000)])
        let router = GivenPlacesRouter(way: way, roads: Streets())
        let route = try await router.route(request([(1_000, 1_000)]))
        #expect(route.planner == "streets" && route.legs.count == 1)
        let leg = try #require(route.legs.first)
        #expect(leg.path.contains(place(400, 300)) && leg.path.last == place(1_000, 1_000) && leg.path.count == 5)
        #expect(abs(leg.lengthMeters - 2_000) < 2 && abs(leg.durationSeconds - 200) < 0.2)
        #expect(leg.segmentSeconds.count == 4 && abs(leg.segmentSeconds.reduce(0, +) - 200) < 0.2)
        #expect(leg.steps.map(\.maneuver) == [.depart, .right, .right, .arrive])
        #expect(zip(leg.steps.map(\.offsetMeters), [0, 300, 1_400, 2_000]).allSatisfy { abs($0 - $1) < 2 }, "\(leg.steps)")
        #expect(zip(leg.steps.map(\.lengthMeters), [300, 1_100, 600, 0]).allSatisfy { abs($0 - $1) < 2 }, "\(leg.steps)")
    }

    @Test("Only given places between start and end are used: no end points, no places far away, and all on the way back")
    func placesBetween() async throws {
        let ends = GivenPlacesRouter(way: Polyline([place(0, 0), place(900, 1_000)]), roads: Streets())
        #expect(try await ends.route(request([(900, 1_000)])).legs.map(\.path.count) == [3])
        let way = Polyline([place(0, 0), place(0, 500), place(0, 1_000), place(0, 1_500)])
        let router = GivenPlacesRouter(way: way, roads: Streets())
        let back = try await router.route(request([(20, 100), (0, 1_020)], from: (10, 1_400)))
        #expect(back.legs.map { $0.path.contains(place(0, 1_000)) } == [true, false])
        #expect(back.legs.map { $0.path.contains(place(0, 500)) } == [true, true])
        let far = try await router.route(request([(600, 1_400)]))
        #expect(far.legs.map(\.path.count) == [3])
    }
}
