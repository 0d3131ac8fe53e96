import CSQLite
import FleetEngine
import FleetEngineCore
import SQLiteFile

/// The reason why a store or a backup cannot be used.
public struct StoreError: Error, CustomStringConvertible, Sendable {
    /// One sentence without a full stop, with the file's name.
    public let description: String

    init(_ path: String, _ what: String) { description = "\(FleetEngineError.shown(path)) \(what)" }

    /// Creates the error for SQLite's failure to open a file.
    init(_ path: String, _ error: SQLiteError) {
        switch error.kind {
        case .damaged: self = .damaged(path)
        case .readOnly: self = .readOnly(path)
        case .other: self.init(path, "cannot be used: \(error.message)")
        }
    }

    /// Creates the error for a failure to read or write a store. Any `cause` besides `StoreError` and `SQLiteError` means that a
    /// record is damaged.
    init(_ path: String, cause: any Error) {
        switch cause {
        case let error as StoreError: self = error
        case let error as SQLiteError: self.init(path, error)
        default: self = .damaged(path)
        }
    }

    /// Creates the error for a failure to read a backup.
    init(backup: String, cause: any Error) {
        switch cause {
        case let error as StoreError: self = error
        case let error as SQLiteError where error.code == SQLITE_NOTADB: self = .foreign(backup)
        case let error as SQLiteError where error.kind != .damaged: self.init(backup, "cannot be read: \(error.message)")
        default: self.init(backup, "is damaged: use another copy made by 'serve backup'")
        }
    }

    static func damaged(_ path: String) -> StoreError {
        StoreError(path, "is damaged: run 'tripwatch serve restore BACKUP --database FILE' with a copy made by 'serve backup'")
    }

    static func readOnly(_ path: String) -> StoreError { StoreError(path, "cannot be written: the file, or its folder, is read-only") }

    static func foreign(_ path: String) -> StoreError { StoreError(path, "is not a tripwatch database") }
}
