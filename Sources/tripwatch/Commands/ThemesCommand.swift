import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime

struct ThemesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "themes", abstract: "List, show and check colour themes.",
        discussion: """
            Your own themes are files in the directory 'themes' beside the configuration file (tripwatch config path); --theme takes their \
            names. On the screen, t switches between all themes.
            """,
        subcommands: [ThemesListCommand.self, ThemesShowCommand.self, ThemesCheckCommand.self], defaultSubcommand: ThemesListCommand.self)
}

struct ThemesListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the themes and the background that each needs.",
        discussion: """
            With --json: an array of objects with name, about, background (dark, light or any) and file, which is null for a built-in \
            theme.
            """)

    @OptionGroup(title: HelpSection.common) var form: FormOptions

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).list(asJSON: form.isJSON) }
}

struct ThemesShowCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a theme's file: tripwatch themes show harbour-dark > mine.toml.")

    @Argument(help: "Name of the theme.", completion: .themes)
    var name: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).show(name) }
}

struct ThemesCheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Print a theme's errors. Exit code 1 if it has errors.")

    @Argument(help: "Name of the theme, or its file.", completion: .themesAndFiles)
    var theme: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).check(theme) }
}
