import ArgumentParser
import TripWatchRuntime

/// Options for the vehicles that the map shows.
struct FleetOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show vehicles that match this filter; 'all' shows every vehicle.", valueName: "filter"))
    var fleet: String?

    @Option(help: ArgumentHelp("Show this vehicle; may be repeated.", valueName: "vehicle"), completion: .vehicles)
    var vehicle: [String] = []

    /// Whether one of these options was given.
    var isSaid: Bool { fleet != nil || !vehicle.isEmpty }

    func validate() throws {
        guard fleet == nil || vehicle.isEmpty else { throw ValidationError("give only one of --fleet and --vehicle.") }
        guard vehicle.count <= 100 else { throw ValidationError("--vehicle can be given at most 100 times; use --fleet to show more.") }
    }

    func settings(_ connection: ConnectionOptions, _ tokens: TokenOptions, _ pace: PaceOptions) throws -> FleetSettings? {
        if !vehicle.isEmpty {
            let names = try vehicle.map(connection.vehicleName)
            return FleetSettings(.vehicles(names), connection: try connection.connection(tokens), pace: pace.pace)
        }
        guard let fleet else { return nil }
        guard let provider = connection.provider else { throw ValidationError("--fleet needs a provider: give --provider ID.") }
        return FleetSettings(
            .provider(provider, filter: fleet == "all" ? "" : fleet), connection: try connection.connection(tokens), pace: pace.pace)
    }
}
