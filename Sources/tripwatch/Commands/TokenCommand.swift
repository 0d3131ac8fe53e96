import ArgumentParser
import FleetEngine
import FoundationEssentials
import TripWatchApp

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Look at access tokens.", subcommands: [InspectTokenCommand.self])
}

struct InspectTokenCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "What a token says: whom it is for, until when, and what is wrong with it. Never the token itself.",
        discussion: """
            Asks the token source as follow would. Nothing is checked with a server, and no signature: that is Fleet Engine's business. \
            Exit codes: 0, 1 the source does not answer, 4 no usable token, or one that is expired or for something else.
            """)

    @Argument(help: ArgumentHelp("The trip that the token is for: its name or bare id.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("The vehicle that the token is for.", valueName: "id"))
    var vehicle: String?

    @Flag(help: "One JSON object.")
    var json = false

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var tokens: TokenOptions

    mutating func complete(from configuration: Configuration) {
        tokens.complete(from: configuration)
    }

    func perform() async throws {
        let context = AuthorizationContext(tripID: try trip.map { try id($0) { try TripName($0).trip } }, vehicleID: vehicle)
        guard let provider = try tokens.provider(limitSeconds: OneShot.tokenSeconds, caFile: nil) else {
            throw ValidationError("there is no token: --token-file, --token-command, --token-url or TRIPWATCH_TOKEN.")
        }
        let helpers = tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        let token: AccessToken
        do throws(AccessTokenError) {
            token = try await provider.fetchToken(context)
        } catch {
            throw Failure(message: "\(error).", exitCode: error.isRetryable ? ExitCodes.failed : ExitCodes.notAllowed).end()
        }
        let inspection = TokenInspection(token, context: context, now: Date())
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let data = try? encoder.encode(inspection) { Terminal.print(String(decoding: data, as: UTF8.self)) }
        } else {
            for line in inspection.lines { Terminal.print(line) }
        }
        Terminal.exit(inspection.warnings.contains(where: Self.isFatal) ? ExitCodes.notAllowed : ExitCodes.success)
    }

    /// A token with such a fault is refused.
    private static func isFatal(_ warning: TokenInspection.Warning) -> Bool {
        switch warning {
        case .notAJSONWebToken, .expired, .notYetValid, .noAuthorization, .otherTrip, .otherVehicle: true
        case .noExpiry, .lifetimeTooLong, .wrongAudience, .wildcard, .unsigned, .otherAlgorithm: false
        }
    }

    private func id(_ text: String, _ parse: (String) throws -> String) throws -> String {
        guard text.contains("/") else { return text }
        do {
            return try parse(text)
        } catch {
            throw ValidationError("'\(Terminal.printable(text))': \(error).")
        }
    }
}
