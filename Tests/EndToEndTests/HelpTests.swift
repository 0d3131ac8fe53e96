import Foundation
import Testing

@testable import ProgramHarness

@Suite("The help of commands", .timeLimit(.minutes(3)))
struct HelpTests {
    private static let titles = ["COMMON OPTIONS:", "MAP AND SCREEN OPTIONS:", "CONNECTION OPTIONS:", "ADVANCED OPTIONS:", "OPTIONS:"]

    /// Returns the rows of a help text on a terminal of 80 columns, including empty rows.
    private func rows(_ command: [String]) throws -> [String] {
        let running = try Program().start(command + ["--help"], setting: ["COLUMNS": "80"], longestSeconds: 60)
        let text = running.output.fileHandleForReading.readDataToEndOfFile()
        running.waitForEnd()
        #expect(running.process.terminationStatus == 0, "\(command)")
        return String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
    }

    /// Returns all commands except those that only group other commands. Each command is a list of words.
    private func commands(below command: CommandTree.Command, _ path: [String] = []) -> [[String]] {
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        return below.flatMap { sub in
            let words = path + [sub.commandName]
            let isGroup = !(sub.arguments ?? []).contains { $0.names?.contains { $0.text == "--log" } == true }
            return (isGroup ? [] : [words]) + commands(below: sub, words)
        }
    }

    @Test("every command has its option groups in the same order, and its common options are within the first 24 rows")
    func groups() throws {
        let commands = commands(below: try CommandTree.program.get().command)
        #expect(commands.count > 25, "\(commands)")
        for command in commands {
            let rows = try rows(command)
            let words = command.joined(separator: " ")
            let titles = rows.filter { $0.hasSuffix("OPTIONS:") }
            #expect(titles == Self.titles.filter(titles.contains) && titles.first == Self.titles.first, "\(words): \(titles)")
            let common = rows.drop { $0 != "COMMON OPTIONS:" }
            let end = try #require(common.firstIndex(of: ""), "\(words)")
            #expect(end <= 24, "\(words): the common options end in row \(end)")
            let rest = rows.drop { $0 != "OPTIONS:" }.dropFirst().prefix { !$0.isEmpty }
            #expect(rest.allSatisfy { $0.hasPrefix("  --version") || $0.hasPrefix("  -h, --help") }, "\(words): \(rest)")
        }
    }

    @Test(
        "the options for a command's main purpose are among the common ones",
        arguments: [
            (["follow"], ["--output", "--json", "--units", "--record", "--keep-trying", "--profile", "--verbose", "--quiet", "--log"]),
            (["book"], ["--from", "--to", "--via", "--follow", "--json"]), (["serve"], ["--listen", "--grpc-port", "--database"]),
            (["drive"], ["--vehicle", "--simulate", "--gpx", "--auto"]), (["status"], ["--format", "--tmux", "--watch", "--json"]),
            (["share"], ["--for", "--qr", "--blur"]), (["wait"], ["--until"]), (["token", "mint"], ["--role", "--trip", "--ttl"]),
        ])
    func common(command: [String], options: [String]) throws {
        let section = try rows(command).drop { $0 != "COMMON OPTIONS:" }.prefix { !$0.isEmpty }
        for option in options { #expect(section.contains { $0.contains(option) }, "\(option): \(section.joined(separator: "\n"))") }
    }

    @Test("the help of wait names the goals of shipments too")
    func goals() throws {
        let text = try rows(["wait"]).joined(separator: " ")
        for goal in ["picked-up", "3stops", "next", "done"] { #expect(text.contains(goal), "\(text)") }
    }

    @Test("options of the connection are in their own group")
    func connection() throws {
        let section = try rows(["follow"]).drop { $0 != "CONNECTION OPTIONS:" }.prefix { !$0.isEmpty }
        #expect(section.contains { $0.hasPrefix("  --endpoint") })
    }

    @Test(
        "share list, share end and map cache have their own help",
        arguments: [
            (["share", "list"], ["USAGE: tripwatch share list", "--json"]), (["share", "end"], ["USAGE: tripwatch share end", "<link>"]),
            (["map", "cache"], ["USAGE: tripwatch map cache", "clear"]), (["map", "cache", "clear"], ["USAGE: tripwatch map cache clear"]),
        ])
    func words(command: [String], parts: [String]) throws {
        let text = try rows(command).joined(separator: "\n")
        for part in parts { #expect(text.contains(part), "\(text)") }
        #expect(!text.contains("--endpoint") && !text.contains("--painter"), "\(text)")
        #expect(try Program().run(["help"] + command, setting: ["COLUMNS": "80"]).lines.joined() == text.replacing("\n", with: ""))
        let wrong = try Program().run(command + ["--nosuch"])
        #expect(wrong.status == 64 && wrong.errors.hasPrefix("tripwatch: ") && wrong.errors.contains("--nosuch"), "\(wrong.errors)")
    }

    @Test("after --, list is a trip and cache is a place")
    func names() throws {
        let shared = try Program().run(["share", "--", "list"])
        #expect(shared.status == 64 && shared.errors.contains("'list'") && shared.errors.contains("--provider"), "\(shared.errors)")
        let shown = try Program().run(["map", "--dump", "--size", "40x10", "--", "cache"])
        #expect(shown.status == 1 && shown.errors.contains("'cache'"), "\(shown.errors)")
    }
}
