import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import Glibc
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords
import VectorTiles

@testable import TripWatchScreen

@Suite("Which tiles are requested")
struct TileRequestTests {
    private func scenario(_ name: String, _ change: (inout AppOptions) -> Void = { _ in }) throws -> Scenario {
        try #require(Scenario.named(name, size: Size(columns: 80, rows: 24), options: Scenario.options(change)))
    }

    @Test("tiles are requested once, the most needed first, and again for another place")
    func tiles() throws {
        var scenario = try scenario("approaching")
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        guard case .loadTiles(let first)? = scenario.effects.last else { return #expect(Bool(false), "no tiles were asked for") }
        #expect(!first.isEmpty)
        let count = scenario.effects.count
        scenario.tick("14:07:16")
        #expect(scenario.effects.count == count)
        for id in first { scenario.send(.tile(id, nil)) }
        #expect(scenario.effects.count == count)
        scenario.press((0..<20).map { _ in "right" }.joined(separator: " "))
        #expect(scenario.effects.count > count)
    }

    @Test("the tiles of a large view are requested from its middle outwards")
    func middleFirst() throws {
        let size = Size(columns: 400, rows: 120)
        var scenario = try #require(Scenario.named("approaching", size: size, options: Scenario.options { _ in }))
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        scenario.press("- - - right up")
        let asked = scenario.effects.compactMap { if case .loadTiles(let tiles) = $0 { tiles } else { nil } }
        let tiles = try #require(asked.last)
        let middle = WebMercator.project(scenario.state.map.camera.center)
        let distances = tiles.map { id in
            let count = exp2(Double(id.zoom))
            return hypot((Double(id.x) + 0.5) / count - middle.x, (Double(id.y) + 0.5) / count - middle.y)
        }
        #expect(tiles.count > 3 && distances == distances.sorted())
    }

    @Test("a frame waits for a requested tile until it is there or known to be late")
    func lateTiles() throws {
        var scenario = try scenario("approaching")
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        scenario.press("+")
        guard case .loadTiles(let tiles)? = scenario.effects.last(where: { if case .loadTiles = $0 { true } else { false } }) else {
            return #expect(Bool(false), "no tiles were asked for")
        }
        for id in tiles.dropFirst() { scenario.send(.tile(id, nil)) }
        #expect(scenario.state.awaitsRequested)
        for id in tiles.prefix(1) { scenario.send(.tileIsLate(id)) }
        #expect(!scenario.state.awaitsRequested)
        scenario.press("?")
        #expect(!scenario.state.awaitsRequested, "it is not waited for anew with each key")
    }

    @Test("a server gets no request until a place to show is known; a file is read at once")
    func beforeItsPlace() throws {
        let map = BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")
        func state(_ host: String?, _ change: (inout AppOptions) -> Void = { _ in }) throws -> AppState {
            var options = Scenario.options { $0.mapHost = host }
            change(&options)
            let name = try #require(MadeUpTrip.name())
            return AppState(trips: [name], options: options, size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0))
        }
        func asked(_ effects: [AppEffect]) -> [TileID] {
            effects.flatMap { if case .loadTiles(let ids) = $0 { ids } else { [TileID]() } }
        }
        var file = try state(nil)
        #expect(!asked(file.update(.baseMap(map))).isEmpty)
        var server = try state("tiles.example")
        #expect(asked(server.update(.baseMap(map))).isEmpty && server.mapNote == nil)
        #expect(asked(server.update(.key(.character("+")))).isEmpty && server.mapNote == nil)
        var here = try state("tiles.example") { $0.ownPosition = Coordinate(latitude: 48.2, longitude: 16.3) }
        #expect(!asked(here.update(.baseMap(map))).isEmpty)
        var scenario = try scenario("approaching") { $0.mapHost = "tiles.example" }
        scenario.send(.baseMap(map))
        #expect(!asked(scenario.effects).isEmpty)
    }

    @Test("when a still view is complete, a server's tiles around it are requested ahead, each once; those of a file are not")
    func tilesAhead() throws {
        func ahead(_ scenario: Scenario) -> [[TileID]] {
            scenario.effects.compactMap { if case .loadAhead(let ids) = $0 { ids } else { nil } }
        }
        func complete(_ scenario: inout Scenario) {
            for case .loadTiles(let ids) in scenario.effects { for id in ids { scenario.send(.tile(id, nil)) } }
        }
        var file = try scenario("approaching")
        file.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        complete(&file)
        file.press("right")
        complete(&file)
        #expect(ahead(file).isEmpty)
        var scenario = try scenario("approaching") { $0.mapHost = "tiles.example" }
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        #expect(ahead(scenario).isEmpty)
        complete(&scenario)
        #expect(ahead(scenario).isEmpty, "the view follows its vehicle")
        scenario.press("right")
        complete(&scenario)
        let first = try #require(ahead(scenario).first)
        #expect(ahead(scenario).count == 1 && !first.isEmpty && Set(first).count == first.count)
        let revision = scenario.state.revision
        for id in first { scenario.send(.tile(id, nil)) }
        scenario.tick("14:07:16")
        #expect(ahead(scenario).count == 1, "what has come is not asked for again")
        #expect(scenario.state.revision == revision, "it is not seen, so nothing is drawn for it")
        scenario.press((0..<20).map { _ in "right" }.joined(separator: " "))
        complete(&scenario)
        #expect(ahead(scenario).count > 1)
    }
}
