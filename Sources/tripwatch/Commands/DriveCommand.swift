import ArgumentParser
import Driver
import Geo
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct DriveCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Be the driver: report a vehicle and serve its trips.",
        discussion: """
            Positions come from one source: a simulated car, a track, a receiver, or a phone's messages. On a terminal there is a screen: map, \
            next stop, speed, what the server took. There a takes an offered trip on, v says that the car is at the stop, n goes on, q ends the \
            shift; ? tells all keys. With --auto, and without a terminal, it does all that by itself. Its position is reported every ten \
            seconds, through outages and restarts of the server. When the source ends, and with Ctrl-C, the vehicle is taken offline. The \
            vehicle must exist on the server, or be made with --create.
            """)

    @Option(
        help: ArgumentHelp("The vehicle: providers/PROVIDER/vehicles/ID, or ID with --provider.", valueName: "id"), completion: .vehicles)
    var vehicle: String

    @OptionGroup var source: SourceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The way to drive, from a simulated car's first place on; --router is asked where it does not lead. A car that has a trip goes on "
                + "where it is.",
            valueName: "lat,lng;lat,lng…"))
    var route: String?

    @OptionGroup var ways: RouterOptions

    @Option(
        help: ArgumentHelp(
            "Serve this trip only; with --replay, of a recording that has it, drive what was driven for it.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("End after that many trips.", valueName: "n"))
    var trips: Int?

    @Option(help: ArgumentHelp("Seconds between reports, 5 to 60.", valueName: "s"))
    var reportInterval = VehicleReporterMachine.defaultIntervalSeconds

    @Option(help: ArgumentHelp("Seconds at each stop.", valueName: "s"))
    var dwell = 20.0

    @Option(help: ArgumentHelp("Simulated or recorded seconds in one real second, 0.01 to 1000.", valueName: "n"))
    var speed = 1.0

    @Flag(help: "Create the vehicle whenever the server does not have it, for single and shared rides.")
    var create = false

    @Flag(help: "Take on every trip, arrive and go on by itself, on a screen, too.")
    var auto = false

    @Flag(help: "Wait for a vehicle that the server does not have yet.")
    var keepTrying = false

    @Option(name: .shortAndLong, help: ArgumentHelp(ShiftStyle.help, valueName: "style"))
    var output: ShiftStyle?

    @Option(help: ArgumentHelp("Measures on the screen: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    @OptionGroup var look: LookOptions
    @OptionGroup var provider: ProviderOptions

    @Option(help: ArgumentHelp("Write the drive to a new file, which --replay drives again.", valueName: "file"))
    var record: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions

    /// Of names on the map; what the configuration file alone decides.
    var languages: [String] = []

    func validate() throws {
        guard speed.isFinite, (0.01...1_000).contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 1000.") }
        guard dwell.isFinite, (0...86_400).contains(dwell) else { throw ValidationError("--dwell is a number of seconds from 0 to 86400.") }
        guard trips.map({ $0 > 0 }) ?? true else { throw ValidationError("--trips is a number from 1.") }
        guard reportInterval.isFinite else { throw ValidationError("--report-interval is a number of seconds from 5 to 60.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        connection.complete(from: configuration)
        tokens.complete(from: configuration, in: surroundings)
        ways.complete(from: configuration)
        provider.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        units = units ?? configuration.measurementSystem
        languages = configuration.languages ?? []
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = DriveRun(
            name: try connection.vehicleName(vehicle),
            assignment: try trip.map { TripAssignment.trip(try connection.tripName($0)) } ?? .assigned(limit: trips),
            source: try source.settings(trip: trip), way: try route.map { Polyline(try Place.list($0, option: "--route", minimum: 2)) },
            router: try ways.settings(caFile: connection.ca), reportInterval: reportInterval, dwell: dwell, speed: speed,
            createsVehicle: create, record: record, connection: try connection.connection(tokens))
        run.isAutomatic = auto
        run.keepsTrying = keepTrying
        run.output = OutputSettings(style: output?.style, units: units)
        run.look = look.settings(map: BaseMapSettings(map: ways.basemap, languages: languages))
        run.provider = try provider.client(caFile: connection.ca, in: surroundings)
        return try await run.perform(in: surroundings)
    }
}
