import ArgumentParser
import ProgramSurroundings
import TripWatchLinks

/// The subcommands of `share`. They cannot be declared as subcommands of `share` itself, because the parser takes every word after
/// `share` as a trip.
struct ShareControlCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tripwatch share", subcommands: [ShareListCommand.self, ShareEndCommand.self])
}

struct ShareListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the links that are served on this machine.",
        discussion: "Prints 'TRIP LINK END READERS', one line per link. END is '-' while the end is unknown.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ShareControlRun(.list(isJSON: form.isJSON)).perform(in: surroundings)
    }
}

struct ShareEndCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End a link that is served on this machine.",
        discussion: "Exit code 1 if no program here serves the link.")

    @Argument(help: ArgumentHelp("Link as printed by 'share list'.", valueName: "link"))
    var link: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ShareControlRun(.end(link)).perform(in: surroundings)
    }
}
