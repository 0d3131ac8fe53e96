import ArgumentParser
import FleetEngine
import FoundationEssentials
import ProviderBackend
import TripWatchApp
import TripWatchRuntime

struct BookCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "book", abstract: "Book a trip at the provider, and print its name.",
        discussion: """
            Asks the provider's back end (--provider-url). With --follow the trip is followed at once; its name then goes to stderr, before \
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
    @OptionGroup var following: FollowOptions

    func validate() throws {
        guard via.count <= 25 else { throw ValidationError("at most 25 stops: --via.") }
        guard via.isEmpty || !shared else { throw ValidationError("--via does not go with --shared: such a trip has no stops of its own.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        provider.complete(from: configuration)
        connection.complete(from: configuration, in: surroundings)
        following.complete(from: configuration, in: surroundings)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "book", caFile: connection.ca, in: surroundings)
        if follow { _ = try connection.connection() }
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
        let connection = try connection(to: booking, in: surroundings)
        if let endpoint = try? connection.connection().endpoint {
            var known = KnownTrip(name: name, server: .init(endpoint, in: surroundings), openedAt: bookedAt)
            known.title = following.look.title
            known.goal = TripNames.title(of: name, to: to.coordinate)
            surroundings.stateFile?.note([known], now: bookedAt)
        }
        let streams = surroundings.streams
        guard follow else {
            streams.print(name.description) { streams.say("booked \(name)") }
            return .success
        }
        streams.say(name.description)
        return try await following.run(
            [name], connection: connection, provider: provider, bookedAt: bookedAt, in: surroundings
        ).perform(in: surroundings)
    }

    /// Where nobody names a Fleet Engine, the trip is where its provider says. The configuration's token is for another one then.
    private func connection(to booking: ProviderBooking, in surroundings: Surroundings) throws -> ConnectionOptions {
        guard connection.endpoint == nil, let engine = booking.engine else { return connection }
        var told = connection
        told.endpoint = engine.endpoint
        if engine.isPlaintext, told.ca == nil { told.plaintext = told.plaintext ?? true }
        told.tokens.forget(try surroundings.configuration(profile: settings.profile).0)
        return told
    }
}
