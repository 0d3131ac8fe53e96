import ArgumentParser
import ProgramSurroundings
import TripWatchWords

struct ManCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print a manual page, generated from the built-in help.",
        discussion: """
            Prints roff; 'tripwatch man | man -l -' displays it. PAGE is a command, such as follow or token mint, or a kind of \
            file: config.toml or theme. Without a PAGE it prints the main page.
            """)

    @Argument(help: ArgumentHelp("Name of the page.", valueName: "page"), completion: .manualPages)
    var page: [String] = []

    @OptionGroup(title: HelpSection.common) var pages: ManualOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func validate() throws {
        guard [!page.isEmpty, pages.list, pages.directory != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("give only one of PAGE, --list and --directory.")
        }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let manual = try Self.manual()
        if pages.list {
            for page in manual.pages { surroundings.streams.print("\(page.name) (\(page.section))  \(page.about)") }
        } else if let directory = pages.directory {
            try surroundings.write(manual.pages.map { (name: $0.fileName, text: $0.text) }, to: directory)
        } else if let found = manual.page(page) {
            surroundings.streams.print(String(found.text.dropLast()))
        } else {
            throw ValidationError(
                "there is no page '\(printable(page.joined(separator: " ")))': 'tripwatch man --list' lists the pages.")
        }
        return .success
    }

    private static func manual() throws(Failure) -> Manual {
        guard let program = CommandWords.description else {
            throw Failure(message: "the description of the commands cannot be created.", exitCode: ExitCodes.failed)
        }
        return Manual(program, version: Version.text)
    }
}
