import CSQLite
import Synchronization

/// An SQLite database in a file. It can be used from any thread, and runs one statement at a time.
public final class SQLiteDatabase: Sendable {
    private struct Connection {
        let handle: OpaquePointer
        /// The prepared statements, by their text.
        var statements: [String: OpaquePointer] = [:]
    }

    private let connection: Mutex<Connection>
    private let budget: QueryBudget?

    /// Opens an untrusted database for reading. Each query has a limited budget, and no value may be larger than `valueBytes`.
    ///
    /// - Parameters:
    ///   - name: a path, or a `file:` URI.
    ///   - settings: pragmas, each as `name = value`.
    /// - Throws: SQLite's error about the file or the settings.
    public convenience init(readOnly name: String, valueBytes: Int, settings: [String]) throws(SQLiteError) {
        try self.init(
            name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, QueryBudget(valueBytes: valueBytes), settings + ["query_only = ON"])
    }

    /// The kinds of access to one of the program's own databases.
    public enum Access: Sendable {
        /// The database is only read.
        case reading
        /// The database is read and written. A missing file is created.
        case writing
    }

    /// Opens one of the program's own databases.
    ///
    /// - Parameter settings: pragmas, each as `name = value`.
    /// - Throws: SQLite's error about the file or the settings.
    public convenience init(path: String, _ access: Access = .writing, settings: [String] = []) throws(SQLiteError) {
        let flags = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try self.init(path, flags, nil, settings)
    }

    private init(_ name: String, _ flags: CInt, _ budget: QueryBudget?, _ settings: [String]) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.budget = budget
        budget?.limit(handle)
        connection = Mutex(Connection(handle: handle))
        for setting in settings { try run("PRAGMA " + setting) }
    }

    deinit {
        connection.withLock { connection in
            for statement in connection.statements.values { sqlite3_finalize(statement) }
            sqlite3_close_v2(connection.handle)
        }
    }

    /// Sets whether closing the database may move the write-ahead log into the file. By default it may.
    public func setCheckpointOnClose(_ isWanted: Bool) {
        connection.withLock { _ = csqlite_checkpoint_on_close($0.handle, isWanted ? 1 : 0) }
    }

    // MARK: Statements

    /// Runs a query, and returns the first `columns` values of each row.
    ///
    /// - Parameter arguments: one value for each question mark in the query.
    public func rows(_ query: String, _ arguments: [SQLiteValue] = [], columns: CInt = 1) throws(SQLiteError) -> [[SQLiteValue]] {
        budget?.renew()
        let outcome: Result<[[SQLiteValue]], SQLiteError> = connection.withLock { connection in
            do throws(SQLiteError) {
                return .success(try Self.rows(query, arguments, columns: columns, &connection))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Runs one statement, and ignores the rows of its result.
    ///
    /// - Parameter arguments: one value for each question mark in the statement.
    public func run(_ statement: String, _ arguments: [SQLiteValue] = []) throws(SQLiteError) {
        _ = try rows(statement, arguments, columns: 0)
    }

    /// Runs `work` as one transaction. After an error, all changes of the transaction are undone. If the journal is synchronized, the
    /// changes are on disk when this function returns.
    public func transaction(_ work: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try work()
            try run("COMMIT")
        } catch {
            // After some failures, SQLite has already ended the transaction.
            if connection.withLock({ sqlite3_get_autocommit($0.handle) }) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private static func rows(
        _ query: String, _ arguments: [SQLiteValue], columns: CInt, _ connection: inout Connection
    ) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try statement(query, &connection)
        defer { sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() {
            let code = argument.bind(to: statement, CInt(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code, connection.handle) }
        }
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
