import CSQLite
import Synchronization

/// An SQLite database in a file: for one statement at a time, from any thread.
public final class SQLiteDatabase: Sendable {
    private struct Connection {
        let handle: OpaquePointer
        /// Those that were asked, by their text.
        var statements: [String: OpaquePointer] = [:]
    }

    private let connection: Mutex<Connection>
    private let budget: QueryBudget?

    /// A database that is read and never written, and that is not trusted: its queries have a budget each, and no value may be larger than
    /// `valueBytes`.
    ///
    /// - Parameters:
    ///   - name: a path, or a `file:` URI.
    ///   - settings: pragmas, each as `name = value`.
    /// - Throws: what SQLite says to the file or the settings.
    public convenience init(readOnly name: String, valueBytes: Int, settings: [String]) throws(SQLiteError) {
        try self.init(
            name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, QueryBudget(valueBytes: valueBytes), settings + ["query_only = ON"])
    }

    /// What may be done with a database of one's own.
    public enum Access: Sendable {
        /// It is read only.
        case reading
        /// It is written, and made where there is none.
        case writing
    }

    /// A database of one's own.
    ///
    /// - Parameter settings: pragmas, each as `name = value`.
    /// - Throws: what SQLite says to the file or the settings.
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

    /// Whether closing it may move what stands in the write-ahead log into the file; it may unless this says otherwise.
    public func setCheckpointOnClose(_ isWanted: Bool) {
        connection.withLock { _ = csqlite_checkpoint_on_close($0.handle, isWanted ? 1 : 0) }
    }

    // MARK: Statements

    /// The rows of an answer, each with its first `columns` values.
    ///
    /// - Parameter arguments: as many as the query has question marks.
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

    /// Carries out one statement, whatever it answers.
    ///
    /// - Parameter arguments: as many as the statement has question marks.
    public func run(_ statement: String, _ arguments: [SQLiteValue] = []) throws(SQLiteError) {
        _ = try rows(statement, arguments, columns: 0)
    }

    /// Carries out what `work` asks for wholly or not at all; with journals that are synced it is on disk when this returns.
    public func transaction(_ work: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try work()
            try run("COMMIT")
        } catch {
            // Some failures have ended it already.
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
