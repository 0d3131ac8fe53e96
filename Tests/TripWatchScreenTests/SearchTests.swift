import ConsumerMap
import FoundationEssentials
import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("Searching for a name on the screen")
struct SearchTests {
    private static let middle = Coordinate(latitude: 10, longitude: 20)
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    private static let tile: VectorTile = {
        let id = TileID.containing(WebMercator.project(middle), zoom: 14)
        var builder = VectorTileBuilder(id: id)
        builder.addFeature(.town, kind: .point, name: "Madeup", vertices: [(100, 100)])
        builder.addFeature(.station, kind: .point, name: "Madeup Mitte", vertices: [(3000, 3000)])
        builder.addFeature(.pointOfInterest, kind: .point, name: "Museum", vertices: [(2000, 3000)])
        builder.addFeature(.river, kind: .line, name: "Quiet River", vertices: [(0, 1000), (4000, 1000)])
        builder.addFeature(.street, kind: .line, name: "Mädeup Straße", vertices: [(0, 2000), (4000, 2000)])
        for number in 10..<40 { builder.addFeature(.village, kind: .point, name: "Ort \(number)", vertices: [(Int32(number) * 90, 50)]) }
        return builder.finish()
    }()

    /// Returns the state of a screen with a map. If `isRead` is false, the names on the base map are still being read.
    private static func state(rows: Int = 24, isRead: Bool = true, host: String? = nil) -> AppState {
        let options = Scenario.options {
            $0.mapHost = host
            $0.mode = .map
            $0.center = middle
            $0.zoom = 10
        }
        var state = AppState(trips: [], options: options, size: Size(columns: 80, rows: rows), now: Date(timeIntervalSince1970: 0))
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        let effects = state.update(.key(.character("/")))
        #expect(effects.contains(.readNames(near: state.map.camera.center)))
        guard isRead else { return state }
        var index = PlaceIndex()
        index.add(tile, kinds: Set(NamedPlace.Kind.allCases), near: middle)
        _ = state.update(.names(index, near: state.map.camera.center))
        return state
    }

    private static func type(_ text: String, into state: inout AppState) {
        for character in text { _ = state.update(.key(.character(character))) }
    }

    private static func text(_ state: AppState) -> String { AppView().canvas(state, theme: theme).text() }

    @Test("The selected result is highlighted over its whole width", arguments: BundledThemes.names, ColorDepth.allCases)
    func selection(name: String, depth: ColorDepth) throws {
        let theme = BundledThemes.theme(name, depth: depth)
        let chosen = theme.style(.selection)
        var state = Self.state()
        Self.type("madeup m", into: &state)
        let canvas = AppView().canvas(state, theme: theme)
        let lines = canvas.text().split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
        let row = try #require(lines.firstIndex { String($0).contains("Madeup Mitte") })
        let start = try #require(lines[row].firstIndex(of: "M"))
        let end = try #require(lines[row].lastIndex { $0.isLetter })
        for column in start...end {
            let style = canvas[column, row].style
            #expect(style.background == chosen.background && style.foreground == chosen.foreground, "\(column)")
            #expect(style.attributes.contains(.reverse) == chosen.attributes.contains(.reverse), "\(column)")
        }
    }

    @Test("Typed text is searched for at once, even if it contains keys of the map; Enter goes there and shows its kind")
    func goes() throws {
        var state = Self.state()
        Self.type("madeup m", into: &state)
        #expect(Self.text(state).contains("LOOK FOR") && Self.text(state).contains("Madeup Mitte"))
        #expect(state.update(.key(Key(.enter))).isEmpty || state.overlay == nil)
        #expect(state.overlay == nil && state.map.camera.zoom == 16 && Self.text(state).contains("Madeup Mitte ∙ station or stop"))
        let place = try #require(Self.tile.name(of: 0))
        #expect(!place.isEmpty && state.map.camera.center.distanceMeters(to: Self.middle) < 3_000)
    }

