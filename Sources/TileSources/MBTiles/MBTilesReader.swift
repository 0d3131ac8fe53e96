import FoundationEssentials
import GRDB
import VectorTiles

/// An MBTiles archive (https://github.com/mapbox/mbtiles-spec): an SQLite database with a table or view `tiles`.
final class MBTilesReader: TileReader {
    static let magic = Array("SQLite format 3\0".utf8)

    let details: TileSourceDetails

    private let queue: DatabaseQueue
    private let budget: QueryBudget

    init(path: String) throws(BaseMapFileError.Problem) {
        let budget = QueryBudget()
        self.budget = budget
        do {
            queue = try Self.open(path, budget)
            details = try queue.read { database throws in
                budget.renew()
                try Self.checkContents(database)
                return try Self.details(database)
            }
        } catch let problem as BaseMapFileError.Problem {
            throw problem
        } catch {
            throw Self.problem(error)
        }
    }

    /// Opens the database so that nothing is written, not even a lock beside it, and that its views can do nothing but read it.
    private static func open(_ path: String, _ budget: QueryBudget) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            for pragma in ["trusted_schema = OFF", "mmap_size = 0", "cell_size_check = ON", "temp_store = MEMORY"] {
                try database.execute(sql: "PRAGMA " + pragma)
            }
            budget.limit(database)
        }
        do {
            return try DatabaseQueue(path: uri(path) ?? path, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // An SQLite that was built without URIs takes it for a file's name.
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    /// The URI of the database, opened as immutable; nil for a path that no URI can hold.
    private static func uri(_ path: String) -> String? {
        var uri = URLComponents()
        (uri.scheme, uri.path, uri.query) = ("file", path, "mode=ro&immutable=1")
        return uri.string
    }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? {
        do {
            return try await queue.read { [budget] database in
                budget.renew()
                let statement = try database.cachedStatement(
                    sql: "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
                // Rows are counted from the south.
                let row = try Row.fetchOne(statement, arguments: [id.zoom, id.x, (1 << id.zoom) - 1 - id.y])
                return row.flatMap { Self.bytes($0[0]) }
            }
        } catch {
            throw TileReaderError(error)
        }
    }

    private static func bytes(_ value: DatabaseValue) -> [UInt8]? {
        switch value.storage {
        case .blob(let data): [UInt8](data)
        case .string(let text): Array(text.utf8)
        case .null, .int64, .double: nil
        }
    }

    private static func problem(_ error: any Error) -> BaseMapFileError.Problem {
        guard let error = error as? DatabaseError else { return .unreadable("\(error)") }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_INTERRUPT, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_AUTH: return .damaged("database")
        default: return .unreadable(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }
}

extension TileReaderError {
    /// The meaning of SQLite's failure to give a tile.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = .other("\(error)")
            return
        }
        switch error.resultCode {
        case .SQLITE_TOOBIG: self = .tooLarge
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ: self = .ended
        case .SQLITE_INTERRUPT: self = .other("the database takes too long to find it")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .other("the database is damaged")
        default: self = .other(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }
}
