package import FleetEngine
package import ProgramSurroundings
package import ProviderBackend
import TripWatchWords

/// Where access tokens come from, as flags, environment and configuration say together.
package struct TokenSettings: Sendable {
    package enum Source: Sendable {
        /// The path of a file.
        case file(String)
        /// A command line.
        case command(String)
        case address(TokenURL, headers: [(name: String, value: String)], headerFile: String?)
    }

    /// How long a token source may take, seconds.
    package static let standardSeconds = 15.0

    /// Nil takes the token of the environment, if there is one.
    package var source: Source?
    package var format: TokenAnswerFormat

    package init(source: Source?, format: TokenAnswerFormat) {
        self.source = source
        self.format = format
    }

    /// The token source; nil sends no token.
    ///
    /// - Parameter caFile: certificates in PEM that are trusted for an address besides the system's.
    /// - Throws: `Failure` for a token in the environment that is not valid.
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

    /// Nil unless a command gives the token, so that signals act as usual.
    package func helperGuard() -> HelperGuard? {
        if case .command? = source { HelperGuard() } else { nil }
    }
}
