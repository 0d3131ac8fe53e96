import CSQLite

/// A failure as SQLite tells it.
public struct SQLiteError: Error, Sendable {
    /// With SQLite's details in the higher bits.
    public let extendedCode: CInt
    /// In SQLite's own words.
    public let message: String

    /// What kind of failure it is, such as `SQLITE_CORRUPT`.
    public var code: CInt { extendedCode & 0xff }

    init(_ code: CInt, _ connection: OpaquePointer?) {
        extendedCode = connection.map { sqlite3_extended_errcode($0) } ?? code
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        message = words.map { String(cString: $0) } ?? "SQLite error \(code)"
    }
}
