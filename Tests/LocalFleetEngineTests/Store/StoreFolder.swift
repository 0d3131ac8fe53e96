import FleetEngineAPI
import FoundationEssentials
import Routing
import SQLiteFile
import SwiftProtobuf

@testable import FleetEngineCore
@testable import LocalFleetEngine

/// A folder for a test's stores, removed when the test ends.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/engine.db" }

    /// The contents of all files in the folder. The keys are the names of the files.
    var contents: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: path + "/" + $0))) })
        }
    }

    /// Opens the store and reads its contents.
    func open(_ options: EngineOptions = EngineOptions()) throws -> (store: EngineStore, state: FleetEngineState) {
        let store = try EngineStore(path: file)
        let empty = FleetEngineState(options: options, straightLine: StraightLineRouter(speedMetersPerSecond: 10))
        return (store, try store.load(into: empty))
    }

    /// Waits until the previous engine has closed the store, and opens it again.
    func openWhenFree() async throws -> (store: EngineStore, state: FleetEngineState) {
        while refusal()?.hasSuffix("is in use by another server") == true { await Task.yield() }
        return try open()
    }

    /// Returns the error message if the file is refused; nil if the file can be opened.
    func refusal() -> String? {
        do {
            _ = try open()
            return nil
        } catch { return "\(error)".replacing(path + "/", with: "") }
    }
}

extension StoreFolder {
    /// Rewrites the closed store as version 2, in which a phone's key has no expiry.
    func bringToVersion2() throws {
        let database = try SQLiteDatabase(path: file)
        try Self.dropDeliveries(of: database)
        try database.run("PRAGMA user_version = 2")
    }

    /// Rewrites the closed store as version 3, which has no tasks and no delivery vehicles.
    func bringToVersion3() throws {
        let database = try SQLiteDatabase(path: file)
        try Self.dropDeliveries(of: database)
        try database.run("PRAGMA user_version = 3")
    }

    private static func dropDeliveries(of database: SQLiteDatabase) throws {
        for table in ["tasks", "delivery_vehicles", "delivery_ways"] { try database.run("DROP TABLE \(table)") }
    }

    /// Returns the version number that is stored in the file.
    func version() throws -> Int64 { try StoreSchema.version(of: try SQLiteDatabase(path: file)) }

    /// Rewrites the closed store as version 1, in which the row of a vehicle also contains the vehicle's paths.
    /// - Returns: the number of vehicles with paths.
    func bringToVersion1() throws -> Int {
        let database = try SQLiteDatabase(path: file)
        var (page, ways) = (StorePage(database, "vehicles"), StorePage(database, "ways"))
        var moved: [StoredVehicle] = []
        while let bytes = try page.next() {
            var vehicle = try StoredVehicle(serializedBytes: bytes)
            guard vehicle.hasWays_p, let found = try ways.next().map({ try StoredWays(serializedBytes: $0) }) else { continue }
            vehicle.hasWays_p = false
            vehicle.between = found.between
            if found.hasApproach { vehicle.approach = found.approach }
            if found.hasUpload { vehicle.upload = found.upload }
            if found.hasPlan { vehicle.plan.leg = found.plan }
            moved.append(vehicle)
        }
        for vehicle in moved {
            let bytes: [UInt8] = try vehicle.serializedBytes()
            try database.run(
                "UPDATE vehicles SET sum = ?, record = ? WHERE serial = ?",
                [.integer(StoreSchema.sum(bytes)), .blob(bytes), .integer(Int64(vehicle.serial))])
        }
        try database.run("DROP TABLE ways")
        try Self.dropDeliveries(of: database)
        try database.run("PRAGMA user_version = 1")
        return moved.count
    }
}

extension StoreFolder {
    /// Removes the account from each trip and vehicle in the store, as if an older version without accounts had written them.
    /// - Returns: the number of trips and vehicles.
    func forgetAccounts() throws -> Int {
        let database = try SQLiteDatabase(path: file)
        var rows: [(table: String, serial: UInt64, bytes: [UInt8])] = []
        var page = StorePage(database, "trips")
        while let bytes = try page.next() {
            var trip = try StoredTrip(serializedBytes: bytes)
            trip.account = ""
            rows.append(("trips", trip.serial, try trip.serializedBytes()))
        }
        page = StorePage(database, "vehicles")
        while let bytes = try page.next() {
            var vehicle = try StoredVehicle(serializedBytes: bytes)
            vehicle.account = ""
            rows.append(("vehicles", vehicle.serial, try vehicle.serializedBytes()))
        }
        for row in rows {
            try database.run(
                "UPDATE \(row.table) SET sum = ?, record = ? WHERE serial = ?",
                [.integer(StoreSchema.sum(row.bytes)), .blob(row.bytes), .integer(Int64(row.serial))])
        }
        return rows.count
    }
}

extension EngineStore {
    func write(_ changesOf: FleetEngineState) throws {
        try write(changesOf.changed, lastSerial: changesOf.lastSerial, lastStamp: changesOf.lastStamp)
    }
}
