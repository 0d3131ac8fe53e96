import FleetEngineCore
import SQLiteFile

/// Tables of a store. A row contains a message of `store.proto` with its check sum, under its serial.
enum StoreSchema {
    static let statements =
        [
            "CREATE TABLE trips (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE vehicles (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE bookings (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            // Last assigned serial and stamp, because their objects may be deleted.
            "CREATE TABLE counters (id INTEGER PRIMARY KEY, serial INTEGER NOT NULL, stamp INTEGER NOT NULL)",
            "INSERT INTO counters VALUES (1, 0, \(Int64.min))",
            ways,
            // Table for test writes, which show whether the disk has room.
            "CREATE TABLE room (bytes BLOB NOT NULL)",
        ] + deliveries

    /// Tables of tasks, delivery vehicles and their ways, the ways under their vehicle's serial; since version 4.
    static let deliveries = ["tasks", "delivery_vehicles", "delivery_ways"].map { name in
        "CREATE TABLE \(name) (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"
    }

    /// Table of vehicles' paths, under their vehicle's serial; since version 2.
    static let ways = "CREATE TABLE ways (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"

    /// Schema version in a database's header.
    static func version(of database: SQLiteDatabase) throws(SQLiteError) -> Int64 { try number("user_version", of: database) }

    /// - Throws: `StoreError` for a database that is not a store or belongs to a newer program, `DamagedRecordError` if it has other
    ///   tables.
    static func check(_ database: SQLiteDatabase, _ path: String) throws {
        let version = try version(of: database)
        try StoreFile.check(applicationID: try number("application_id", of: database), version: version, path)
        let later = (version < 2 ? [ways] : []) + (version < 4 ? deliveries : [])
        let tables = Set(statements.filter { $0.hasPrefix("CREATE") && !later.contains($0) })
        let found = try database.rows("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").compactMap(\.first)
        guard found.count == tables.count, Set(found) == Set(tables.map { .text($0) }) else { throw DamagedRecordError() }
    }

    /// Value of a pragma that returns a whole number; 0 if it returns none.
    static func number(_ pragma: String, of database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        if case .integer(let number)? = try database.rows("PRAGMA \(pragma)").first?.first { number } else { 0 }
    }

    /// Check sum that detects accidental changes, which the database's own structure does not (FNV-1a, 64 bits).
    static func sum(_ bytes: [UInt8]) -> Int64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: sum)
    }
}
