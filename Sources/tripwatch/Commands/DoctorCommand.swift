import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchOperations
import TripWatchRuntime
import TripWatchSettings

struct DoctorCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at everything the program depends on, and say what would help.",
        discussion: """
            Looks at locale, terminal, colours, configuration, map and cache, and with a TRIP or a configured endpoint at token, server, TLS and \
            clock: a line each, with ok, warn or fail in front. Without a TRIP a token command is only tried: whether it runs, and how long. \
            It takes the options that follow would be given. Exit code 1 if anything fails. It takes 15 s at most. With --json: \
            an array of check, result, message and advice.
            """)

    @Argument(help: ArgumentHelp("A trip to ask for: its name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String?

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions

    private var found = Found()

    /// What was read before the flags were completed.
    private struct Found: Decodable {
        var state: DoctorRun.ConfigurationState = .read(Configuration(), [])
        var isServerNamed = false

        init() {}
        init(from decoder: any Decoder) {}
    }

    mutating func prepare(in surroundings: Surroundings) throws {
        do throws(Failure) {
            let (configuration, messages) = try surroundings.configuration(profile: settings.chosen)
            found.state = .read(configuration, messages)
            let place = try TripPlace(trip.map { [$0] } ?? [], connection, settings, over: configuration, in: surroundings)
            trip = trip.flatMap { _ in place.names.first }
            connection.complete(from: place)
            tokens.complete(from: place, in: surroundings)
            look.complete(from: configuration, in: surroundings)
            map.complete(from: configuration)
            screen.complete(from: configuration)
        } catch {
            found.state = .unreadable(error)
        }
        found.isServerNamed = connection.endpoint != nil
        // The one that is meant may be another than the one that could be asked.
        if case .read(_, let messages) = found.state, messages.contains(where: \.endsCommands) {
            (trip, found.isServerNamed) = (nil, false)
        }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        await DoctorRun(
            trip: try trip.map(connection.tripName), connection: try connection.connection(tokens), isServerNamed: found.isServerNamed,
            look: screen.settings(look, map), configuration: found.state, isJSON: form.isJSON
        ).perform(in: surroundings)
    }
}
