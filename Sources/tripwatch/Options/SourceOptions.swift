import ArgumentParser
import LocationSources
import Navigation
import TripWatchOperations

/// Options for the source of a driver's positions. Exactly one source must be given.
struct SourceOptions: ParsableArguments {
    private static let names = "--simulate, --gpx, --nmea, --gpsd, --stdin or --replay"

    @Flag(help: "Simulate a car that drives its trips.")
    var simulate = false

    @Option(help: ArgumentHelp("Drive along a GPX file (50 km/h if it has no times).", valueName: "file"), completion: .file())
    var gpx: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Drive along an NMEA file; - is standard input.", valueName: "file"),
        completion: .file())
    var nmea: String?

    @Option(defaultAsFlag: GPSDAddress.standard.description, help: ArgumentHelp("Read positions from gpsd.", valueName: "host:port"))
    var gpsd: String?

    @Option(
        help: ArgumentHelp("Read a tracking app's positions or NMEA from stdin.", valueName: "format"),
        completion: .list(StreamFormat.allCases.map(\.name)))
    var stdin: String?

    @Option(help: ArgumentHelp("Replay a --record file or a car in a Fleet Engine log.", valueName: "file"), completion: .file())
    var replay: String?

    func validate() throws {
        let given = [simulate, gpx != nil, nmea != nil, gpsd != nil, stdin != nil, replay != nil].count { $0 }
        guard given > 0 else { throw ValidationError("positions need a source: give one of \(Self.names).") }
        guard given == 1 else { throw ValidationError("positions come from a single source: give only one of \(Self.names).") }
        _ = try settings(trip: nil)
    }

    /// Returns the settings of the chosen source.
    /// - Parameter trip: the trip whose positions are used if the source is a recording.
    /// - Throws: `ValidationError` for an invalid address of gpsd, and for an unknown format.
    func settings(trip: String?) throws -> SourceSettings {
        if let gpx { return .gpx(gpx) }
        if let nmea { return nmea == "-" ? .standardInput(.nmea) : .nmea(nmea) }
        if let gpsd {
            guard let address = GPSDAddress(gpsd) else { throw ValidationError("--gpsd takes HOST:PORT, such as \(GPSDAddress.standard).") }
            return .gpsd(address)
        }
        if let stdin {
            guard let format = StreamFormat(name: stdin) else {
                throw ValidationError("--stdin takes one of \(StreamFormat.allCases.map(\.name).joined(separator: ", ")).")
            }
            return .standardInput(format)
        }
        if let replay { return .replay(replay, trip: trip) }
        return .simulation
    }
}
