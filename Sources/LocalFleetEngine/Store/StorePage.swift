import FleetEngineCore
import SQLiteFile

/// Records of a table in the order of their serials, read in batches.
struct StorePage {
    private let database: SQLiteDatabase
    private let table: String
    private var rows: ArraySlice<[SQLiteValue]> = []
    private var last = Int64.min

    init(_ database: SQLiteDatabase, _ table: String) {
        (self.database, self.table) = (database, table)
    }

    /// Bytes of the next record; nil after the last.
    /// - Throws: `DamagedRecordError` if the bytes are not the ones that were written.
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
