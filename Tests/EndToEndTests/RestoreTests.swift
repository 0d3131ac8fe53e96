import Foundation
import Glibc
import Testing

@testable import ProgramHarness

@Suite("serve restore", .timeLimit(.minutes(5)))
struct RestoreTests {
    private let folder: URL
    private var file: String { folder.appending(path: "engine.db").path }
    private var copy: String { folder.appending(path: "copy.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func restore() throws -> Program.Outcome { try Program().run(["serve", "restore", copy, "--database", file]) }

    /// Creates the files of a server that was killed after a backup. Its log contains the later changes, and its database file is damaged.
    private func makeWreck() throws {
        let server = try StoredServer(file)
        #expect(server.createVehicle("early") == 200)
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        #expect(server.createVehicle("late") == 200)
        server.kill()
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try handle.close()
    }

    @Test("after a crash, the command in the error restores the backup, and the log of the crash does not override it")
    func afterCrash() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeWreck()
        let wal = try Data(contentsOf: URL(filePath: file + "-wal"))
        let refused = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--database", file])
        #expect(refused.status == 1 && refused.errors.contains("'tripwatch serve restore BACKUP --database FILE'"), "\(refused.errors)")
        let outcome = try restore()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = [
            "\(file) contains 0 trips and 1 vehicle.",
            "The old database is now \(file).before-restore-1.",
        ]
        #expect(outcome.lines == lines, "\(outcome.lines)")
        #expect(try Data(contentsOf: URL(filePath: file + ".before-restore-1-wal")) == wal)
        let server = try StoredServer(file)
        defer { server.running.stop() }
        #expect(server.ask("GET", "vehicles/early")?.status == 200 && server.ask("GET", "vehicles/late")?.status == 404)
    }

    @Test("a trip that waits for a vehicle is counted once, and named as waiting")
    func waiting() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        let booked = try Program().run(
            ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "http://127.0.0.1:\(server.httpPort)"])
        #expect(booked.status == 0, "\(booked.errors)")
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        server.running.stop()
        let outcome = try restore()
        #expect(outcome.lines.first == "\(file) contains 1 trip (1 waiting for a vehicle) and 0 vehicles.", "\(outcome)")
    }

    @Test("while a server has the database it is refused, and the server continues")
    func running() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        defer { server.running.stop() }
        #expect(server.createVehicle("car") == 200)
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        let outcome = try restore()
        #expect(outcome.status == 1 && outcome.lines.isEmpty, "\(outcome.lines)")
        #expect(outcome.errors == "tripwatch: \(file) is in use by another server.\n", "\(outcome.errors)")
        #expect(server.createVehicle("more") == 200)
        #expect(!FileManager.default.fileExists(atPath: file + ".before-restore-1"))
    }

    @Test("on a full disk it fails with the database's name, and the database is unchanged")
    func fullDisk() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        #expect(server.createVehicle("car") == 200)
        server.running.stop()
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        let before = try Data(contentsOf: URL(filePath: file))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let running = try Program().start(["serve", "restore", copy, "--database", file], fileBlocks: 8)
        let words = running.errorLine()
        running.waitForEnd()
        #expect(running.process.terminationStatus == 1)
        #expect(words == "tripwatch: \(file) cannot be written: file too large.", "\(words ?? "")")
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names.sorted())
    }

    @Test("a backup to a full disk names its own file in the error, and leaves nothing of it")
    func fullDiskOfBackup() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        defer { server.running.stop() }
        #expect(server.createVehicle("car") == 200)
        let running = try Program().start(["serve", "backup", copy, "--database", file], fileBlocks: 8)
        let words = running.errorLine()
        running.waitForEnd()
        #expect(
            running.process.terminationStatus == 1 && words == "tripwatch: \(copy) cannot be written: file too large.", "\(words ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("engine.db") })
    }

    @Test(
        "a flipped bit in the log of a killed server is reported at the next start, and the start continues",
        arguments: [
            (
                1,
                "the last change in the database's log cannot be read: the server was killed while writing it, or the file is damaged. "
                    + "If data is missing, restore a backup."
            ),
            (2, "the last 2 changes in the database's log cannot be read. They are lost unless a backup has them."),
        ])
    func damagedLog(changes: Int, words: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try StoredServer(file)
        for car in ["early", "late", "last"] { #expect(first.createVehicle(car) == 200) }
        first.kill()
        var log = try Data(contentsOf: URL(filePath: file + "-wal"))
        // An SQLite WAL has a header of 32 bytes, then frames. The last frame of a transaction has a nonzero number in bytes 4 to 7.
        let ends = stride(from: 32, to: log.count, by: 24 + 4_096).filter { frame in log[frame + 4..<frame + 8].contains { $0 != 0 } }
        log[try #require(ends.suffix(changes).first) + 1_000] ^= 1
        try log.write(to: URL(filePath: file + "-wal"))
        let server = try StoredServer(file)
        defer { server.running.stop() }
        #expect(server.running.errorLine() == "tripwatch: warning: \(words)")
        let found = ["early", "late", "last"].map { server.ask("GET", "vehicles/\($0)")?.status }
        #expect(found == [200, changes == 1 ? 200 : 404, 404])
    }

    @Test(
        "a database that is moved away under a server makes it not ready, and ready again when it is back",
        arguments: ["", "-wal"])
    func moved(end: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        defer { server.running.stop() }
        let lines = LineWatch(server.running.errors)
        #expect(server.createVehicle("car") == 200 && server.askDesk("GET", "/readyz")?.status == 200)
        try FileManager.default.moveItem(atPath: file + end, toPath: file + ".aside")
        #expect(lines.line(with: "tripwatch: the database, or its log, was moved, deleted or replaced: ") != nil, "\(lines.all)")
        let answer = server.askDesk("GET", "/readyz")
        #expect(answer?.status == 503 && answer?.body == "the database was moved, deleted or replaced\n")
        // A different file with the same name does not make the server ready again.
        try Data("another".utf8).write(to: URL(filePath: file + end))
        #expect(server.askDesk("GET", "/readyz")?.status == 503)
        try FileManager.default.removeItem(atPath: file + end)
        try FileManager.default.moveItem(atPath: file + ".aside", toPath: file + end)
        #expect(lines.line(with: "tripwatch: the database is back at its path.") != nil, "\(lines.all)")
        #expect(server.askDesk("GET", "/readyz")?.status == 200)
    }

    @Test("without a database, or without a backup, it is a usage error")
    func usage() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Program().run(["serve", "restore", copy]).status == 64)
        #expect(try Program().run(["serve", "restore", "--database", file]).status == 64)
        #expect(try Program().run(["serve", "restore", "--help"]).lines.contains { $0.hasPrefix("USAGE: tripwatch serve restore ") })
    }
}
