import ArgumentParser
import FleetEngine
import Geo
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

struct BookCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "book", abstract: "Book a trip with the provider and print the trip's name.",
        discussion: """
            Books the trip with the provider (--provider-url). --follow reads the trip from --endpoint, from the server in the \
            provider's answer, or from Google. A booking that the provider may have received is never sent again.
            """)

    @OptionGroup(title: HelpSection.common) var ride: BookingOptions
    @OptionGroup(title: HelpSection.common) var output: OutputOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.map) var ground: OverlayOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var kind: BookedKindOptions
    @OptionGroup(title: HelpSection.advanced) var names: StopNameOptions
    @OptionGroup(title: HelpSection.advanced) var following: FollowOptions
    @OptionGroup(title: HelpSection.advanced) var hooks: HookOptions
    @OptionGroup(title: HelpSection.advanced) var hookRules: HookRuleOptions

    func validate() throws {
        guard names.viaName.count <= ride.via.count else {
            throw ValidationError("each --via-name needs a --via: add a --via or remove a --via-name.")
        }
        if !ride.follow, let option = followingOption {
            throw ValidationError("\(option) works only with --follow: add --follow or remove \(option).")
        }
    }

    /// An option on the command line that is useful only with `--follow`; nil if no such option is given.
    private var followingOption: String? {
        let options = [
            ("--record", following.record != nil), ("--nearby", following.nearby), ("--keep-trying", following.keepTrying),
            ("--hook", !hooks.hook.isEmpty), ("--on-event", !hooks.onEvent.isEmpty), ("--when", hookRules.when != nil),
            ("--hook-key-file", hookRules.hookKeyFile != nil),
        ]
        return options.first { $0.1 }?.0
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        kind.complete(from: configuration)
        provider.complete(from: configuration)
        connection.complete(from: configuration)
        if ride.follow {
            tokens.complete(from: configuration, for: connection, in: surroundings)
        } else {
            // Without --follow, no token is sent, so no message about the token is printed.
            tokens.complete(from: configuration, in: surroundings)
        }
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        pace.complete(from: configuration)
        hooks.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "book", caFile: connection.ca, in: surroundings)
        // Checks the connection settings before the booking. With invalid settings, the trip could be neither listed nor followed.
        _ = try connection.connection(tokens)
        let places = try await places(in: surroundings)
        let booking = try await book(places, at: client)
        let name = booking.trip
        let bookedAt = surroundings.clock(1).now()
        let place = try BookedPlace(booking, connection, tokens, settings, in: surroundings)
        place.note(
            name, kind: kind.order ? .order : .ride, title: title(places), to: places.dropoff.coordinate, at: bookedAt,
            providerURL: provider.providerUrl, in: surroundings)
        let streams = surroundings.streams
        guard ride.follow else {
            streams.print(output.style == .json ? StandardStreams.jsonText(Booked(trip: name.description)) : name.description) {
                streams.say("booked \(name)")
            }
            return .success
        }
        streams.note(name.description)
        var run = FollowRun(
            names: [name], connection: try place.connection.connection(place.tokens),
            provider: try provider.client(caFile: place.connection.ca, in: surroundings), output: output.settings,
            look: screenSettings(place.connection), pace: pace.pace, bookedAt: bookedAt)
        run.providerURL = provider.providerUrl
        return try await following.completed(
            run, screen, hooks: try hooks.settings(hookRules, place.connection)
        ).perform(in: surroundings)
    }

    private func book(_ places: PlaceLookup.Ride, at client: ProviderBackendClient) async throws -> ProviderBooking {
        let attributes = try names.attributes(
            from: places.pickup.name, to: places.dropoff.name, via: places.stops.map(\.name), isOrder: kind.order)
        do throws(ProviderBackendError) {
            return try await client.bookTrip(
                from: places.pickup.coordinate, to: places.dropoff.coordinate, via: places.stops.map(\.coordinate),
                type: ride.shared ? .shared : .exclusive, attributes: attributes)
        } catch {
            guard error.mayHaveHappened else { throw error.failure("Not booked") }
            let failure = error.failure("Perhaps booked")
            throw Failure(message: failure.message + " Ask the provider whether the ride was booked.", exitCode: failure.exitCode)
        }
    }

    /// Returns the settings of the screen that follows the trip.
    private func screenSettings(_ connection: ConnectionOptions) -> ScreenSettings {
        var settings = screen.settings(look, map, ground, connection)
        settings.app.tripKind = kind.kind
        return settings
    }

    private func places(in surroundings: Surroundings) async throws(Failure) -> PlaceLookup.Ride {
        let near: Coordinate? = if case .place(let place)? = screen.here { place } else { nil }
        return try await PlaceLookup(map: map.settings, near: near).ride(
            from: ride.from.place, to: ride.to.place, via: ride.via.map(\.place), in: surroundings)
    }

    private func title(_ places: PlaceLookup.Ride) -> String? {
        let shop = names.fromName ?? places.pickup.name
        let goal = names.toName ?? places.dropoff.name
        return (kind.order ? shop.map { "Order from \($0)" } : goal.map { "Ride to \($0)" }) ?? screen.title
    }

    private struct Booked: Encodable {
        let trip: String
    }
}
