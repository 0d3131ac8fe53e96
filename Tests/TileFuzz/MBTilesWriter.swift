import FoundationEssentials
import GRDB
import VectorTiles

/// Writes small MBTiles archives.
struct MBTilesWriter {
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    /// Rows of the `metadata` table; nil writes no table.
    var metadata: [String: String]? = ["format": "pbf"]
    /// Whether `tiles` is a view of two tables, as many programs make it.
    var isView = false

    /// Writes the archive to a file that does not exist yet.
    func write(to path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try writeTiles(database)
            guard let metadata else { return }
            try database.execute(sql: "CREATE TABLE metadata (name TEXT, value TEXT)")
            for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
                try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
        }
        try queue.close()
    }

    private func writeTiles(_ database: Database) throws {
        if isView {
            try database.execute(
                sql: """
                    CREATE TABLE images (tile_id TEXT PRIMARY KEY, tile_data BLOB);
                    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                    CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
                    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
                    """)
        } else {
            try database.execute(
                sql: "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        }
        for (id, bytes) in tiles {
            // Rows are counted from the south.
            let row = (1 << id.zoom) - 1 - id.y
            if isView {
                try database.execute(sql: "INSERT INTO map VALUES (?, ?, ?, ?)", arguments: [id.zoom, id.x, row, "\(id)"])
                try database.execute(sql: "INSERT INTO images VALUES (?, ?)", arguments: ["\(id)", Data(bytes)])
            } else {
                try database.execute(sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: [id.zoom, id.x, row, Data(bytes)])
            }
        }
    }
}
