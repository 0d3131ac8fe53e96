package import FleetEngineGRPC
package import ProgramSurroundings

/// The Fleet Engine to call, and the settings of the connection.
package struct Connection: Sendable {
    package var endpoint: ServerEndpoint
    /// CA certificates in PEM, also for the provider and token addresses; nil for only the system's.
    package var caFile: String?
    package var tokens: TokenSettings
    /// Version of this program, for the server's records.
    package var version: String

    package init(endpoint: ServerEndpoint, caFile: String?, tokens: TokenSettings, version: String) {
        self.endpoint = endpoint
        self.caFile = caFile
        self.tokens = tokens
        self.version = version
    }

    /// Identity of the caller, with language and region of the locale, for the request header.
    package func identity(
        _ role: ClientIdentity.Role, vehicleID: String? = nil, in surroundings: Surroundings
    ) -> ClientIdentity {
        let language = surroundings.locale.language
        return ClientIdentity(
            role: role, vehicleID: vehicleID, languageCode: language.code ?? "en", regionCode: language.region ?? "US", version: version)
    }
}
