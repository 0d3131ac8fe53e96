import Foundation
import Testing

@Suite("The help of commands", .timeLimit(.minutes(3)))
struct HelpTests {
    private static let titles = ["COMMON OPTIONS:", "MAP AND SCREEN OPTIONS:", "CONNECTION OPTIONS:", "ADVANCED OPTIONS:", "OPTIONS:"]

    /// The rows of a help on a terminal of 80 columns, empty ones included.
    private func rows(_ command: [String]) throws -> [String] {
        let running = try Program().start(command + ["--help"], setting: ["COLUMNS": "80"], longestSeconds: 60)
        let text = running.output.fileHandleForReading.readDataToEndOfFile()
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0, "\(command)")
        return String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
    }

    /// The commands that do something, each as its words.
    private func commands(below command: CommandTree.Command, _ path: [String] = []) -> [[String]] {
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        return below.flatMap { sub in
            let words = path + [sub.commandName]
            let isGroup = !(sub.arguments ?? []).contains { $0.names?.contains { $0.text == "--log" } == true }
            return (isGroup ? [] : [words]) + commands(below: sub, words)
        }
    }

    @Test("every command groups its options in one order, and its common ones stand within the first 24 rows")
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
        "what a command is for is among the common options",
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

    @Test("options of the connection are in a group of their own")
    func connection() throws {
        let section = try rows(["follow"]).drop { $0 != "CONNECTION OPTIONS:" }.prefix { !$0.isEmpty }
        #expect(section.contains { $0.hasPrefix("  --endpoint") })
    }
}
