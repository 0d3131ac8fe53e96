import FoundationEssentials
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("When frames are drawn")
struct FramePacerTests {
    private func scenario(_ name: String = "approaching") throws -> Scenario {
        try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
    }

    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test(
        "changes that come by themselves are drawn ten times a second at most, over ssh twice",
        arguments: [(AppOptions().frameInterval, 100), (AppOptions.remoteFrameInterval, 500)])
    func pace(pause: Duration, interval: Int) throws {
        var scenario = try scenario()
        var pacer = FramePacer(interval: pause)
        var decisions = [pacer.decide(scenario.state, now: at(0)), pacer.decide(scenario.state, now: at(0))]
        // The user requested the first frame by opening the trip. So the next frame need not wait.
        scenario.tick("14:07:17")
        decisions.append(pacer.decide(scenario.state, now: at(10)))
        scenario.tick("14:07:18")
        decisions += [20, 9 + interval, 10 + interval].map { pacer.decide(scenario.state, now: at($0)) }
        #expect(
            decisions == [.draw, .rest, .draw, .wait(until: at(10 + interval)), .wait(until: at(10 + interval)), .draw])
    }

    @Test("new measurements are drawn only if they change the text, and only where they are visible")
    func measured() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 120, rows: 40)))
        let name = try #require(MadeUpTrip.name())
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        func measure(_ bytes: Int, _ seconds: Double) {
            scenario.send(.measured(name, ride: RideFile(name: "ride.trip", bytes: bytes), roundTripSeconds: seconds))
        }
        scenario.press("d")
        measure(38_100, 0.0181)
        _ = pacer.decide(scenario.state, now: at(0))
        measure(38_300, 0.0178)
        #expect(pacer.decide(scenario.state, now: at(200)) == .rest)
        measure(39_100, 0.0178)
        #expect(pacer.decide(scenario.state, now: at(400)) == .draw)
        measure(39_100, 0.030)
        #expect(pacer.decide(scenario.state, now: at(600)) == .draw)
        scenario.press("esc")
        _ = pacer.decide(scenario.state, now: at(800))
        measure(45_100, 0.1)
        #expect(pacer.decide(scenario.state, now: at(1_000)) == .rest)
    }

    @Test("a key's effect is shown at once, again and again, whenever the last frame was, and delays no other change")
    func keys() throws {
        var scenario = try scenario()
        var pacer = FramePacer(interval: AppOptions.remoteFrameInterval)
        _ = pacer.decide(scenario.state, now: at(0))
        scenario.tick("14:07:17")
        #expect(pacer.decide(scenario.state, now: at(10)) == .draw)
        for time in [11, 12, 13] {
            scenario.press("right")
            #expect(pacer.decide(scenario.state, now: at(time)) == .draw)
        }
        scenario.tick("14:07:18")
        #expect(pacer.decide(scenario.state, now: at(510)) == .draw)
    }

    /// Returns a scenario on a map without tiles, and the ids of the tiles that the screen requests.
    private func mapScenario() throws -> (scenario: Scenario, tiles: [TileID]) {
        var scenario = try scenario()
        scenario.send(.resize(Size(columns: 400, rows: 120)))
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...18, attribution: "nobody")))
        guard case .loadTiles(let tiles)? = scenario.effects.last else { throw Missing() }
        return (scenario, tiles)
    }

    private struct Missing: Error {}

    @Test("requested tiles are drawn with the last one, whatever the pace")
    func tiles() throws {
        var (scenario, tiles) = try mapScenario()
        var pacer = FramePacer(interval: AppOptions.remoteFrameInterval)
        let last = try #require(tiles.last)
        #expect(tiles.count > 1 && pacer.decide(scenario.state, now: at(0)) == .wait(until: at(15)))
        for id in tiles.dropLast() {
            scenario.send(.tile(id, nil))
            #expect(pacer.decide(scenario.state, now: at(5)) == .wait(until: at(15)))
        }
        scenario.send(.tile(last, nil))
        #expect(pacer.decide(scenario.state, now: at(6)) == .draw)
    }

    @Test("if only some requested tiles have arrived, they are drawn 15 ms after the first, and the rest as soon as it is complete")
    func slowTiles() throws {
        var (scenario, tiles) = try mapScenario()
        var pacer = FramePacer(interval: AppOptions.remoteFrameInterval)
        let first = try #require(tiles.first)
        #expect(pacer.decide(scenario.state, now: at(0)) == .wait(until: at(15)))
        #expect(pacer.decide(scenario.state, now: at(15)) == .draw)
        #expect(pacer.decide(scenario.state, now: at(16)) == .rest)
        scenario.send(.tile(first, nil))
        #expect(pacer.decide(scenario.state, now: at(30)) == .wait(until: at(45)))
        for id in tiles.dropFirst() { scenario.send(.tile(id, nil)) }
        #expect(pacer.decide(scenario.state, now: at(31)) == .draw)
    }

    @Test("the screen waits for an expected base map as for its tiles")
    func expectedMap() throws {
        let state = try #require(Scenario(size: Size(columns: 80, rows: 24), options: Scenario.options { $0.expectsBaseMap = true })).state
        var scenario = try #require(Scenario(size: state.size, options: state.options))
        scenario.send(.resize(state.size))
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        #expect(pacer.decide(scenario.state, now: at(0)) == .wait(until: at(15)))
        scenario.send(.baseMap(nil))
        #expect(pacer.decide(scenario.state, now: at(1)) == .draw)
    }

    @Test("tiles for a moving camera count as changes that come by themselves")
    func tilesOfMovement() throws {
        var (scenario, tiles) = try mapScenario()
        for id in tiles { scenario.send(.tile(id, nil)) }
        var pacer = FramePacer(interval: AppOptions.remoteFrameInterval)
        _ = pacer.decide(scenario.state, now: at(0))
        scenario.tick("14:07:17")
        _ = pacer.decide(scenario.state, now: at(1))
        // The camera moves, because it follows the vehicle to the rider.
        let count = scenario.effects.count
        scenario.answer("14:13:08") { MadeUpTrip.waiting($0, at: $1) }
        let new = scenario.effects.dropFirst(count).compactMap { if case .loadTiles(let ids) = $0 { ids } else { nil } }.last
        let id = try #require(new?.first)
        scenario.send(.tile(id, nil))
        #expect(pacer.decide(scenario.state, now: at(2)) == .wait(until: at(501)))
    }

    @Test("after another program used the terminal, the next frame is drawn, whatever it shows")
    func resumed() throws {
        let scenario = try scenario()
        var pacer = FramePacer(interval: AppOptions.remoteFrameInterval)
        _ = pacer.decide(scenario.state, now: at(0))
        pacer.reset()
        #expect(pacer.decide(scenario.state, now: at(1)) == .draw)
    }

    @Test("a quiet screen changes once a second, because of an age; a finished one once a minute")
    func standing() throws {
        for (name, frames) in [("quiet", 10), ("complete", 1)] {
            var scenario = try scenario(name)
            var pacer = FramePacer(interval: AppOptions().frameInterval)
            let begin = scenario.state.now
            var count = 0
            for step in 0..<100 {
                scenario.tick(at: begin.addingTimeInterval(Double(step) / 10))
                if pacer.decide(scenario.state, now: at(100 * step)) == .draw { count += 1 }
            }
            #expect(count <= frames + 1, "\(name): \(count)")
        }
    }

    /// Only the last dot of a dotted line may be drawn a little late.
    @Test("a frame that is not drawn would have looked the same", arguments: ["approaching", "riding", "offline", "here", "not-live"])
    func nothingMissed(name: String) throws {
        var scenario = try scenario(name)
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        let view = AppView()
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let begin = scenario.state.now
        var shown: Canvas?
        for step in 0..<40 {
            scenario.tick(at: begin.addingTimeInterval(Double(step) / 5))
            let canvas = drawn(scenario, by: view, theme)
            if pacer.decide(scenario.state, now: at(200 * step)) == .draw { shown = canvas }
            let (old, new) = (shown?.text().split(separator: "\n") ?? [], canvas.text().split(separator: "\n"))
            let differences = zip(old, new).flatMap { zip($0, $1).filter { $0 != $1 } }
            #expect(old.count == new.count && differences.count <= 1, "step \(step): \(differences)")
        }
    }

    /// Returns the screen with a new map: a help page is drawn first, so that the map is not copied from the previous screen.
    private func drawn(_ scenario: Scenario, by view: AppView, _ theme: Theme) -> Canvas {
        var covered = scenario
        covered.press("?")
        if covered.state.overlay == nil { covered.press("?") }
        _ = view.canvas(covered.state, theme: theme)
        return view.canvas(scenario.state, theme: theme)
    }

    @Test("while a car stands, only words change: the map is drawn once", arguments: [("quiet", 1), ("here", 1)])
    func drawnOnce(name: String, maps: Int) throws {
        var scenario = try scenario(name)
        let view = AppView()
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let begin = scenario.state.now
        var shown: Set<String> = []
        for second in 0..<8 {
            scenario.tick(at: begin.addingTimeInterval(Double(second)))
            shown.insert(view.canvas(scenario.state, theme: theme).text())
        }
        #expect(shown.count > 4 && view.drawnMaps == maps)
    }

    /// The last dots of a dotted line may be drawn late, so two cells may differ.
    @Test(
        "a map that is copied from the previous screen is the same as a new one",
        arguments: ["approaching", "riding", "offline", "quiet", "here", "not-live"])
    func takenMap(name: String) throws {
        var scenario = try scenario(name)
        let (view, plain) = (AppView(), AppView())
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let begin = scenario.state.now
        let keys = Array("+ltmj??d-bufh")
        for step in 0..<39 {
            scenario.tick(at: begin.addingTimeInterval(Double(step) / 3))
            if step.isMultiple(of: 3) { scenario.press(String(keys[step / 3])) }
            let (shown, new) = (view.canvas(scenario.state, theme: theme), drawn(scenario, by: plain, theme))
            #expect(shown.size == new.size)
            let differences = (0..<new.size.rows).flatMap { row in zip(shown.row(row), new.row(row)).filter { $0 != $1 } }
            #expect(differences.count <= 2, "step \(step): \(differences)")
        }
    }
}
