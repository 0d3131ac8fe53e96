import ArgumentParser
import DemoTown
import FleetEngine
import FoundationEssentials
import Geo
import Glibc
import TerminalCanvas
import TerminalMap
import TerminalScreen
import TripWatchApp
import VectorTiles

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

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var look: ScreenOptions

    /// A place and how near.
    private struct View {
        var center: Coordinate
        var zoom: Double
    }

    func validate() throws {
        guard place.count <= 1 else { throw ValidationError("one place at most: LAT,LNG or LAT,LNG,ZOOM; options have two dashes.") }
        if let text = place.first, Self.view(text) == nil {
            throw ValidationError("'\(Terminal.printable(text))' is not a place: the form is LAT,LNG or LAT,LNG,ZOOM (1 to 20).")
        }
        if let size, Self.size(size) == nil { throw ValidationError("--size has the form COLSxROWS, such as 80x24, each from 1 to 1000.") }
        guard size == nil || dump else { throw ValidationError("--size goes with --dump.") }
    }

    mutating func complete(from configuration: Configuration) {
        look.complete(from: configuration)
    }

    func perform() async throws {
        let map = try look.map.open(standard: .demo, town: TownInTheMaking(seed: seed))
        let asked = place.first.flatMap { Self.view($0, standardZoom: min(14, Double(map.details?.zoomRange.upperBound ?? 14))) }
        let size = size.flatMap(Self.size) ?? Self.terminalSize() ?? Size(columns: 80, rows: 24)
        let view = asked ?? Self.firstLook(map.details, size: size)
        if dump { return try await printFrame(view, map: map, size: size) }
        let end: TripFollower.End
        do throws(TerminalScreenError) {
            end = await show(view, map: map, on: try look.open())
        } catch {
            throw Failure(message: "\(error) Use --dump to print one frame.", exitCode: ExitCodes.failed).end()
        }
        end.finish()
    }

    @MainActor
    private func show(_ view: View, map: BaseMapSupply, on screen: TerminalScreen) async -> TripFollower.End {
        var options = look.appOptions(screen: screen)
        options.mode = .map
        options.center = view.center
        options.zoom = view.zoom
        let themes = ThemePicker(name: look.theme, environment: ProcessInfo.processInfo.environment, depth: screen.colorDepth)
        options.theme = themes.theme
        let time = SystemTimeSource()
        let state = AppState(trips: [], options: options, size: screen.size, now: time.now())
        let world = ScreenRunner.World(tiles: map.tiles, time: time)
        let end = await ScreenRunner(screen: screen, state: state, themes: themes, world: world).run()
        let held = await screen.close()
        if !held.isEmpty { Terminal.say(held) }
        themes.tellMessages()
        switch end {
        case .quit(let code): return .code(code)
        case .signal(let number): return .signal(number)
        }
    }

    private func printFrame(_ view: View, map: BaseMapSupply, size: Size) async throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let environment = ProcessInfo.processInfo.environment
        let noColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let depth = look.colorDepth ?? (isTerminal && !noColor ? .palette256 : ColorDepth.none)
        let painter = look.painter ?? (LocalText.isUTF8 ? .braille : .ascii)
        let camera = Camera(center: view.center, zoom: view.zoom, size: size)
        var base = BaseMap(tiles: TileCache(), zoomRange: 0...0, attribution: "")
        if let source = await map.tiles?() {
            base = BaseMap(tiles: TileCache(capacity: 1_024), zoomRange: source.zoomRange, attribution: source.attribution)
            var problem: String?
            for id in base.missingTiles(for: camera) {
                let loaded = await source.loaded(id)
                for (id, tile) in loaded.tiles { base.tiles.insert(tile, for: id) }
                problem = problem ?? loaded.problem
            }
            if let problem { Terminal.say("tripwatch: \(problem)") }
        }
        let themes = await ThemePicker(name: look.theme, environment: environment, depth: depth)
        await themes.tellMessages()
        let theme = await themes.theme
        var canvas = Canvas(size: size)
        let scene = MapScene(base: base, style: theme.mapStyle, painter: painter, colorDepth: theme.mapColorDepth)
        _ = MapRenderer().draw(
            scene, camera: camera, into: &canvas, at: Rectangle(column: 0, row: 0, columns: size.columns, rows: size.rows))
        Terminal.print(depth == .none ? Self.allRows(canvas) : canvas.ansi(colors: depth))
    }

    /// Exactly as many lines as rows, also where the last ones are blank.
    private static func allRows(_ canvas: Canvas) -> String {
        let rows = canvas.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (rows + Array(repeating: "", count: max(0, canvas.size.rows - rows.count))).joined(separator: "\n")
    }

    /// Where a map is looked at first: all of what a file covers, or closer where it says so; else the market square of the town.
    private static func firstLook(_ details: TileSourceDetails?, size: Size) -> View {
        guard let details else { return View(center: DemoTown.marketSquare, zoom: 14) }
        let told = View(
            center: details.center ?? details.bounds?.center ?? Coordinate(latitude: 20, longitude: 0),
            zoom: Double(details.centerZoom ?? details.zoomRange.lowerBound))
        guard let bounds = details.bounds else { return told }
        let whole = Camera(center: bounds.center, zoom: 1, size: size).fitted(to: bounds, maximumZoom: 15, zoomStep: 0.5)
        return whole.zoom > told.zoom ? View(center: bounds.center, zoom: whole.zoom) : told
    }

    private static func view(_ text: String, standardZoom: Double = 14) -> View? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2 || parts.count == 3, let latitude = parts[0], let longitude = parts[1] else { return nil }
        let center = Coordinate(latitude: latitude, longitude: longitude)
        guard center.isValid else { return nil }
        guard parts.count == 3 else { return View(center: center, zoom: standardZoom) }
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

    private static func terminalSize() -> Size? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
