package import FleetEngine
import FleetEngineGRPC
package import ProgramSurroundings

/// The vehicles that a server tells of, for whoever has to name one.
package struct VehiclesInReach: Sendable {
    /// A shell waits for no longer, seconds.
    private static let limitSeconds = 1.0
    /// More than a shell can offer to be read.
    private static let mostVehicles = 100

    package var connection: Connection
    /// Whose vehicles, by id.
    package var provider: String

    package init(connection: Connection, provider: String) {
        self.connection = connection
        self.provider = provider
    }

    /// In the order of their ids; none where the server does not tell them in time. Commands and addresses that would give a token are not
    /// asked: they may cost money, or ask back.
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
