import ArgumentParser
import LocalFleetEngine
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

struct ServeRestoreCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a copy made by 'serve backup' in the place of a serve's database.",
        discussion: """
            The copy is checked first, and stays where it is. The database, and what lies beside it as its log, is kept as \
            FILE.before-restore-1 (or -2 …). Prints what the database now holds. Exit codes: 0, 1 the copy is damaged, a server has \
            the database, or it cannot be written; then the database is as it was.
            """)

    @Argument(help: ArgumentHelp("The copy.", valueName: "backup"))
    var backup: String

    @OptionGroup(title: HelpSection.common) var file: DatabaseOptions

    /// It is the one who is told the options of the same name, wherever they stand.
    @ParentCommand var serve: ServeCommand

    // These say what there is; what was said is the parent's.
    @OptionGroup(title: HelpSection.common) var ownForm: FormOptions
    @OptionGroup(title: HelpSection.common) var ownLog: LogOptions
    @OptionGroup(title: HelpSection.common) var ownSettings: ServerConfigurationOptions

    var log: LogOptions { ownLog.isSaid ? ownLog : serve.log }
    var settings: ServerConfigurationOptions { ownSettings.chosen == nil ? serve.settings : ownSettings }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        file.database = file.database ?? serve.place.database ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let database = file.database, database != ":memory:", !database.isEmpty else {
            throw ValidationError("--database says which file the copy takes the place of.")
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
        var things = [Self.count(restored.trips, "trip"), Self.count(restored.vehicles, "vehicle")]
        if restored.tasks > 0 { things.append(Self.count(restored.tasks, "task")) }
        if restored.deliveryVehicles > 0 { things.append(Self.count(restored.deliveryVehicles, "delivery vehicle")) }
        let held = things.joined(separator: ", ")
        surroundings.streams.print(
            "\(printable(database)) holds \(held) and \(Self.count(restored.bookings, "booking")) without a vehicle.")
        if let former = restored.formerPath { surroundings.streams.print("What was there before is \(printable(former)).") }
        return .success
    }

    private struct Restored: Encodable {
        let database: String
        let trips: Int
        let vehicles: Int
        /// Without a vehicle.
        let bookings: Int
        let tasks: Int
        let deliveryVehicles: Int
        /// What was there before; left out if there was nothing.
        let former: String?
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
