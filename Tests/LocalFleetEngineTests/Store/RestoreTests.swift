import EngineWorld
import FleetEngineAPI
import FoundationEssentials
import Glibc
import SQLiteFile
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Restoring a store from a backup", .timeLimit(.minutes(2)))
struct RestoreTests {
    private let folder: StoreFolder
    private var backup: String { folder.path + "/backup.db" }
    private var former: String { folder.file + ".before-restore-1" }

    init() throws { folder = try StoreFolder() }

    /// Makes a store with some vehicles, and a backup of it.
    private func makeBackup(vehicles: Int) throws -> FleetEngineState {
        var (store, state) = try folder.open()
        for number in 0..<vehicles { _ = try state.createVehicle(.new("car-\(number)"), now: World.start) }
        try store.write(state)
        try EngineStore.backUp(folder.file, to: backup)
        state.forgetChanges()
        return state
    }

    private func refusal(_ backup: String, _ file: String) -> String? {
        do {
            _ = try EngineStore.restore(backup, to: file)
            return nil
        } catch { return error.description.replacing(folder.path + "/", with: "") }
    }

    @Test("the store has the backup's contents; the former store is kept beside it with its log, also after a second restore")
    func restore() throws {
        let state = try makeBackup(vehicles: 3)
        // After a crash, log files remain. SQLite would apply them to any database with the same name.
        let log = Data(repeating: 7, count: 5_000)
        for end in ["-wal", "-shm", "-journal"] { try log.write(to: URL(filePath: folder.file + end)) }
        try Data("half a page".utf8).write(to: URL(filePath: folder.file))
        for number in 1...2 {
            let kept = "\(folder.file).before-restore-\(number)"
            let restored = try EngineStore.restore(backup, to: folder.file)
            #expect(restored.vehicles == 3 && restored.trips == 0 && restored.bookings == 0 && restored.formerPath == kept)
            #expect(try folder.contents[kept.replacing(folder.path + "/", with: "")] != nil)
            #expect(try folder.contents["engine.db-wal"] == nil && folder.contents["engine.db-journal"] == nil)
        }
        #expect(try folder.open().state == state)
        let contents = try folder.contents
        #expect(contents["engine.db.before-restore-1"] == Data("half a page".utf8))
        for end in ["-wal", "-shm", "-journal"] { #expect(contents["engine.db.before-restore-1" + end] == log) }
        #expect(contents.keys.sorted().filter { $0.hasPrefix("engine.db.before-restore-2") } == ["engine.db.before-restore-2"])
    }

    @Test("a missing store is created, and a log that was left without its store is not used for it")
    func newPlace() throws {
        let state = try makeBackup(vehicles: 2)
        for name in try folder.contents.keys where name.hasPrefix("engine.db") {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(try EngineStore.restore(backup, to: folder.file).formerPath == nil)
        #expect(try folder.open().state == state)
        try FileManager.default.removeItem(atPath: folder.file)
        try Data("a log".utf8).write(to: URL(filePath: folder.file + "-wal"))
        #expect(try EngineStore.restore(backup, to: folder.file).formerPath == former)
        #expect(try folder.open().state == state && folder.contents["engine.db.before-restore-1-wal"] == Data("a log".utf8))
    }

    @Test("through a symbolic link, the file itself is replaced, and keeps its permissions")
    func symbolicLink() throws {
        let state = try makeBackup(vehicles: 1)
        #expect(chmod(folder.file, 0o640) == 0)
        let link = folder.path + "/link.db"
        #expect(Glibc.symlink(folder.file, link) == 0)
        #expect(try EngineStore.restore(backup, to: link).formerPath == former)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file)
        #expect(try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int == 0o640)
        #expect(try folder.open().state == state)
    }

    @Test("a backup that is damaged, not a store, newer or missing changes nothing")
    func badBackups() throws {
        _ = try makeBackup(vehicles: 40)
        let whole = try #require(try folder.contents["backup.db"])
        let before = try folder.contents.filter { $0.key.hasPrefix("engine.db") }
        func refused(_ bytes: Data, _ words: String) throws {
            try bytes.write(to: URL(filePath: backup))
            #expect(refusal(backup, folder.file) == words)
            #expect(try folder.contents.filter { $0.key.hasPrefix("engine.db") } == before)
            #expect(try folder.contents["backup.db"] == bytes)
        }
        let damaged = "backup.db is damaged: use another copy made by 'serve backup'"
        try refused(Data("a letter\n".utf8), "backup.db is not a tripwatch database")
        var newer = whole
        newer[63] = 9
        try refused(newer, "backup.db was written by a newer tripwatch: use that version to read it")
        try refused(whole.prefix(whole.count / 2), damaged)
        let place = try #require(whole.firstRange(of: Data("car-7".utf8)))
        var flipped = whole
        flipped[place.lowerBound] ^= 1
        try refused(flipped, damaged)
        try FileManager.default.removeItem(atPath: backup)
        #expect(refusal(backup, folder.file) == "backup.db does not exist")
        #expect(try folder.contents.keys.contains { $0.contains("before-restore") } == false)
    }

    @Test("an empty database or backup is refused, and its log, which SQLite would delete, stays as it is")
    func emptyFiles() throws {
        _ = try makeBackup(vehicles: 1)
        let log = Data(repeating: 7, count: 5_000)
        for file in [folder.file, backup] {
            try Data().write(to: URL(filePath: file))
            try log.write(to: URL(filePath: file + "-wal"))
        }
        let before = try folder.contents
        #expect(refusal(backup, folder.file) == "backup.db is empty: use another copy made by 'serve backup'")
        #expect(try folder.contents == before)
        let error = #expect(throws: StoreError.self) { try EngineStore.backUp(folder.file, to: folder.path + "/new.db") }
        #expect(error?.description.contains("engine.db is empty, but its log ") == true, "\(error as Any)")
        #expect(try folder.contents == before)
    }

    @Test("a backup with another schema is damaged", arguments: ["DROP TABLE room", "CREATE VIEW more AS SELECT 1", "DROP TABLE ways"])
    func schema(statement: String) throws {
        _ = try makeBackup(vehicles: 1)
        try SQLiteDatabase(path: backup).run(statement)
        #expect(refusal(backup, folder.file) == "backup.db is damaged: use another copy made by 'serve backup'")
    }

    @Test("a store that is in use, a store as its own backup, and a folder are refused, and nothing is moved")
    func refusals() throws {
        _ = try makeBackup(vehicles: 1)
        do {
            let running = try folder.open()
            #expect(refusal(backup, folder.file) == "engine.db is in use by another server")
            withExtendedLifetime(running) {}
        }
        #expect(refusal(folder.file, folder.file) == "engine.db is the database itself: use a copy made by 'serve backup'")
        try FileManager.default.createDirectory(atPath: folder.path + "/other", withIntermediateDirectories: true)
        #expect(refusal(backup, folder.path + "/other") == "other is not a tripwatch database")
        #expect(refusal(backup, folder.path + "/none/engine.db") == "none/engine.db cannot be opened: No such file or directory")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        #expect(names.sorted() == ["backup.db", "engine.db", "other"])
    }

    @Test(
        "a backup beside the log of an earlier database is refused, because SQLite would apply the log to it",
        arguments: ["-wal", "-journal"])
    func oldLog(end: String) throws {
        _ = try makeBackup(vehicles: 1)
        try FileManager.default.removeItem(atPath: backup)
        try Data("log".utf8).write(to: URL(fileURLWithPath: backup + end))
        let refused = #expect(throws: StoreError.self) { try EngineStore.backUp(folder.file, to: backup) }
        let words = "backup.db\(end) is left over from another database: remove it"
        #expect(refused.map { "\($0)" }?.contains(words) == true, "\(refused as Any)")
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    @Test("a backup of version 1 is accepted as it is")
    func olderVersion() throws {
        let state = try makeBackup(vehicles: 2)
        _ = try folder.bringToVersion1()
        try FileManager.default.removeItem(atPath: backup)
        try EngineStore.backUp(folder.file, to: backup)
        #expect(try EngineStore.restore(backup, to: folder.file).vehicles == 2)
        #expect(try folder.open().state == state)
    }
}
