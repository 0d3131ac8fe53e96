import FleetEngineCore
import SQLiteFile

/// The tables of a store. A row contains a serial number as its key, a message of `store.proto`, and the checksum of the message. The
/// tables `counters` and `room` have other columns.
enum StoreSchema {
    static let statements =
        [
            "CREATE TABLE trips (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE vehicles (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE bookings (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            // The last serial number and stamp that were assigned. They cannot always be found in the records, because records
            // may be deleted.
            "CREATE TABLE counters (id INTEGER PRIMARY KEY, serial INTEGER NOT NULL, stamp INTEGER NOT NULL)",
            "INSERT INTO counters VALUES (1, 0, \(Int64.min))",
            ways,
            // A table for test writes, which show whether the disk has room.
            "CREATE TABLE room (bytes BLOB NOT NULL)",
        ] + deliveries

    /// The tables of tasks, delivery vehicles and the vehicles' routes, since version 4. The key of a vehicle's routes is the
    /// vehicle's serial number.
    static let deliveries = ["tasks", "delivery_vehicles", "delivery_ways"].map { name in
        "CREATE TABLE \(name) (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"
    }

    /// The table of vehicles' routes, since version 2. The key is the vehicle's serial number.
    static let ways = "CREATE TABLE ways (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"

    /// Returns the schema version in a database's header.
    static func version(of database: SQLiteDatabase) throws(SQLiteError) -> Int64 { try number("user_version", of: database) }

    /// Checks that a database is a store that this program can read.
    /// - Throws: `StoreError` for a database that is not a store or belongs to a newer program, `DamagedRecordError` if its tables
    ///   are not the expected ones.
    static func check(_ database: SQLiteDatabase, _ path: String) throws {
        let version = try version(of: database)
        try StoreFile.check(applicationID: try number("application_id", of: database), version: version, path)
        let later = (version < 2 ? [ways] : []) + (version < 4 ? deliveries : [])
        let tables = Set(statements.filter { $0.hasPrefix("CREATE") && !later.contains($0) })
        let found = try database.rows("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").compactMap(\.first)
        guard found.count == tables.count, Set(found) == Set(tables.map { .text($0) }) else { throw DamagedRecordError() }
    }

    /// Returns the value of a pragma as a whole number; 0 if the value is not a whole number.
    static func number(_ pragma: String, of database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        if case .integer(let number)? = try database.rows("PRAGMA \(pragma)").first?.first { number } else { 0 }
    }

    /// Returns a checksum (FNV-1a, 64 bits). It detects accidental changes to a record, which SQLite itself does not detect.
    static func sum(_ bytes: [UInt8]) -> Int64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: sum)
    }
}
