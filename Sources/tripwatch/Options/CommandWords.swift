import ArgumentParser
import FoundationEssentials

/// The commands by the words that call them.
enum CommandWords {
    /// The words that may follow; none for words that call nothing.
    static func below(_ path: [String]) -> [String] { command(path)?.configuration.subcommands.map(name) ?? [] }

    /// What is wrong with the words behind `help`, in a sentence; nil for those that call a command.
    static func fault(ofHelp words: [String]) -> String? {
        let path = words.filter { !$0.hasPrefix("-") }
        guard command(path) == nil, path != ["help"] else { return nil }
        return description.flatMap { MistypedWords.fault(ofHelp: path, of: $0) }
    }

    /// What may have been meant with arguments that could not be parsed; nil where the parser's own words say it.
    static func fault(in arguments: [String]) -> MistypedWords.Fault? { description.flatMap { MistypedWords.fault(in: arguments, of: $0) } }

    /// All commands with their options.
    static var description: CommandDescription? {
        let dump = Data(dumpedHelp.utf8)
        return try? JSONDecoder().decode(CommandDescription.Tool.self, from: dump).command
    }

    /// What `tripwatch --experimental-dump-help` prints.
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
