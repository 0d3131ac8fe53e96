import ArgumentParser

/// Finds the subcommands `share list`, `share end` and `map cache`, whose parent commands take any word as their argument.
///
/// A trip or a place that has the name of a subcommand must follow `--`.
enum WordCommands {
    /// Returns the parent command of the subcommand that is called; nil if no such subcommand is called.
    static func parent(of arguments: [String]) -> (any AsyncParsableCommand.Type)? {
        switch Array(arguments.prefix(2)) {
        case ["share", "list"], ["share", "end"]: ShareControlCommands.self
        case ["map", "cache"]: MapControlCommands.self
        default: nil
        }
    }

    /// Changes `help share list` to `share list --help`. Returns other arguments unchanged.
    static func withHelp(_ arguments: [String]) -> [String] {
        guard arguments.first == "help", parent(of: Array(arguments.dropFirst())) != nil else { return arguments }
        return arguments.dropFirst() + ["--help"]
    }
}
