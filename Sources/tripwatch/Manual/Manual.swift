import TripWatchSettings

/// The manual: one page for the program, one for each command, and one for each kind of file that users write.
struct Manual: Sendable {
    struct Page: Sendable {
        let name: String
        let section: Int
        /// A description of the page in one line, for the list of pages.
        let about: String
        /// The page in roff.
        let text: String

        /// File name of the installed page, such as `tripwatch-follow.1`.
        var fileName: String { "\(name).\(section)" }
    }

    /// All pages, the program's page first.
    let pages: [Page]

    /// - Parameters:
    ///   - program: the description of the program and its commands.
    ///   - version: the version that the footer of each page shows.
    init(_ program: CommandDescription, version: String) {
        let source = "\(program.commandName) \(version)"
        let commands = program.commands.flatMap(Self.withThoseBelow)
        pages =
            [Self.programPage(program, commands: commands, source: source)]
            + commands.map { Self.commandPage($0, source: source) }
            + [Self.configurationPage(source: source), Self.themePage(source: source)]
    }

    /// Finds a page by its name, such as `tripwatch-follow`, `follow`, `token mint` or `config.toml`.
    func page(_ words: [String]) -> Page? {
        guard let program = pages.first else { return nil }
        let name = words.joined(separator: "-")
        guard !name.isEmpty, name != program.name else { return program }
        // The page for the configuration file is named after the program, not after the file.
        if name == Self.configurationFile { return page(["toml"]) }
        return pages.first { [name, "\(program.name)-\(name)", "\(program.name).\(name)"].contains($0.name) || $0.fileName == name }
    }

    private static let configurationFile = "config.toml"

    private static func withThoseBelow(_ command: CommandDescription) -> [CommandDescription] {
        [command] + command.commands.flatMap(withThoseBelow)
    }

    // MARK: - Pages

    private static func programPage(_ program: CommandDescription, commands: [CommandDescription], source: String) -> Page {
        var text = ManualText(name: program.pageName, section: 1, source: source, manual: "User Commands")
        begin(&text, program)
        text.section("COMMANDS")
        for command in program.commands { text.entry(command.commandName, command.abstract ?? "") }
        options(&text, program)
        text.section("KEYS")
        for binding in KeyMap.standard.bindings { text.entry(binding.keysText, sentence(binding.words)) }
        text.section("EXIT STATUS")
        for (code, meaning) in ManualFacts.exitCodes { text.entry(code, meaning) }
        text.section("ENVIRONMENT")
        for (name, meaning) in ManualFacts.environment { text.entry(name, meaning) }
        text.section("FILES")
        for (path, meaning) in ManualFacts.files { text.entry(path, meaning) }
        seeAlso(&text, commands.map { ($0.pageName, 1) } + [("tripwatch.toml", 5), ("tripwatch-theme", 5)])
        return Page(name: program.pageName, section: 1, about: program.abstract ?? "", text: text.text)
    }

    private static func commandPage(_ command: CommandDescription, source: String) -> Page {
        var text = ManualText(name: command.pageName, section: 1, source: source, manual: "User Commands")
        begin(&text, command)
        if !command.commands.isEmpty {
            text.section("COMMANDS")
            for below in command.commands { text.entry(below.commandName, below.abstract ?? "") }
        }
        options(&text, command)
        let above = (command.superCommands ?? []).joined(separator: "-")
        seeAlso(&text, [(above, 1)] + command.commands.map { ($0.pageName, 1) } + [("tripwatch.toml", 5)])
        return Page(name: command.pageName, section: 1, about: command.abstract ?? "", text: text.text)
    }

    private static func configurationPage(source: String) -> Page {
        let about = "settings of tripwatch"
        let also = [("tripwatch", 1), ("tripwatch-config", 1), ("tripwatch-theme", 5)]
        return filePage("tripwatch.toml", about, ManualFacts.configuration, ManualFacts.configurationExample, source, also) { text in
            text.section("KEYS")
            for key in ConfigurationKey.all {
                text.entry(key.name, "\(key.purpose) Allowed: \(key.allowed). Without it: \(key.standard).")
            }
        }
    }

    private static func themePage(source: String) -> Page {
        let also = [("tripwatch", 1), ("tripwatch-themes", 1), ("tripwatch.toml", 5)]
        return filePage(
            "tripwatch-theme", "the colours of tripwatch's screen", ManualFacts.theme, ManualFacts.themeExample, source, also
        ) { text in
            text.section("SCOPES")
            text.paragraphs(ThemeScope.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
    }

    /// Returns the page for a kind of file. `details` adds the text about its contents.
    private static func filePage(
        _ name: String, _ about: String, _ description: String, _ example: String, _ source: String, _ also: [(String, Int)],
        details: (inout ManualText) -> Void
    ) -> Page {
        var text = ManualText(name: name, section: 5, source: source, manual: "File Formats")
        text.section("NAME")
        text.paragraphs("\(name) - \(about)")
        text.section("DESCRIPTION")
        text.paragraphs(description)
        text.section("EXAMPLE")
        text.verbatim(example)
        details(&text)
        seeAlso(&text, also)
        return Page(name: name, section: 5, about: about, text: text.text)
    }

    // MARK: - Parts of pages

    private static func begin(_ text: inout ManualText, _ command: CommandDescription) {
        text.section("NAME")
        text.paragraphs("\(command.pageName) - \(phrase(command.abstract ?? ""))")
        text.section("SYNOPSIS")
        text.line(bold: command.words.joined(separator: " "), synopsis(command))
        text.section("DESCRIPTION")
        text.paragraphs(command.discussion ?? command.abstract ?? "")
    }

    private static func options(_ text: inout ManualText, _ command: CommandDescription) {
        let sections: [(String, Set<CommandDescription.Argument.Kind>)] = [("ARGUMENTS", [.positional]), ("OPTIONS", [.option, .flag])]
        for (title, kinds) in sections {
            let arguments = command.shown(kinds)
            guard !arguments.isEmpty else { continue }
            text.section(title)
            for argument in arguments where !arguments.contains(where: { argument.isNegative(of: $0) }) {
                let forms = [argument] + arguments.filter { $0.isNegative(of: argument) }
                text.entry(forms.map(\.term).joined(separator: "/"), argument.words)
            }
        }
    }

    private static func seeAlso(_ text: inout ManualText, _ pages: [(name: String, section: Int)]) {
        text.section("SEE ALSO")
        text.paragraphs(pages.map { "\($0.name)(\($0.section))" }.joined(separator: ", "))
    }

    /// Returns the options and arguments that follow the command's name in the synopsis.
    private static func synopsis(_ command: CommandDescription) -> String {
        var parts = command.shown([.option, .flag]).isEmpty ? [] : ["[options]"]
        parts += command.shown([.positional]).map { $0.isOptional ? "[\($0.term)]" : $0.term }
        if !command.commands.isEmpty { parts.append(parts.contains { $0 != "[options]" } ? "| command" : "command") }
        return parts.joined(separator: " ")
    }

    /// Returns the text without its full stop. Lists of manual pages have no full stops.
    private static func phrase(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }

    private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }
}
