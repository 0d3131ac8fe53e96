import FleetEngine
import Foundation
import Geo
import ProgramSurroundings
import TerminalCanvas
import TerminalHarness
import TerminalScreen
import Testing
import TileSources
import TripWatchScreen
import TripWatchWords
import VectorTiles

@testable import ProgramHarness
@testable import TripWatchRuntime

/// A map whose tiles load only when the test allows it.
private struct GatedTiles: TileSource {
    let town: BaseMapFile
    let gate: Task<Void, Never>

    var attribution: String { town.attribution }
    var zoomRange: ClosedRange<Int> { town.zoomRange }

    func tile(_ id: TileID) async throws -> VectorTile? {
        await gate.value
        return try await town.tile(id)
    }
}

@Suite("Tiles on the screen", .timeLimit(.minutes(2)))
struct TilePaceTests {
    /// In this test, the program draws by itself only once an hour. After the first such frame, a change is drawn only on request.
    @Test("a requested picture is drawn as soon as its tiles are loaded, without waiting for the next frame")
    func unpaced() async throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        var device = TerminalScreen.Options()
        (device.device, device.terminalType, device.forceUTF8) = (.path(terminal.path), "xterm-256color", true)
        device.holdsStandardError = false
        let screen = try TerminalScreen.open(options: device)
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let gate = Task { for await _ in opening {} }
        let tiles = GatedTiles(town: try .town(), gate: gate)
        let run = Task { try await show(tiles, on: screen) }
        // The program draws the first change of the clock by itself, but no later one.
        try terminal.wait(for: "the first second") { terminal.virtual.text.contains("for 1 s") }
        #expect(Self.shapes(terminal) < 10)
        open.finish()
        try terminal.wait(for: "the map") { Self.shapes(terminal) > 20 }
        terminal.send("q")
        #expect(try await run.value == .success)
        _ = await screen.close()
    }

    @Test("tiles outside the view are given up, and loaded when they are in the view again")
    @MainActor
    func givenUp() async throws {
        let (opening, open) = AsyncStream.makeStream(of: Void.self)
        let gate = Task { for await _ in opening {} }
        let town = try BaseMapFile.town()
        let ids = (0..<40).compactMap { TileID(zoom: 14, x: $0, y: 0) }
        let last = try #require(ids.last)
        let (delivered, deliver) = AsyncStream.makeStream(of: TileID.self)
        let loader = TileLoader(source: GatedTiles(town: town, gate: gate)) { for tile in $0.tiles { deliver.yield(tile.id) } }
        loader.load(ids)
        loader.load([last])
        open.finish()
        var tiles = delivered.makeAsyncIterator()
        #expect(await tiles.next() == last)
        loader.load(ids)
        var known: Set<TileID> = []
        while known.count < ids.count, let id = await tiles.next() { known.insert(id) }
        #expect(known == Set(ids))
    }

    @MainActor
    private func show(_ tiles: GatedTiles, on screen: TerminalScreen) async throws -> ProgramEnd {
        let surroundings = Surroundings(environment: [:])
        let themes = ThemePicker(name: nil, depth: .palette256, background: nil, surroundings: surroundings)
        var options = AppOptions()
        (options.frameInterval, options.expectsBaseMap) = (.seconds(3_600), true)
        (options.theme, options.ownPosition) = (themes.theme, tiles.town.details.center)
        // The program draws a frame at the end of each minute. With this start time, no minute ends during the first seconds.
        let time = SystemTimeSource(origin: Date(timeIntervalSince1970: 1_800_000_010))
        let trip = try TripName(provider: "p", trip: "t")
        let state = AppState(trips: [trip], options: options, size: screen.size, now: time.now())
        let world = ScreenRunner.World(tiles: tiles, time: time)
        return await ScreenRunner(screen: screen, state: state, themes: themes, world: world).run()
    }

    /// Returns the number of different dot patterns on the screen. It is large for streets, and small for an empty grid.
    private static func shapes(_ terminal: PseudoTerminal) -> Int {
        Set(terminal.virtual.text.unicodeScalars.filter { (0x2801...0x28ff).contains($0.value) }).count
    }
}
