import Foundation
import Testing

@testable import ProgramHarness

/// The program's commands and their options, as the program itself lists them.
struct CommandTree: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    struct Argument: Decodable {
        let kind: String
        let names: [Name]?
        let allValues: [String]?
        let isRepeating: Bool
    }

    struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    let command: Command

    static let program = Result { try load() }

    private static func load() throws -> CommandTree {
        let outcome = try Program().run(["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandTree.self, from: Data(outcome.lines.joined(separator: "\n").utf8))
    }

    /// Returns what is wrong with a command line; nil if the line is valid. Words without a dash are only counted, so a placeholder such
    /// as TRIP is valid. The word … is not counted.
    func complaint(about line: [String]) -> String? {
        var (command, rest) = (self.command, line[...])
        while let word = rest.first, let sub = command.subcommands?.first(where: { $0.commandName == word }) {
            (command, rest) = (sub, rest.dropFirst())
        }
        if command.commandName == "help" || rest.first == "--generate-completion-script" { return nil }
        let arguments = command.arguments ?? []
        let places = arguments.filter { $0.kind == "positional" }
        var placed = 0
        while let word = rest.popFirst(), word != "--" {
            if word.hasPrefix("-") && word != "-" {
                if let complaint = Self.complaint(about: word, before: &rest, arguments) { return complaint }
            } else if word != "…" {
                placed += 1
            }
        }
        let isEndless = places.contains { $0.isRepeating }
        return placed <= places.count || isEndless ? nil : "\(command.commandName) takes \(places.count) words, not \(placed)"
    }

    private static func complaint(about option: String, before rest: inout ArraySlice<String>, _ arguments: [Argument]) -> String? {
        let known = arguments.first { argument in
            argument.names?.contains { $0.text == option || argument.kind == "flag" && option == "--no-" + $0.name } == true
        }
        guard let known else { return "there is no option \(option)" }
        guard known.kind == "option" else { return nil }
        guard let value = rest.popFirst(), !value.hasPrefix("--") else { return "\(option) has no value" }
        guard let values = known.allValues, !values.isEmpty, !values.contains(where: { $0.contains(":") }) else { return nil }
        return values.contains(value) ? nil : "\(option) is not \(value)"
    }
}
