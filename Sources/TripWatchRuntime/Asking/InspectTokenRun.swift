package import FleetEngine
import FoundationEssentials
package import ProgramSurroundings
import TripWatchWords

/// Gets a token from a token source and prints the facts about the token, but never the token itself.
package struct InspectTokenRun: Sendable {
    package var tokens: TokenSettings
    /// A file with CA certificates in PEM for a token address.
    package var caFile: String?
    /// The purpose of the token, such as the trip for which it must be valid.
    package var context: AuthorizationContext
    package var isJSON: Bool

    package init(tokens: TokenSettings, caFile: String?, context: AuthorizationContext, isJSON: Bool) {
        self.tokens = tokens
        self.caFile = caFile
        self.context = context
        self.isJSON = isJSON
    }

    /// Prints the facts about the token.
    /// - Returns: how the program ends; nil if there is no token source.
    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd? {
        guard let provider = try tokens.provider(limitSeconds: ClientSession.tokenSeconds, caFile: caFile, in: surroundings) else {
            return nil
        }
        let helpers = tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        let token: AccessToken
        do throws(AccessTokenError) {
            token = try await provider.fetchToken(context)
        } catch {
            throw Failure(message: "\(error).", exitCode: error.isRetryable ? ExitCodes.failed : ExitCodes.notAllowed)
        }
        let inspection = TokenInspection(token, context: context, now: surroundings.clock(1).now())
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let data = try? encoder.encode(inspection) { surroundings.streams.print(String(decoding: data, as: UTF8.self)) }
        } else {
            for line in inspection.lines { surroundings.streams.print(line) }
        }
        return .code(inspection.warnings.contains(where: \.isFatal) ? ExitCodes.notAllowed : ExitCodes.success)
    }
}
