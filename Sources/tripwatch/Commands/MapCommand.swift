import ArgumentParser
import TripWatchApp
import TripWatchRuntime

struct MapCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Just the map.",
        discussion: """
            Shows the invented town, or with --basemap a file: arrows or hjkl pan, + and - zoom, / looks for a name, m changes the painter, t the theme, q leaves. \
            --dump prints one frame instead, without colour unless it goes to a terminal or --colors says so.
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Where to look: LAT,LNG or LAT,LNG,ZOOM, geo:LAT,LNG, or the name of a place on the map.", valueName: "place"))
    var place: [String] = []

    @OptionGroup var frame: DumpOptions
    @OptionGroup var ground: OverlayOptions

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var look: ScreenOptions

    func validate() throws {
        if let option = place.first(where: { $0.hasPrefix("--") }) { throw ValidationError("map has no option '\(printable(option))'.") }
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
        var look = look.settings
        look.overlay = ground.settings
        return try await MapRun(place: place.first.flatMap(MapPlace.init), dump: frame.settings, look: look).perform(in: surroundings)
    }
}
