import FleetEngineCore
import SQLiteFile

/// Reads the records of a table in batches, in the order of their serial numbers.
struct StorePage {
    private let database: SQLiteDatabase
    private let table: String
    private var rows: ArraySlice<[SQLiteValue]> = []
    private var last = Int64.min

    init(_ database: SQLiteDatabase, _ table: String) {
        (self.database, self.table) = (database, table)
    }

    /// Returns the bytes of the next record; nil after the last record.
    /// - Throws: `DamagedRecordError` if the bytes differ from those that were written.
    mutating func next() throws -> [UInt8]? {
        if rows.isEmpty {
            rows =
                try database.rows(
                    "SELECT serial, sum, record FROM \(table) WHERE serial > ? ORDER BY serial LIMIT 1000", [.integer(last)], columns: 3)[
                    ...]
        }
        guard let row = rows.popFirst() else { return nil }
        guard row.count == 3, case .integer(let serial) = row[0], case .integer(let sum) = row[1], case .blob(let bytes) = row[2],
            sum == StoreSchema.sum(bytes)
        else { throw DamagedRecordError() }
        last = serial
        return bytes
    }
}
