import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import SQLiteFile
import SwiftProtobuf

extension EngineStore {
    /// The change of one record in a table.
    struct Row {
        let table: String
        /// The record's serial number before the change; nil for a new record.
        var gone: UInt64?
        /// The record's new serial number and contents; nil if the record is deleted.
        var record: (serial: UInt64, bytes: [UInt8])?

        /// Whether the serial number has changed.
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

    /// Stores all changes or none. They are on disk when the function returns. Call it from one thread at a time.
    ///
    /// - Parameters:
    ///   - serial: the last serial number that was assigned.
    ///   - stamp: the last change stamp that was assigned.
    func write(_ changes: ChangeSet, lastSerial serial: UInt64, lastStamp stamp: ChangeStamp) throws {
        let rows =
            try Self.rows(of: changes.trips) + Self.rows(of: changes.vehicles) + Self.rows(of: changes.bookings)
            + Self.rows(of: changes.tasks) + Self.rows(of: changes.deliveryVehicles)
        // The last serial number and stamp can be read from the records, unless records are deleted. So only a deletion stores
        // them separately.
        let isGone = rows.contains { $0.record == nil }
        // A single statement is already a transaction.
        if rows.count == 1, !isGone, !rows[0].isMoved { return try write(rows[0]) }
        try database.transaction { () throws(SQLiteError) in
            for row in rows { try write(row) }
            guard isGone else { return }
            try database.run("UPDATE counters SET serial = ?, stamp = ?", [.serial(serial), .integer(stamp.microseconds)])
        }
    }

    func write(_ row: Row) throws(SQLiteError) {
        if let gone = row.gone, row.record == nil || row.isMoved {
            try database.run("DELETE FROM \(row.table) WHERE serial = ?", [.serial(gone)])
        }
        guard let record = row.record else { return }
        try database.run(
            "INSERT OR REPLACE INTO \(row.table) VALUES (?, ?, ?)",
            [.serial(record.serial), .integer(StoreSchema.sum(record.bytes)), .blob(record.bytes)])
    }
}

extension EngineStore {
    private static func rows(of trips: [TripName: ChangeSet.Pair<TripRecord>]) throws -> [Row] {
        try trips.values.map { pair in
            let record = try pair.after.map { ($0.serial, try StoredTrip($0).serializedBytes() as [UInt8]) }
            return Row(table: "trips", gone: pair.before?.serial, record: record)
        }
    }

    private static func rows(of vehicles: [VehicleName: ChangeSet.Pair<VehicleRecord>]) throws -> [Row] {
        try vehicles.values.flatMap { pair in
            let gone = pair.before?.serial
            guard let vehicle = pair.after else { return [Row(table: "vehicles", gone: gone), Row(table: "ways", gone: gone)] }
            let row = try Row.of(vehicle, replaces: gone)
            // Unchanged routes are not written: they are most of a vehicle's data, and rarely change.
            if let before = pair.before, gone == vehicle.serial, vehicle.hasSameWays(as: before) { return [row] }
            return [row, try Row.ofWays(vehicle, replaces: gone)]
        }
    }

    private static func rows(of bookings: [TripName: ChangeSet.Pair<Booking>]) throws -> [Row] {
        try bookings.values.map { pair in
            let record = try pair.after.map { ($0.serial, try StoredBooking($0).serializedBytes() as [UInt8]) }
            return Row(table: "bookings", gone: pair.before?.serial, record: record)
        }
    }

    private static func rows(of tasks: [TaskName: ChangeSet.Pair<TaskRecord>]) throws -> [Row] {
        try tasks.values.map { pair in
            let record = try pair.after.map { ($0.serial, try StoredTask($0).serializedBytes() as [UInt8]) }
            return Row(table: "tasks", gone: pair.before?.serial, record: record)
        }
    }

    private static func rows(of vehicles: [DeliveryVehicleName: ChangeSet.Pair<DeliveryVehicleRecord>]) throws -> [Row] {
        try vehicles.values.flatMap { pair in
            let gone = pair.before?.serial
            guard let vehicle = pair.after else {
                return [Row(table: "delivery_vehicles", gone: gone), Row(table: "delivery_ways", gone: gone)]
            }
            let record: [UInt8] = try StoredDeliveryVehicle(vehicle).serializedBytes()
            let row = Row(table: "delivery_vehicles", gone: gone, record: (vehicle.serial, record))
            // Most position reports leave the vehicle's routes unchanged, and routes are long.
            if let before = pair.before, gone == vehicle.serial, vehicle.hasSameWays(as: before) { return [row] }
            let ways: [UInt8]? = try StoredDeliveryWays(vehicle)?.serializedBytes()
            return [row, Row(table: "delivery_ways", gone: gone, record: ways.map { (vehicle.serial, $0) })]
        }
    }
}

extension SQLiteValue {
    /// SQLite's integers are signed. Serials below 2^63 keep their order.
    fileprivate static func serial(_ serial: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: serial)) }
}
