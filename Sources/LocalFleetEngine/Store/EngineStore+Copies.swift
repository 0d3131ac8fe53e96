import CSQLite
import FleetEngineCore
import Glibc
import SQLiteFile

extension EngineStore {
    /// What a copy holds that has taken a store's place.
    public struct Restored: Sendable {
        /// Trips in the copy.
        public let trips: Int
        /// Vehicles in the copy.
        public let vehicles: Int
        /// Bookings that wait for a vehicle.
        public let bookings: Int
        /// Tasks in the copy, closed ones included.
        public let tasks: Int
        /// Delivery vehicles in the copy.
        public let deliveryVehicles: Int
        /// Where the store is that was there before; nil where there was none.
        public let formerPath: String?
    }

    /// Copies a store as it is now, also while a server has it.
    ///
    /// - Parameter newFile: must not be there yet.
    /// - Throws: when there is such a file already, or one of the two cannot be read or written.
    public static func backUp(_ path: String, to newFile: String) throws(StoreError) {
        guard access(path, F_OK) == 0 else { throw StoreError(path, "is not there") }
        guard access(newFile, F_OK) != 0 else { throw StoreError(newFile, "is there already") }
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
            throw failure == EEXIST ? StoreError(newFile, "is there already") : StoreFile.refusal(newFile, failure)
        }
    }

    /// Puts a copy of a backup in the place of a store that no server has; what was there is kept beside it.
    ///
    /// - Throws: when the backup is damaged or no store, a server has the store, or something cannot be written; then the store is as it was.
    public static func restore(_ backup: String, to path: String) throws(StoreError) -> Restored {
        let place = try StorePlace(path)
        guard access(backup, F_OK) == 0 else { throw StoreError(backup, "is not there") }
        guard !place.isTaken(by: backup) else { throw StoreError(backup, "is the database itself: name a copy made by 'serve backup'") }
        let draft = try Draft(beside: place.path)
        defer { draft.remove() }
        let engine: FleetEngineState
        do {
            let database = try SQLiteDatabase(path: backup, .reading, settings: ["trusted_schema = OFF", "busy_timeout = 5000"])
            try StoreSchema.check(database, backup)
            guard case .text("ok")? = try database.rows("PRAGMA integrity_check(1)").first?.first else { throw DamagedRecordError() }
            try copy(database, into: draft, for: path)
            // The records are checked where they are going to be read.
            engine = try loaded(FleetEngineState(), from: try SQLiteDatabase(path: draft.path, .reading))
        } catch {
            throw StoreError(backup: backup, cause: error)
        }
        let formerPath = try place.give(to: draft)
        return Restored(
            trips: engine.tripCount, vehicles: engine.vehicleCount, bookings: engine.bookings.trips.count, tasks: engine.taskCount,
            deliveryVehicles: engine.deliveryVehicleCount, formerPath: formerPath)
    }

    /// - Parameter name: what the copy is going to be called.
    /// - Throws: `StoreError` where the copy cannot be written, `SQLiteError` where the database cannot be read.
    private static func copy(_ database: SQLiteDatabase, into draft: Draft, for name: String) throws {
        do {
            try database.run("VACUUM INTO ?", [.text(draft.path)])
        } catch {
            // Nothing else is written.
            guard error.code != SQLITE_FULL else { throw StoreError(name, "cannot be written: there is no room") }
            // SQLite does not say which of the two files it is about.
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
