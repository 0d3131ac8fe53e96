import ArgumentParser
import BoundedJSON
import FoundationEssentials

/// Finds commands by the words that the user types to call them.
enum CommandWords {
    /// Returns the names of the subcommands of the command `path`; empty if `path` is not a command.
    static func below(_ path: [String]) -> [String] { command(path)?.configuration.subcommands.map(name) ?? [] }

    /// Returns a sentence about the error in the words after `help`; nil if they name a command.
    static func fault(ofHelp words: [String]) -> String? {
        let path = words.filter { !$0.hasPrefix("-") }
        guard command(path) == nil, path != ["help"] else { return nil }
        return description.flatMap { MistypedWords.fault(ofHelp: path, of: $0) }
    }

    /// Returns a suggestion for arguments that could not be parsed; nil if the parser's own message is enough.
    static func fault(in arguments: [String]) -> MistypedWords.Fault? { description.flatMap { MistypedWords.fault(in: arguments, of: $0) } }

    /// The description of all commands and their options.
    static var description: CommandDescription? {
        let dump = Data(dumpedHelp.utf8)
        return try? JSONDecoder().decodeBounded(CommandDescription.Tool.self, from: dump).command
    }

    /// The output of `tripwatch --experimental-dump-help`.
    private static var dumpedHelp: String {
        do {
            _ = try Tripwatch.parseAsRoot(["--experimental-dump-help"])
            return ""
        } catch {
            return Tripwatch.message(for: error)
        }
    }

    private static func command(_ path: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = Tripwatch.self
        for word in path {
            guard let next = command.configuration.subcommands.first(where: { name($0) == word }) else { return nil }
            command = next
        }
        return command
    }

    private static func name(_ command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}
