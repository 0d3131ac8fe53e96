import ArgumentParser
import LocalFleetEngine
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

struct ServeBackupCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database of a serve, also while it runs.",
        discussion: """
            The copy is the database as it is at one moment; 'serve --database' takes it. Exit codes: 0, 1 there is such a file already, or it \
            cannot be copied.
            """)

    @Argument(help: ArgumentHelp("Where the copy is to be; no file may be there.", valueName: "newfile"))
    var newFile: String

    @OptionGroup(title: HelpSection.common) var file: DatabaseOptions

    /// It is the one who is told the options of the same name, wherever they stand.
    @ParentCommand var serve: ServeCommand

    // These say what there is; what was said is the parent's.
    @OptionGroup(title: HelpSection.common) var ownLog: LogOptions
    @OptionGroup(title: HelpSection.common) var ownSettings: ServerConfigurationOptions

    var log: LogOptions { ownLog.isSaid ? ownLog : serve.log }
    var settings: ServerConfigurationOptions { ownSettings.chosen == nil ? serve.settings : ownSettings }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        file.database = file.database ?? serve.place.database ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let database = file.database, database != ":memory:", !database.isEmpty else {
            throw ValidationError("--database says which file is to be copied.")
        }
        do {
            try EngineStore.backUp(database, to: newFile)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
        return .success
    }
}
