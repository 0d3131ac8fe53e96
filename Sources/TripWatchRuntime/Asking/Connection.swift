package import FleetEngineGRPC
package import ProgramSurroundings

/// The address of a Fleet Engine, and the settings of the connection to it.
package struct Connection: Sendable {
    package var endpoint: ServerEndpoint
    /// The path of a PEM file with CA certificates. They are also used for calls to the provider and to the
    /// token URL. Nil to use only the system's certificates.
    package var caFile: String?
    package var tokens: TokenSettings
    /// The version of this program, which is sent to the server.
    package var version: String

    package init(endpoint: ServerEndpoint, caFile: String?, tokens: TokenSettings, version: String) {
        self.endpoint = endpoint
        self.caFile = caFile
        self.tokens = tokens
        self.version = version
    }

    /// Returns the caller's identity for the request header, with the language and region of the locale.
    package func identity(
        _ role: ClientIdentity.Role, vehicleID: String? = nil, in surroundings: Surroundings
    ) -> ClientIdentity {
        let language = surroundings.locale.language
        return ClientIdentity(
            role: role, vehicleID: vehicleID, languageCode: language.code ?? "en", regionCode: language.region ?? "US", version: version)
    }
}
