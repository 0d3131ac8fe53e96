import SQLiteFile
import VectorTiles

/// Writes small MBTiles archives.
struct MBTilesWriter {
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    /// The rows of the `metadata` table; nil for no such table.
    var metadata: [String: String]? = ["format": "pbf"]
    /// Whether `tiles` is a view of two tables, as in the files of many programs.
    var isView = false

    /// Writes the archive to a file. The file must not exist yet.
    func write(to path: String) throws {
        let database = try SQLiteDatabase(path: path)
        try database.transaction { () throws(SQLiteError) in
            try writeTiles(database)
            guard let metadata else { return }
            try database.run("CREATE TABLE metadata (name TEXT, value TEXT)")
            for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
                try database.run("INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
            }
        }
    }

    private func writeTiles(_ database: SQLiteDatabase) throws(SQLiteError) {
        if isView {
            try database.run("CREATE TABLE images (tile_id TEXT PRIMARY KEY, tile_data BLOB)")
            try database.run("CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT)")
            try database.run("CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)")
            try database.run(
                """
                CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id)
                """)
        } else {
            try database.run("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        }
        for (id, bytes) in tiles {
            // Rows are counted from the south.
            let place = [id.zoom, id.x, (1 << id.zoom) - 1 - id.y].map { SQLiteValue.integer(Int64($0)) }
            if isView {
                try database.run("INSERT INTO map VALUES (?, ?, ?, ?)", place + [.text("\(id)")])
                try database.run("INSERT INTO images VALUES (?, ?)", [.text("\(id)"), .blob(bytes)])
            } else {
                try database.run("INSERT INTO tiles VALUES (?, ?, ?, ?)", place + [.blob(bytes)])
            }
        }
    }
}
