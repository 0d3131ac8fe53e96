import ArgumentParser
import Geo
import TripWatchApp
import TripWatchRuntime

struct MapCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Just the map.",
        discussion: """
            Shows the invented town, or with --basemap a file: arrows or hjkl pan, + and - zoom, m changes the painter, t the theme, q leaves. \
            --dump prints one frame instead, without colour unless it goes to a terminal or --colors says so.
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Where to look: LAT,LNG or LAT,LNG,ZOOM.", valueName: "lat,lng,zoom"))
    var place: [String] = []

    @OptionGroup var frame: DumpOptions
    @OptionGroup var ground: OverlayOptions

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var look: ScreenOptions

    /// A place and, where it is said, how near.
    private struct View {
        var center: Coordinate
        var zoom: Double?
    }

    func validate() throws {
        if let option = place.first(where: { $0.hasPrefix("--") }) { throw ValidationError("map has no option '\(printable(option))'.") }
        guard place.count <= 1 else { throw ValidationError("one place at most: LAT,LNG or LAT,LNG,ZOOM; options have two dashes.") }
        if let text = place.first, Self.view(text) == nil {
            throw ValidationError("'\(printable(text))' is not a place: the form is LAT,LNG or LAT,LNG,ZOOM (1 to 20).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        look.complete(from: configuration, in: surroundings)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let view = place.first.flatMap(Self.view)
        var look = look.settings
        look.overlay = ground.settings
        return try await MapRun(
            place: view?.center, zoom: view?.zoom, dump: frame.settings, look: look
        ).perform(in: surroundings)
    }

    private static func view(_ text: String) -> View? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2 || parts.count == 3, let latitude = parts[0], let longitude = parts[1] else { return nil }
        let center = Coordinate(latitude: latitude, longitude: longitude)
        guard center.isValid else { return nil }
        guard parts.count == 3 else { return View(center: center) }
        guard let zoom = parts[2], (1...20).contains(zoom) else { return nil }
        return View(center: center, zoom: zoom)
    }
}
