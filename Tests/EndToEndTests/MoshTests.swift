import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

private enum Mosh {
    static let server = "/usr/bin/mosh-server"
    static let client = "/usr/bin/mosh-client"
    static let isThere = [server, client].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite("Through mosh", .enabled(if: Mosh.isThere), .timeLimit(.minutes(2)))
struct MoshTests {
    @Test("the ride is shown, keys and sizes arrive, and the session ends with the program")
    func ride() throws {
        // The server ends by itself after this many seconds without a client.
        let setting = ["MOSH_SERVER_NETWORK_TMOUT": "60", "LC_ALL": "C.UTF-8"]
        let server = try ProgramOnTerminal(
            ["new", "-i", "127.0.0.1", "--", Program.path, "demo"], setting: setting, program: Mosh.server)
        var words: [String] = []
        try server.wait(for: "port and key") { text in
            let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("MOSH CONNECT ") }
            words = line?.split(separator: " ").map(String.init) ?? []
            return words.count == 4 && words[3].count == 22
        }
        let mosh = try ProgramOnTerminal(
            ["127.0.0.1", words[2]], setting: setting.merging(["MOSH_KEY": words[3]]) { $1 }, program: Mosh.client)
        try mosh.wait(for: "the ride") { $0.contains("PICKUP IN") && $0.contains("? help") }
        mosh.press("?")
        try mosh.wait(for: "KEYS")
        mosh.press("?")
        try mosh.wait(for: "the end of the help") { !$0.contains("KEYS") && $0.contains("PICKUP IN") }
        mosh.terminal.resize(columns: 100, rows: 30)
        try mosh.wait(for: "the new size") { text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.count >= 30 && lines[29].contains("? help")
        }
        mosh.press("q")
        #expect(try mosh.end() == 0)
        // The session has ended, so its server must end, too.
        #expect(try server.end() == 0)
    }
}
