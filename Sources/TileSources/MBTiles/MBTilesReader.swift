import CSQLite
import FoundationEssentials
import SQLiteFile
import VectorTiles

/// An MBTiles archive (https://github.com/mapbox/mbtiles-spec): an SQLite database with a table or view `tiles`.
final class MBTilesReader: TileReader {
    static let magic = Array("SQLite format 3\0".utf8)

    let details: TileSourceDetails

    private let database: SQLiteDatabase

    init(path: String) throws(BaseMapFileError.Problem) {
        do {
            database = try Self.open(path)
            try Self.checkContents(database)
            details = try Self.details(database)
        } catch let problem as BaseMapFileError.Problem {
            throw problem
        } catch {
            throw Self.problem(error)
        }
    }

    /// Opens the database so that nothing is written, not even a lock beside it, and that its views can do nothing but read it.
    private static func open(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
        let settings = ["trusted_schema = OFF", "mmap_size = 0", "cell_size_check = ON", "temp_store = MEMORY"]
        do throws(SQLiteError) {
            return try SQLiteDatabase(readOnly: uri(path) ?? path, valueBytes: TileBlob.maximumByteCount, settings: settings)
        } catch {
            guard error.code == SQLITE_CANTOPEN else { throw error }
            // An SQLite that was built without URIs takes it for a file's name.
            return try SQLiteDatabase(readOnly: path, valueBytes: TileBlob.maximumByteCount, settings: settings)
        }
    }

    /// The URI of the database, opened as immutable; nil for a path that no URI can hold.
    private static func uri(_ path: String) -> String? {
        var uri = URLComponents()
        uri.scheme = "file"
        uri.path = path
        uri.query = "mode=ro&immutable=1"
        return uri.string
    }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? {
        do throws(SQLiteError) {
            // Rows are counted from the south.
            let rows = try database.rows(
                "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
                [id.zoom, id.x, (1 << id.zoom) - 1 - id.y].map { .integer(Int64($0)) })
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
    /// The meaning of SQLite's failure to give a tile.
    init(_ error: SQLiteError) {
        switch error.code {
        case SQLITE_TOOBIG: self = .tooLarge
        case SQLITE_IOERR where error.extendedCode == SQLITE_IOERR | 2 << 8: self = .ended
        case SQLITE_INTERRUPT: self = .other("the database takes too long to find it")
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .other("the database is damaged")
        default: self = .other(error.message)
        }
    }
}
