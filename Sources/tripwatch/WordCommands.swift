import ArgumentParser

/// Finds subcommands of commands that take any word: `share list`, `share end`, `map cache`.
///
/// A trip or a place with such a name must follow `--`.
enum WordCommands {
    /// The parent of the called subcommand; nil for other command lines.
    static func parent(of arguments: [String]) -> (any AsyncParsableCommand.Type)? {
        switch Array(arguments.prefix(2)) {
        case ["share", "list"], ["share", "end"]: ShareControlCommands.self
        case ["map", "cache"]: MapControlCommands.self
        default: nil
        }
    }

    /// Turns `help share list` into `share list --help`; returns other arguments unchanged.
    static func withHelp(_ arguments: [String]) -> [String] {
        guard arguments.first == "help", parent(of: Array(arguments.dropFirst())) != nil else { return arguments }
        return arguments.dropFirst() + ["--help"]
    }
}
