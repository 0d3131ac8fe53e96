import FoundationEssentials
import Geo
import Glibc
import SQLiteFile
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

@Suite struct MBTilesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Creates a database with these statements, and returns its path.
    private func database(_ sql: String..., arguments: [SQLiteValue] = []) throws -> String {
        let path = scratch.path + "/made-by-hand.mbtiles"
        let database = try SQLiteDatabase(path: path)
        try database.transaction { () throws(SQLiteError) in
            for statement in sql { try database.run(statement, statement.contains("?") ? arguments : []) }
        }
        return path
    }

    private static let table = "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"

    @Test("tables and views, gzip and bare tiles are read; rows are counted from the south", arguments: [false, true])
    func makes(isView: Bool) async throws {
        var tiles = FuzzKind.village(zooms: 0...3)
        for index in tiles.indices where index % 2 == 0 { tiles[index].bytes = MadeUpTile.village(tiles[index].id.x % 3).bytes }
        let map = try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: tiles, isView: isView)))
        #expect(map.format == .mbtiles && map.zoomRange == 0...3)
        for id in allTiles(0...3) {
            #expect(try await map.tile(id) == VectorTileDecoder().decode(MadeUpTile.village(id.x % 3).bytes, id: id))
        }
        #expect(try await map.tile(tileID(4, 0, 0)) == nil)
    }

    @Test("the northernmost row is the last one")
    func rows() async throws {
        let north = MadeUpTile.village(1).bytes
        let map = try BaseMapFile(
            path: database(Self.table, "INSERT INTO tiles VALUES (2, 1, 3, ?)", arguments: [.blob(north)]))
        #expect(map.zoomRange == 2...2)
        #expect(try await map.tile(tileID(2, 1, 0)) != nil)
        #expect(try await map.tile(tileID(2, 1, 3)) == nil)
    }

    @Test("metadata may be missing, incomplete, wrong or of other types")
    func metadata() throws {
        let tiles = FuzzKind.village(zooms: 1...2)
        func details(_ metadata: [String: String]?) throws -> TileSourceDetails {
            try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: tiles, metadata: metadata), "\(metadata?.count ?? 9).mbtiles"))
                .details
        }
        let none = try details(nil)
        #expect(none.zoomRange == 1...2 && none.bounds == nil && none.attribution == "© OpenStreetMap contributors")
        let whole = try details([
            "name": "Made\nUp", "attribution": "<i>nobody</i>", "bounds": "10, 20,12,21", "center": "11,20.5,14", "minzoom": "0",
            "maxzoom": "14", "json": #"{"vector_layers":[{"id":"road"}]}"#, "format": "pbf",
        ])
        #expect(whole.name == "Made Up" && whole.attribution == "nobody" && whole.zoomRange == 1...2 && whole.schema == .mapboxStreets)
        #expect(whole.bounds == BoundingBox(south: 20, west: 10, north: 21, east: 12))
        #expect(whole.center == Coordinate(latitude: 20.5, longitude: 11) && whole.centerZoom == 2)
        let wrong = try details([
            "bounds": "1,2,nan,4", "center": "1e999,0,1", "minzoom": "9", "maxzoom": "3", "json": "{",
        ])
        #expect(wrong.zoomRange == 1...2 && wrong.bounds == nil && wrong.center == nil)
        #expect(try details(["center": "11,20.5,1e30"]).centerZoom == nil)
    }

    @Test("metadata may have other columns, or be numbers")
    func oddMetadata() throws {
        let insert = "INSERT INTO tiles VALUES (2, 1, 3, x'')"
        #expect(try BaseMapFile(path: database(Self.table, insert, "CREATE TABLE metadata (a, b)")).zoomRange == 2...2)
        let numbers = try database(
            "DROP TABLE metadata", "CREATE TABLE metadata (name, value)",
            "INSERT INTO metadata VALUES ('minzoom', 1), ('maxzoom', 5), ('name', x'00'), (NULL, NULL)")
        #expect(try BaseMapFile(path: numbers).zoomRange == 2...2)
    }

    @Test("the zooms are taken from the tiles, whatever the metadata say", arguments: [("0", "14"), ("0", "2"), ("5", "9"), ("x", "")])
    func zooms(first: String, last: String) async throws {
        for isView in [false, true] {
            let writer = MBTilesWriter(
                tiles: FuzzKind.village(zooms: 1...4), metadata: ["minzoom": first, "maxzoom": last], isView: isView)
            let map = try BaseMapFile(path: scratch.archive(writer, "\(isView).mbtiles"))
            #expect(map.zoomRange == 1...4)
            #expect(await map.nearest(to: tileID(9, 100, 200)).tile?.id == tileID(4, 3, 6))
        }
    }

    @Test("a gap among other tiles is empty; where a zoom has no tiles, the tile above is used, and the lowest zoom has none above")
    func gaps() async throws {
        var tiles = FuzzKind.village(zooms: 2...4)
        // The archive lacks one tile of zoom 4, one tile of zoom 2, and all tiles of zooms 3 and 4 in the area of the tile 2/3/3.
        tiles.removeAll { $0.id == tileID(4, 0, 0) || $0.id.zoom > 2 && tileID(2, 3, 3).covers($0.id) || $0.id == tileID(2, 0, 3) }
        for writer in [MBTilesWriter(tiles: tiles), MBTilesWriter(tiles: tiles, isView: true)] {
            let map = try BaseMapFile(path: scratch.archive(writer, "\(writer.isView).mbtiles"))
            let gap = await map.nearest(to: tileID(4, 0, 0)).tile
            #expect(gap?.id == tileID(4, 0, 0) && gap?.featureCount == 0)
            #expect(await map.nearest(to: tileID(4, 15, 14)).tile?.id == tileID(2, 3, 3))
            #expect(await map.nearest(to: tileID(3, 6, 7)).tile?.id == tileID(2, 3, 3))
            #expect(await map.nearest(to: tileID(2, 0, 3)).tile?.featureCount == 0)
        }
    }

    @Test("rows count from the north if the metadata say so and the tiles are there, otherwise from the south", arguments: [true, false])
    func scheme(isFromNorth: Bool) async throws {
        let (id, bytes) = (tileID(3, 4, 2), MadeUpTile.village(1).bytes)
        let path = try database(
            Self.table, "INSERT INTO tiles VALUES (3, 4, \(isFromNorth ? 2 : 5), ?)",
            "CREATE TABLE metadata (name, value)", "INSERT INTO metadata VALUES ('scheme', 'xyz'), ('bounds', '10,45,40,60')",
            arguments: [.blob(bytes)])
        #expect(try await BaseMapFile(path: path).tile(id)?.featureCount ?? 0 > 0)
    }

    @Test("beyond the last zoom in the metadata only some tiles may exist; for the others, the tiles above are drawn")
    func incompleteZoom() async throws {
        let tiles = FuzzKind.village(zooms: 1...4).filter { $0.id.zoom < 4 || $0.id.x != 5 }
        let map = try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: tiles, metadata: ["minzoom": "1", "maxzoom": "3"])))
        #expect(map.zoomRange == 1...4)
        #expect(await map.nearest(to: tileID(4, 4, 6)).tile?.id == tileID(4, 4, 6))
        #expect(await map.nearest(to: tileID(4, 5, 6)).tile?.id == tileID(3, 2, 3))
    }

    @Test("bounds and a centre of zeros are ignored; those of the tiles are used")
    func tileBounds() throws {
        let tiles = FuzzKind.village(zooms: 0...4).filter { tileID(2, 2, 1).ancestor(atZoom: min(2, $0.id.zoom))?.covers($0.id) == true }
        for bounds in ["0,0,0,0", "", "9,9,9,9"] {
            let metadata = ["bounds": bounds, "center": "0,0,0"]
            let path = try scratch.archive(
                MBTilesWriter(tiles: tiles, metadata: metadata), "bounds\(bounds.utf8.count)\(bounds.first ?? "x").mbtiles")
            let details = try BaseMapFile(path: path).details
            let box = try #require(details.bounds)
            #expect(box.west == 0 && box.east == 90 && abs(box.south) < 1e-9 && abs(box.north - 66.513) < 0.001)
            #expect(details.center == box.center)
        }
    }

    @Test("the write-ahead log of a program that is still writing is read, and is not changed")
    func writeAheadLog() async throws {
        let path = scratch.path + "/written.mbtiles"
        let writer = try SQLiteDatabase(path: path, settings: ["journal_mode = WAL", "wal_autocheckpoint = 0"])
        writer.setCheckpointOnClose(false)
        try writer.run(Self.table)
        try writer.run("INSERT INTO tiles VALUES (1, 0, 1, ?)", [.blob(MadeUpTile.village().bytes)])
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        #expect(!log.isEmpty)
        let map = try BaseMapFile(path: path)
        #expect(try await map.tile(tileID(1, 0, 0))?.featureCount ?? 0 > 0)
        try writer.run("INSERT INTO tiles VALUES (1, 1, 1, ?)", [.blob(MadeUpTile.village().bytes)])
        #expect(try await map.tile(tileID(1, 1, 0))?.featureCount ?? 0 > 0)
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).starts(with: log))
    }

    @Test("a database without tiles, or with pictures, is refused")
    func contents() throws {
        #expect(problem(try database("CREATE TABLE other (a)")) == .noTiles)
        #expect(problem(try database(Self.table)) == .noTiles)
        let pictures: [(String, [UInt8])] = [
            ("PNG", [0x89, 0x50, 0x4e, 0x47, 13, 10]), ("JPEG", [0xff, 0xd8, 0xff, 0xe0]),
            ("WebP", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8 ".utf8)),
        ]
        for (name, bytes) in pictures {
            let path = try database("DELETE FROM tiles", "INSERT INTO tiles VALUES (0, 0, 0, ?)", arguments: [.blob(bytes)])
            #expect(problem(path) == .contents("pictures (\(name))"))
        }
        #expect(problem(try database("DROP TABLE tiles", "CREATE TABLE tiles (a)", "INSERT INTO tiles VALUES (1)")) == .damaged("database"))
    }

    @Test("tiles that the metadata call pictures are not tried")
    func format() throws {
        for (format, expected) in [("png", "pictures (PNG)"), ("MLT", "MapLibre tiles (MLT)"), ("pbf", nil), ("new", nil)] {
            let writer = MBTilesWriter(tiles: FuzzKind.village(zooms: 0...0), metadata: ["format": format])
            #expect(problem(try scratch.archive(writer, "\(format).mbtiles")) == expected.map { .contents($0) })
        }
    }

    @Test("values of other types are not tiles, and too large ones are not read")
    func values() async throws {
        let path = try database(
            Self.table, "INSERT INTO tiles VALUES (0, 0, 0, x''), (1, 0, 0, NULL), (1, 0, 1, 7), (1, 1, 0, 'text')",
            "INSERT INTO tiles VALUES (1, 1, 1, zeroblob(\(TileBlob.maximumByteCount + 1)))")
        let map = try BaseMapFile(path: path)
        #expect(try await map.tile(.world)?.featureCount == 0)
        #expect(try await map.tile(tileID(1, 0, 1)) == nil)
        #expect(try await map.tile(tileID(1, 0, 0)) == nil)
        #expect(await reason(map, tileID(1, 1, 1)) != nil)
        #expect(await reason(map, tileID(1, 1, 0)) == "it is too large")
    }

    @Test("a view that counts for ever is stopped")
    func endlessView() async throws {
        let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"
        let first = try database(
            "CREATE VIEW tiles AS SELECT i AS zoom_level, i AS tile_column, i AS tile_row, i AS tile_data FROM (\(endless))")
        #expect(problem(first) == .damaged("database"))
        let second = try database(
            "DROP VIEW tiles",
            """
            CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'' AS tile_data
            UNION ALL SELECT i, i, i, i FROM (\(endless))
            """, "CREATE TABLE metadata (name, value)", "INSERT INTO metadata VALUES ('minzoom', 0), ('maxzoom', 1)")
        let map = try BaseMapFile(path: second)
        #expect(await reason(map, tileID(1, 0, 0)) == "finding it in the database takes too long")
        #expect(try await map.tile(.world) != nil)
    }

    @Test("views must not match patterns, load or write")
    func harmfulView() throws {
        let view = "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,"
        #expect(problem(try database("\(view) 'aaaa' LIKE '%a%a%a%b' AS tile_data")) == .damaged("database"))
        #expect(problem(try database("DROP VIEW tiles", "\(view) load_extension('x') AS tile_data")) == .damaged("database"))
        #expect(problem(try database("DROP VIEW tiles", "\(view) randomblob(1000000000) AS tile_data")) == .damaged("database"))
    }

    @Test("a file with only the header of a database is refused; damage affects only the damaged part")
    func damage() async throws {
        let path = try scratch.archive(MBTilesWriter(tiles: FuzzKind.village(zooms: 0...3)))
        let whole = try Data(contentsOf: URL(filePath: path))
        #expect(problem(try scratch.file("start.mbtiles", Array("SQLite format 3\0".utf8))) != nil)
        var holes = [UInt8](whole)
        for index in holes.indices where index > 4096 && index % 4096 < 64 { holes[index] = 0xff }
        let broken = try scratch.file("holes.mbtiles", holes)
        if problem(broken) == nil {
            let map = try BaseMapFile(path: broken)
            for id in allTiles(0...3) { _ = await map.nearest(to: id) }
        }
    }

    @Test("nothing is written beside the file, and a strange name is not read as an address")
    func untouched() throws {
        let path = try scratch.archive(MBTilesWriter(tiles: FuzzKind.village(zooms: 0...0)), "50% off? #1 ü.mbtiles")
        #expect(chmod(path, 0o444) == 0)
        let map = try BaseMapFile(path: path)
        #expect(map.zoomRange == 0...0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["50% off? #1 ü.mbtiles"])
    }

    @Test("if a file becomes shorter while it is open, tiles are lost and the program goes on")
    func shrinking() async throws {
        // The archive has more tiles than SQLite keeps in memory.
        let zooms = ["minzoom": "0", "maxzoom": "6"]
        let path = try scratch.archive(MBTilesWriter(tiles: FuzzKind.village(zooms: 0...6), metadata: zooms))
        let map = try BaseMapFile(path: path)
        #expect(truncate(path, 5000) == 0)
        var reasons = 0
        for id in allTiles(0...6) where await reason(map, id) != nil { reasons += 1 }
        #expect(reasons > 0)
        #expect(truncate(path, 0) == 0)
        for id in allTiles(0...3) { _ = await map.nearest(to: id) }
    }
}
