package import FleetEngine
import FleetEngineGRPC
package import ProgramSurroundings

/// Lists the vehicles of a provider on a server, for shell completion.
package struct VehiclesInReach: Sendable {
    /// The time limit of the request, in seconds. It is short, because a shell waits for the answer.
    private static let limitSeconds = 1.0
    /// The maximum number of listed vehicles. A shell cannot usefully list more.
    private static let mostVehicles = 100

    package var connection: Connection
    /// The id of the provider that owns the vehicles.
    package var provider: String

    package init(connection: Connection, provider: String) {
        self.connection = connection
        self.provider = provider
    }

    /// Returns the sorted names of at most `mostVehicles` vehicles. The list is empty if the request fails or the server does not answer in
    /// time. It is also empty if the token comes from a command or an address. These are not used, because they may cost money or prompt
    /// the user.
    package func names(in surroundings: Surroundings) async -> [VehicleName] {
        switch connection.tokens.source {
        case .command, .address: return []
        case .file, nil: break
        }
        let names = await within(Self.limitSeconds) {
            let query = FleetQuery(provider: provider, limit: Self.mostVehicles)
            let found = try? await ClientSession.run(connection, in: surroundings, as: .server, guardsHelpers: false) { client in
                try await client.listVehicles(query)
            }
            return found?.vehicles.map(\.name) ?? []
        }
        return (names ?? []).sorted { $0.vehicle < $1.vehicle }
    }
}
