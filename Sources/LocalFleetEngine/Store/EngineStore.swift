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
            if version < 3 { try database.run("PRAGMA user_version = 3") }
            return engine
        } catch {
            throw StoreError(path, cause: error)
        }
    }

    /// What a database holds; it is read only.
    static func loaded(_ empty: FleetEngineState, from database: SQLiteDatabase) throws -> FleetEngineState {
        let hasWays = try StoreSchema.version(of: database) != 1
        guard case .text("ok")? = try database.rows("PRAGMA quick_check(1)").first?.first else { throw DamagedRecordError() }
        var engine = empty
        var page = StorePage(database, "trips")
        while let bytes = try page.next() { engine.apply(.tripPut(try StoredTrip(serializedBytes: bytes).record())) }
        page = StorePage(database, "vehicles")
        var waysPage = hasWays ? StorePage(database, "ways") : nil
        while let bytes = try page.next() {
            let vehicle = try StoredVehicle(serializedBytes: bytes)
            let ways = vehicle.hasWays_p ? try waysPage?.next().map { try StoredWays(serializedBytes: $0) } : nil
            engine.apply(.vehiclePut(try vehicle.record(ways: ways)))
        }
        guard try waysPage?.next() == nil else { throw DamagedRecordError() }
        page = StorePage(database, "bookings")
        while let bytes = try page.next() { engine.apply(.bookingQueued(try StoredBooking(serializedBytes: bytes).booking())) }
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

    // MARK: Writing

    /// What is written of a record.
    private struct Row {
        let table: String
        /// The serial that it had before.
        var gone: UInt64?
        /// Nil where it is gone.
        var record: (serial: UInt64, bytes: [UInt8])?

        /// Whether it had another serial before.
        var isMoved: Bool {
            guard let gone, let record else { return false }
            return gone != record.serial
        }

        static func of(_ vehicle: VehicleRecord, replaces gone: UInt64?) throws -> Row {
            Row(table: "vehicles", gone: gone, record: (vehicle.serial, try StoredVehicle(vehicle).serializedBytes()))
        }

        static func ofWays(_ vehicle: VehicleRecord, replaces gone: UInt64?) throws -> Row {
            let bytes: [UInt8]? = try StoredWays(vehicle)?.serializedBytes()
            return Row(table: "ways", gone: gone, record: bytes.map { (vehicle.serial, $0) })
        }
    }

    /// Stores changes, all or none; they are on disk when this returns. For one thread at a time.
    ///
    /// - Parameters:
    ///   - serial: the last one that was given out.
    ///   - stamp: the same.
    func write(_ changes: ChangeSet, lastSerial serial: UInt64, lastStamp stamp: ChangeStamp) throws {
        var rows: [Row] = []
        for pair in changes.trips.values {
            let record = try pair.after.map { ($0.serial, try StoredTrip($0).serializedBytes() as [UInt8]) }
            rows.append(Row(table: "trips", gone: pair.before?.serial, record: record))
        }
        for pair in changes.vehicles.values {
            let gone = pair.before?.serial
            guard let vehicle = pair.after else {
                rows += [Row(table: "vehicles", gone: gone), Row(table: "ways", gone: gone)]
                continue
            }
            rows.append(try Row.of(vehicle, replaces: gone))
            // A report mostly leaves the paths as they are, which are most of what there is to write.
            if let before = pair.before, gone == vehicle.serial, vehicle.hasSameWays(as: before) { continue }
            rows.append(try Row.ofWays(vehicle, replaces: gone))
        }
        for pair in changes.bookings.values {
            let record = try pair.after.map { ($0.serial, try StoredBooking($0).serializedBytes() as [UInt8]) }
            rows.append(Row(table: "bookings", gone: pair.before?.serial, record: record))
        }
        // What was given out stands in the records, unless one is gone: most transactions write one page less.
        let isGone = rows.contains { $0.record == nil }
        // One statement is a transaction of its own.
        if rows.count == 1, !isGone, !rows[0].isMoved { return try write(rows[0]) }
        try database.transaction { () throws(SQLiteError) in
            for row in rows { try write(row) }
            guard isGone else { return }
            try database.run("UPDATE counters SET serial = ?, stamp = ?", [.serial(serial), .integer(stamp.microseconds)])
        }
    }

    private func write(_ row: Row) throws(SQLiteError) {
        if let gone = row.gone, row.record == nil || row.isMoved {
            try database.run("DELETE FROM \(row.table) WHERE serial = ?", [.serial(gone)])
        }
        guard let record = row.record else { return }
        try database.run(
            "INSERT OR REPLACE INTO \(row.table) VALUES (?, ?, ?)",
            [.serial(record.serial), .integer(StoreSchema.sum(record.bytes)), .blob(record.bytes)])
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

extension SQLiteValue {
    /// SQLite's whole numbers have a sign; the order of serials below 2^63 is theirs.
    fileprivate static func serial(_ serial: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: serial)) }
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
