import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Inspect and create access tokens, and manage the accounts that sign them.",
        subcommands: [InspectTokenCommand.self, MintTokenCommand.self, TokenKeysCommand.self])
}

struct InspectTokenCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a token's subject, expiry and problems, but never the token itself.",
        discussion: """
            Reads the token source as 'follow' does. No server is called, and the signature is not checked. Exit codes: 4 if the token \
            is missing or a printed line begins with 'error:', 1 if the source does not answer, 0 otherwise.
            """)

    @Argument(help: ArgumentHelp("Trip that the token is for: name or bare id.", valueName: "trip"))
    var trip: String?

    @OptionGroup(title: HelpSection.common) var car: VehicleOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var certificates: TokenCertificateOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        let provider = surroundings.askedConfiguration(profile: settings.chosen).provider
        trip = trip.map { TripPlace.name(meantBy: $0, provider: provider, in: surroundings) }
        if case .tls(let file) = configuration.security { certificates.ca = certificates.ca ?? file }
        tokens.complete(from: configuration, in: surroundings)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let context = AuthorizationContext(tripID: try trip.map { try id($0) { try TripName($0).trip } }, vehicleID: car.vehicle)
        let run = InspectTokenRun(tokens: try tokens.settings(), caFile: certificates.ca, context: context, isJSON: form.isJSON)
        guard let end = try await run.perform(in: surroundings) else {
            throw ValidationError("no token is set: give --token-file, --token-command or --token-url, or set TRIPWATCH_TOKEN.")
        }
        return end
    }

    private func id(_ text: String, _ parse: (String) throws -> String) throws -> String {
        guard text.contains("/") else { return text }
        do {
            return try parse(text)
        } catch {
            throw ValidationError("'\(printable(text))': \(error).")
        }
    }
}
