import FleetEngineCore
import SQLiteFile

/// The tables of a store: a row is a message of `store.proto` with its check sum, under its serial.
enum StoreSchema {
    static let statements =
        [
            "CREATE TABLE trips (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE vehicles (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            "CREATE TABLE bookings (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)",
            // The last serial and stamp that were given out: what had them may be gone.
            "CREATE TABLE counters (id INTEGER PRIMARY KEY, serial INTEGER NOT NULL, stamp INTEGER NOT NULL)",
            "INSERT INTO counters VALUES (1, 0, \(Int64.min))",
            ways,
            // For finding out whether there is room.
            "CREATE TABLE room (bytes BLOB NOT NULL)",
        ] + deliveries

    /// The tasks and the delivery vehicles, and the ways of those that have some under their vehicle's serial; since version 4.
    static let deliveries = ["tasks", "delivery_vehicles", "delivery_ways"].map { name in
        "CREATE TABLE \(name) (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"
    }

    /// The paths of vehicles that have some, under their vehicle's serial; since version 2.
    static let ways = "CREATE TABLE ways (serial INTEGER PRIMARY KEY, sum INTEGER NOT NULL, record BLOB NOT NULL)"

    /// The number of the schema that a database says it has.
    static func version(of database: SQLiteDatabase) throws(SQLiteError) -> Int64 { try number("user_version", of: database) }

    /// - Throws: `StoreError` for a database that is no store or of a newer program, and `DamagedRecordError` where it has other tables.
    static func check(_ database: SQLiteDatabase, _ path: String) throws {
        let version = try version(of: database)
        try StoreFile.check(applicationID: try number("application_id", of: database), version: version, path)
        let later = (version < 2 ? [ways] : []) + (version < 4 ? deliveries : [])
        let tables = Set(statements.filter { $0.hasPrefix("CREATE") && !later.contains($0) })
        let found = try database.rows("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").compactMap(\.first)
        guard found.count == tables.count, Set(found) == Set(tables.map { .text($0) }) else { throw DamagedRecordError() }
    }

    /// A pragma that answers with a whole number; 0 where it does not.
    static func number(_ pragma: String, of database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        if case .integer(let number)? = try database.rows("PRAGMA \(pragma)").first?.first { number } else { 0 }
    }

    /// Tells bytes that are others by an accident, which the database's own structure does not (FNV-1a, 64 bits).
    static func sum(_ bytes: [UInt8]) -> Int64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: sum)
    }
}
