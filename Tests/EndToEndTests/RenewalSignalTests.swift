import Foundation
import Glibc
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("USR1 to all running programs", .timeLimit(.minutes(3)))
struct RenewalSignalTests {
    @Test("commands without a screen ignore it, and end on TERM as before")
    func lines() throws {
        let server = try LocalServer()
        defer { server.stop() }
        for command in [
            ["share", "--http-port", "0"], ["wait", "--until", "here"], ["status", "--json", "--watch"], ["follow", "--output", "json"],
            ["drive", "--output", "plain", "--simulate", "--create", "--vehicle", "car-1"],
        ] { try passOver(command, server) }
    }

    private func passOver(_ command: [String], _ server: LocalServer) throws {
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "usr1-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let named = command.first == "drive" ? [] : [trip]
        let program = try ProgramOnTerminal(command + named + server.connection, setting: ["XDG_RUNTIME_DIR": folder.path])
        try program.wait(for: "the first output") { text in text.contains { !$0.isWhitespace } }
        program.signal(SIGUSR1)
        program.signal(SIGTERM)
        let end = try program.end()
        // `share` exits with 0 after TERM, which is the normal way to end it. The other commands of this test exit with 128 + SIGTERM.
        #expect(end == (command.first == "share" ? 0 : 128 + SIGTERM), "\(command)")
        kill(server.running.process.processIdentifier, SIGUSR1)
        #expect(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98") != nil, "the server goes on")
    }

    @Test("screens survive it from their first bytes until their end")
    func screen() throws {
        let program = try ProgramOnTerminal(["demo"])
        try program.wait(for: "the first frame") { text in
            if !program.terminal.visibleOutput.isEmpty { program.signal(SIGUSR1) }
            return text.contains("min")
        }
        program.press("q")
        program.signal(SIGUSR1)
        #expect(try program.end() == 0)
    }
}
