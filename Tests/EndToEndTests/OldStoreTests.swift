import Foundation
import Glibc
import SQLiteFile
import Testing

@testable import ProgramHarness

@Suite("serve --database with stores of earlier schema versions", .timeLimit(.minutes(5)))
struct OldStoreTests {
    private static let versions = [1, 2, 3]
    /// The phone key of the vehicle `phone-1` in the stores.
    private static let phoneKey = "RShJdZli86QKm9pOWnFiWg"
    private let folder: URL
    private var file: String { folder.appending(path: "engine.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Creates a store of this version in place of the current one.
    private func make(_ version: Int) throws {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
        let database = try SQLiteDatabase(path: file)
        for statement in try Golden.lines("stores", "version-\(version).sql") { try database.run(statement) }
    }

    /// Starts a server with the store, and returns its trips and vehicles as text.
    private func contents() throws -> [String] {
        let text = folder.appending(path: "contents.json").path
        let ports = ["--grpc-port", "0", "--http-port", "0"]
        let outcome = try Program().run(["serve", "--database", file, "--export-on-exit", text, "--exec", "true"] + ports)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try String(contentsOfFile: text, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("a server starts with it, has all its trips and vehicles, accepts its phone's key, and can store tasks", arguments: versions)
    func start(version: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try make(version)
        #expect(try contents() == Golden.lines("stores", "contents.json"))
        let task = #"{"type":"PICKUP","state":"OPEN","trackingId":"P-1","taskDuration":"60s","plannedLocation":{"point":{"latitude":50}}}"#
        do {
            let server = try StoredServer(file)
            let made = server.ask("POST", "tasks?taskId=parcel", task)
            #expect(made?.status == 200, "\(String(describing: made))")
            #expect(server.report(Self.phoneKey, latitude: 50.2, at: Date().timeIntervalSince1970) == 200)
            server.kill()
        }
        let server = try StoredServer(file)
        defer { server.running.stop() }
        #expect(server.ask("GET", "tasks/parcel")?.status == 200)
    }

    /// Waits until the server writes to the store, or has ended.
    private func waitForChange(by running: Program.Running) {
        let log = file + "-wal"
        while !running.waitForEnd(until: .now() + 0.000_05) {
            let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            if let size, size > 0 { return }
        }
    }

    @Test("a server that is killed 20 times while it upgrades the store loses nothing", arguments: versions)
    func kills(version: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let golden = try Golden.lines("stores", "contents.json")
        for round in 0..<20 {
            try make(version)
            let running = try Program().start(["serve", "--database", file, "--grpc-port", "0", "--http-port", "0"])
            waitForChange(by: running)
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(round))
            kill(running.process.processIdentifier, SIGKILL)
            running.waitForEnd()
            #expect(try contents() == golden, "round \(round)")
        }
    }
}
