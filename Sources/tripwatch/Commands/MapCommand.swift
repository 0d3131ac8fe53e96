import ArgumentParser
import TripWatchApp
import TripWatchRuntime

struct MapCommand: ConfigurableCommand {
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

    @Flag(help: "With 'map cache': as a JSON object.")
    var json = false

    @Option(help: ArgumentHelp("Trust the certificates of this PEM file at the map's server besides the system's.", valueName: "file"))
    var ca: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var look: ScreenOptions

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

    func validate() throws {
        if let option = place.first(where: { $0.hasPrefix("--") }) { throw ValidationError("map has no option '\(printable(option))'.") }
        let cache = CacheAction(place)
        guard !json || cache == .tell else { throw ValidationError("--json goes with 'map cache'.") }
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
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        switch CacheAction(place) {
        case .tell: return await MapCacheRun(map: look.map.settings).tell(asJSON: json, in: surroundings)
        case .clear: return await MapCacheRun(map: look.map.settings).clear(in: surroundings)
        case nil: break
        }
        var look = look.settings
        look.map.caFile = ca ?? look.map.caFile
        look.overlay = ground.settings
        return try await MapRun(place: place.first.flatMap(MapPlace.init), dump: frame.settings, look: look).perform(in: surroundings)
    }
}
