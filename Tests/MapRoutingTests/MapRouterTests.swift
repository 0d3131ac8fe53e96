import Geo
import MapRouting
import Routing
import Testing
import VectorTiles

@Suite("Routes on the roads of a map")
struct MapRouterTests {
    @Test("a route follows the roads, not the line between its ends")
    func corner() async throws {
        var map = MadeUpMap()
        map.add([(500, 500), (2_500, 500)])
        map.add([(2_500, 500), (2_500, 2_500)])
        let way = try await map.way((500, 500), (2_500, 2_500))
        #expect(way.planner == "map")
        let leg = try #require(way.legs.first)
        #expect(abs(leg.lengthMeters - MadeUpMap.meters(4_000)) < 3)
        #expect(leg.segmentSeconds.count == leg.path.count - 1)
        #expect(abs(leg.segmentSeconds.reduce(0, +) - leg.durationSeconds) < 1e-6)
        #expect(leg.durationSeconds > leg.lengthMeters / 14, "slower than 50 km/h in a residential street")
    }

    @Test("roads continue in the next tile, whether the tiles rounded the edge differently or the roads were cut there")
    func border() async throws {
        var map = MadeUpMap()
        map.add([(1_000, 2_000), (4_160, 2_100)], onlyIn: MadeUpMap.id(0, 0))
        map.add([(-64, 2_096), (3_000, 2_199)], onlyIn: MadeUpMap.id(1, 0))
        // In the tile data, this road ends exactly at the tile's edge.
        map.add([(3_000, 2_199), (3_000, 4_096)], onlyIn: MadeUpMap.id(1, 0))
        map.add([(3_000, 0), (3_000, 900)], onlyIn: MadeUpMap.id(1, 1))
        #expect(try await abs(map.units((1_000, 2_000), (7_096, 4_996)) - (6_100 + 2_797)) < 20)
    }

    @Test("two roads that reach the edge beside each other stay apart")
    func parallel() async throws {
        var map = MadeUpMap()
        for (y, flags) in [(2_000, RoadFlags.noBackward), (2_020, .noForward)] {
            map.add(.primary, flags: flags, [(500, y), (7_500, y)])
        }
        map.add([(7_500, 2_000), (7_500, 2_020)])
        map.add([(3_000, 1_500), (3_000, 2_000)])
        map.add([(3_000, 2_500), (3_000, 2_020)])
        #expect(try await abs(map.units((3_000, 1_500), (3_000, 2_500)) - (500 + 4_500 + 20 + 4_500 + 480)) < 20)
    }

    @Test("a bridge or tunnel does not meet the road that it crosses, with a vertex in the same place or without", arguments: [1, -1])
    func bridge(level: Int8) async throws {
        var map = MadeUpMap()
        map.add([(2_000, 500), (2_000, 2_000), (2_000, 3_500)])
        map.add([(500, 2_000), (1_500, 2_000)])
        map.add(level: level, [(1_500, 2_000), (2_000, 2_000), (2_500, 2_000)])
        map.add([(2_500, 2_000), (3_500, 2_000)])
        // These roads make a longer route around the bridge or tunnel.
        map.add([(3_500, 2_000), (3_500, 3_500)])
        map.add([(3_500, 3_500), (2_000, 3_500)])
        #expect(try await abs(map.units((1_000, 2_000), (2_000, 3_000)) - (2_500 + 1_500 + 1_500 + 500)) < 10)
    }

    @Test("a bridge meets the roads at its ends, even if one of them continues past its end")
    func bridgeEnd() async throws {
        var map = MadeUpMap()
        map.add([(500, 500), (500, 2_000), (500, 3_500)])
        map.add(level: 1, [(500, 2_000), (2_500, 2_000)])
        map.add([(2_500, 500), (2_500, 2_000), (2_500, 3_500)])
        #expect(try await abs(map.units((500, 1_000), (2_500, 3_000)) - 4_000) < 10)
    }

    @Test("junctions whose vertices the map's maker left out are found: a crossing, and an end beside a line")
    func lostJunctions() async throws {
        var map = MadeUpMap()
        map.add([(500, 1_000), (3_500, 1_000)])
        map.add([(2_000, 500), (2_000, 3_000)])
        map.add([(500, 2_001), (1_999, 2_001)])
        #expect(try await abs(map.units((1_000, 1_000), (2_000, 2_500)) - 2_500) < 10)
        #expect(try await abs(map.units((1_000, 2_001), (2_000, 2_500)) - 1_500) < 10)
    }

