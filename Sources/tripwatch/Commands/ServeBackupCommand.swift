import ArgumentParser
import LocalFleetEngine
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

struct ServeBackupCommand: ConfigurableCommand {
    static let asksServer = false
    static let usesNetwork = false

    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database of 'serve', even while the server is running.",
        discussion: """
            The copy is a consistent snapshot that 'serve --database' can use. Exit codes: 0 copied, 1 the new file already exists or the \
            database cannot be copied.
            """)

    @Argument(help: ArgumentHelp("File to create for the copy; it must not exist yet.", valueName: "newfile"), completion: .file())
    var newFile: String

    @OptionGroup(title: HelpSection.common) var file: DatabaseOptions

    /// The parent command. It gets the options that both commands declare, wherever they are on the command line.
    @ParentCommand var serve: ServeCommand

    // If these options are not given, the parent's values are used.
    @OptionGroup(title: HelpSection.common) var ownLog: LogOptions
    @OptionGroup(title: HelpSection.common) var ownSettings: ServerConfigurationOptions

    var log: LogOptions { ownLog.isSaid ? ownLog : serve.log }
    var settings: ServerConfigurationOptions { ownSettings.chosen == nil ? serve.settings : ownSettings }
    /// The database on the command line; nil if the configuration chooses it.
    private var namedDatabase: String? { file.database ?? serve.place.database }
    var strictEnd: String? { namedDatabase == nil ? "Nothing was copied." : nil }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        file.database = namedDatabase ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let database = file.database, database != ":memory:", !database.isEmpty else {
            throw ValidationError("no database is set: use --database to name the file to copy.")
        }
        do {
            try EngineStore.backUp(database, to: newFile)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
        return .success
    }
}
