import ArgumentParser
import FleetEngine
import FleetEngineCore
import HTTPServing
import TripWatchSettings

/// Options for a server's rules for trips, vehicles and connections.
struct ServeRuleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Provider id of trips booked over HTTP.", valueName: "id"))
    var provider = "demo"

    @Option(help: ArgumentHelp("Speed of the server's clock: 2 is twice as fast.", valueName: "n"))
    var speed = 1.0

    @Flag(help: "Refuse out-of-order trip statuses (FAILED_PRECONDITION).")
    var strictStatus = false

    @Flag(help: "Accept raw positions that imply a speed over 150 m/s.")
    var keepJumps = false

    @Option(help: ArgumentHelp("Show a shipment's van when this many stops or fewer are left.", valueName: "n"))
    var shareWithin = EngineOptions().shareWithin

    @Option(help: ArgumentHelp("Arrival distance from a stop, for cars with phones. (default: 50 m)", valueName: "m"))
    var arrivalRadius: Double?

    @Flag(help: "Do not use phones' positions to update trips.")
    var manual = false

    @Option(help: ArgumentHelp("Maximum number of connections per port.", valueName: "n"))
    var maxConnections = PortLimits().connections

    @Option(help: ArgumentHelp("Connection limit per port and client address. (default: a quarter of --max-connections)", valueName: "n"))
    var maxConnectionsPerAddress: Int?

    @Option(
        help: ArgumentHelp("Append calls to this file in Cloud Logging format; '-' is stderr.", valueName: "file|-"), completion: .file())
    var fleetLog: String?

    @Option(help: ArgumentHelp("Address to POST each trip event to, as JSON; may be repeated.", valueName: "url"))
    var hook: [String] = []

    func validate() throws {
        _ = try HookRuleOptions.hooks(at: hook)
        guard (1...1_000_000).contains(maxConnections) else {
            throw ValidationError("--max-connections must be a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(maxConnectionsPerAddress ?? 1) else {
            throw ValidationError("--max-connections-per-address must be a number from 1 to 1000000.")
        }
        guard (try? ProviderName(provider: provider)) != nil else { throw ValidationError("--provider takes a provider id.") }
        guard (0...300).contains(shareWithin) else { throw ValidationError("--share-within must be a number from 0 to 300.") }
        guard (1...10_000).contains(arrivalRadius ?? 50) else {
            throw ValidationError("--arrival-radius must be a number of metres from 1 to 10000.")
        }
        guard speed.isFinite, (0.01...10_000).contains(speed) else { throw ValidationError("--speed must be a number from 0.01 to 10000.") }
    }

    mutating func complete(from configuration: Configuration) {
        arrivalRadius = arrivalRadius ?? configuration.arrivalRadiusMeters
        manual = manual || configuration.isManual ?? false
    }
}
