import CSQLite
import FleetEngineCore
import Glibc
import SQLiteFile

extension EngineStore {
    /// The contents of a backup that has replaced a store.
    public struct Restored: Sendable {
        /// Number of trips.
        public let trips: Int
        /// Number of vehicles.
        public let vehicles: Int
        /// Number of bookings that wait for a vehicle.
        public let bookings: Int
        /// Number of tasks, including closed ones.
        public let tasks: Int
        /// Number of delivery vehicles.
        public let deliveryVehicles: Int
        /// The path to which the previous store was moved; nil if there was no store.
        public let formerPath: String?
    }

    /// Copies the current state of a store. A server may use the store at the same time.
    ///
    /// - Parameter newFile: path of the copy; must not exist.
    /// - Throws: an error if the new file or a log beside it exists, if the store cannot be read, or if the new file cannot be written.
    public static func backUp(_ path: String, to newFile: String) throws(StoreError) {
        guard access(path, F_OK) == 0 else { throw StoreError(path, "does not exist") }
        guard !StoreFile.isEmpty(path) else { throw StoreFile.emptyStore(path) }
        guard access(newFile, F_OK) != 0 else { throw StoreError(newFile, "already exists") }
        // A log of an earlier database with this name would damage the copy, because SQLite would apply the log.
        for end in ["-wal", "-journal"] where access(newFile + end, F_OK) == 0 {
            throw StoreError(newFile + end, "is left over from another database: remove it, or choose another name for the backup")
        }
        let draft = try Draft(beside: newFile)
        defer { draft.remove() }
        do {
            let database = try SQLiteDatabase(path: path, .reading, settings: ["busy_timeout = 5000"])
            try StoreFile.check(
                applicationID: try StoreSchema.number("application_id", of: database), version: try StoreSchema.version(of: database), path)
            try copy(database, into: draft, for: newFile)
        } catch {
            throw (error as? SQLiteError)?.code == SQLITE_NOTADB ? StoreError.foreign(path) : StoreError(path, cause: error)
        }
        if let failure = draft.publish(as: newFile) {
            throw failure == EEXIST ? StoreError(newFile, "already exists") : StoreFile.refusal(newFile, failure)
        }
    }

    /// Replaces a store with a copy of a backup. No server may be using the store. The previous store is kept in the same
    /// folder.
    ///
    /// - Throws: an error if the backup is damaged or not a store, if a server uses the store, or if a file cannot be written. In that
    ///   case, the store stays unchanged, or is kept under the name in the error's message.
    public static func restore(_ backup: String, to path: String) throws(StoreError) -> Restored {
        let place = try StorePlace(path)
        guard access(backup, F_OK) == 0 else { throw StoreError(backup, "does not exist") }
        guard !StoreFile.isEmpty(backup) else { throw StoreError(backup, "is empty: use another copy made by 'serve backup'") }
        guard !place.isTaken(by: backup) else { throw StoreError(backup, "is the database itself: use a copy made by 'serve backup'") }
        let draft = try Draft(beside: place.path)
        defer { draft.remove() }
        let engine: FleetEngineState
        do {
            let database = try SQLiteDatabase(path: backup, .reading, settings: ["trusted_schema = OFF", "busy_timeout = 5000"])
            try StoreSchema.check(database, backup)
            guard case .text("ok")? = try database.rows("PRAGMA integrity_check(1)").first?.first else { throw DamagedRecordError() }
            try copy(database, into: draft, for: path)
            // The state is loaded from the copy, because the server will read the copy.
            engine = try loaded(FleetEngineState(), from: try SQLiteDatabase(path: draft.path, .reading))
        } catch {
            throw StoreError(backup: backup, cause: error)
        }
        let formerPath = try place.give(to: draft)
        return Restored(
            trips: engine.tripCount, vehicles: engine.vehicleCount, bookings: engine.bookings.trips.count, tasks: engine.taskCount,
            deliveryVehicles: engine.deliveryVehicleCount, formerPath: formerPath)
    }

    /// Copies a database into a draft.
    /// - Parameter name: the final path of the copy, for error messages.
    /// - Throws: `StoreError` if the copy certainly cannot be written; `SQLiteError` for any other failure, such as an unreadable database.
    private static func copy(_ database: SQLiteDatabase, into draft: Draft, for name: String) throws {
        do {
            try database.run("VACUUM INTO ?", [.text(draft.path)])
        } catch {
            // This error can only be about the copy, because no other file is written.
            guard error.code != SQLITE_FULL else { throw StoreError(name, "cannot be written: the disk is full") }
            // SQLite's error does not say which of the two files failed.
            guard error.code == SQLITE_IOERR else { throw error }
            let pages = try StoreSchema.number("page_count", of: database)
            let size = pages.multipliedReportingOverflow(by: try StoreSchema.number("page_size", of: database))
            if !size.overflow, let reason = draft.refusal(ofBytes: size.partialValue) {
                throw StoreError(name, "cannot be written: \(reason)")
            }
            throw error
        }
    }
}
