import TripWatchSettings

/// Finds the mistyped word in a command line that could not be parsed, and suggests a correction.
enum MistypedWords {
    enum Fault: Equatable, Sendable {
        /// A sentence about an unknown command.
        case command(String)
        /// A sentence about an option or argument that the command does not have.
        case argument(String)
    }

    /// Returns a sentence about the first word before `--` that is an unknown command, an unexpected argument or an unknown option with two
    /// dashes; nil without such a word.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - program: the program's commands and their options.
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

    /// Returns a sentence about the error in the words after `help`; nil if they name a command.
    static func fault(ofHelp words: [String], of program: CommandDescription) -> String? {
        var command = program
        for word in words {
            guard let next = command.subcommand(word) else { return sentence(ofCommand: words, word, command, in: program) }
            command = next
        }
        return nil
    }

    private static func sentence(ofCommand word: String, _ command: CommandDescription, in program: CommandDescription) -> String {
        // The word is probably a trip's name or a link, and the command is missing.
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
        guard !names.isEmpty else {
            return start + "'\(command.words.joined(separator: " ")) --help' lists the options of '\(command.words.last ?? "")'."
        }
        if let near = near(word, among: names) {
            return start + "did you mean '\((command.words.dropFirst() + [near]).joined(separator: " "))'?"
        }
        return start + "'\(command.words.joined(separator: " ")) --help' lists the commands."
    }

    private static func sentence(ofOption name: String, _ command: CommandDescription, in program: CommandDescription) -> String {
        let start = "Unknown option '\(name)'"
        if let near = near(name, among: command.optionNames) { return start + ". Did you mean '\(near)'?" }
        guard command.commandName == program.commandName else { return start + "." }
        // `follow` is searched first, because it has the most options.
        let others = program.commands.sorted { one, _ in one.commandName == "follow" }
        for other in others {
            if let near = near(name, among: other.optionNames) {
                return start + " before a command. Did you mean '\(other.words.joined(separator: " ")) \(near)'?"
            }
        }
        return start + " before a command."
    }

    /// Returns the most similar name, if one is similar enough. Otherwise, returns the only name that begins with `word`, if `word` has at
    /// least three characters; otherwise nil.
    private static func near(_ word: String, among names: [String]) -> String? {
        if let near = Nearest.match(word, among: names) { return near }
        let longer = names.filter { $0.hasPrefix(word) }
        return word.count >= 3 && word != "--" && longer.count == 1 ? longer[0] : nil
    }
}

extension CommandDescription {
    fileprivate func subcommand(_ name: String) -> CommandDescription? { subcommands?.first { $0.commandName == name } }

    /// Whether the command or its default subcommand takes positional arguments.
    fileprivate var takesWords: Bool {
        ([self] + unnamed).contains { ($0.arguments ?? []).contains { $0.kind == .positional && !$0.isBehindTerminator } }
    }

    /// The default subcommand as a list, which is empty if the command has none.
    private var unnamed: [CommandDescription] { defaultSubcommand.flatMap(subcommand).map { [$0] } ?? [] }

    /// Returns the option with this name, dashes included, of the command or its default subcommand.
    fileprivate func option(_ name: String) -> Argument? {
        ([self] + unnamed).lazy.flatMap { $0.arguments ?? [] }.first { ($0.names ?? []).contains { $0.text == name } }
    }

    fileprivate var optionNames: [String] {
        ([self] + unnamed).flatMap { $0.shown([.option, .flag]) }.flatMap { ($0.names ?? []).map(\.text) }.filter { $0.hasPrefix("--") }
    }
}
