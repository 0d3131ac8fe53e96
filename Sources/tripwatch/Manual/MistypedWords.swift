import TripWatchSettings

/// What is mistyped in a command line that could not be read, and what may have been meant.
enum MistypedWords {
    enum Fault: Equatable, Sendable {
        /// A word where a command belongs, in a sentence.
        case command(String)
        /// An option or a word that its command does not take, in a sentence.
        case argument(String)
    }

    /// The first word that is no command where one belongs, or that is not taken, or option that there is not; nil where all are known.
    ///
    /// - Parameters:
    ///   - arguments: those behind the program's name.
    ///   - program: its commands and their options.
    static func fault(in arguments: [String], of program: CommandDescription) -> Fault? {
        var command = program
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument.hasPrefix("-") {
                let name = String(argument.prefix { $0 != "=" })
                let option = command.option(name)
                if option == nil, name.hasPrefix("--") { return .argument(sentence(ofOption: name, command, in: program)) }
                if option?.kind == .option, name == argument { rest = rest.dropFirst() }
            } else if let next = command.subcommand(argument) {
                command = next
            } else if !command.takesWords {
                guard command.subcommands?.isEmpty == false else { return .argument("Unexpected argument '\(argument)'") }
                return .command(sentence(ofCommand: argument, command, in: program))
            }
        }
        return nil
    }

    /// What is wrong with the words behind `help`, in a sentence; nil for those that call a command.
    static func fault(ofHelp words: [String], of program: CommandDescription) -> String? {
        var command = program
        for word in words {
            guard let next = command.subcommand(word) else { return sentence(ofCommand: words, word, command, in: program) }
            command = next
        }
        return nil
    }

    private static func sentence(ofCommand word: String, _ command: CommandDescription, in program: CommandDescription) -> String {
        // A trip's name, or a link to one: somebody left the command out.
        if command.commandName == program.commandName, word.contains("/") {
            return "there is no command '\(word)': did you mean '\(program.commandName) follow \(word)'?"
        }
        return sentence(ofCommand: command.words.dropFirst() + [word], word, command, in: program)
    }

    private static func sentence(
        ofCommand path: [String], _ word: String, _ command: CommandDescription, in program: CommandDescription
    ) -> String {
        let start = "there is no command '\(path.joined(separator: " "))': "
        let names = (command.subcommands ?? []).map(\.commandName)
        guard !names.isEmpty else { return start + "'\(command.words.joined(separator: " ")) --help' says what it takes." }
        if let near = near(word, among: names) {
            return start + "did you mean '\((command.words.dropFirst() + [near]).joined(separator: " "))'?"
        }
        return start + "'\(command.words.joined(separator: " ")) --help' names those there are."
    }

    private static func sentence(ofOption name: String, _ command: CommandDescription, in program: CommandDescription) -> String {
        let start = "Unknown option '\(name)'"
        if let near = near(name, among: command.optionNames) { return start + ". Did you mean '\(near)'?" }
        guard command.commandName == program.commandName else { return start + "." }
        // Following comes first: it is what most options are for.
        let others = program.commands.sorted { one, _ in one.commandName == "follow" }
        for other in others {
            if let near = near(name, among: other.optionNames) {
                return start + " before a command. Did you mean '\(other.words.joined(separator: " ")) \(near)'?"
            }
        }
        return start + " before a command."
    }

    /// The name with few mistakes in it, or the only one that begins so.
    private static func near(_ word: String, among names: [String]) -> String? {
        if let near = Nearest.match(word, among: names) { return near }
        let longer = names.filter { $0.hasPrefix(word) }
        return word.count >= 3 && word != "--" && longer.count == 1 ? longer[0] : nil
    }
}

extension CommandDescription {
    fileprivate func subcommand(_ name: String) -> CommandDescription? { subcommands?.first { $0.commandName == name } }

    /// Whether words may follow that are no commands; those of a command that is meant where none is named are not told apart.
    fileprivate var takesWords: Bool {
        ([self] + unnamed).contains { ($0.arguments ?? []).contains { $0.kind == .positional && !$0.isBehindTerminator } }
    }

    /// The command that is meant where none is named.
    private var unnamed: [CommandDescription] { defaultSubcommand.flatMap(subcommand).map { [$0] } ?? [] }

    /// With its dashes; also one of a command that is meant where none is named.
    fileprivate func option(_ name: String) -> Argument? {
        ([self] + unnamed).lazy.flatMap { $0.arguments ?? [] }.first { ($0.names ?? []).contains { $0.text == name } }
    }

    fileprivate var optionNames: [String] {
        ([self] + unnamed).flatMap { $0.shown([.option, .flag]) }.flatMap { ($0.names ?? []).map(\.text) }.filter { $0.hasPrefix("--") }
    }
}
