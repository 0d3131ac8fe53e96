import ArgumentParser
import FoundationEssentials

/// Looks up commands by the words that call them.
enum CommandWords {
    /// The words that may follow `path`; empty if `path` is not a command.
    static func below(_ path: [String]) -> [String] { command(path)?.configuration.subcommands.map(name) ?? [] }

    /// A sentence about the error in the words after `help`; nil if they name a command.
    static func fault(ofHelp words: [String]) -> String? {
        let path = words.filter { !$0.hasPrefix("-") }
        guard command(path) == nil, path != ["help"] else { return nil }
        return description.flatMap { MistypedWords.fault(ofHelp: path, of: $0) }
    }

    /// A suggestion for arguments that could not be parsed; nil if the parser's own message is enough.
    static func fault(in arguments: [String]) -> MistypedWords.Fault? { description.flatMap { MistypedWords.fault(in: arguments, of: $0) } }

    /// Description of all commands and their options.
    static var description: CommandDescription? {
        let dump = Data(dumpedHelp.utf8)
        return try? JSONDecoder().decode(CommandDescription.Tool.self, from: dump).command
    }

    /// Output of `tripwatch --experimental-dump-help`.
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
