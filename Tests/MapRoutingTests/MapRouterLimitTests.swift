import Geo
import MapRouting
import Routing
import Testing
import VectorTiles

@Suite("Where the map's roads end")
struct MapRouterLimitTests {
    private func failure(
        _ map: MadeUpMap, _ from: (Int, Int), _ to: (Int, Int), limits: MapRouter.Limits = .init()
    ) async -> MapRoutingError? {
        do throws(MapRoutingError) {
            _ = try await map.way(from, to, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private static var street: MadeUpMap {
        var map = MadeUpMap()
        map.add([(500, 500), (11_500, 500)])
        return map
    }

    @Test("a place without a road within a kilometre is stated in the error")
    func noRoad() async {
        let place = MadeUpMap.place(500, 20_000)
        #expect(await failure(Self.street, (500, 500), (500, 20_000)) == .noRoad(near: place))
    }

    @Test("if the roads do not lead to the place, the route is outside the map, whatever the direction of the gap")
    func outside() async {
        var map = MadeUpMap()
        map.add([(500, 500), (1_500, 500)])
        map.add([(2_500, 500), (3_500, 500)])
        #expect(await failure(map, (600, 500), (3_400, 500)) == .outsideMap)
        #expect(MapRoutingError.outsideMap.description.hasSuffix("found on the map's roads"))
    }

    @Test("a search stops at its limits of tiles, bytes and steps")
    func bounds() async {
        var limits = MapRouter.Limits()
        limits.tiles = 2
        #expect(await failure(Self.street, (600, 500), (11_400, 500), limits: limits) == .tooLong)
        limits = .init()
        limits.searchBytes = 100
        #expect(await failure(Self.street, (600, 500), (11_400, 500), limits: limits) == .tooLong)
        #expect(await failure(Self.street, (600, 500), (11_400, 500)) == nil)
    }

    @Test("an unreadable tile on the route is stated in the error")
    func unreadable() async {
        var map = Self.street
        map.unreadable = [MadeUpMap.id(1, 0)]
        guard case .unreadable(let id, _) = await failure(map, (600, 500), (11_400, 500)) else {
            Issue.record("the way was found")
            return
        }
        #expect(id == MadeUpMap.id(1, 0))
    }

    @Test("maps without streets, invalid places and the other side of the earth are refused at once")
    func refused() async {
        var map = Self.street
        map.zoomRange = 0...12
        #expect(await failure(map, (600, 500), (700, 500)) == .tooCoarse(zoom: 12))
        let router = MapRouter(source: Self.street)
        let place = MadeUpMap.place(600, 500)
        for request in [
            RouteRequest(origin: place, destinations: []),
            RouteRequest(origin: Coordinate(latitude: .nan, longitude: 0), destinations: [NavigationWaypoint(coordinate: place)]),
        ] {
            await #expect(throws: MapRoutingError.invalidRequest) { try await router.way(request) }
        }
        let far = NavigationWaypoint(coordinate: Coordinate(latitude: -33.9, longitude: 151.2))
        await #expect(throws: RoutingError.self) { try await router.route(RouteRequest(origin: place, destinations: [far])) }
    }

    @Test("a cancelled search ends, and may be tried again")
    func cancelled() async {
        let task = Task { () -> MapRoutingError? in
            while !Task.isCancelled { await Task.yield() }
            return await failure(Self.street, (600, 500), (11_400, 500))
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(MapRoutingError.cancelled.routingError.isRetryable)
        #expect(!MapRoutingError.outsideMap.routingError.isRetryable)
    }

    @Test("tiles of nonsense cost a route at most", arguments: 0..<12)
    func nonsense(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        var map = MadeUpMap()
        let wild: [Int] = [0, 1, 4_095, 4_096, 4_097, -1, Int(Int32.max), Int(Int32.min), 2_000]
        for column in -1...1 {
            for _ in 0..<40 {
                let points = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? (wild.randomElement(using: &random) ?? 0, wild.randomElement(using: &random) ?? 0)
                        : (Int.random(in: -200...4_300, using: &random), Int.random(in: -200...4_300, using: &random))
                }
                map.add(
                    RoadClass.allCases.randomElement(using: &random) ?? .street,
                    flags: RoadFlags(rawValue: .random(in: 0...7, using: &random)),
                    level: .random(in: -2...2, using: &random), points, onlyIn: MadeUpMap.id(column, 0))
            }
        }
        let router = MapRouter(source: map)
        for _ in 0..<5 {
            let ends = (0..<2).map { _ in (Int.random(in: -4_096...8_000, using: &random), Int.random(in: 0...4_096, using: &random)) }
            let request = RouteRequest(
                origin: MadeUpMap.place(ends[0].0, ends[0].1),
                destinations: [NavigationWaypoint(coordinate: MadeUpMap.place(ends[1].0, ends[1].1))])
            guard let leg = try? await router.way(request).legs.first else { continue }
            #expect(leg.path.allSatisfy { $0.isValid })
            #expect(leg.durationSeconds.isFinite && leg.lengthMeters < 1e6)
        }
    }
}
