import Foundation
import Geo
import Glibc
import Synchronization
import Testing

@testable import ProgramHarness

@Suite("serve --database", .timeLimit(.minutes(10)))
struct StoreTests {
    private let folder: URL
    private var file: String { folder.appending(path: "engine.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The changes that the server acknowledged to one of several callers.
    private struct Told {
        /// The highest number that the server acknowledged.
        var number = 0
        /// The vehicles whose creation the server acknowledged.
        var vehicles: [String] = []
    }

    /// Makes one change after another until the server ends.
    private static func write(_ server: StoredServer, writer: Int, round: Int, _ told: borrowing Mutex<[Told]>) {
        var number = told.withLock { $0[writer].number }
        while true {
            number += 1
            guard server.setNumber("writer-\(writer)", number) == 200 else { return }
            told.withLock { $0[writer].number = number }
            let vehicle = "v-\(round)-\(writer)-\(number)"
            guard server.createVehicle(vehicle) == 200 else { return }
            told.withLock { $0[writer].vehicles.append(vehicle) }
        }
    }

    @Test("a trip that a driver declined is not offered to that car again, even after a restart")
    func declined() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try StoredServer(file)
        let key = try first.bookPhone("car-1")
        #expect(first.report(key, latitude: 50, at: Date().timeIntervalSince1970) == 200)
        let places = #"{"pickup":{"latitude":50.001,"longitude":8},"dropoff":{"latitude":50.01,"longitude":8}}"#
        let booked = try #require(first.askDesk("POST", "/trip/new", places))
        let trip = try #require(booked.body.firstMatch(of: #/trips\\?/([A-Za-z0-9_-]+)/#).map { String($0.1) }, "\(booked)")
        func vehicle(_ server: StoredServer) -> String? {
            server.ask("GET", "trips/\(trip)")?.body.firstMatch(of: #/"vehicleId":"([^"]+)"/#).map { String($0.1) }
        }
        #expect(vehicle(first) == "car-1")
        #expect(first.askDesk("PUT", "/trip/\(trip)", #"{"status":"NEW","vehicleId":""}"#)?.status == 200)
        #expect(vehicle(first) == nil)
        first.kill()
        let second = try StoredServer(file)
        defer { second.running.stop() }
        #expect(second.report(key, latitude: 50, at: Date().timeIntervalSince1970) == 200)
        #expect(vehicle(second) == nil)
        let other = try second.bookPhone("car-2")
        #expect(second.report(other, latitude: 50.1, at: Date().timeIntervalSince1970) == 200)
        #expect(vehicle(second) == "car-2")
    }

    @Test("a server that is killed 25 times while it writes keeps everything that it acknowledged")
    func kills() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let writers = 4
        let told = Shared(Array(repeating: Told(), count: writers))
        var random = SeededRandom(seed: UInt64(getpid()))
        for round in 0...25 {
            let server = try StoredServer(file)
            for writer in 0..<writers {
                if round == 0 { #expect(server.createVehicle("writer-\(writer)") == 200 && server.setNumber("writer-\(writer)", 0) == 200) }
                let state = told.value.withLock { $0[writer] }
                #expect(try server.number("writer-\(writer)") >= state.number, "round \(round)")
                for vehicle in state.vehicles { #expect(server.ask("GET", "vehicles/\(vehicle)")?.status == 200, "round \(round)") }
                told.value.withLock { $0[writer].vehicles = [] }
            }
            let done = DispatchGroup()
            for writer in 0..<writers {
                done.enter()
                Thread.detachNewThread {
                    Self.write(server, writer: writer, round: round, told.value)
                    done.leave()
                }
            }
            // The server must survive being killed at any time.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + random.double(in: 0.005...0.1))
            server.kill()
            done.wait()
        }
        // A busy machine may give one writer very little time, so only the sum over all writers is checked.
        #expect(told.value.withLock { $0.map(\.number).reduce(0, +) } > 25)
    }

    private final class Shared: Sendable {
        let value: Mutex<[Told]>
        init(_ value: [Told]) { self.value = Mutex(value) }
    }

    @Test("on a full disk calls are refused and reads continue; with free space it continues by itself, and nothing acknowledged is lost")
    func fullDisk() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file, fileBlocks: 600)
        #expect(server.createVehicle("car") == 200)
        var number = 0
        let filler = String(repeating: "x", count: 200)
        var refusal: (status: Int, body: String)?
        while refusal == nil {
            let vehicle = "car-\(number)"
            guard server.createVehicle(vehicle) == 200 else {
                refusal = server.ask("POST", "vehicles/car:updateAttributes", #"{"attributes":[{"key":"n","value":"1"}]}"#)
                break
            }
            guard server.setNumber("car", number + 1, filler: filler) == 200 else { break }
            number += 1
        }
        refusal = refusal ?? server.ask("POST", "vehicles/car:updateAttributes", #"{"attributes":[{"key":"n","value":"1"}]}"#)
        #expect(
            refusal?.status == 429 && refusal?.body.contains("the database cannot be written (") == true, "\(String(describing: refusal))")
        #expect(try server.number("car") == number)
        #expect(server.running.errorLine()?.contains("next, run in another terminal") == true)
        let words = try #require(server.running.errorLine())
        #expect(words.hasPrefix("tripwatch: the database cannot be written ("), "\(words)")
        let raise = Process()
        raise.executableURL = URL(filePath: "/usr/bin/prlimit")
        raise.arguments = ["--pid", "\(server.running.process.processIdentifier)", "--fsize=unlimited:"]
        try raise.run()
        raise.waitUntilExit()
        #expect(raise.terminationStatus == 0)
        #expect(server.running.errorLine() == "tripwatch: the database is writable again.")
        #expect(server.setNumber("car", number + 7) == 200)
        server.kill()
        let next = try StoredServer(file)
        defer { next.running.stop() }
        #expect(try next.number("car") == number + 7)
        #expect(next.ask("GET", "vehicles/car-\(number - 1)")?.status == 200)
    }

    @Test("a phone's printed address works after a kill, and in a copy: the car continues where it was, and its old key remains invalid")
    func phones() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = Date().timeIntervalSince1970.rounded(.down)
        let old: String
        let key: String
        do {
            let server = try StoredServer(file)
            old = try server.bookPhone("car-7")
            key = try server.bookPhone("car-7")
            #expect(server.report(key, latitude: 50, at: start - 20) == 200)
            let points = #""pickupPoint":{"point":{"latitude":50,"longitude":8}},"dropoffPoint":{"point":{"latitude":50.1,"longitude":8}}"#
            #expect(server.ask("POST", "trips?tripId=t1", #"{"tripType":"EXCLUSIVE","vehicleId":"car-7",\#(points)}"#)?.status == 200)
            #expect(server.hasStatus("t1", "ENROUTE_TO_PICKUP"))
            #expect(server.report(key, latitude: 50.0001, at: start - 10) == 200)
            #expect(server.hasStatus("t1", "ARRIVED_AT_PICKUP"))
            server.kill()
        }
        let copy = folder.appending(path: "copy.db").path
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        for file in [file, copy] {
            let server = try StoredServer(file)
            #expect(server.report(old, latitude: 50, at: start) == 401)
            // A late report is accepted, but it does not move the car.
            #expect(server.report(key, latitude: 49.99, at: start - 15) == 200)
            #expect(server.ask("GET", "vehicles/car-7")?.body.contains("50.0001") == true)
            // Before the kill, the car was at its stop. Now it has left the stop.
            #expect(server.report(key, latitude: 50.002, at: start) == 200)
            #expect(server.hasStatus("t1", "ENROUTE_TO_DROPOFF"))
            // No car can drive this distance in a second.
            #expect(server.report(key, latitude: 55, at: start + 1) == 200)
            #expect(server.askDesk("GET", "/metrics")?.body.contains("tripwatch_jumps_discarded_total 1") == true)
            server.running.stop()
        }
    }

    @Test("a seed resets a stored trip to the seed's values, but does not restart one that has ended")
    func seeded() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = folder.appending(path: "seed.json")
        let trips = ["over", "open"].map {
            #"{"name":"providers/demo/trips/\#($0)","tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":50,"longitude":8}}}"#
        }
        try Data(#"{"version":1,"trips":[\#(trips.joined(separator: ","))]}"#.utf8).write(to: seed)
        do {
            let server = try StoredServer(file, "--seed", seed.path)
            for (trip, status) in [("over", "CANCELED"), ("open", "ENROUTE_TO_PICKUP")] {
                let answer = server.ask("PUT", "trips/\(trip)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
                #expect(answer?.status == 200, "\(String(describing: answer))")
            }
            server.kill()
        }
        let server = try StoredServer(file, "--seed", seed.path)
        defer { server.running.stop() }
        #expect(server.hasStatus("over", "CANCELED") && server.hasStatus("open", "NEW"))
    }

    @Test("backup uses its log and profile options, wherever they stand")
    func backupOptions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        #expect(server.createVehicle("car") == 200)
        server.running.stop()
        try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
        try Data("[profiles.lab]\ndatabase = \"\(file)\"\n".utf8).write(to: folder.appending(path: "tripwatch/config.toml"))
        for (index, words) in [["serve", "backup", "COPY", "--profile", "lab"], ["serve", "--profile", "lab", "backup", "COPY"]]
            .enumerated()
        {
            let copy = folder.appending(path: "copy-\(index).db").path
            let log = folder.appending(path: "log-\(index)").path
            let outcome = try Program().run(
                words.map { $0 == "COPY" ? copy : $0 } + ["--log", log], setting: ["XDG_CONFIG_HOME": folder.path])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(FileManager.default.fileExists(atPath: copy) && FileManager.default.fileExists(atPath: log))
        }
    }

    /// The user ID of an account that owns no files; nil if the tests cannot run a program under another account.
    private static let nobody: UInt32? = {
        let number: UInt32 = 65_534
        guard geteuid() == 0, let running = try? Program().start(["--version"], account: number) else { return nil }
        running.waitForEnd()
        return running.process.terminationStatus == 0 ? number : nil
    }()

    @Test(
        "root copies the file of another account's server, running, killed or ended, without locking anyone out",
        .enabled(if: nobody != nil))
    func otherAccount() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let account = try #require(Self.nobody)
        #expect(chown(folder.path, account, account) == 0)
        for (index, ending) in ["running", "killed", "ended"].enumerated() {
            let server = try StoredServer(file, account: account)
            #expect(server.createVehicle("car-\(index)") == 200, "\(ending)")
            switch ending {
            case "killed": server.kill()
            case "ended": server.running.stop()
            default: break
            }
            let copy = folder.appending(path: "copy-\(index).db").path
            let outcome = try Program().run(["serve", "backup", copy, "--database", file])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(ending): \(outcome.errors)")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("engine.db") {
                #expect(FileOwner.of(folder.appending(path: name).path) == account, "\(ending): \(name)")
            }
            if ending == "running" {
                #expect(server.createVehicle("more") == 200)
                server.running.stop()
            }
            let restored = try StoredServer(copy)
            #expect(restored.ask("GET", "vehicles/car-\(index)")?.status == 200, "\(ending)")
            restored.running.stop()
        }
        let last = try StoredServer(file, account: account)
        #expect(last.createVehicle("car-9") == 200 && last.ask("GET", "vehicles/more")?.status == 200)
        last.running.stop()
    }

    @Test("an account's quota applies after a restart, the error names it, and a deleted trip no longer counts")
    func quotas() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func serve() throws -> StoredServer { try StoredServer(file, "--max-trips-per-account", "2", "--max-vehicles-per-account", "1") }
        func create(_ id: String, _ server: StoredServer) -> (status: Int, body: String)? {
            server.ask("POST", "trips?tripId=\(id)", #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":50,"longitude":8}}}"#)
        }
        let first = try serve()
        #expect(create("a", first)?.status == 200 && create("b", first)?.status == 200)
        #expect(first.createVehicle("car") == 200)
        first.kill()
        let second = try serve()
        defer { second.running.stop() }
        let refused = try #require(create("c", second))
        let words = "the account anonymous has reached its quota of trips (--max-trips-per-account 2): delete some first"
        #expect(refused.status == 429 && refused.body.contains("RESOURCE_EXHAUSTED") && refused.body.contains(words), "\(refused)")
        #expect(second.createVehicle("other") == 429)
        // The account of the provider API has its own quota, which one vehicle uses up.
        _ = try second.bookPhone("phone")
        #expect(second.askDesk("POST", "/car/new", #"{"vehicleId":"more"}"#)?.status == 429)
        #expect(second.askDesk("DELETE", "/v1/providers/demo/trips/a")?.status == 200)
        #expect(create("c", second)?.status == 200)
    }

    @Test("if a database is missing while its log exists, the server ends with a message, and the log is unchanged")
    func logAlone() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try StoredServer(file)
        #expect(server.createVehicle("car") == 200)
        server.kill()
        let aside = folder.appending(path: "aside.db").path
        try FileManager.default.moveItem(atPath: file, toPath: aside)
        let log = try Data(contentsOf: URL(filePath: file + "-wal"))
        let outcome = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--database", file])
        let words = "tripwatch: \(file) is missing, but its log \(file)-wal still exists and contains changes: "
        #expect(outcome.status == 1 && outcome.lines.isEmpty && outcome.errors.hasPrefix(words), "\(outcome.errors)")
        #expect(try Data(contentsOf: URL(filePath: file + "-wal")) == log && !FileManager.default.fileExists(atPath: file))
        // The error message recommends this repair.
        try FileManager.default.moveItem(atPath: aside, toPath: file)
        let again = try StoredServer(file)
        defer { again.running.stop() }
        #expect(again.ask("GET", "vehicles/car")?.status == 200)
    }

    @Test("a second server, files of other programs, and an unwritable file end it with one sentence")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func refused(_ path: String, _ words: String) throws {
            let outcome = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--database", path])
            #expect(outcome.status == 1 && outcome.lines.isEmpty && outcome.errors == "tripwatch: \(path) \(words).\n", "\(outcome.errors)")
        }
        let server = try StoredServer(file)
        try refused(file, "is in use by another server")
        let copy = folder.appending(path: "copy.db").path
        #expect(server.createVehicle("car") == 200)
        #expect(try Program().run(["serve", "backup", copy, "--database", file]).status == 0)
        let bytes = try Data(contentsOf: URL(filePath: copy))
        let again = try Program().run(["serve", "backup", copy], setting: ["TRIPWATCH_DATABASE": file])
        #expect(again.status == 1 && again.errors == "tripwatch: \(copy) already exists.\n", "\(again.errors)")
        #expect(try Program().run(["serve", "backup", folder.appending(path: "other.db").path]).status == 64)
        server.running.stop()
        #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
        let letter = folder.appending(path: "letter.txt").path
        try Data("Dear reader\n".utf8).write(to: URL(filePath: letter))
        try refused(letter, "is not a tripwatch database")
        #expect(try Data(contentsOf: URL(filePath: letter)) == Data("Dear reader\n".utf8))
        try refused("\(Program.absent)/engine.db", "cannot be opened: No such file or directory")
        #expect(chmod(copy, 0o444) == 0)
        try refused(copy, "cannot be written: the file, or its folder, is read-only")
        #expect(chmod(copy, 0o600) == 0)
        let restored = try StoredServer(copy)
        #expect(restored.ask("GET", "vehicles/car")?.status == 200)
        restored.running.stop()
    }
}
