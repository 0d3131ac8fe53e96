import ArgumentParser
import FleetEngine
import HTTPServing
import TripWatchSettings

/// How a server treats trips, vehicles and connections.
struct ServeRuleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Provider id of trips booked over HTTP.", valueName: "id"))
    var provider = "demo"

    @Option(help: ArgumentHelp("Seconds of the engine in one real second.", valueName: "n"))
    var speed = 1.0

    @Flag(help: "Refuse trip statuses out of order (FAILED_PRECONDITION).")
    var strictStatus = false

    @Flag(help: "Accept positions that mean a speed over 150 m/s.")
    var keepJumps = false

    @Option(help: ArgumentHelp("A phone's car within this distance is at its stop. (default: 50)", valueName: "m"))
    var arrivalRadius: Double?

    @Flag(help: "Trips of phones' cars move only by calls.")
    var manual = false

    @Option(help: ArgumentHelp("Connections per port.", valueName: "n"))
    var maxConnections = PortLimits().connections

    @Option(help: ArgumentHelp("Connections per port and address. (default: a quarter)", valueName: "n"))
    var maxConnectionsPerAddress: Int?

    @Option(help: ArgumentHelp("Append each call as Cloud Logging has it; - is stderr.", valueName: "file|-"))
    var fleetLog: String?

    @Option(help: ArgumentHelp("POST each event of every trip there as JSON; may be repeated.", valueName: "url"))
    var hook: [String] = []

    func validate() throws {
        _ = try HookRuleOptions.hooks(at: hook)
        guard (1...1_000_000).contains(maxConnections) else {
            throw ValidationError("--max-connections is a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(maxConnectionsPerAddress ?? 1) else {
            throw ValidationError("--max-connections-per-address is a number from 1 to 1000000.")
        }
        guard (try? ProviderName(provider: provider)) != nil else { throw ValidationError("--provider is not a provider id.") }
        guard (1...10_000).contains(arrivalRadius ?? 50) else {
            throw ValidationError("--arrival-radius is a number of metres from 1 to 10000.")
        }
        guard speed.isFinite, (0.01...10_000).contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 10000.") }
    }

    mutating func complete(from configuration: Configuration) {
        arrivalRadius = arrivalRadius ?? configuration.arrivalRadiusMeters
        manual = manual || configuration.isManual ?? false
    }
}
