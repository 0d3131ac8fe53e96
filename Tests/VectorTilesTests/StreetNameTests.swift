import Geo
import Testing
import VectorTiles

@Suite("Names of streets near a place")
struct StreetNameTests {
    private let id = TileID(zoom: 14, x: 8_000, y: 9_000)

    /// Returns a tile with these lines. Their coordinates are in tile units.
    private func tile(_ id: TileID, _ lines: [(MapClass, String, [(Int32, Int32)])]) -> VectorTile {
        var builder = VectorTileBuilder(id: id)
        for (mapClass, name, points) in lines {
            builder.addFeature(mapClass, kind: .line, name: name, vertices: points.map { (x: $0.0, y: $0.1) })
        }
        return builder.finish()
    }

    /// Returns the coordinate of a point in a tile. The point is in tile units, of which a tile has 4096 in each direction.
    private func place(_ id: TileID, _ x: Double, _ y: Double) -> Coordinate {
        let tiles = Double(1 << id.zoom)
        return WebMercator.unproject(
            MercatorPoint(x: (Double(id.x) + x / 4_096) / tiles, y: (Double(id.y) + y / 4_096) / tiles))
    }

    @Test("the nearest named road within reach is used, never a path, a railway or a road without a name")
    func nearest() throws {
        let id = try #require(id)
        let tile = tile(
            id,
            [
                (.street, "Cinnabar Lane", [(0, 1_000), (2_000, 1_000), (4_000, 1_400)]),
                (.motorway, "Far Way", [(0, 1_200), (4_000, 1_600)]),
                (.street, "", [(0, 1_010), (4_000, 1_010)]), (.path, "Goat Path", [(0, 1_020), (2_000, 1_020)]),
                (.rail, "Old Line", [(0, 1_020), (2_000, 1_020)]),
            ])
        #expect(tile.streetName(near: place(id, 1_000, 1_020), withinMeters: 60) == "Cinnabar Lane")
        #expect(tile.streetName(near: place(id, 1_000, 1_290), withinMeters: 60) == "Far Way")
        #expect(tile.streetName(near: place(id, 1_000, 3_000), withinMeters: 60) == nil)
        #expect(tile.streetName(near: place(id, 1_000, 3_000), withinMeters: 5_000) == "Far Way")
        for wrong in [Double.nan, -1, 0, .infinity] {
            #expect(tile.streetName(near: place(id, 1_000, 1_000), withinMeters: wrong) == nil)
        }
    }

    @Test("a car is on the road in its direction, not on one that it crosses, and on none if an unnamed road is nearer")
    func driven() throws {
        let id = try #require(id)
        let tile = tile(
            id,
            [
                (.street, "Cinnabar Lane", [(0, 1_000), (4_000, 1_000)]), (.primary, "Cross Road", [(1_000, 0), (1_000, 4_000)]),
                (.service, "", [(0, 1_040), (4_000, 1_040)]),
            ])
        func street(_ x: Double, _ y: Double, heading: Double) -> String? {
            tile.streetName(drivenAt: place(id, x, y), headingDegrees: heading, withinMeters: 25)
        }
        #expect(street(1_000, 1_000, heading: 90) == "Cinnabar Lane" && street(1_000, 1_000, heading: 265) == "Cinnabar Lane")
        #expect(street(1_000, 1_000, heading: 0) == "Cross Road" && street(1_000, 1_000, heading: 190) == "Cross Road")
        #expect(street(1_000, 1_000, heading: 45) == nil && street(2_000, 1_000, heading: 0) == nil)
        // The first position is on the unnamed road, which runs beside Cinnabar Lane.
        #expect(street(2_000, 1_038, heading: 90) == nil && street(2_000, 1_005, heading: 90) == "Cinnabar Lane")
        #expect(street(2_000, 1_300, heading: 90) == nil && street(2_000, 1_000, heading: .nan) == nil)
    }

    @Test("the reach is in metres on the ground, also far north")
    func reach() throws {
        for y in [4_000, 8_192] {
            let id = try #require(TileID(zoom: 14, x: 8_000, y: y))
            let tile = tile(id, [(.street, "Measure Street", [(0, 2_000), (4_096, 2_000)])])
            let here = place(id, 2_000, 2_400)
            let meters = here.distanceMeters(to: place(id, 2_000, 2_000))
            #expect(tile.streetName(near: here, withinMeters: meters * 1.01) == "Measure Street")
            #expect(tile.streetName(near: here, withinMeters: meters * 0.99) == nil)
        }
    }

    @Test("a source is asked for its deepest zoom; one without streets gives no names")
    func source() async throws {
        let id = try #require(id)
        let tile = tile(id, [(.street, "Source Street", [(0, 1_000), (4_096, 1_000)])])
        let here = place(id, 500, 1_010)
        #expect(await OneTile(tile: tile, zoomRange: 0...14).streetName(near: here) == "Source Street")
        #expect(await OneTile(tile: tile, zoomRange: 0...15).streetName(near: here) == "Source Street")
        #expect(await OneTile(tile: tile, zoomRange: 0...12).streetName(near: here) == nil)
        #expect(await OneTile(tile: nil, zoomRange: 0...14).streetName(near: here) == nil)
        #expect(await OneTile(tile: tile, zoomRange: 0...14).streetName(near: Coordinate(latitude: .nan, longitude: 0)) == nil)
    }
}

private struct OneTile: TileSource {
    var tile: VectorTile?
    var zoomRange: ClosedRange<Int>
    let attribution = ""

    func tile(_ id: TileID) async throws -> VectorTile? { id == tile?.id ? tile : nil }
}
