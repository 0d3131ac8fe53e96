import CSQLite

/// A failure that SQLite reports.
public struct SQLiteError: Error, Sendable {
    /// The error code, with SQLite's details in the higher bits.
    public let extendedCode: CInt
    /// SQLite's own message.
    public let message: String

    /// The kind of failure, such as `SQLITE_CORRUPT`.
    public var code: CInt { extendedCode & 0xff }

    init(_ code: CInt, _ connection: OpaquePointer?) {
        extendedCode = connection.map { sqlite3_extended_errcode($0) } ?? code
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        message = words.map { String(cString: $0) } ?? "SQLite error \(code)"
    }
}
