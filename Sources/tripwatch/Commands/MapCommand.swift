import ArgumentParser
import DemoTown
import Geo
import TerminalCanvas
import TripWatchApp
import TripWatchRuntime

struct MapCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Just the map.",
        discussion: """
            Shows the demo town, or with --basemap a file: arrows or hjkl pan, + and - zoom, m changes the painter, t the theme, q leaves. \
            --dump prints one frame instead, without colour unless it goes to a terminal or --colors says so.
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Where to look: LAT,LNG or LAT,LNG,ZOOM.", valueName: "lat,lng,zoom"))
    var place: [String] = []

    @Flag(help: "Print one frame and end.")
    var dump = false

    @Option(help: ArgumentHelp("Size of the frame.", valueName: "colsxrows"))
    var size: String?

    @Option(help: ArgumentHelp("Which town.", valueName: "n"))
    var seed = DemoTown.defaultSeed

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var look: ScreenOptions

    /// A place and, where it is said, how near.
    private struct View {
        var center: Coordinate
        var zoom: Double?
    }

    func validate() throws {
        guard place.count <= 1 else { throw ValidationError("one place at most: LAT,LNG or LAT,LNG,ZOOM; options have two dashes.") }
        if let text = place.first, Self.view(text) == nil {
            throw ValidationError("'\(printable(text))' is not a place: the form is LAT,LNG or LAT,LNG,ZOOM (1 to 20).")
        }
        if let size, Self.size(size) == nil { throw ValidationError("--size has the form COLSxROWS, such as 80x24, each from 1 to 1000.") }
        guard size == nil || dump else { throw ValidationError("--size goes with --dump.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        look.complete(from: configuration, in: surroundings)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let view = place.first.flatMap(Self.view)
        return try await MapRun(
            place: view?.center, zoom: view?.zoom, isDump: dump, size: size.flatMap(Self.size), townSeed: seed, look: look.settings
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

    private static func size(_ text: String) -> Size? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1_000).contains(columns), (1...1_000).contains(rows)
        else {
            return nil
        }
        return Size(columns: columns, rows: rows)
    }
}
