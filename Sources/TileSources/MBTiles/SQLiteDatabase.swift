import GRDBSQLite
import Synchronization

/// A failure as SQLite tells it.
struct SQLiteError: Error {
    /// With SQLite's details in the higher bits.
    let extendedCode: CInt
    /// In SQLite's own words.
    let message: String

    /// What kind of failure it is, such as `SQLITE_CORRUPT`.
    var code: CInt { extendedCode & 0xff }

    init(_ code: CInt, _ connection: OpaquePointer?) {
        extendedCode = connection.map { sqlite3_extended_errcode($0) } ?? code
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        message = words.map { String(cString: $0) } ?? "SQLite error \(code)"
    }
}

/// A value in a row of a result.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// - Parameter column: there must be a row, and it must have this column.
    fileprivate init(_ statement: OpaquePointer, column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // The text first: asking for it may convert it, and its length with it.
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            self = .text(String(decoding: start == nil ? UnsafeBufferPointer(start: nil, count: 0) : bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
            self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: self = .null
        }
    }
}

/// An SQLite database that is read and never written: for one question at a time, from any thread.
final class SQLiteDatabase: Sendable {
    private struct Connection {
        let handle: OpaquePointer
        /// Those that were asked, by their text.
        var statements: [String: OpaquePointer] = [:]
    }

    private let connection: Mutex<Connection>
    private let budget = QueryBudget()

    /// - Parameters:
    ///   - name: a path, or a `file:` URI.
    ///   - settings: pragmas, each as `name = value`.
    init(readOnly name: String, settings: [String]) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, handle)
            sqlite3_close_v2(handle)
            throw error
        }
        budget.limit(handle)
        connection = Mutex(Connection(handle: handle))
        for setting in settings + ["query_only = ON"] { _ = try rows("PRAGMA " + setting, columns: 0) }
    }

    deinit {
        connection.withLock { connection in
            for statement in connection.statements.values { sqlite3_finalize(statement) }
            sqlite3_close_v2(connection.handle)
        }
    }

    /// The rows of an answer, each with its first `columns` values. The query has the whole budget for itself.
    func rows(_ query: String, _ arguments: [Int] = [], columns: CInt = 1) throws(SQLiteError) -> [[SQLiteValue]] {
        budget.renew()
        let outcome: Result<[[SQLiteValue]], SQLiteError> = connection.withLock { connection in
            do throws(SQLiteError) {
                return .success(try Self.rows(query, arguments, columns: columns, &connection))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func rows(
        _ query: String, _ arguments: [Int], columns: CInt, _ connection: inout Connection
    ) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try statement(query, &connection)
        defer { sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() { sqlite3_bind_int64(statement, CInt(index + 1), Int64(argument)) }
        var rows: [[SQLiteValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<min(columns, sqlite3_column_count(statement))).map { SQLiteValue(statement, column: $0) })
            case SQLITE_DONE: return rows
            case let code: throw SQLiteError(code, connection.handle)
            }
        }
    }

    private static func statement(_ query: String, _ connection: inout Connection) throws(SQLiteError) -> OpaquePointer {
        if let known = connection.statements[query] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection.handle, query, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteError(code, connection.handle) }
        connection.statements[query] = statement
        return statement
    }
}