    @Test(
        "Points of interest and rivers are found too; Enter goes there and shows their kind",
        arguments: [("museum", "Museum ∙ place", 16.0), ("quiet", "Quiet River ∙ water", 14)])
    func pointsAndWaters(words: String, shown: String, zoom: Double) {
        var state = Self.state()
        Self.type(words, into: &state)
        _ = state.update(.key(Key(.enter)))
        #expect(state.overlay == nil && state.map.camera.zoom == zoom && Self.text(state).contains(shown))
    }

    @Test("The results are in the index's order; arrows select, and the list follows them")
    func choice() {
        var state = Self.state(rows: 12)
        Self.type("o", into: &state)
        for _ in 0..<25 { _ = state.update(.key(Key(.down))) }
        let shown = Self.text(state)
        guard case .search(let search) = state.overlay, let chosen = search.chosen else {
            Issue.record("the search is not open")
            return
        }
        #expect(search.focus == 25 && shown.contains(chosen.name))
        for _ in 0..<40 { _ = state.update(.key(Key(.up))) }
        #expect(Self.text(state).contains("o_"))
        _ = state.update(.key(Key(.backspace)))
        #expect(Self.text(state).contains("Type the name"))
    }

    @Test("The typed text stays above the list; PgDn, PgUp, Home and End select too, and letters are text")
    func pages() throws {
        var state = Self.state(rows: 12)
        Self.type("o", into: &state)
        func search() -> PlaceSearch? { if case .search(let search) = state.overlay { search } else { nil } }
        let count = try #require(search()).found.count
        let shown = Self.text(state)
        #expect(shown.contains("1-2 of \(count)  arrows") && shown.contains("from the map's centre"), "\(shown)")
        for (key, place) in [(Key.Code.pageDown, 1), (.end, count - 1), (.pageUp, count - 2), (.home, 0)] {
            _ = state.update(.key(Key(key)))
            #expect(search()?.focus == place && Self.text(state).contains("o_"), "\(key)")
        }
        Self.type("j", into: &state)
        #expect(Self.text(state).contains("oj_") && !Self.text(state).contains("from the map's centre"))
    }

    @Test("The search never draws over its frame, and shows its text and a result in low terminals", arguments: [3, 8, 9, 10, 11])
    func heights(rows: Int) throws {
        var state = Self.state(rows: rows)
        #expect(Self.text(state).contains("Type the name"))
        Self.type("madeup m", into: &state)
        #expect(Self.text(state).contains("madeup m_") && Self.text(state).contains("Madeup Mitte"), "\(Self.text(state))")
        let text = try #require(OverlayText(state))
        #expect(text.visibleLines(state).count <= text.visibleRows(state.size))
    }

    @Test("The selected result stays in view as more names are read, and in a lower terminal")
    func inView() throws {
        var state = Self.state(host: "tiles.example")
        let middle = state.map.camera.center
        func chosen() -> String? { if case .search(let search) = state.overlay { search.chosen?.name } else { nil } }
        Self.type("o", into: &state)
        for _ in 0..<20 { _ = state.update(.key(Key(.down))) }
        let name = try #require(chosen())
        _ = state.update(.resize(Size(columns: 80, rows: 12)))
        #expect(chosen() == name && Self.text(state).contains(name), "\(Self.text(state))")
        _ = state.update(.names(Self.moreNames(), near: middle))
        #expect(chosen() == name && Self.text(state).contains(name), "\(Self.text(state))")
    }

    /// Returns the names of the test's tile, and a further place that is called O.
    private static func moreNames() -> PlaceIndex {
        var index = PlaceIndex()
        index.add(tile, kinds: Set(NamedPlace.Kind.allCases), near: middle)
        var builder = VectorTileBuilder(id: tile.id)
        builder.addFeature(.city, kind: .point, name: "O", vertices: [(1000, 1000)])
        index.add(builder.finish(), kinds: [.place], near: middle)
        return index
    }

