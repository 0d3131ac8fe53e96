/// Description of a command, in the JSON format of Swift's argument parser (`ToolInfoV0`).
struct CommandDescription: Decodable, Sendable {
    /// The outermost object of the JSON.
    struct Tool: Decodable, Sendable {
        let command: CommandDescription
    }

    struct Argument: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable { case positional, option, flag }

        struct Name: Decodable, Hashable, Sendable {
            let kind: String
            let name: String

            /// The option's name with its dashes.
            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let isOptional: Bool
        let isRepeating: Bool
        let defaultValue: String?
        let allValues: [String]?
        let shouldDisplay: Bool
        /// The parser's strategy for finding the argument's values.
        let parsingStrategy: String?

        /// Whether the argument's values must follow `--`.
        var isBehindTerminator: Bool { parsingStrategy == "postTerminator" }

        /// The argument as the manual shows it, such as `--endpoint host:port`, `-h, --help` or `trip ...`.
        var term: String {
            let value = valueName ?? ""
            switch kind {
            case .positional: return value + (isRepeating ? " ..." : "")
            case .flag: return spelled
            case .option: return spelled + " " + value
            }
        }

        /// Whether this is the negative form of another flag, as `--no-mouse` is of `--mouse`. Both have the same description.
        func isNegative(of other: Argument) -> Bool {
            guard kind == .flag, other.kind == .flag else { return false }
            let negative = Set((other.names ?? []).map { "--no-\($0.name)" })
            return !negative.isDisjoint(with: (names ?? []).map(\.text))
        }

        private var spelled: String { (names ?? []).map(\.text).joined(separator: ", ") }

        /// The description, followed by the allowed values and the default.
        var words: String {
            var facts: [String] = []
            if let allValues, !allValues.isEmpty { facts.append("Values: \(allValues.joined(separator: ", ")).") }
            if let defaultValue, !defaultValue.isEmpty { facts.append("Default: \(defaultValue).") }
            return ([abstract ?? ""] + facts).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    /// The names of the parent commands. The first is the program's name.
    let superCommands: [String]?
    let subcommands: [CommandDescription]?
    /// Name of the default subcommand.
    let defaultSubcommand: String?
    let arguments: [Argument]?
    let shouldDisplay: Bool

    /// The words that the user types to call the command, such as `tripwatch token mint`.
    var words: [String] { (superCommands ?? []) + [commandName] }

    /// Name of the manual page, such as `tripwatch-token-mint`.
    var pageName: String { words.joined(separator: "-") }

    /// The subcommands that have a manual page.
    var commands: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    func shown(_ kinds: Set<Argument.Kind>) -> [Argument] { (arguments ?? []).filter { $0.shouldDisplay && kinds.contains($0.kind) } }
}
