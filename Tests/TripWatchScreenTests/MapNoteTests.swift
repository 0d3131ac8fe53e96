import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Notes about a map from the network")
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

    @Test("the map is loading until everything in view is there; a map from a file has no note")
    func loading() throws {
        var state = state()
        #expect(state.mapNote == "map: loading")
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "somebody")))
        #expect(state.mapNote == "map: loading")
        for id in state.loadingTiles { _ = state.update(.tile(id, .empty(id))) }
        #expect(state.mapNote == nil)
        // No tile in view is missing, so the note appears only when the view changes.
        _ = state.update(trouble(.offline))
        #expect(state.mapNote == nil)
        _ = state.update(.key(Key(.character("+"))))
        #expect(!state.loadingTiles.isEmpty && state.mapNote == "map: offline")
        _ = state.update(.key(Key(.character("b"))))
        #expect(state.mapNote == nil)
        #expect(self.state(host: nil).mapNote == nil)
    }

    @Test(
        "each fault has its words",
        arguments: [
            (TileTrouble.Kind.refused(403), "map: server refuses (403)"), (.failed(500), "map: server error (500)"),
            (.busy(429), "map: server is busy (429)"), (.noRanges, "map: no HTTP ranges"),
            (.notATileServer, "map: not a tile server"),
            (.offline, "map: offline"), (.certificate, "map: bad certificate"),
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

    @Test("the time offline is shown from the first minute on, and the screen wakes for it")
    func since() throws {
        var state = state()
        _ = state.update(trouble(.offline))
        let next = try #require(state.nextChange(stepSeconds: 1))
        #expect(abs(next.timeIntervalSince(Self.start) - 60) < 0.1)
        _ = state.update(.tick(Self.start.addingTimeInterval(59), nil))
        #expect(state.mapNote == "map: offline")
        _ = state.update(.tick(Self.start.addingTimeInterval(61), nil))
        #expect(state.mapNote == "map: offline for 1 min")
        // A second failure of the same kind must not reset the duration of the outage.
        _ = state.update(trouble(.offline))
        _ = state.update(.tick(Self.start.addingTimeInterval(125), nil))
        #expect(state.mapNote == "map: offline for 2 min")
    }

    @Test("at the poles, where the map shows nothing, it says where it ends", arguments: [(80, 24), (40, 12)])
    func poles(columns: Int, rows: Int) throws {
        for (latitude, isSaid) in [(89.97, true), (-89.99, true), (84, false)] {
            var scenario = try #require(Scenario(size: Size(columns: columns, rows: rows)))
            scenario.answer("14:01:55") { name, _ in
                var trip = MadeUpTrip.new(name)
                trip.pickupPoint = Coordinate(latitude: latitude, longitude: 10)
                return trip
            }
            let text = AppView().canvas(scenario.state, theme: Self.dark).text()
            #expect(text.contains("map: ends at latitude 85") == isSaid, "\(text)")
        }
    }

    @Test("d shows the host and the last error, and r asks now; a map from a file has neither")
    func keys() {
        var state = state()
        _ = state.update(trouble(.refused(403)))
        _ = state.update(.key(Key(.character("d"))))
        let text = OverlayText(state)?.lines.map { $0.left + " " + $0.middle } ?? []
        #expect(text == ["tiles tiles.example: it answered with HTTP 403"])
        // A remark is shown only if there is no failure to show.
        let remark = "tiles.example: it answered with a web page; a tile is missing"
        _ = state.update(.mapRemark(remark))
        #expect(state.mapDetail == "tiles.example: it answered with HTTP 403")
        _ = state.update(.mapTrouble(nil))
        #expect(state.mapDetail == remark)
        _ = state.update(.key(Key(.character("d"))))
        #expect(state.update(.key(Key(.character("r")))).contains(.askMap))
        #expect(self.state(host: nil).disabledReason(.refresh) != nil && self.state(host: nil).disabledReason(.details) != nil)
    }

    @Test("the details say where the map ends and is enlarged, also for a file, and nothing where the view is complete")
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
        // The details also mention the enlargement if the map has no tiles of zoom 14 at all.
        _ = state.update(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...9, attribution: "somebody")))
        for id in state.loadingTiles { _ = state.update(.tile(id, .empty(id))) }
        #expect(state.enlargementDetail == "9, enlarged: the map has no tiles of zoom 14 here")
    }

    private func asked(_ columns: Int, _ rows: Int = 24) -> AppState {
        var options = AppOptions()
        (options.mode, options.asksForMap) = (.map, true)
        return AppState(trips: [], options: options, size: Size(columns: columns, rows: rows), now: Self.start)
    }

    private static let ask = "Load a street map from OpenStreetMap? Its server sees the area you view."
    private static let keys = "y now  A always  N never  Esc not now"
    private static let dark = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    private func lines(_ state: AppState) -> [String] {
        AppView().canvas(state, theme: Self.dark).text().split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0.trimmingPrefix(" "))
        }
    }

    private func isAnswer(_ effect: AppEffect) -> Bool { if case .answerMap = effect { true } else { false } }

    @Test(
        "the question stays until it is answered: y, A and N belong to it, Esc means not now, other keys still work",
        arguments: [("y", [AppEffect.answerMap(.once)]), ("A", [.answerMap(.always)]), ("N", [.answerMap(.never)]), ("esc", [])])
    func consent(key: String, effects: [AppEffect]) throws {
        var state = asked(80)
        #expect(lines(state).contains(Self.ask) && lines(state).contains(Self.keys))
        for other in ["u", "a", "n"] {
            let answers = state.update(.key(try #require(Key(other)))).filter(isAnswer)
            #expect(answers.isEmpty && state.asksForMap)
        }
        // Now a notice covers the question. When the notice ends, the question appears again.
        let notice = try #require(state.notice)
        #expect(!lines(state).contains(Self.ask) && state.update(.noticeEnded(notice.number)).filter(isAnswer).isEmpty)
        #expect(lines(state).contains(Self.ask))
        let answers = state.update(.key(try #require(Key(key)))).filter(isAnswer)
        #expect(answers == effects && !state.asksForMap && !lines(state).contains(Self.ask))
        #expect(state.update(.key(Key(.character("y")))).filter(isAnswer).isEmpty)
        _ = state.update(.mapAllowed(host: "tiles.example"))
        #expect(state.mapNote == "map: loading")
    }

    @Test("after 20 s the question disappears as if answered by \"not now\", and b asks again")
    func goes() throws {
        var state = asked(120)
        let seconds = state.update(.resize(Size(columns: 120, rows: 30))).compactMap {
            if case .endMapQuestion(let seconds) = $0 { seconds } else { nil }
        }
        #expect(seconds == [20] && lines(state).contains("\(Self.ask)  \(Self.keys)"))
        #expect(state.update(.mapQuestionEnded).filter(isAnswer).isEmpty && !state.asksForMap)
        let again = state.update(.key(Key(.character("b"))))
        #expect(
            state.isAskingForMap && again.contains(.endMapQuestion(afterSeconds: 20)) && lines(state).contains("\(Self.ask)  \(Self.keys)"))
        _ = state.update(.key(Key(.character("N"))))
        _ = state.update(.key(Key(.character("b"))))
        #expect(!state.asksForMap)
    }

    @Test(
        "the question is asked only if a map is drawn, and covers nothing but rules, hints and the map",
        arguments: ["approaching", "offline", "stopped"],
        [(120, 40), (100, 32), (80, 24), (60, 16), (59, 22), (40, 15), (40, 10), (30, 5), (20, 3), (10, 2)])
    func facts(scenario: String, size: (columns: Int, rows: Int)) throws {
        func state(asks: Bool) throws -> AppState {
            let options = Scenario.options { $0.asksForMap = asks }
            var state = try #require(
                Scenario.named(scenario, size: Size(columns: size.columns, rows: size.rows), options: options)
            ).state
            if let notice = state.notice { _ = state.update(.noticeEnded(notice.number)) }
            return state
        }
        let (asking, silent) = (try state(asks: true), try state(asks: false))
        let isDrawn = !ScreenLayout(asking, page: asking.page).map.isEmpty
        #expect(asking.isAskingForMap == isDrawn)
        let layout = ScreenLayout(silent, page: silent.page)
        func rows(_ state: AppState) -> [Substring] {
            AppView().canvas(state, theme: Self.dark).text().split(separator: "\n", omittingEmptySubsequences: false)
        }
        let (with, without) = (rows(asking), rows(silent))
        #expect(isDrawn == with.contains { $0.contains("Load a street map") }, "\(with)")
        for row in with.indices where with[row] != without[row] {
            let isMap = layout.map.contains(Position(column: 0, row: row))
            #expect(isMap || layout.rules.contains(row) || row == layout.footer.row, "\(row): \(without[row])")
            let panels = [with, without].map { $0[row].dropFirst(layout.map.columns) }
            #expect(!isMap || panels.first == panels.last, "\(panels)")
        }
    }

    @Test("while nothing is on the map, the question is not asked, and b says why", arguments: ["connecting", "no-such-trip"])
    func nothingOnMap(name: String) throws {
        let options = Scenario.options { $0.asksForMap = true }
        var scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24), options: options))
        #expect(!scenario.state.isAskingForMap && scenario.state.asksForMap)
        #expect(!scenario.effects.contains { if case .endMapQuestion = $0 { true } else { false } })
        scenario.press("b")
        let notice = try #require(scenario.state.notice)
        #expect(!scenario.state.isAskingForMap && notice.text == "There is nothing on the map yet.")
        scenario.send(.noticeEnded(notice.number))
        scenario.answer("14:02:05", { name, _ in MadeUpTrip.new(name) })
        #expect(scenario.state.isAskingForMap)
        #expect(scenario.effects.contains { if case .endMapQuestion = $0 { true } else { false } })
    }

    @Test("the question is asked about a shipment only once its place or its vehicle is shared")
    func shipment() throws {
        let options = Scenario.options { $0.asksForMap = true }
        let name = try #require(Scenario.parcel)
        var state = AppState(trips: [], shipments: [name], options: options, size: Size(columns: 80, rows: 24), now: Self.start)
        for (place, isAsked) in [(nil, false), (MadeUpTrip.pickup, true)] as [(Coordinate?, Bool)] {
            let answer = TaskTrackingInfo(name: name, state: .open, plannedLocation: place)
            let changed = ShipmentFields(from: state.shipment?.tracker.shipment, to: answer)
            let update = ShipmentUpdate(name: name, time: Self.start, kind: .shipment(answer, changed: changed))
            _ = state.update(.shipment(update, intervalSeconds: 5))
            #expect(state.isAskingForMap == isAsked)
        }
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

    @Test("over an open overlay, the keys belong to the overlay")
    func overlay() {
        var state = asked(80)
        _ = state.update(.key(Key(.character("?"))))
        let effects = state.update(.key(Key(.character("y"))))
        #expect(state.asksForMap && effects.allSatisfy { if case .answerMap = $0 { false } else { true } })
        _ = state.update(.key(Key(.escape)))
        #expect(state.overlay == nil && state.asksForMap)
    }

    @Test("the question is not asked over the list: there, a adds a trip")
    func list() throws {
        let options = Scenario.options { ($0.asksForMap, $0.addsTrips) = (true, true) }
        var scenario = try #require(Scenario.named("several", size: Size(columns: 80, rows: 24), options: options))
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        func asks() -> Bool { AppView().canvas(scenario.state, theme: theme).text().contains("Load a street map from OpenStreetMap?") }
        #expect(asks())
        scenario.press("L")
        #expect(!asks() && scenario.state.asksForMap)
        scenario.press("a")
        #expect(scenario.state.list?.typed != nil && scenario.state.asksForMap)
        #expect(!scenario.effects.contains { if case .answerMap = $0 { true } else { false } })
        scenario.press("esc esc")
        #expect(asks())
    }

    @Test(
        "a narrow screen shows the question in two rows", arguments: [(110, 24), (77, 24), (60, 16), (50, 12), (40, 10), (24, 5), (20, 3)])
    func narrow(columns: Int, rows: Int) {
        let text = lines(asked(columns, rows))
        let (ask, keys) =
            switch columns {
            case 74...: (Self.ask, Self.keys)
            case 60...: ("Load a street map from OpenStreetMap? Its server sees the", "area you view.  \(Self.keys)")
            case 48...: ("Load a street map from OpenStreetMap?", Self.keys)
            case 24...: ("Load a street map?", "y now  A always  N never")
            default: ("Load a street map?", "y  A always  N never")
            }
        #expect(text.contains(ask) && text.contains(keys), "\(text)")
        #expect(text.firstIndex(of: ask).map { $0 + 1 } == text.firstIndex(of: keys), "\(text)")
        #expect(MapWords.question(columns: 47, mapColumns: 47) == ["Load a street map?  y now  A always  N never"])
    }

    @Test("beside a panel, the first line fits the map, and the second one has the warning")
    func besidePanel() {
        let (ask, warning) = ("Load a street map from OpenStreetMap?", "Its server sees the area you view.")
        #expect(MapWords.question(columns: 80, mapColumns: 52) == [ask, "\(warning)  \(Self.keys)"])
        #expect(MapWords.question(columns: 60, mapColumns: 32) == ["Load a street map?", "\(warning)  y now  A always  N never"])
    }
}
