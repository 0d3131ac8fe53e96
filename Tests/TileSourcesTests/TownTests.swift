import Geo
import Testing
import TileSources
import VectorTiles

@testable import TileFuzz

@Suite("The town that comes with the program")
struct TownTests {
    private let town: BaseMapFile
    private let center = Coordinate(latitude: -36, longitude: -20)

    init() throws { town = try BaseMapFile.town() }

    private func tile(at coordinate: Coordinate, zoom: Int) async throws -> VectorTile {
        try #require(try await town.tile(TileID.containing(WebMercator.project(coordinate), zoom: zoom)))
    }

    /// Returns all tiles of a zoom.
    private func tiles(zoom: Int) async throws -> [VectorTile] {
        let bounds = try #require(town.details.bounds)
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west)), zoom: zoom)
        let last = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.south, longitude: bounds.east)), zoom: zoom)
        var tiles: [VectorTile] = []
        for y in first.y...last.y {
            for x in first.x...last.x {
                let id = try #require(TileID(zoom: zoom, x: x, y: y))
                tiles.append(try #require(try await town.tile(id)))
            }
        }
        return tiles
    }

    @Test("is a map file like any other, from its attribution to its metadata")
    func details() async throws {
        let details = town.details
        #expect(town.format == .pmtiles && town.zoomRange == 9...14 && town.attribution == "© nobody: an invented town")
        #expect(details.name == "Teaselstade" && details.schema == .protomaps && details.center == center && details.centerZoom == 14)
        #expect(details.bounds?.contains(center) == true)
        #expect(String(decoding: town.metadata, as: UTF8.self).contains("\"rides\":[{"))
    }

    @Test("the middle has streets, water, parks and houses, and streets have names")
    func middle() async throws {
        let tile = try await tile(at: center, zoom: 14)
        #expect(tile.features(of: .street).count > 10 && tile.extent == VectorTileBuilder.defaultExtent)
        for mapClass in [MapClass.street, .river, .water, .park, .building, .pointOfInterest, .suburb] {
            #expect(!tile.features(of: mapClass).isEmpty, "\(mapClass)")
        }
        #expect(tile.features(of: .street).contains { tile.name(of: $0) != nil })
        #expect(await town.streetName(near: center) == "Old Market")
    }

    @Test("every named place is in exactly one tile of a zoom", arguments: [11, 13, 14])
    func points(zoom: Int) async throws {
        let names = try await tiles(zoom: zoom).flatMap { tile in
            [MapClass.town, .village, .suburb].flatMap { tile.features(of: $0).compactMap { tile.name(of: $0) } }
        }
        #expect(names.count > 10 && Set(names).count == names.count && names.contains("Teaselstade"))
    }

    @Test("roads for cars are one-way, on bridges, or neither; footpaths are not among them")
    func roads() async throws {
        let id = TileID.containing(WebMercator.project(center), zoom: 14)
        let roads = try #require(try await town.roads(id))
        #expect(roads.lines.contains { $0.flags.contains(.noBackward) } && roads.lines.contains { $0.level == 1 })
        #expect(roads.lines.count { $0.flags.isEmpty && $0.level == 0 } > 50)
        let tile = try await tile(at: center, zoom: 14)
        let drawn = MapClass.allCases.filter { $0.isRoad && $0 != .path }.reduce(0) { $0 + tile.features(of: $1).count }
        #expect(!tile.features(of: .path).isEmpty && roads.lines.count >= drawn)
    }

    @Test("a road continues in the next tile at the point where it left this one")
    func seams() async throws {
        let left = try await tile(at: center, zoom: 14)
        let next = try #require(TileID(zoom: 14, x: left.id.x + 1, y: left.id.y))
        let right = try #require(try await town.tile(next))
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

    @Test("lower zooms have less detail")
    func generalisation() async throws {
        var counts: [Int] = []
        for zoom in [9, 11, 13, 14] { counts.append(try await tiles(zoom: zoom).reduce(0) { $0 + $1.featureCount }) }
        #expect(counts[0] > 0 && counts[0] < counts[1] && counts[1] < counts[2])
        #expect(try await tiles(zoom: 11).allSatisfy { $0.features(of: .street).isEmpty })
    }

    @Test("the open sea and zooms without tiles have no tiles; closer views are drawn from the deepest zoom")
    func outside() async throws {
        let sea = TileID.containing(WebMercator.project(Coordinate(latitude: 50, longitude: 8)), zoom: 12)
        let deep = try #require(TileID(zoom: 15, x: 0, y: 0))
        for id in [sea, .world, deep] {
            let tile = try await town.tile(id)
            #expect(tile == nil, "\(id)")
        }
        let near = TileID.containing(WebMercator.project(center), zoom: 19)
        #expect(await town.nearest(to: near).tile?.id == near.ancestor(atZoom: 14))
    }
}
