import ArgumentParser

/// Finds the commands that begin with the name of a command that takes any word: `share list`, `share end`, `map cache`.
///
/// A trip or a place with such a name goes behind `--`.
enum WordCommands {
    /// The command with the called subcommand; nil for other command lines.
    static func parent(of arguments: [String]) -> (any AsyncParsableCommand.Type)? {
        switch Array(arguments.prefix(2)) {
        case ["share", "list"], ["share", "end"]: ShareControlCommands.self
        case ["map", "cache"]: MapControlCommands.self
        default: nil
        }
    }

    /// `help share list` as `share list --help`; other arguments as they are.
    static func withHelp(_ arguments: [String]) -> [String] {
        guard arguments.first == "help", parent(of: Array(arguments.dropFirst())) != nil else { return arguments }
        return arguments.dropFirst() + ["--help"]
    }
}
