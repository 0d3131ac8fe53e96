import ArgumentParser
import TripWatchRuntime

/// Which vehicles the map shows.
struct FleetOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show vehicles that pass this filter; all: any.", valueName: "filter"))
    var fleet: String?

    @Option(help: ArgumentHelp("Show this vehicle; may be repeated.", valueName: "vehicle"), completion: .vehicles)
    var vehicle: [String] = []

    /// Whether vehicles are asked for at all.
    var isSaid: Bool { fleet != nil || !vehicle.isEmpty }

    func validate() throws {
        guard fleet == nil || vehicle.isEmpty else { throw ValidationError("take one of --fleet and --vehicle.") }
        guard vehicle.count <= 100 else { throw ValidationError("at most 100 vehicles are asked for one by one; --fleet shows more.") }
    }

    func settings(_ connection: ConnectionOptions, _ tokens: TokenOptions, _ pace: PaceOptions) throws -> FleetSettings? {
        if !vehicle.isEmpty {
            let names = try vehicle.map(connection.vehicleName)
            return FleetSettings(.vehicles(names), connection: try connection.connection(tokens), pace: pace.pace)
        }
        guard let fleet else { return nil }
        guard let provider = connection.provider else { throw ValidationError("--fleet needs to know whose: --provider ID.") }
        return FleetSettings(
            .provider(provider, filter: fleet == "all" ? "" : fleet), connection: try connection.connection(tokens), pace: pace.pace)
    }
}
