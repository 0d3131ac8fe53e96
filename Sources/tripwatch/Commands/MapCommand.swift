import ArgumentParser
import FleetEngine
import JourneySharing
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings

struct MapCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show a map.",
        discussion: """
            Shows an invented town, or the map of --basemap. Press ? for keys; --dump prints one frame. With --provider-url, B books \
            a ride and follows it. 'map cache' prints the size of the map tile cache, and 'map cache clear' deletes it.
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Place: a name on the map, LAT,LNG[,ZOOM] or geo:LAT,LNG.", valueName: "place"))
    var place: [String] = []

    @OptionGroup(title: HelpSection.common) var fleet: FleetOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var frame: DumpOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.map) var ground: OverlayOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions

    /// The units for the screen of a trip that was booked from the map; nil for the locale's units.
    private var units = Beside<MeasurementSystem?>(nil)

    mutating func validate() throws {
        // The `--` after the options is not part of the place, but the parser leaves it in `place`.
        place.removeAll { $0 == "--" }
        if let option = place.first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("'map' has no option '\(printable(option))': 'tripwatch map --help' lists its options.")
        }
        guard place.count <= 1 else {
            throw ValidationError("'map' takes one place: LAT,LNG[,ZOOM], or a name in quotes. Options begin with two dashes.")
        }
        if let text = place.first, MapPlace(text) == nil {
            throw ValidationError(
                "'\(printable(text))' is not a place: use LAT,LNG or LAT,LNG,ZOOM (1 to 20), geo:LAT,LNG, or a name.")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        provider.complete(from: configuration)
        for (option, isGiven) in [
            ("--endpoint", connection.endpoint != nil), ("--provider", connection.provider != nil), ("--interval", pace.interval != nil),
        ] where isGiven && !fleet.isSaid && provider.providerUrl == nil {
            throw ValidationError("\(option) works only with --fleet, --vehicle or --provider-url.")
        }
        units.value = configuration.measurementSystem
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        connection.complete(from: configuration)
        // Without these options, the map calls no server that gets a token.
        if fleet.isSaid || provider.providerUrl != nil { tokens.complete(from: configuration, for: connection, in: surroundings) }
        pace.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = MapRun(
            place: place.first.flatMap(MapPlace.init), dump: frame.settings, look: screen.settings(look, map, ground, connection))
        run.fleet = try fleet.settings(connection, tokens, pace)
        run.provider = try provider.client(caFile: connection.ca, in: surroundings)
        // Checks the connection settings before the map is shown. With invalid settings, a trip that the user books on the map could
        // not be followed.
        if run.provider != nil { _ = try connection.connection(tokens) }
        let (end, booked) = try await run.perform(in: surroundings)
        guard let booked else { return end }
        return try await follow(booked, in: surroundings)
    }

    private var hasCoordinates: Bool { if case .coordinate? = place.first.flatMap(MapPlace.init) { true } else { false } }

    private func follow(_ booked: BookedRide, in surroundings: Surroundings) async throws -> ProgramEnd {
        let name = booked.booking.trip
        let engine = try BookedPlace(booked.booking, connection, tokens, settings, in: surroundings)
        engine.note(
            name, title: screen.title, to: booked.dropoff, at: booked.bookedAt, providerURL: provider.providerUrl, in: surroundings)
        surroundings.streams.note(name.description)
        var screenSettings = screen.settings(look, map, ground, engine.connection)
        // Like `map`, the trip's screen shows the town if the user gave neither a map nor coordinates.
        if !hasCoordinates { screenSettings.map.map = screenSettings.map.map ?? .town }
        var run = FollowRun(
            names: [name], connection: try engine.connection.connection(engine.tokens),
            provider: try provider.client(caFile: engine.connection.ca, in: surroundings),
            output: OutputSettings(style: .screen, units: units.value), look: screenSettings, pace: pace.pace, bookedAt: booked.bookedAt)
        run.providerURL = provider.providerUrl
        run.sharing = screen.sharing.value
        return try await run.perform(in: surroundings)
    }
}
