import CSQLite

/// A value in a row of a result, or an argument of a statement.
public enum SQLiteValue: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text. Invalid UTF-8 in it is replaced.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// - Parameter column: the index of a column that exists in the current row.
    init(_ statement: OpaquePointer, column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // The text is read before its length, because reading may convert the text and change the length.
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

    /// Binds the value as the statement's argument at `index`, which counts from 1.
    func bind(to statement: OpaquePointer, _ index: CInt) -> CInt {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .real(let number): return sqlite3_bind_double(statement, index, number)
        case .text(var text):
            return text.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { csqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count)) }
            }
        case .blob(let bytes): return bytes.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
        }
    }
}
