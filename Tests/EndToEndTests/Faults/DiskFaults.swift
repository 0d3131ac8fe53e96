import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// Faults that a full disk causes. A limit on the size of the program's files has the same effect: a write beyond the limit fails.
enum DiskFaults {
    private static let engine = ["--endpoint", "{engine}", "--plaintext"]
    private static let status = ["status", "{trip}"] + engine
    private static let book = ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url", "{desk}"]
    private static let follow = ["follow", "{trip}", "--interval", "1", "--output", "plain"] + engine
    private static let drive =
        [
            "drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000",
            "--provider", "demo",
        ] + engine
    private static let serve = ["serve", "--grpc-port", "0", "--http-port", "{port}", "--database", "{folder}/own.db"]

    private static func row(
        _ command: String, _ words: String, _ arguments: [String], _ course: FaultRow.Course = .ends(0), blocks: Int = 0
    ) -> FaultRow {
        FaultRow(command: command, fault: "full disk", words: words, course: course, arguments: arguments, fileBlocks: blocks)
    }

    // MARK: Files that later runs read

    /// A booking that cannot be added to the list of known trips. The list must not change.
    private static var knownTrips: FaultRow {
        var row = row("book", "tripwatch: the trip is booked, but 'tripwatch list' does not show it: ", book)
        row.setting = ["XDG_STATE_HOME": "{folder}"]
        row.prepare = { scene in
            let booked = try Program().run(book.map(scene.filled), setting: ["XDG_STATE_HOME": scene.folder.path])
            _ = try scene.folder.write("first", try #require(booked.lines.first))
        }
        row.loss = { scene in
            let first = try String(contentsOfFile: scene.folder.path + "/first", encoding: .utf8)
            let list = try Program().run(["list", "--json"], setting: ["XDG_STATE_HOME": scene.folder.path])
            return list.lines.joined().replacing("\\/", with: "/").contains(first) ? nil : "the first trip: \(list)"
        }
        return row
    }

    private static var configuration: FaultRow {
        let text = "interval = 9\n"
        var row = row(
            "config set", "/tripwatch/config.toml cannot be written: File too large.", ["config", "set", "interval", "7"], .ends(1))
        row.setting = ["XDG_CONFIG_HOME": "{folder}"]
        row.prepare = { scene in
            try FileManager.default.createDirectory(atPath: scene.folder.path + "/tripwatch", withIntermediateDirectories: true)
            _ = try scene.folder.write("tripwatch/config.toml", text)
        }
        row.loss = { scene in
            let kept = try String(contentsOfFile: scene.folder.path + "/tripwatch/config.toml", encoding: .utf8)
            return kept == text ? nil : "the configuration: \(kept)"
        }
        return row
    }

    private static var tileCache: FaultRow {
        var row = row(
            "map", "The map continues without its cache: disk I/O error.",
            ["map", "20,10,4", "--dump", "--size", "80x24", "--basemap", "{web}/{z}/{x}/{y}.pbf"])
        row.setting = ["XDG_CACHE_HOME": "{folder}"]
        row.absent = ["not complete"]
        return row
    }

    // MARK: Files that grow

    private static var recording: FaultRow {
        var row = row(
            "follow --record", "cannot be written any more: file too large.", follow + ["--record", "{folder}/ride.trip"],
            .recovers(news: "moving"),
            blocks: 1)
        row.meanwhile = { try $0.setStatus("ENROUTE_TO_PICKUP") }
        row.loss = { try brokenLine(of: "ride.trip", in: $0) }
        return row
    }

    private static var driveRecording: FaultRow {
        var row = row(
            "drive --record", "cannot be written any more: file too large.", drive + ["--record", "{folder}/drive.jsonl"],
            .recovers(news: "status      ENROUTE_TO_PICKUP"), blocks: 1)
        row.calm = " online"
        row.meanwhile = { try $0.assign() }
        row.loss = { try brokenLine(of: "drive.jsonl", in: $0) }
        return row
    }

    /// Checks that a recording contains only whole lines of JSON. Returns a description of the problem; nil if there is no problem.
    private static func brokenLine(of name: String, in scene: FaultScene) throws -> String? {
        let text = try String(contentsOfFile: scene.folder.path + "/" + name, encoding: .utf8)
        guard text.hasSuffix("\n") else { return "the recording has no whole line at its end: \(text)" }
        let broken = text.split(separator: "\n").first { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) == nil }
        return broken.map { "the recording has a broken line: \($0)" }
    }

    /// A store whose disk is full for a while during the server's run. The server must refuse the vehicle that it cannot store.
    private static var store: FaultRow {
        var row = row(
            "serve --database", "the database cannot be written (", serve,
            .struck(after: "listening", news: "the database is writable again."))
        row.fault = "full disk, then room"
        row.fileBlocks = nil
        row.departure = .asked(0)
        row.strike = { scene, process in
            let calls = try RESTCalls("127.0.0.1:\(scene.sparePort)")
            try #require(try calls.makeVehicle("kept").contains("200 OK"))
            try limitFiles(of: process, bytes: "1")
            try #require(try calls.makeVehicle("refused").contains("the database cannot be written (disk "))
        }
        row.heal = { _, process in try limitFiles(of: process, bytes: "unlimited") }
        row.loss = { scene in
            let next = try StoredServer(scene.folder.path + "/own.db")
            defer { next.running.stop() }
            let statuses = ["kept", "refused"].map { next.ask("GET", "vehicles/\($0)")?.status }
            return statuses == [200, 404] ? nil : "the vehicles: \(statuses)"
        }
        return row
    }

    /// Sets the maximum size of a file that a process may write.
    private static func limitFiles(of process: Int32, bytes: String) throws {
        let limit = Process()
        limit.executableURL = URL(filePath: "/usr/bin/prlimit")
        limit.arguments = ["--pid", "\(process)", "--fsize=\(bytes):"]
        try limit.run()
        limit.waitUntilExit()
        try #require(limit.terminationStatus == 0)
    }

    static let rows: [FaultRow] = [
        knownTrips, configuration, tileCache, recording, driveRecording, store,
        row("serve --database", "/own.db cannot be used: disk I/O error.", serve, .ends(1)),
        row("status --log FILE", "cannot be written (file too large), so the log has gaps.", status + ["--log", "{folder}/log"]),
    ]
}

extension RESTCalls {
    fileprivate func makeVehicle(_ id: String) throws -> String {
        try ask(
            "POST", "vehicles?vehicleId=\(id)",
            #"{"vehicleState":"ONLINE","maximumCapacity":4,"vehicleType":{"category":"AUTO"},"supportedTripTypes":["EXCLUSIVE"]}"#)
    }
}

@Suite("Fault table: full disks", .timeLimit(.minutes(10)))
struct DiskFaultTableTests {
    @Test("a full disk is reported, damages no list, configuration, recording or store, and stops no ride")
    func disks() async throws { try await FaultTable.run(DiskFaults.rows) }
}
