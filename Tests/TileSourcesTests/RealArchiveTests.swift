import FoundationEssentials
import Geo
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

/// Tests of archives of real places, and of archives that other programs have made.
@Suite(.enabled(if: SharedData.isPresent))
struct RealArchiveTests {
    private func map(_ name: String, languages: [String] = []) throws -> BaseMapFile {
        try BaseMapFile(path: SharedData.map + "/" + name, languages: languages)
    }

    /// Returns all tiles at a zoom that overlap the map's bounds.
    private func tiles(_ map: BaseMapFile, zoom: Int) throws -> [TileID] {
        let bounds = try #require(map.details.bounds)
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west)), zoom: zoom)
        let last = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.south, longitude: bounds.east)), zoom: zoom)
        return (first.y...last.y).flatMap { y in (first.x...last.x).map { tileID(zoom, $0, y) } }
    }

    @Test("both kinds of archive give the same places, tile by tile", arguments: ["monaco", "sf_downtown"])
    func pairs(name: String) async throws {
        let (first, second) = (try map("tiles/\(name).pmtiles"), try map("tiles/\(name).mbtiles"))
        #expect(first.format == .pmtiles && second.format == .mbtiles)
        #expect(first.zoomRange == 0...14 && second.zoomRange == 0...14)
        #expect(first.attribution == "© OpenStreetMap contributors" && second.attribution == first.attribution)
        #expect(first.details.name == second.details.name && !first.details.name.isEmpty)
        #expect(first.details.schema == .openMapTiles && second.details.schema == .openMapTiles)
        var featureCount = 0
        var tileCount = 0
        for zoom in 0...14 {
            for id in try tiles(first, zoom: zoom) {
                let (left, right) = (try await first.tile(id), try await second.tile(id))
                #expect(left == right, "\(id)")
                guard let left else { continue }
                tileCount += 1
                featureCount += left.featureCount
                #expect(FuzzKind.problem(in: left) == nil, "\(id)")
            }
        }
        #expect(tileCount == (name == "monaco" ? 23 : 27))
        #expect(featureCount > 3000)
    }

    @Test("tilemaker's names, which are only in Latin letters, are found; its unnamed streets stay unnamed")
    func latinNames() async throws {
        let map = try map("tiles/sf_downtown.pmtiles")
        let tile = try #require(try await map.tile(tileID(14, 2621, 6332)))
        let streets = [MapClass.primary, .secondary, .tertiary, .street].flatMap { Array(tile.features(of: $0)) }
        let named = Set(streets.compactMap { tile.name(of: $0) })
        #expect(named.isSuperset(of: ["Market Street", "Mission Street"]))
        for feature in 0..<tile.featureCount where tile.flags[feature].contains(.labelOnly) { #expect(tile.name(of: feature) != nil) }
    }

    @Test("the densest tile of Paris is read, without points that belong to its neighbours")
    func paris() async throws {
        let map = try map("tiles/omt_paris_ruhr.pmtiles")
        #expect(map.attribution == "© OpenMapTiles © OpenStreetMap contributors" && map.details.centerZoom == 14)
        let tile = try #require(try await map.tile(tileID(14, 8298, 5635)))
        #expect(FuzzKind.problem(in: tile) == nil)
        #expect(tile.features(of: .building).count == 4825)
        #expect(tile.vertexCount > 50_000)
        #expect(tile.classes.count { $0.isPlace } < 42)
        #expect(!tile.features(of: .station).isEmpty)
    }

    @Test("a place's name is in the requested language")
    func languages() async throws {
        let id = TileID.containing(WebMercator.project(Coordinate(latitude: 51.5, longitude: 7.46)), zoom: 6)
        func names(_ languages: [String]) async throws -> Set<String> {
            let tile = try #require(try await map("tiles/omt_paris_ruhr.pmtiles", languages: languages).tile(id))
            return Set((0..<tile.featureCount).compactMap { tile.classes[$0].isPlace ? tile.name(of: $0) : nil })
        }
        let (german, french, russian) = (try await names(["de"]), try await names(["fr"]), try await names(["ru", "de"]))
        #expect(german.isSuperset(of: ["Deutschland", "Köln", "Luxemburg"]))
        #expect(french.isSuperset(of: ["Allemagne", "Cologne", "Luxembourg"]))
        #expect(russian.isSuperset(of: ["Германия", "Кёльн", "Люксембург"]))
    }

    @Test("if a patchy map has no tiles of a zoom, the tile above is used; below its last zoom, the tile of that zoom")
    func gap() async throws {
        let map = try map("tiles/omt_paris_ruhr.pmtiles")
        let paris = WebMercator.project(Coordinate(latitude: 48.87, longitude: 2.34))
        for zoom in 7...12 {
            let id = TileID.containing(paris, zoom: zoom)
            #expect(try await map.tile(id) == nil)
            let answer = await map.nearest(to: id).tile
            #expect(answer?.id == id.ancestor(atZoom: 6) && answer?.featureCount ?? 0 > 0)
        }
        let deep = TileID.containing(paris, zoom: 18)
        #expect(await map.nearest(to: deep).tile?.id == deep.ancestor(atZoom: 14))
    }

    @Test("every tile of an archive with leaf directories differs from the others")
    func leafDirectories() async throws {
        let file = try TileFile(path: SharedData.map + "/pmtiles-fixtures/synthetic_leafdirs_z0-5.pmtiles")
        let reader = try PMTilesReader(file)
        for id in allTiles(0...5) {
            let blob = try #require(try await reader.blob(for: id))
            let text = String(decoding: try TileBlob.plain(blob), as: UTF8.self)
            #expect(text.contains(id.zoom == 5 && id.y >= 16 ? "ocean" : "\(id)"), "\(id)")
        }
    }

    @Test(
        "other programs' archives open, or are refused with a message",
        arguments: [
            ("box1degree", nil), ("test_fixture_1", nil), ("test_fixture_2", nil), ("synthetic_leafdirs_z0-5", nil), ("empty", .empty),
            ("invalid", .unknownFormat), ("invalid_v4", .version(4)), ("test_fixture_mlt", .contents("MapLibre tiles (MLT)")),
            ("unclustered", .contents("pictures (PNG)")),
        ] as [(String, BaseMapFileError.Problem?)])
    func fixtures(name: String, expected: BaseMapFileError.Problem?) {
        #expect(problem(SharedData.map + "/pmtiles-fixtures/\(name).pmtiles") == expected)
    }

    @Test("the tiles of an archive that is not sorted by its tiles are found")
    func unclustered() async throws {
        var bytes = try SharedData.bytes("pmtiles-fixtures/unclustered.pmtiles")
        // The archive's tiles are images. It can be opened if its header claims that they are vector tiles.
        bytes[99] = 1
        let scratch = try Scratch()
        let reader = try PMTilesReader(TileFile(path: scratch.file("unclustered.pmtiles", bytes)))
        var found: [[UInt8]] = []
        for id in allTiles(0...1) { if let blob = try await reader.blob(for: id) { found.append(blob) } }
        #expect(found.count == 2 && found.allSatisfy { $0.starts(with: [0x89, 0x50]) } && found[0] != found[1])
    }

    @Test("a single tile has its place, its schema and its attribution")
    func looseTile() async throws {
        let map = try map("tiles/shortbread_berlin_neukoelln_14-8803-5376.pbf")
        #expect(map.format == .tile && map.zoomRange == 14...14 && map.details.schema == .shortbread)
        #expect(map.attribution == "© OpenStreetMap contributors")
        let center = try #require(map.details.center)
        #expect(abs(center.latitude - 52.48) < 0.02 && abs(center.longitude - 13.44) < 0.02)
        #expect(try await map.tile(tileID(14, 8803, 5376))?.features(of: .building).count ?? 0 > 2000)
        let compressed = try self.map("mvt-fixtures/real-world/compressed/14-9384-9577.mvt.gz")
        #expect(compressed.details.schema == .mapboxStreets)
        #expect(try await compressed.tile(tileID(14, 9384, 9577))?.featureCount ?? 0 > 0)
    }

    @Test("the whole world opens")
    func world() async throws {
        let map = try map("tiles/omt_world_z0-1_planet-20260112.pmtiles", languages: ["de"])
        #expect(map.zoomRange == 0...1 && map.details.bounds?.longitudeSpan == 360)
        let tile = try #require(try await map.tile(.world))
        #expect(tile.features(of: .country).contains { tile.name(of: $0) == "Vereinigte Staaten" } || !tile.features(of: .country).isEmpty)
        #expect(!tile.features(of: .ocean).isEmpty)
    }
}
