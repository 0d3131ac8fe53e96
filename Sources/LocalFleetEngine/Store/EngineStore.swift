import CSQLite
import FleetEngineAPI
public import FleetEngineCore
import Glibc
import SQLiteFile
import SwiftProtobuf
import Synchronization

/// The file with the state of an engine. It is an SQLite database whose log is synced to disk at each transaction. Only one
/// server at a time can open it.
public final class EngineStore: Sendable {
    private let path: String
    let database: SQLiteDatabase
    private let file: StoreFile
    private let unread = Atomic(0)

    /// Number of transactions that were complete in the log, but could not be read when the store was loaded. The server had acknowledged
    /// all of them, except possibly the last one.
    public var unreadTransactions: Int { unread.load(ordering: .relaxed) }

    /// Whether the file and its log are still in place. Changes written to a file that was moved or deleted are lost at the next start.
    public var isInPlace: Bool { file.isInPlace }

    /// Opens a store, and creates an empty one if the file does not exist.
    ///
    /// - Throws: an error if another server uses the file, or if the file is not a store, is read-only, or was written by a newer program.
    ///   In that case, the file stays unchanged.
    public init(path: String) throws(StoreError) {
        self.path = path
        file = try StoreFile(path)
        do throws(SQLiteError) {
            database = try SQLiteDatabase(
                path: path, settings: ["trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "busy_timeout = 5000"])
        } catch {
            throw StoreError(path, error)
        }
        // Until the database has been checked, its log must stay unchanged: the log may contain the last changes of a killed server.
        if access(file.logPath, F_OK) == 0 { database.setCheckpointOnClose(false) }
    }

    /// Loads the stored state into an engine.
    ///
    /// - Parameter empty: an engine without data, with the options to use.
    /// - Throws: an error if the file is damaged or cannot be written. A full disk is an error only if an older version must be converted.
    ///   After an error, the file is unchanged, except that a file of version 1 may already have been converted to version 2.
    public func load(into empty: FleetEngineState) throws(StoreError) -> FleetEngineState {
        do {
            let version = try StoreSchema.version(of: database)
            let engine = try Self.loaded(empty, from: database)
            try beginWriting()
            if version < 2 { try addWays(of: engine) }
            // Version 3 has the same tables as version 2, but its phone keys can expire. The number was raised because an older
            // program would accept expired keys.
            if version < 4 { try addDeliveries() }
            return engine
        } catch {
            throw StoreError(path, cause: error)
        }
    }

    /// Returns the engine state that a database holds. Only reads the database.
    static func loaded(_ empty: FleetEngineState, from database: SQLiteDatabase) throws -> FleetEngineState {
        let version = try StoreSchema.version(of: database)
        guard case .text("ok")? = try database.rows("PRAGMA quick_check(1)").first?.first else { throw DamagedRecordError() }
        var engine = empty
        var page = StorePage(database, "trips")
        while let bytes = try page.next() { engine.apply(.tripPut(try StoredTrip(serializedBytes: bytes).record())) }
        page = StorePage(database, "vehicles")
        var waysPage = version > 1 ? StorePage(database, "ways") : nil
        while let bytes = try page.next() {
            let vehicle = try StoredVehicle(serializedBytes: bytes)
            let ways = vehicle.hasWays_p ? try waysPage?.next().map { try StoredWays(serializedBytes: $0) } : nil
            engine.apply(.vehiclePut(try vehicle.record(ways: ways)))
        }
        guard try waysPage?.next() == nil else { throw DamagedRecordError() }
        page = StorePage(database, "bookings")
        while let bytes = try page.next() { engine.apply(.bookingQueued(try StoredBooking(serializedBytes: bytes).booking())) }
        if version > 3 { try loadDeliveries(into: &engine, from: database) }
        let counters = try database.rows("SELECT serial, stamp FROM counters", columns: 2).first
        guard case .integer(let serial)? = counters?.first, case .integer(let stamp)? = counters?.last else { throw DamagedRecordError() }
        engine.resume(lastSerial: UInt64(bitPattern: serial), lastStamp: ChangeStamp(microseconds: stamp))
        engine.recordsChanges = true
        return engine
    }

    private func beginWriting() throws {
        for setting in ["synchronous = FULL", "journal_size_limit = 67108864"] { try database.run("PRAGMA " + setting) }
        guard case .text("wal")? = try database.rows("PRAGMA journal_mode = WAL").first?.first else { throw StoreError.readOnly(path) }
        countUnreadTransactions()
        do {
            try tryWriting()
        } catch {
            // A full disk is not an error here, because the store can still be read.
            guard error.code == SQLITE_FULL else { throw error }
        }
        file.noteLog()
        database.setCheckpointOnClose(true)
    }

    /// Counts the transactions that SQLite did not read. Must run before the first write, because a write may overwrite the log
    /// from its start.
    private func countUnreadTransactions() {
        // The second value of the row is the number of frames that SQLite has read.
        guard let row = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)", columns: 3).first, row.count == 3,
            case .integer(let readCount) = row[1], let pageBytes = try? StoreSchema.number("page_size", of: database)
        else { return }
        let count = StoreLog.unreadTransactions(file.logPath, pageBytes: pageBytes, readCount: readCount)
        unread.store(count, ordering: .relaxed)
    }

    /// Converts a file of version 1, whose vehicle rows contain the routes, to version 2.
    private func addWays(of engine: FleetEngineState) throws {
        let rows = try engine.vehicles.values.flatMap { vehicle in
            try [Row.of(vehicle, replaces: nil), Row.ofWays(vehicle, replaces: nil)]
        }
        try database.transaction { () throws(SQLiteError) in
            try database.run(StoreSchema.ways)
            for row in rows { try write(row) }
            try database.run("PRAGMA user_version = 2")
        }
    }

    /// Converts a file of version 2 or 3, which has no tasks and no delivery vehicles, to version 4.
    private func addDeliveries() throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for statement in StoreSchema.deliveries { try database.run(statement) }
            try database.run("PRAGMA user_version = 4")
        }
    }

    private static func loadDeliveries(into engine: inout FleetEngineState, from database: SQLiteDatabase) throws {
        var page = StorePage(database, "tasks")
        while let bytes = try page.next() { engine.apply(.delivery(.taskPut(try StoredTask(serializedBytes: bytes).record()))) }
        page = StorePage(database, "delivery_vehicles")
        var waysPage = StorePage(database, "delivery_ways")
        while let bytes = try page.next() {
            let vehicle = try StoredDeliveryVehicle(serializedBytes: bytes)
            let ways = vehicle.hasWays_p ? try waysPage.next().map { try StoredDeliveryWays(serializedBytes: $0) } : nil
            engine.apply(.delivery(.vehiclePut(try vehicle.record(ways: ways))))
        }
        guard try waysPage.next() == nil else { throw DamagedRecordError() }
    }

    /// Writes a meaningless value to find out whether the disk has room.
    func tryWriting() throws(SQLiteError) {
        // After a complete checkpoint, SQLite writes to the log from its start again, so the log need not grow.
        _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)")
        try database.transaction { () throws(SQLiteError) in
            try database.run("INSERT INTO room VALUES (zeroblob(65536))")
            try database.run("DELETE FROM room")
        }
    }
}

extension SQLiteError {
    /// The reason why a file cannot be opened.
    enum Kind { case damaged, readOnly, other }

    var kind: Kind {
        switch code {
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_FORMAT: .damaged
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH: .readOnly
        default: .other
        }
    }
}
