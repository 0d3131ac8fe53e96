import CSQLite
import FleetEngineAPI
public import FleetEngineCore
import Glibc
import SQLiteFile
import SwiftProtobuf
import Synchronization

/// The file in which an engine keeps what it knows: SQLite, with a log that is synced at each transaction. One server at a time has it.
public final class EngineStore: Sendable {
    private let path: String
    let database: SQLiteDatabase
    private let file: StoreFile
    private let frames = Atomic(0)

    /// How many frames of the log could not be read when the store was loaded: with them went changes that may have been acknowledged.
    public var unreadFrames: Int { frames.load(ordering: .relaxed) }

    /// Whether the file, and its log, are still where they were: what is written into one that was moved or deleted is not found again.
    public var isInPlace: Bool { file.isInPlace }

    /// Opens a store, and makes an empty one where there is no file.
    ///
    /// - Throws: where another server has the file, or it is no store, newer than this program or read-only; then it stays as it is.
    public init(path: String) throws(StoreError) {
        self.path = path
        file = try StoreFile(path)
        do throws(SQLiteError) {
            database = try SQLiteDatabase(
                path: path, settings: ["trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "busy_timeout = 5000"])
        } catch {
            throw StoreError(path, error)
        }
        // As long as nobody knows whether it is sound, what another server left in its log stays there.
        if access(file.logPath, F_OK) == 0 { database.setCheckpointOnClose(false) }
    }

    /// What an engine knows that goes on where the last one stood.
    ///
    /// - Parameter empty: an engine that knows nothing, with its options.
    /// - Throws: when the file is damaged or cannot be written; then it stays as it is.
    public func load(into empty: FleetEngineState) throws(StoreError) -> FleetEngineState {
        do {
            let version = try StoreSchema.version(of: database)
            let engine = try Self.loaded(empty, from: database)
            try beginWriting()
            if version < 2 { try addWays(of: engine) }
            // Phones' keys may end since version 3: an older program would take them for ever.
            if version < 4 { try addDeliveries() }
            return engine
        } catch {
            throw StoreError(path, cause: error)
        }
    }

    /// What a database holds; it is read only.
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
        countUnreadFrames()
        do {
            try tryWriting()
        } catch {
            // With a full disk what is stored can still be read.
            guard error.code == SQLITE_FULL else { throw error }
        }
        file.noteLog()
        database.setCheckpointOnClose(true)
    }

    /// Before anything is written: then the log may begin anew.
    private func countUnreadFrames() {
        // The second value is the number of frames that SQLite has read.
        guard let row = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)", columns: 3).first, row.count == 3,
            case .integer(let readCount) = row[1], let pageBytes = try? StoreSchema.number("page_size", of: database)
        else { return }
        let count = StoreLog.unreadFrames(file.logPath, pageBytes: pageBytes, readCount: readCount)
        frames.store(count, ordering: .relaxed)
    }

    /// Brings a file of version 1, whose vehicles have their paths in their own rows, to version 2.
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

    /// Brings a file of version 2 or 3, which has no tasks and no delivery vehicles, to version 4.
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

    /// Writes something that means nothing, to find out whether there is room.
    func tryWriting() throws(SQLiteError) {
        // The log begins anew where all of it stands in the database.
        _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)")
        try database.transaction { () throws(SQLiteError) in
            try database.run("INSERT INTO room VALUES (zeroblob(65536))")
            try database.run("DELETE FROM room")
        }
    }
}

extension SQLiteError {
    /// What a failure to open means.
    enum Kind { case damaged, readOnly, other }

    var kind: Kind {
        switch code {
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_FORMAT: .damaged
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH: .readOnly
        default: .other
        }
    }
}
