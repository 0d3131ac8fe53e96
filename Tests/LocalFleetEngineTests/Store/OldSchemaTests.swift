import FoundationEssentials
import SQLiteFile
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Stores of earlier schema versions", .timeLimit(.minutes(1)))
struct OldSchemaTests {
    private static let versions = [1, 2, 3]

    /// Creates a store of this version.
    private func make(_ version: Int) throws -> StoreFolder {
        let folder = try StoreFolder()
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = try String(contentsOfFile: "/\(tests)/Golden/stores/version-\(version).sql", encoding: .utf8)
        let database = try SQLiteDatabase(path: folder.file)
        for statement in text.split(separator: "\n") { try database.run(String(statement)) }
        return folder
    }

    @Test("it is upgraded at the first start, and unchanged at the second one", arguments: versions)
    func upgrade(version: Int) throws {
        let folder = try make(version)
        #expect(try folder.version() == Int64(version))
        let first = try folder.open().state
        #expect(try folder.version() == StoreFile.version)
        #expect(first.tripCount == 10 && first.vehicleCount == 5 && first.bookings.trips.count == 1 && first.phoneOwners.count == 1)
        #expect(try folder.open().state == first)
    }

    @Test("the paths of vehicles are the same, whether they are in rows of their own or not")
    func paths() throws {
        let (old, new) = (try make(1), try make(2))
        // Version 1 had no accounts.
        #expect(try new.forgetAccounts() > 0)
        #expect(try old.open().state == new.open().state)
    }
}
