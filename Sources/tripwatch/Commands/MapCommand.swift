import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct MapCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Just the map.",
        discussion: """
            Shows the invented town, or with --basemap another map: arrows or hjkl pan, + and - zoom, / looks for a name, m changes the painter, t the theme, q leaves. \
            --dump prints one frame instead, without colour unless it goes to a terminal or --colors says so.

            'map cache' tells how much is kept of maps from the network: bytes, tiles, hits (not fetched again) and misses; 'map cache clear' \
            forgets it.
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Where to look: LAT,LNG or LAT,LNG,ZOOM, geo:LAT,LNG, or the name of a place on the map.", valueName: "place"))
    var place: [String] = []

    @OptionGroup var frame: DumpOptions
    @OptionGroup var ground: OverlayOptions

    @OptionGroup var form: FormOptions

    @Option(
        help: ArgumentHelp(
            "Show the vehicles of --provider that pass this filter of Fleet Engine's, such as 'attributes.class = \"van\"'; all takes every one.",
            valueName: "filter"))
    var fleet: String?

    @Option(help: ArgumentHelp("Show this vehicle; may be given several times.", valueName: "vehicle"), completion: .vehicles)
    var vehicle: [String] = []

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions
    @OptionGroup var pace: PaceOptions
    @OptionGroup var look: LookOptions
    @OptionGroup var map: BaseMapOptions
    @OptionGroup var screen: ScreenOptions

    /// The words of a place cannot be told from those of a subcommand while it is parsed, so that this is none.
    private enum CacheAction {
        case tell, clear

        init?(_ words: [String]) {
            switch words {
            case ["cache"]: self = .tell
            case ["cache", "clear"]: self = .clear
            default: return nil
            }
        }
    }

    mutating func validate() throws {
        // What ends the options is no place.
        place.removeAll { $0 == "--" }
        if let option = place.first(where: { $0.hasPrefix("--") }) { throw ValidationError("map has no option '\(printable(option))'.") }
        let cache = CacheAction(place)
        guard fleet == nil || vehicle.isEmpty else { throw ValidationError("take one of --fleet and --vehicle.") }
        guard vehicle.count <= 100 else { throw ValidationError("at most 100 vehicles are asked for one by one; --fleet shows more.") }
        let asks = fleet != nil || !vehicle.isEmpty
        for (option, isGiven) in [
            ("--endpoint", connection.endpoint != nil), ("--provider", connection.provider != nil), ("--interval", pace.interval != nil),
        ] where isGiven && !asks {
            throw ValidationError("\(option) goes with --fleet or --vehicle.")
        }
        guard form.output == nil && !form.json || cache == .tell else {
            throw ValidationError("--json and --output go with 'map cache'.")
        }
        guard cache == nil else { return }
        guard place.count <= 1 else {
            throw ValidationError("one place at most: LAT,LNG or LAT,LNG,ZOOM, or a name in quotes; options have two dashes.")
        }
        if let text = place.first, MapPlace(text) == nil {
            throw ValidationError(
                "'\(printable(text))' is not a place: the form is LAT,LNG or LAT,LNG,ZOOM (1 to 20), geo:LAT,LNG, or a name.")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        connection.complete(from: configuration)
        tokens.complete(from: configuration, in: surroundings)
        pace.complete(from: configuration)
    }

    private func fleetSettings() throws -> FleetSettings? {
        if !vehicle.isEmpty {
            let names = try vehicle.map(connection.vehicleName)
            return FleetSettings(.vehicles(names), connection: try connection.connection(tokens), pace: pace.pace)
        }
        guard let fleet else { return nil }
        guard let provider = connection.provider else { throw ValidationError("--fleet needs to know whose: --provider ID.") }
        return FleetSettings(
            .provider(provider, filter: fleet == "all" ? "" : fleet), connection: try connection.connection(tokens), pace: pace.pace)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        switch CacheAction(place) {
        case .tell: return await MapCacheRun(map: map.settings).tell(asJSON: form.isJSON, in: surroundings)
        case .clear: return await MapCacheRun(map: map.settings).clear(in: surroundings)
        case nil: break
        }
        var run = MapRun(
            place: place.first.flatMap(MapPlace.init), dump: frame.settings, look: screen.settings(look, map, ground, connection))
        run.fleet = try fleetSettings()
        return try await run.perform(in: surroundings)
    }
}
