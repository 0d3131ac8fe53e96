package import FleetEngine
package import ProgramSurroundings
package import ProviderBackend
import TripWatchWords

/// The source of access tokens, as set by flags, the environment and the configuration.
package struct TokenSettings: Sendable {
    package enum Source: Sendable {
        /// The path of a file.
        case file(String)
        /// A command line.
        case command(String)
        case address(TokenURL, headers: [(name: String, value: String)], headerFile: String?)
    }

    /// The time limit of a token source, in seconds.
    package static let standardSeconds = 15.0

    /// The source that the user chose; nil to use the token in the environment, if there is one.
    package var source: Source?
    package var format: TokenAnswerFormat

    package init(source: Source?, format: TokenAnswerFormat) {
        self.source = source
        self.format = format
    }

    /// Returns the reason, as a sentence, why the token address cannot be used for a trip or a shipment; nil if it can.
    /// - Parameter isShipment: whether the token is for a shipment rather than for a trip.
    package func placeholderFault(isShipment: Bool) -> String? {
        guard case .address(let url, headers: _, headerFile: _) = source else { return nil }
        let (own, other) = isShipment ? ("{trackingID}", "{tripID}") : ("{tripID}", "{trackingID}")
        guard url.template.contains(other), !url.template.contains(own) else { return nil }
        return "--token-url has \(other): a token for a \(isShipment ? "shipment" : "trip") needs \(own)."
    }

    /// Returns the token source; nil to send no token.
    ///
    /// - Parameter caFile: CA certificates in PEM for a token address, in addition to the system's.
    /// - Throws: `Failure` for an invalid token in the environment.
    package func provider(
        limitSeconds: Double = standardSeconds, caFile: String?, in surroundings: Surroundings
    ) throws(Failure) -> (any AccessTokenProvider)? {
        let provider = try unprotectedProvider(limitSeconds, caFile, surroundings)
        if provider != nil { Secrets.protectMemory() }
        return provider
    }

    private func unprotectedProvider(
        _ limitSeconds: Double, _ caFile: String?, _ surroundings: Surroundings
    ) throws(Failure) -> (any AccessTokenProvider)? {
        switch source {
        case .file(let path): return surroundings.log.reporting(FileAccessToken(path: path, format: format), kind: "file")
        case .command(let command):
            return surroundings.log.reporting(CommandAccessToken(command, format: format, limitSeconds: limitSeconds), kind: "command")
        case .address(let url, let headers, let headerFile):
            let source = URLAccessToken(
                url, headers: headers, headerFile: headerFile.map(HeaderFile.init), caFile: caFile, format: format,
                limitSeconds: limitSeconds)
            return surroundings.log.reporting(source, kind: "url")
        case nil: break
        }
        do throws(AccessTokenError) {
            return try FixedAccessToken(environment: surroundings.environment)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.notAllowed)
        }
    }

    /// Returns a guard that ends the token command when a signal ends the program. Returns nil for other sources, so that signals keep
    /// their default action.
    package func helperGuard() -> HelperGuard? {
        if case .command? = source { HelperGuard() } else { nil }
    }
}
