import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@testable import TripWatchApp

@Suite("What the screen says of a map from the network")
struct MapNoteTests {
    private static let start = Date(timeIntervalSince1970: 1_900_000_000)

    private func state(host: String? = "tiles.example") -> AppState {
        var options = AppOptions()
        (options.mode, options.mapHost, options.expectsBaseMap) = (.map, host, true)
        return AppState(trips: [], options: options, size: Size(columns: 80, rows: 24), now: Self.start)
    }

    private func trouble(_ kind: TileTrouble.Kind) -> AppEvent {
        .mapTrouble(TileTrouble(kind, host: "tiles.example", words: "it answered with HTTP 403", retrySeconds: 120))
    }

    @Test("it is loading until all in view is there; of a file nothing is said")
    func loading() throws {
        var state = state()
        #expect(state.mapNote == "map: loading")
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "somebody")))
        #expect(state.mapNote == "map: loading")
        for id in state.loadingTiles { _ = state.update(.tile(id, .empty(id))) }
        #expect(state.mapNote == nil)
        // What is around the view cannot be had, which nobody sees before he goes there.
        _ = state.update(trouble(.offline))
        #expect(state.mapNote == nil)
        _ = state.update(.key(Key(.character("+"))))
        #expect(!state.loadingTiles.isEmpty && state.mapNote == "map: offline")
        _ = state.update(.key(Key(.character("b"))))
        #expect(state.mapNote == nil)
        #expect(self.state(host: nil).mapNote == nil)
    }

    @Test(
        "each trouble has its words",
        arguments: [
            (TileTrouble.Kind.refused(403), "map: server refuses (403)"), (.failed(500), "map: server fails (500)"),
            (.busy(429), "map: server is busy (429)"), (.noRanges, "map: no ranges"), (.notATileServer, "map: not a tile server"),
            (.offline, "map: offline"), (.certificate, "map: certificate refused"),
        ])
    func words(kind: TileTrouble.Kind, words: String) {
        var state = state()
        _ = state.update(trouble(kind))
        #expect(state.mapNote == words)
        let canvas = AppView().canvas(state, theme: ThemeCatalog().load("harbour-dark", depth: .palette256).theme).text()
        #expect(canvas.contains(words))
        _ = state.update(.mapTrouble(nil))
        #expect(state.mapNote == "map: loading")
    }

    @Test("how long it has been offline is told from the first minute on, and the screen wakes for it")
    func since() throws {
        var state = state()
        _ = state.update(trouble(.offline))
        let next = try #require(state.nextChange(stepSeconds: 1))
        #expect(abs(next.timeIntervalSince(Self.start) - 60) < 0.1)
        _ = state.update(.tick(Self.start.addingTimeInterval(59), nil))
        #expect(state.mapNote == "map: offline")
        _ = state.update(.tick(Self.start.addingTimeInterval(61), nil))
        #expect(state.mapNote == "map: offline since 1 min")
        // Another failure of the same kind of trouble is not a new beginning.
        _ = state.update(trouble(.offline))
        _ = state.update(.tick(Self.start.addingTimeInterval(125), nil))
        #expect(state.mapNote == "map: offline since 2 min")
    }

    @Test("d names the host and the last error, and r asks now; a map of a file has neither")
    func keys() {
        var state = state()
        _ = state.update(trouble(.refused(403)))
        _ = state.update(.key(Key(.character("d"))))
        let text = OverlayText(state)?.lines.map { $0.left + " " + $0.middle } ?? []
        #expect(text == ["tiles tiles.example: it answered with HTTP 403"])
        // What is remarked stands there while there is no trouble.
        let remark = "tiles.example: it answered with a web page; that tile counts as missing"
        _ = state.update(.mapRemark(remark))
        #expect(state.mapDetail == "tiles.example: it answered with HTTP 403")
        _ = state.update(.mapTrouble(nil))
        #expect(state.mapDetail == remark)
        _ = state.update(.key(Key(.character("d"))))
        #expect(state.update(.key(Key(.character("r")))).contains(.askMap))
        #expect(self.state(host: nil).disabledReason(.refresh) != nil && self.state(host: nil).disabledReason(.details) != nil)
    }

    @Test("the details say where the map ends and is drawn enlarged, of a file too, and nothing where it has what is seen")
    func enlarged() throws {
        var options = AppOptions()
        (options.mode, options.expectsBaseMap) = (.map, true)
        (options.center, options.zoom) = (Coordinate(latitude: 48.5, longitude: 9.1), 14)
        var state = AppState(trips: [], options: options, size: Size(columns: 80, rows: 24), now: Self.start)
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "somebody")))
        let seen = state.loadingTiles
        #expect(!seen.isEmpty && state.enlargementDetail == nil && state.disabledReason(.details) != nil)
        for id in seen {
            let ancestor = try #require(id.ancestor(atZoom: 12))
            _ = state.update(.tile(ancestor, .empty(ancestor)))
            _ = state.update(.tile(id, nil))
        }
        let words = "12, enlarged: the map has no tiles of zoom 14 here"
        #expect(DetailList(state).all.contains { $0 == ("zoom", words) } && state.disabledReason(.details) == nil)
        for id in seen { _ = state.update(.tile(id, .empty(id))) }
        #expect(state.enlargementDetail == nil)
        // A map that ends early says so too.
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...9, attribution: "somebody")))
        for id in state.loadingTiles { _ = state.update(.tile(id, .empty(id))) }
        #expect(state.enlargementDetail == "9, enlarged: the map has no tiles of zoom 14 here")
    }

    private func asked(_ columns: Int, _ rows: Int = 24) -> AppState {
        var options = AppOptions()
        (options.mode, options.asksForMap) = (.map, true)
        return AppState(trips: [], options: options, size: Size(columns: columns, rows: rows), now: Self.start)
    }

    @Test(
        "the question stands until it is answered: y, a and n belong to it, Esc is not now, other keys work on",
        arguments: [("y", [AppEffect.answerMap(.once)]), ("a", [.answerMap(.always)]), ("n", [.answerMap(.never)]), ("esc", [])])
    func consent(key: String, effects: [AppEffect]) throws {
        var state = asked(80)
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let words = "Streets from OpenStreetMap? It sees where you look.  y once  a always  n never"
        #expect(AppView().canvas(state, theme: theme).text().contains(words))
        _ = state.update(.key(Key(.character("u"))))
        #expect(state.asksForMap && state.notice?.text.hasPrefix("Units") == true)
        #expect(state.update(.key(try #require(Key(key)))).filter { if case .answerMap = $0 { true } else { false } } == effects)
        #expect(!state.asksForMap && !AppView().canvas(state, theme: theme).text().contains("Streets from"))
        #expect(state.update(.key(Key(.character("y")))).allSatisfy { if case .answerMap = $0 { false } else { true } })
        _ = state.update(.mapAllowed(host: "tiles.example"))
        #expect(state.mapNote == "map: loading")
    }

    @Test("the last line offers no key that would answer the question")
    func offered() throws {
        let size = Size(columns: 120, rows: 40)
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        for (asks, isOffered) in [(true, false), (false, true)] {
            let options = Scenario.options { $0.asksForMap = asks }
            let scenario = try #require(Scenario.named("stopped", size: size, options: options))
            let last = AppView().canvas(scenario.state, theme: theme).text().split(separator: "\n").last ?? ""
            #expect(last.contains("y copy") == isOffered, "\(last)")
        }
    }

    @Test("over an open overlay the keys are the overlay's")
    func overlay() {
        var state = asked(80)
        _ = state.update(.key(Key(.character("?"))))
        let effects = state.update(.key(Key(.character("y"))))
        #expect(state.asksForMap && effects.allSatisfy { if case .answerMap = $0 { false } else { true } })
        _ = state.update(.key(Key(.escape)))
        #expect(state.overlay == nil && state.asksForMap)
    }

    @Test("over the list the question is not asked: there a adds a trip")
    func list() throws {
        let options = Scenario.options { ($0.asksForMap, $0.addsTrips) = (true, true) }
        var scenario = try #require(Scenario.named("several", size: Size(columns: 80, rows: 24), options: options))
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        func asks() -> Bool { AppView().canvas(scenario.state, theme: theme).text().contains("Streets from OpenStreetMap?") }
        #expect(asks())
        scenario.press("L")
        #expect(!asks() && scenario.state.asksForMap)
        scenario.press("a")
        #expect(scenario.state.list?.typed != nil && scenario.state.asksForMap)
        #expect(!scenario.effects.contains { if case .answerMap = $0 { true } else { false } })
        scenario.press("esc esc")
        #expect(asks())
    }

    @Test("a narrow screen has the question in two rows", arguments: [(77, 24), (60, 16), (40, 10), (24, 5), (20, 3)])
    func narrow(columns: Int, rows: Int) {
        let text = AppView().canvas(asked(columns, rows), theme: ThemeCatalog().load("mono", depth: .none).theme).text()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingPrefix(" ") }
        #expect(
            lines.contains {
                $0.hasPrefix(
                    columns > 51
                        ? "Streets from OpenStreetMap? It sees where you look."
                        : columns > 38 ? "OpenStreetMap? It sees" : "Ask OpenStreetMap?")
            },
            "\(text)")
        #expect(lines.contains { $0.hasPrefix(columns > 25 ? "y once  a always  n never" : "y / a / n") }, "\(text)")
    }
}
