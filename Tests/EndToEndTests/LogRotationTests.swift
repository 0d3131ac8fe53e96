import Foundation
import Glibc
import Testing

@testable import ProgramHarness

@Suite("Log files that are rotated", .timeLimit(.minutes(2)))
struct LogRotationTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private struct Server {
        let running: Program.Running
        let errors: LineWatch
        let calls: RESTCalls

        init(_ options: [String]) throws {
            running = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + options)
            calls = try RESTCalls(running.line())
            errors = LineWatch(running.errors)
        }

        /// Makes a call that all logs record.
        func ask(_ trip: String) throws { #expect(try calls.ask("GET", "trips/\(trip)").contains("404")) }

        /// Sends HUP to the server.
        /// - Returns: the line with these words that the server prints; nil if it prints no such line.
        func hangUp(_ words: String) -> String? {
            let before = errors.all.count
            kill(running.process.processIdentifier, SIGHUP)
            return errors.line(with: words, after: before)
        }
    }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    @Test(
        "HUP opens both logs again: later lines are in new files, readable only by their owner",
        arguments: ["fleet.ndjson", "fleet.json"])
    func moved(fleetName: String) throws {
        let log = folder.path + "/tripwatch.log"
        let fleet = folder.path + "/" + fleetName
        let server = try Server(["--log", log, "--fleet-log", fleet])
        defer { server.running.stop() }
        let words = "tripwatch: HUP: the log files were reopened."
        // If no file was moved, no line is lost.
        #expect(server.hangUp(words) != nil, "\(server.errors.all)")
        try server.ask("early")
        for file in [log, fleet] { try FileManager.default.moveItem(atPath: file, toPath: file + ".1") }
        try server.ask("between")
        #expect(server.hangUp(words) != nil, "\(server.errors.all)")
        try server.ask("late")
        for file in [log, fleet] {
            let former = try text(file + ".1")
            let now = try text(file)
            #expect(former.contains("/early") && former.contains("/between") && !former.contains("/late"), "\(former)")
            #expect(now.contains("/late") && !now.contains("/early") && !now.contains("/between"), "\(now)")
            #expect(folder.mode(file) == 0o600)
        }
        guard fleetName.hasSuffix(".json") else { return }
        for (file, count) in [(fleet + ".1", 2), (fleet, 1)] {
            let list = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [Any]
            #expect(list?.count == count)
        }
    }

    @Test("if a file cannot be opened again, HUP reports that, and no line is lost")
    func unwritable() throws {
        let home = folder.path + "/logs"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let server = try Server(["--fleet-log", home + "/fleet.ndjson"])
        defer { server.running.stop() }
        try FileManager.default.moveItem(atPath: home, toPath: home + ".aside")
        let words = "--fleet-log \(home)/fleet.ndjson cannot be written: no such file or directory. Logging continues in the old file."
        #expect(server.hangUp(words) != nil, "\(server.errors.all)")
        try server.ask("late")
        #expect(try text(home + ".aside/fleet.ndjson").contains("/late"))
    }

    @Test("a list in a file that was emptied starts again, without a gap")
    func emptied() throws {
        let fleet = folder.path + "/fleet.json"
        let server = try Server(["--fleet-log", fleet])
        defer { server.running.stop() }
        try server.ask("early")
        #expect(truncate(fleet, 0) == 0)
        try server.ask("late")
        let list = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: fleet))) as? [Any]
        #expect(list?.count == 1)
        #expect(try text(fleet).contains("/late"))
    }
}
