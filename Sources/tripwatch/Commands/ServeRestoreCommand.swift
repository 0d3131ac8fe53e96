import ArgumentParser
import LocalFleetEngine
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

struct ServeRestoreCommand: ConfigurableCommand {
    static let asksServer = false
    static let usesNetwork = false

    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the database of 'serve' with a copy made by 'serve backup'.",
        discussion: """
            The copy is checked first and is not changed. The old database and its log files are kept as FILE.before-restore-1 (or -2 …). \
            Prints what the new database contains. Exit codes: 0 restored; 1 the copy is damaged, a server is using the database, or the \
            database cannot be written. After an error the database is unchanged.
            """)

    @Argument(help: ArgumentHelp("The copy.", valueName: "backup"), completion: .file())
    var backup: String

    @OptionGroup(title: HelpSection.common) var file: DatabaseOptions

    /// The parent command. It gets the options that both commands declare, wherever they are on the command line.
    @ParentCommand var serve: ServeCommand

    // If these options are not given, the parent's values are used.
    @OptionGroup(title: HelpSection.common) var ownForm: FormOptions
    @OptionGroup(title: HelpSection.common) var ownLog: LogOptions
    @OptionGroup(title: HelpSection.common) var ownSettings: ServerConfigurationOptions

    var log: LogOptions { ownLog.isSaid ? ownLog : serve.log }
    var settings: ServerConfigurationOptions { ownSettings.chosen == nil ? serve.settings : ownSettings }
    /// The database on the command line; nil if the configuration chooses it.
    private var namedDatabase: String? { file.database ?? serve.place.database }
    var strictEnd: String? { namedDatabase == nil ? "Nothing was restored." : nil }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        file.database = namedDatabase ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let database = file.database, database != ":memory:", !database.isEmpty else {
            throw ValidationError("no database is set: use --database to name the file to replace.")
        }
        let restored: EngineStore.Restored
        do {
            restored = try EngineStore.restore(backup, to: database)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
        if ownForm.isJSON || serve.form.isJSON {
            surroundings.streams.print(
                json: Restored(
                    database: database, trips: restored.trips, vehicles: restored.vehicles, bookings: restored.bookings,
                    tasks: restored.tasks, deliveryVehicles: restored.deliveryVehicles, former: restored.formerPath))
            return .success
        }
        let waiting = restored.bookings > 0 ? " (\(restored.bookings) waiting for a vehicle)" : ""
        var things = [Self.count(restored.trips, "trip") + waiting, Self.count(restored.vehicles, "vehicle")]
        if restored.tasks > 0 { things.append(Self.count(restored.tasks, "task")) }
        if restored.deliveryVehicles > 0 { things.append(Self.count(restored.deliveryVehicles, "delivery vehicle")) }
        let held = things.dropLast().joined(separator: ", ") + " and " + (things.last ?? "")
        surroundings.streams.print("\(printable(database)) contains \(held).")
        if let former = restored.formerPath { surroundings.streams.print("The old database is now \(printable(former)).") }
        return .success
    }

    private struct Restored: Encodable {
        let database: String
        let trips: Int
        let vehicles: Int
        /// Number of booked trips that are waiting for a vehicle.
        let bookings: Int
        let tasks: Int
        let deliveryVehicles: Int
        /// Path to which the previous database was moved; left out if there was no database.
        let former: String?

        private enum CodingKeys: String, CodingKey {
            case database, trips, vehicles, bookings, tasks, former
            case deliveryVehicles = "delivery_vehicles"
        }
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
