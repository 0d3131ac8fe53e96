import FoundationEssentials
import Geo
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

/// Unmodified real map files beside the package. The tests that need them are skipped if the files are missing.
enum FieldMaps {
    static let folder = SharedData.map + "/../field/maps"

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder + "/c00-good.mbtiles") }

    static func open(_ name: String) throws -> BaseMapFile { try BaseMapFile(path: folder + "/" + name) }

    /// Returns the tile in the middle of the maps.
    static func tile(zoom: Int = 14) -> TileID {
        TileID.containing(WebMercator.project(Coordinate(latitude: 48.5, longitude: 9.1)), zoom: zoom)
    }
}

@Suite("Map files from the field", .enabled(if: FieldMaps.isPresent))
struct FieldMapTests {
    @Test(
        "a tile that is partly unusual is drawn",
        arguments: [
            ("c31-no-version-no-extent", 4), ("c34-lineto-zero", 2), ("c44-closepath-count-0", 3), ("c45-extent-0", 2),
            ("c47-closepath-in-line", 2), ("c48-unknown-command", 2),
        ])
    func oddTiles(name: String, count: Int) async throws {
        let id = tileID(14, 8_606, 5_661)
        let tile = try #require(try await FieldMaps.open("\(name)-14-8606-5661.mvt").tile(id))
        #expect(tile.featureCount == count, "\(tile.featureCount)")
    }

    @Test(
        "a tile with another version or extent, or an open polygon, is drawn; one with only unusual features is read",
        arguments: [
            ("c30-good", true), ("c32-extent-512", true), ("c33-version-1", true), ("c39-polygon-unclosed", true),
            ("c36-empty-geometry", false), ("c37-unknown-type", false), ("c38-moveto-only-line", false), ("c40-duplicate-layer", false),
            ("c41-empty-layer", false), ("c42-odd-tags", false),
        ])
    func otherTiles(name: String, isDrawn: Bool) async throws {
        let tile = try #require(try await FieldMaps.open("\(name)-14-8606-5661.mvt").tile(tileID(14, 8_606, 5_661)))
        #expect(!isDrawn || tile.featureCount > 0)
    }

    @Test(
        "a file without metadata, with zooms as texts, with a centre outside its zooms, and good ones are read",
        arguments: [
            "c00-good.mbtiles", "c09-no-metadata.mbtiles", "c11-zoom-strings.mbtiles", "c20-good.pmtiles", "c25-center-zoom-out.pmtiles",
            "c34c-qgis-good.mbtiles",
        ])
    func files(name: String) async throws {
        let map = try FieldMaps.open(name)
        let zoom = try #require([14, map.zoomRange.upperBound].min())
        #expect(try await map.tile(FieldMaps.tile(zoom: zoom))?.featureCount ?? 0 > 0)
    }

    @Test(
        "tiles of other programs that are partly unusual are drawn",
        arguments: ["c34b-qgis-lineto-zero.mbtiles", "c49-latin1-names.mbtiles"])
    func oddArchives(name: String) async throws {
        let map = try FieldMaps.open(name)
        let tile = try #require(try await map.tile(FieldMaps.tile()))
        #expect(tile.featureCount > 0 && map.zoomRange == 0...14)
    }

    @Test(
        "a file that is unusual as a whole is read",
        arguments: [
            "c06-double-gzip.mbtiles", "c06b-zlib.mbtiles", "c06c-plain.mbtiles", "c07-wal.mbtiles", "c08-scheme-xyz.mbtiles",
            "c10-bounds-lie.mbtiles", "c22-zero-length-entry.pmtiles",
        ])
    func oddFiles(name: String) async throws {
        // Reading a write-ahead log takes a lock, which needs a writable folder.
        let scratch = try Scratch()
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: FieldMaps.folder + "/" + name + ending) {
            let bytes = try Data(contentsOf: URL(filePath: FieldMaps.folder + "/" + name + ending))
            _ = try scratch.file(name + ending, [UInt8](bytes))
        }
        let map = try BaseMapFile(path: scratch.path + "/" + name)
        #expect(try await map.tile(FieldMaps.tile())?.featureCount ?? 0 > 0)
        let center = try #require(map.details.center)
        #expect(abs(center.latitude - 48.5) < 0.3 && abs(center.longitude - 9.1) < 0.3, "\(center)")
    }

    @Test(
        "the zooms are taken from the tiles, and the deepest existing tile is drawn",
        arguments: [("c05-maxzoom-lies.mbtiles", 0...12), ("c11b-maxzoom-low.mbtiles", 0...14), ("c11c-only-12-14.mbtiles", 12...14)])
    func zooms(name: String, expected: ClosedRange<Int>) async throws {
        let map = try FieldMaps.open(name)
        #expect(map.zoomRange == expected)
        for zoom in 12...18 {
            let answer = await map.nearest(to: FieldMaps.tile(zoom: zoom)).tile
            #expect(answer?.id == FieldMaps.tile(zoom: min(zoom, expected.upperBound)) && answer?.featureCount ?? 0 > 0)
        }
    }
}
