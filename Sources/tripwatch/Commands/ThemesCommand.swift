import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime

struct ThemesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "themes", abstract: "The colours that there are, and what is wrong with yours.",
        discussion: """
            A theme of yours is a file in the directory themes beside the configuration file (tripwatch config path); --theme takes its name. \
            On the screen t goes through all of them.
            """,
        subcommands: [ThemesListCommand.self, ThemesShowCommand.self, ThemesCheckCommand.self], defaultSubcommand: ThemesListCommand.self)
}

struct ThemesListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the themes, each with the background it is for.",
        discussion: "With --json: an array of name, about, background (dark, light or any) and file, null for a theme in the program.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).list(asJSON: form.isJSON) }
}

struct ThemesShowCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a theme's file, to begin one of your own with: tripwatch themes show harbour-dark > mine.toml.")

    @Argument(help: "Its name.", completion: .themes)
    var name: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).show(name) }
}

struct ThemesCheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say all that is wrong with a theme, a line a fault. Exit code 1 if anything is.")

    @Argument(help: "Its name, or a file.", completion: .themesAndFiles)
    var theme: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { try ThemesRun(in: surroundings).check(theme) }
}
