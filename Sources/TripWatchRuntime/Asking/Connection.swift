package import FleetEngineGRPC
package import ProgramSurroundings

/// Which Fleet Engine is asked, and how.
package struct Connection: Sendable {
    package var endpoint: ServerEndpoint
    /// Certificates in PEM that are trusted, at the provider's and the token's address too; nil for the system's alone.
    package var caFile: String?
    package var tokens: TokenSettings
    /// This program's version, for the server's records.
    package var version: String

    package init(endpoint: ServerEndpoint, caFile: String?, tokens: TokenSettings, version: String) {
        self.endpoint = endpoint
        self.caFile = caFile
        self.tokens = tokens
        self.version = version
    }

    /// The caller's identity, with language and region of the locale, for the request header.
    package func identity(
        _ role: ClientIdentity.Role, vehicleID: String? = nil, in surroundings: Surroundings
    ) -> ClientIdentity {
        let language = surroundings.locale.language
        return ClientIdentity(
            role: role, vehicleID: vehicleID, languageCode: language.code ?? "en", regionCode: language.region ?? "US", version: version)
    }
}