    @Test("The search says so until the names are read; text typed meanwhile is then searched for")
    func reading() {
        var state = Self.state(isRead: false)
        Self.type("strasse", into: &state)
        #expect(Self.text(state).contains("Loading place names"))
        var index = PlaceIndex()
        index.add(Self.tile, kinds: Set(NamedPlace.Kind.allCases), near: Self.middle)
        _ = state.update(.names(index, near: Coordinate(latitude: 1, longitude: 1)))
        #expect(Self.text(state).contains("Loading place names"))
        _ = state.update(.names(index, near: state.map.camera.center))
        Self.type("x", into: &state)
        #expect(Self.text(state).contains("No place near here has this name."))
    }

    @Test("On a map from the network, stored tiles are read at each search, and known names are available meanwhile")
    func network() throws {
        var state = Self.state(host: "tiles.example")
        Self.type("strasse", into: &state)
        #expect(Self.text(state).contains("Mädeup Straße"))
        _ = state.update(.key(Key(.escape)))
        let middle = state.map.camera.center
        #expect(state.update(.key(.character("/"))).contains(.readNames(near: middle)))
        Self.type("o", into: &state)
        for _ in 0..<3 { _ = state.update(.key(Key(.down))) }
        guard case .search(let before) = state.overlay, let chosen = before.chosen else { return #expect(Bool(false), "no search") }
        // A smaller index of names changes nothing. A larger one adds results, and the chosen result stays chosen.
        _ = state.update(.names(PlaceIndex(), near: middle, isComplete: false))
        #expect(Self.text(state).contains(chosen.name))
        _ = state.update(.names(Self.moreNames(), near: middle))
        guard case .search(let after) = state.overlay else { return #expect(Bool(false), "no search") }
        #expect(after.found.first?.name == "O" && after.chosen?.name == chosen.name)
        Self.type("xyz", into: &state)
        #expect(Self.text(state).contains("No such name in the parts of the map loaded so far."))
    }

    @Test("Letters that are keys elsewhere are text here; Esc closes, Ctrl-C quits")
    func keys() {
        var state = Self.state()
        Self.type("q?/", into: &state)
        guard case .search(let search) = state.overlay else {
            Issue.record("the search is not open")
            return
        }
        #expect(search.words == "q?/")
        var other = state
        #expect(other.update(.key(.control("c"))).contains(.quit(code: ExitCodes.success)))
        _ = state.update(.key(Key(.escape)))
        #expect(state.overlay == nil)
        // The names are already complete, so they must not be read again.
        #expect(!state.update(.key(.character("/"))).contains { if case .readNames = $0 { true } else { false } })
    }

    @Test(
        "The trip's own stops are found first, by the words of the panel, with and without a base map",
        arguments: [
            ("mill", "Stop Mill Lane"), ("Northgate", "Drop-off Northgate Station"), ("elm", "Pickup Elm St 12"),
            ("stop", "Stop Mill Lane"),
        ])
    func ownStops(words: String, found: String) throws {
        for hasMap in [false, true] {
            var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24), options: Scenario.options()))
            if hasMap { scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody"))) }
            scenario.press("/")
            if hasMap {
                var builder = VectorTileBuilder(id: Self.tile.id)
                for name in ["Mill", "Northgate", "Elm", "Stop"] { builder.addFeature(.city, kind: .point, name: name, vertices: [(9, 9)]) }
                var index = PlaceIndex()
                index.add(builder.finish(), kinds: [.place], near: Self.middle)
                scenario.send(.names(index, near: scenario.state.map.camera.center))
            }
            var state = scenario.state
            Self.type(words, into: &state)
            guard case .search(let search) = state.overlay else { return #expect(Bool(false), "no search") }
            #expect(search.chosen?.name == found && search.found.count == (hasMap ? 2 : 1), "\(search.found.map(\.name))")
            #expect(Self.text(state).contains("this trip ∙ "))
            _ = state.update(.key(Key(.enter)))
            #expect(Self.text(state).contains("\(found) ∙ this trip"))
        }
    }

    @Test("Without a base map the key says why it does nothing")
    func disabled() {
        var state = AppState(trips: [], options: Scenario.options { $0.mode = .map }, size: Size(columns: 80, rows: 24), now: Date())
        _ = state.update(.key(.character("/")))
        #expect(state.overlay == nil && Self.text(state).contains("no base map to search"))
    }
}
