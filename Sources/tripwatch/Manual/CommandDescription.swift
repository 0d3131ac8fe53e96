/// A command as its definition describes it, in the JSON form of Swift's argument parser (`ToolInfoV0`).
struct CommandDescription: Decodable, Sendable {
    /// The form's outermost object.
    struct Tool: Decodable, Sendable {
        let command: CommandDescription
    }

    struct Argument: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable { case positional, option, flag }

        struct Name: Decodable, Hashable, Sendable {
            let kind: String
            let name: String

            /// With its dashes.
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
        /// Where its words are looked for.
        let parsingStrategy: String?

        /// Whether its words stand behind `--` only.
        var isBehindTerminator: Bool { parsingStrategy == "postTerminator" }

        /// `--endpoint host:port`, `-h, --help`, `trip ...`.
        var term: String {
            let value = valueName ?? ""
            switch kind {
            case .positional: return value + (isRepeating ? " ..." : "")
            case .flag: return spelled
            case .option: return spelled + " " + value
            }
        }

        private var spelled: String { (names ?? []).map(\.text).joined(separator: ", ") }

        /// What it does, its values and what is taken without it.
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
    /// The commands above it, the program first.
    let superCommands: [String]?
    let subcommands: [CommandDescription]?
    /// The one that is meant where none is named.
    let defaultSubcommand: String?
    let arguments: [Argument]?
    let shouldDisplay: Bool

    /// The words that call it: `tripwatch token mint`.
    var words: [String] { (superCommands ?? []) + [commandName] }

    /// The name of its page: `tripwatch-token-mint`.
    var pageName: String { words.joined(separator: "-") }

    /// Those with a page.
    var commands: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    func shown(_ kinds: Set<Argument.Kind>) -> [Argument] { (arguments ?? []).filter { $0.shouldDisplay && kinds.contains($0.kind) } }
}
