import ArgumentParser
import FleetEngine
import FoundationEssentials
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct BookCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "book", abstract: "Book a trip at the provider, and print its name.",
        discussion: """
            Asks the provider's back end (--provider-url). With --json: an object with trip. With --follow the trip is followed at once; its name then goes to stderr, before \
            the screen and again after it. Without --endpoint the trip is looked for where the provider says that it is, as that of \
            'tripwatch serve' does, else at Google's. A booking that may have reached the provider is not repeated: when the connection breaks off on \
            the way, ask the provider whether it went through.
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Where the rider is picked up.", valueName: "lat,lng"))
    var from: Place

    @Option(parsing: .unconditional, help: ArgumentHelp("Where the ride goes.", valueName: "lat,lng"))
    var to: Place

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A stop on the way; may be given several times, not with --shared.", valueName: "lat,lng"))
    var via: [Place] = []

    @Flag(help: "Others may ride along.")
    var shared = false

    @Flag(help: "Follow the trip at once.")
    var follow = false

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var provider: ProviderOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: LookOptions
    @OptionGroup var map: BaseMapOptions
    @OptionGroup var screen: ScreenOptions
    @OptionGroup var ground: OverlayOptions
    @OptionGroup var pace: PaceOptions
    @OptionGroup var hooks: HookOptions
    @OptionGroup var hookRules: HookRuleOptions
    @OptionGroup var following: FollowOptions

    func validate() throws {
        guard via.count <= 25 else { throw ValidationError("at most 25 stops: --via.") }
        guard via.isEmpty || !shared else { throw ValidationError("--via does not go with --shared: such a trip has no stops of its own.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        provider.complete(from: configuration)
        connection.complete(from: configuration)
        tokens.complete(from: configuration, in: surroundings)
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        pace.complete(from: configuration)
        hooks.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "book", caFile: connection.ca, in: surroundings)
        if follow { _ = try connection.connection(tokens) }
        let booking: ProviderBooking
        do throws(ProviderBackendError) {
            booking = try await client.bookTrip(
                from: from.coordinate, to: to.coordinate, via: via.map(\.coordinate), type: shared ? .shared : .exclusive)
        } catch {
            guard error.mayHaveHappened else { throw error.failure("Not booked") }
            let failure = error.failure("Perhaps booked")
            throw Failure(message: failure.message + " Ask the provider whether it went through.", exitCode: failure.exitCode)
        }
        let name = booking.trip
        let bookedAt = surroundings.clock(1).now()
        let (connection, tokens) = try engine(of: booking, in: surroundings)
        if let endpoint = try? connection.connection(tokens).endpoint {
            var known = KnownTrip(
                name: name, server: .init(endpoint, providerURL: provider.providerUrl, in: surroundings), openedAt: bookedAt)
            known.title = screen.title
            known.goal = TripNames.title(of: name, to: to.coordinate)
            surroundings.stateFile?.note([known], now: bookedAt)
        }
        let streams = surroundings.streams
        guard follow else {
            streams.print(output.style == .json ? Self.line(Booked(trip: name.description)) : name.description) {
                streams.say("booked \(name)")
            }
            return .success
        }
        streams.note(name.description)
        var run = FollowRun(
            names: [name], connection: try connection.connection(tokens),
            provider: try provider.client(caFile: connection.ca, in: surroundings), output: output.settings,
            look: screen.settings(look, map, ground, connection), pace: pace.pace, bookedAt: bookedAt)
        run.providerURL = provider.providerUrl
        return try await following.completed(run, hooks: try hooks.settings(hookRules, connection)).perform(in: surroundings)
    }

    private struct Booked: Encodable {
        let trip: String
    }

    private static func line(_ booked: Booked) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(booked)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Where nobody names a Fleet Engine, the trip is where its provider says. The configuration's token is for another one then.
    private func engine(of booking: ProviderBooking, in surroundings: Surroundings) throws -> (ConnectionOptions, TokenOptions) {
        guard connection.endpoint == nil, let engine = booking.engine else { return (connection, tokens) }
        var told = connection
        told.endpoint = engine.endpoint
        if engine.isPlaintext, told.ca == nil { told.plaintext = told.plaintext ?? true }
        var kept = tokens
        kept.forget(try surroundings.configuration(profile: settings.chosen).0)
        return (told, kept)
    }
}