    @Test("one-way streets are driven only in their direction")
    func oneWay() async throws {
        var map = MadeUpMap()
        map.add(flags: .noBackward, [(500, 500), (2_500, 500)])
        map.add(flags: .noForward, [(500, 1_500), (2_500, 1_500)])
        map.add([(500, 500), (500, 1_500)])
        map.add([(2_500, 500), (2_500, 1_500)])
        #expect(try await abs(map.units((1_000, 500), (2_000, 500)) - 1_000) < 10)
        #expect(try await abs(map.units((2_000, 500), (1_000, 500)) - (500 + 1_000 + 2_000 + 1_000 + 500)) < 10)
    }

    @Test("a ring that is not marked as one-way is driven in the direction in which it is drawn")
    func roundabout() async throws {
        var map = MadeUpMap()
        let ring = [
            (2_000, 1_900), (1_930, 1_930), (1_900, 2_000), (1_930, 2_070), (2_000, 2_100), (2_070, 2_070), (2_100, 2_000), (2_070, 1_930),
        ]
        map.add(ring + [(2_000, 1_900)])
        map.add([(1_000, 2_000), (1_900, 2_000)])
        map.add([(2_000, 1_900), (2_000, 1_000)])
        let (around, along) = (try await map.units((1_500, 2_000), (2_000, 1_500)), try await map.units((2_000, 1_500), (1_500, 2_000)))
        #expect(around > along + 250)
    }

    @Test("the faster road is taken if the slower one is only a little shorter")
    func classes() async throws {
        var map = MadeUpMap()
        map.add(.service, [(500, 500), (3_500, 500)])
        map.add(.primary, [(500, 500), (500, 700)])
        map.add(.primary, [(500, 700), (3_500, 700)])
        map.add(.primary, [(3_500, 700), (3_500, 500)])
        #expect(try await abs(map.units((500, 500), (3_500, 500)) - 3_400) < 10)
    }

    @Test("a moving car goes on in its direction if turning back costs more")
    func course() async throws {
        var map = MadeUpMap()
        map.add([(500, 500), (2_500, 500)])
        map.add([(500, 500), (500, 900)])
        map.add([(2_500, 500), (2_500, 900)])
        map.add([(500, 900), (2_500, 900)])
        let from = (1_450, 500)
        #expect(try await map.units(from, (1_500, 900), course: 90) > 2_400)
        #expect(try await map.units(from, (1_500, 900), course: 270) > 2_300)
        #expect(try await map.units(from, (1_400, 900), course: 90) > 2_400)
    }

    @Test("each leg begins where the one before it ended")
    func legs() async throws {
        var map = MadeUpMap()
        map.add([(500, 500), (3_500, 500)])
        let way = try await map.way((600, 520), (2_000, 480), (3_000, 510))
        #expect(way.legs.count == 2)
        let (end, start) = (try #require(way.legs.first?.path.last), try #require(way.legs.last?.path.first))
        #expect(end.distanceMeters(to: start) < 0.5)
        #expect(way.legs.map(\.destination.coordinate) == [MadeUpMap.place(2_000, 480), MadeUpMap.place(3_000, 510)])
    }

    @Test("a place beside a road that leads nowhere is reached from the nearest connected road")
    func pocket() async throws {
        var map = MadeUpMap()
        map.add([(-100, 1_000), (4_196, 1_000)])
        map.add(.driveway, [(2_000, 1_100), (2_200, 1_100)])
        let way = try await map.way((500, 1_000), (2_100, 1_100))
        let end = try #require(way.legs.last?.path.last)
        #expect(end.distanceMeters(to: MadeUpMap.place(2_100, 1_000)) < 2)
    }

    @Test("a route within one stretch of road, and one to the car's own position")
    func short() async throws {
        var map = MadeUpMap()
        map.add(flags: .noBackward, [(500, 500), (3_500, 500)])
        #expect(try await abs(map.units((1_000, 500), (1_200, 500)) - 200) < 3)
        let way = try await map.way((1_000, 500), (1_000, 500))
        #expect(way.legs.first?.lengthMeters ?? 99 < 1)
        #expect(way.legs.first?.path.isEmpty == false)
    }
}
