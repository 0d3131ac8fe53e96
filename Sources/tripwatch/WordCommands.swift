import ArgumentParser

/// Finds commands that stand where another command takes any word: `share list`, `share end`, `map cache`.
///
/// A trip or a place of that name is given behind `--`.
enum WordCommands {
    /// The command above the one that is called; nil for all other command lines.
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
