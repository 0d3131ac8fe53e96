import FoundationEssentials
import Geo
import SQLiteFile
import TileSources
import VectorTiles

/// Tiles of the invented town, and an MBTiles archive that contains them.
enum TownSeeds {
    /// Returns uncompressed tiles around the middle of the town, from low to high zooms.
    static func tiles() -> [[UInt8]] { stored().compactMap { try? TileBlob.plain($0.bytes) } }

    /// Returns a small tile as it is stored, compressed with gzip.
    static func packedTile() -> [UInt8] { stored().first?.bytes ?? [] }

    /// Returns an MBTiles archive, which SQLite creates.
    static func mbtiles() -> [[UInt8]] {
        let path = FileManager.default.temporaryDirectory.path + "/Fuzzers-\(UUID()).mbtiles"
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try write(to: path)
            return [Array(try Data(contentsOf: URL(filePath: path)))]
        } catch {
            fatalError("no archive can be made: \(error)")
        }
    }

    private static func write(to path: String) throws(SQLiteError) {
        let database = try SQLiteDatabase(path: path)
        try database.run("CREATE TABLE metadata (name TEXT, value TEXT)")
        try database.run("INSERT INTO metadata VALUES ('format', 'pbf'), ('bounds', '-1,-1,1,1'), ('name', 'Town')")
        try database.run("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        for (id, bytes) in stored().prefix(4) {
            let place = [id.zoom, id.x, (1 << id.zoom) - 1 - id.y].map { SQLiteValue.integer(Int64($0)) }
            try database.run("INSERT INTO tiles VALUES (?, ?, ?, ?)", place + [.blob(bytes)])
        }
    }

    /// Returns the tiles as they are stored in the town's archive.
    private static func stored() -> [(id: TileID, bytes: [UInt8])] {
        let file = Corpus(nil).inputs(["town.pmtiles"]).first ?? []
        let first = Array(file.prefix(Int(PMTilesIndex.firstPartByteCount)))
        guard let index = try? PMTilesIndex(firstPart: first, fileByteCount: UInt64(file.count)), let center = index.details.center
        else { return [] }
        return index.details.zoomRange.compactMap { zoom in
            let id = TileID.containing(WebMercator.project(center), zoom: zoom)
            return tile(id, of: index, in: file).map { (id, $0) }
        }
    }

    private static func tile(_ id: TileID, of index: PMTilesIndex, in file: [UInt8]) -> [UInt8]? {
        func bytes(_ piece: PMTilesIndex.Piece) -> [UInt8] { Array(file.dropFirst(Int(piece.offset)).prefix(piece.byteCount)) }
        var directory: PMTilesDirectory?
        for _ in 0..<PMTilesIndex.maximumDepth {
            switch try? index.step(to: id, in: directory) {
            case .tile(let piece): return bytes(piece)
            case .directory(let piece): directory = try? index.directory(bytes(piece))
            case .absent, nil: return nil
            }
        }
        return nil
    }
}
