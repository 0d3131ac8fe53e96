import Geo
import MapRouting
import Routing
import Testing
import VectorTiles

@Suite("The nearest road of a map")
struct NearestRoadTests {
    private func road(_ map: MadeUpMap, _ place: Coordinate, within meters: Double) async -> Coordinate? {
        await FallbackRouter(MapRouter(source: map)).nearestRoad(to: place, within: meters)
    }

    @Test("the nearest point on a road for cars is found, only within the limit, on both sides of a tile's edge")
    func nearest() async throws {
        var map = MadeUpMap()
        map.add([(500, 1_000), (3_500, 1_000)])
        map.add([(500, 1_100), (3_500, 1_100)])
        // This road lies in the next tile.
        map.add([(4_110, 500), (4_110, 3_500)])
        let place = MadeUpMap.place(2_000, 1_040)
        let found = try #require(await road(map, place, within: 30))
        #expect(found.distanceMeters(to: MadeUpMap.place(2_000, 1_000)) < 0.5)
        #expect(await road(map, place, within: MadeUpMap.meters(39)) == nil)
        let beyond = try #require(await road(map, MadeUpMap.place(4_080, 2_000), within: 30))
        #expect(beyond.distanceMeters(to: MadeUpMap.place(4_110, 2_000)) < 0.5)
    }

    @Test("an unreadable map, a coarse one, and a router without roads find no road")
    func unknown() async {
        var map = MadeUpMap()
        map.add([(500, 1_000), (3_500, 1_000)])
        let place = MadeUpMap.place(2_000, 1_000)
        #expect(await road(map, place, within: 10) != nil)
        #expect(await road(map, place, within: .nan) == nil)
        #expect(await road(map, Coordinate(latitude: 200, longitude: 0), within: 10) == nil)
        #expect(await StraightLineRouter().nearestRoad(to: place, within: 10) == nil)
        var coarse = map
        coarse.zoomRange = 0...12
        #expect(await road(coarse, place, within: 10) == nil)
        map.unreadable = [MadeUpMap.id(0, 0)]
        #expect(await road(map, place, within: 10) == nil)
    }
}
