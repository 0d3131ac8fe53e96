import CSQLite
import FoundationEssentials
import Glibc
import SQLiteFile
import VectorTiles

/// An MBTiles archive (https://github.com/mapbox/mbtiles-spec): an SQLite database with a table or view `tiles`.
final class MBTilesReader: TileReader {
    static let magic = Array("SQLite format 3\0".utf8)

    let details: TileSourceDetails
    let lastWholeZoom: Int

    private let database: SQLiteDatabase
    /// Whether rows are counted from the north, contrary to the specification.
    private let countsFromNorth: Bool

    init(path: String) throws(BaseMapFileError.Problem) {
        do {
            database = try Self.open(path)
            try Self.checkContents(database)
            let rows = try Self.metadataRows(database)
            let zooms = try Self.zoomRange(rows, database)
            lastWholeZoom = min(rows["maxzoom"].flatMap { Int($0) } ?? zooms.upperBound, zooms.upperBound)
            countsFromNorth = Self.countsFromNorth(rows, zooms, database)
            details = try Self.details(rows, zooms, countsFromNorth: countsFromNorth, database)
        } catch let problem as BaseMapFileError.Problem {
            throw problem
        } catch {
            throw Self.problem(error)
        }
    }

    /// Opens the database. Nothing is written to the disk, unless another program left a write-ahead log: SQLite then needs a lock
    /// file (`-shm`). Views in the database cannot call unsafe functions.
    private static func open(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
        let settings = ["trusted_schema = OFF", "mmap_size = 0", "cell_size_check = ON", "temp_store = MEMORY"]
        func opened(_ name: String) throws(SQLiteError) -> SQLiteDatabase {
            try SQLiteDatabase(readOnly: name, valueBytes: TileBlob.maximumByteCount, settings: settings)
        }
        if hasLog(path), let name = uri(path, query: "mode=ro"), let database = try? opened(name),
            (try? database.rows("SELECT 1 FROM sqlite_master LIMIT 1")) != nil
        {
            return database
        }
        do throws(SQLiteError) {
            return try opened(uri(path, query: "mode=ro&immutable=1") ?? path)
        } catch {
            guard error.code == SQLITE_CANTOPEN else { throw error }
            // A build of SQLite without URI support treats the URI as a file name.
            return try opened(path)
        }
    }

    private static func hasLog(_ path: String) -> Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    /// Returns the URI of the database; nil for a path that cannot be part of a URI.
    private static func uri(_ path: String, query: String) -> String? {
        var uri = URLComponents()
        uri.scheme = "file"
        uri.path = path
        uri.query = query
        return uri.string
    }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? {
        do throws(SQLiteError) {
            let row = Self.row(of: id, countsFromNorth: countsFromNorth)
            let rows = try database.rows(
                "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
                [id.zoom, id.x, row].map { .integer(Int64($0)) })
            switch rows.first?.first {
            case .blob(let bytes): return bytes
            case .text(let text): return Array(text.utf8)
            case .null, .integer, .real, nil: return nil
            }
        } catch {
            throw TileReaderError(error)
        }
    }

    private static func problem(_ error: any Error) -> BaseMapFileError.Problem {
        guard let error = error as? SQLiteError else { return .unreadable("\(error)") }
        switch error.code {
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_INTERRUPT, SQLITE_TOOBIG, SQLITE_ERROR, SQLITE_AUTH: return .damaged("database")
        default: return .unreadable(error.message)
        }
    }
}

extension TileReaderError {
    /// Creates the error for a tile that SQLite cannot return.
    init(_ error: SQLiteError) {
        switch error.code {
        case SQLITE_TOOBIG: self = .tooLarge
        case SQLITE_IOERR where error.extendedCode == SQLITE_IOERR | 2 << 8: self = .ended
        case SQLITE_INTERRUPT: self = .other("finding it in the database takes too long")
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .other("the database is damaged")
        default: self = .other(error.message)
        }
    }
}
