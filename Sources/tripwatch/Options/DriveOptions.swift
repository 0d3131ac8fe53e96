import ArgumentParser
import Driver
import JourneySharing
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Options for the vehicle to drive.
struct DriveOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Full name, or an id with --provider.", valueName: "id"), completion: .vehicles)
    var vehicle: String

    @Flag(help: "Serve the stops of a delivery vehicle, not trips.")
    var delivery = false

    @Flag(help: "Create the vehicle if the server does not have it.")
    var create = false

    @Flag(help: "Accept trips, arrive and continue automatically.")
    var auto = false

    @Option(name: .shortAndLong, help: ArgumentHelp(ShiftStyle.help, valueName: "style"))
    var output: ShiftStyle?
}

/// Options for the trips, the times and the recording of a driver's shift.
struct ShiftOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Serve this trip only.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("End after this number of trips.", valueName: "n"))
    var trips: Int?

    @Option(help: ArgumentHelp("Seconds between reports, 5 to 60.", valueName: "s"))
    var reportInterval = VehicleReporterMachine.defaultIntervalSeconds

    @Option(help: ArgumentHelp("Waiting time at each stop, in seconds.", valueName: "s"))
    var dwell = 20.0

    @Option(help: ArgumentHelp("Speed of a simulated or recorded drive: 2 is twice as fast.", valueName: "n"))
    var speed = 1.0

    @Flag(help: "Wait until the server has the vehicle.")
    var keepTrying = false

    @Option(help: ArgumentHelp("Record the drive in a new file for --replay.", valueName: "file"), completion: .file())
    var record: String?

    /// Checks that all given options can be combined with `--delivery`.
    func checkDelivery() throws {
        guard trip == nil, trips == nil else {
            throw ValidationError("--trip and --trips do not work with --delivery: remove them, or remove --delivery.")
        }
        let range = DeliveryReporter.intervalSecondsRange
        guard range.contains(reportInterval) else {
            throw ValidationError(
                "--report-interval must be a number of seconds from \(Int(range.lowerBound)) to \(Int(range.upperBound)).")
        }
    }

    func validate() throws {
        guard speed.isFinite, (0.01...1_000).contains(speed) else { throw ValidationError("--speed must be a number from 0.01 to 1000.") }
        guard dwell.isFinite, (0...86_400).contains(dwell) else {
            throw ValidationError("--dwell must be a number of seconds from 0 to 86400.")
        }
        guard trips.map({ $0 > 0 }) ?? true else { throw ValidationError("--trips must be 1 or more.") }
        guard reportInterval.isFinite else { throw ValidationError("--report-interval must be a number of seconds from 5 to 60.") }
    }
}

/// Options for the route of a drive and the units on its screen.
struct DriveMapOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Places to drive through, along roads where the map has them.", valueName: "lat,lng;lat,lng…"))
    var route: String?

    @Option(help: ArgumentHelp("Units (default: by locale).", valueName: "system"))
    var units: MeasurementSystem?

    /// The languages of names on the map. Only the configuration file can set them.
    var languages: [String] = []

    mutating func complete(from configuration: Configuration) {
        units = units ?? configuration.measurementSystem
        languages = configuration.languages ?? []
    }
}
