import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import SQLiteFile
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Stores of earlier versions", .timeLimit(.minutes(1)))
struct GoldenStoreTests {
    private static func path(_ version: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(tests)/Golden/\(version)/store.db"
    }

    @Test("a store of version 0.1.0 has its finished trip, its car, its task and its van")
    func read() throws {
        let folder = try StoreFolder()
        try FileManager.default.copyItem(atPath: Self.path("v0.1.0"), toPath: folder.file)
        let state = try folder.open().state
        let trip = try #require(state.trips.values.first)
        #expect(state.trips.count == 1 && trip.status == .complete && trip.trip.vehicleID == "car-7")
        let car = try VehicleName(provider: "demo", vehicle: "car-7")
        #expect(state.vehicles.count == 1 && state.vehicles[car] != nil)
        let now = Date(timeIntervalSince1970: 1_795_798_800)
        let task = try state.getTask(TaskName(provider: "demo", task: "parcel-1"), now: now).task
        #expect(task.trackingID == "P-1" && task.type == .delivery && task.durationSeconds == 60)
        _ = try state.getDeliveryVehicle(DeliveryVehicleName(provider: "demo", vehicle: "van-1"), now: now)
    }

    @Test("this version creates all tables of version 0.1.0, and its version number is not lower")
    func schema() throws {
        let golden = try StoreFolder()
        try FileManager.default.copyItem(atPath: Self.path("v0.1.0"), toPath: golden.file)
        let made = try StoreFolder()
        do { _ = try made.open() }
        #expect(try made.version() >= golden.version())
        let tables = try Self.tables(golden.file)
        #expect(tables.count > 5)
        #expect(try Set(tables).isSubset(of: Self.tables(made.file)))
    }

    private static func tables(_ file: String) throws -> [String] {
        let rows = try SQLiteDatabase(path: file).rows("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
        return rows.compactMap { row in
            guard case .text(let text)? = row.first else { return nil }
            return text
        }
    }
}
