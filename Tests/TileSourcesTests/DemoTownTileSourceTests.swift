import DemoTown
import Geo
import Testing
import TileSources
import VectorTiles

@testable import TileFuzz

@Suite struct DemoTownTileSourceTests {
    private static let town = DemoTown()
    private static let source = DemoTownTileSource(town: town)

    private func tile(at coordinate: Coordinate, zoom: Int) throws -> VectorTile {
        try #require(Self.source.tileNow(TileID.containing(WebMercator.project(coordinate), zoom: zoom)))
    }

    /// All tiles of a zoom that touch the town.
    private func tiles(zoom: Int) throws -> [VectorTile] {
        let bounds = Self.town.bounds
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west)), zoom: zoom)
        let last = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.south, longitude: bounds.east)), zoom: zoom)
        let ids = (first.y...last.y).flatMap { y in (first.x...last.x).compactMap { TileID(zoom: zoom, x: $0, y: y) } }
        return try ids.map { try #require(Self.source.tileNow($0)) }
    }

    @Test("the middle of the town has streets with names")
    func streets() throws {
        let tile = try tile(at: Self.town.center, zoom: 14)
        #expect(tile.features(of: .street).count > 10)
        #expect(tile.features(of: .street).contains { tile.name(of: $0) != nil })
        #expect(tile.extent == VectorTileBuilder.defaultExtent)
    }

    @Test("streets are called in the tiles what they are called in the town, at the stops of its ride too")
    func streetNames() async throws {
        let ride = try #require(Self.town.ride)
        #expect(await Self.source.streetName(near: ride.pickup.coordinate) == "Old Market")
        for stop in [ride.pickup, ride.stop, ride.dropoff] {
            let named = try #require(await Self.source.streetName(near: stop.coordinate))
            let road = try #require(Self.town.roads.nearestRoad(to: stop.coordinate, withinMeters: 60))
            #expect(road.name == nil || road.name == named)
        }
    }

    @Test("every named point of the town is in exactly one tile of a zoom", arguments: [11, 13, 14])
    func points(zoom: Int) throws {
        let tiles = try tiles(zoom: zoom)
        let drawn = tiles.flatMap { tile in
            [MapClass.town, .village, .suburb].flatMap { tile.features(of: $0).compactMap { tile.name(of: $0) } }
        }
        let places = Self.town.features.filter { feature in
            guard feature.kind == .place, case .point(let coordinate) = feature.geometry else { return false }
            return Self.town.bounds.contains(coordinate)
        }
        #expect(!places.isEmpty)
        for place in places { #expect(drawn.count { $0 == place.name } == 1, "\(place.name ?? "")") }
    }

    @Test("a road goes on in the next tile where it left this one")
    func seams() throws {
        let left = try tile(at: Self.town.center, zoom: 14)
        let next = try #require(TileID(zoom: 14, x: left.id.x + 1, y: left.id.y))
        let right = try #require(Self.source.tileNow(next))
        func crossings(_ tile: VectorTile, at edge: Double) -> [Double] {
            tile.features(of: .street).flatMap { feature in
                tile.parts(of: feature).flatMap { part -> [Double] in
                    let vertices = tile.vertices(ofPart: part).map {
                        (x: Double(tile.coordinates[2 * $0]), y: Double(tile.coordinates[2 * $0 + 1]))
                    }
                    return zip(vertices, vertices.dropFirst()).compactMap { a, b in
                        guard (a.x < edge) != (b.x < edge) else { return nil }
                        return a.y + (edge - a.x) / (b.x - a.x) * (b.y - a.y)
                    }
                }
            }.filter { (0...4096).contains($0) }.sorted()
        }
        let (here, there) = (crossings(left, at: 4096), crossings(right, at: 0))
        #expect(!here.isEmpty && here.count == there.count)
        for (a, b) in zip(here, there) { #expect(abs(a - b) < 4) }
    }

    @Test("lower zooms have less")
    func generalisation() throws {
        let counts = try [9, 11, 13, 14].map { zoom in try tiles(zoom: zoom).reduce(0) { $0 + $1.featureCount } }
        #expect(counts[0] > 0 && counts[0] < counts[1] && counts[1] < counts[2])
        #expect(try tiles(zoom: 11).allSatisfy { $0.features(of: .street).isEmpty })
    }

    @Test("the open sea is an empty tile, a zoom without tiles is none")
    func outside() async throws {
        #expect(try tile(at: Coordinate(latitude: 50, longitude: 8), zoom: 12).featureCount == 0)
        let world = try await Self.source.tile(.world)
        #expect(world == nil)
        let deep = try #require(TileID(zoom: 15, x: 0, y: 0))
        let tile = try await Self.source.tile(deep)
        #expect(tile == nil)
        #expect(Self.source.zoomRange == 9...14 && Self.source.attribution == "© nobody: an invented town")
        let details = Self.source.details
        #expect(details.zoomRange == 9...14 && details.attribution == Self.source.attribution && details.centerZoom == 14)
        #expect(details.bounds == Self.town.bounds && details.center == Self.town.center)
        let near = TileID.containing(WebMercator.project(Self.town.center), zoom: 19)
        #expect(await Self.source.nearest(to: near).tile?.id == near.ancestor(atZoom: 14))
    }
}
