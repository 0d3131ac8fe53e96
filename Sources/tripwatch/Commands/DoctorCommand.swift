import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchOperations
import TripWatchRuntime
import TripWatchSettings

struct DoctorCommand: ProgramCommand {
    static let usesNetwork = true

    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that tripwatch needs, and suggest fixes.",
        discussion: """
            Checks locale, terminal, colours, configuration, map and cache. With a TRIP or a configured endpoint it also checks token, \
            server, TLS and clock. Without a TRIP, a token command is only run and timed, and a token address is not contacted. With a \
            provider's address it also checks the provider and the headers for it. Each check prints a line that starts with ok, warn or \
            fail. Ends within 15 s. Exit code 1 if a check fails. With --json: an array of objects with check, result, message and advice.
            """)

    @Argument(help: ArgumentHelp("Trip to check: name, or bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String?

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions

    private var found = Found()

    /// The configuration as it was read, and whether there is a server to call.
    private struct Found: Decodable {
        var state: DoctorRun.ConfigurationState = .read(Configuration(), [])
        var isServerNamed = false
        /// Whether an invalid setting may have named another server or provider.
        var isDoubtful = false

        init() {}
        init(from decoder: any Decoder) {}
    }

    mutating func prepare(in surroundings: Surroundings) throws {
        do throws(Failure) {
            let (configuration, messages) = try surroundings.configuration(profile: settings.chosen)
            found.state = .read(configuration, messages)
            let place = try TripPlace(trip.map { [$0] } ?? [], connection, settings, over: configuration, in: surroundings)
            trip = trip.flatMap { _ in place.names.first }
            provider.complete(from: place)
            connection.complete(from: place)
            tokens.complete(from: place, in: surroundings)
            look.complete(from: configuration, in: surroundings)
            map.complete(from: configuration)
            screen.complete(from: configuration)
        } catch {
            found.state = .unreadable(error)
            found.isDoubtful = provider.providerUrl == nil
        }
        found.isServerNamed = connection.endpoint != nil
        // If the error in a setting would stop a command that contacts a server, neither Fleet Engine nor the provider is called. The user
        // may have wanted to name another server or provider with that setting.
        if case .read(_, let messages) = found.state, messages.contains(where: \.endsCommands) {
            trip = nil
            found.isServerNamed = false
            found.isDoubtful = true
        }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = DoctorRun(
            trip: try trip.map(connection.tripName), connection: try connection.connection(tokens), isServerNamed: found.isServerNamed,
            look: screen.settings(look, map), configuration: found.state, isJSON: form.isJSON)
        run.isProviderDoubtful = found.isDoubtful
        run.provider = found.isDoubtful ? nil : try provider.client(caFile: connection.ca, in: surroundings)
        return await run.perform(in: surroundings)
    }
}
