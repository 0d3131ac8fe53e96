import ConsumerMap
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Help and footer")
struct HelpTests {
    private func scenario(_ columns: Int, _ rows: Int, keys: [OwnKeys] = []) throws -> Scenario {
        let options = Scenario.options { $0.keyMap = KeyMap.standard.with(keys).map }
        return try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows), options: options))
    }

    private func text(_ scenario: Scenario) -> String {
        AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
    }

    @Test("at 40 columns it scrolls, says so, and its last line can be reached")
    func narrow() throws {
        var scenario = try scenario(40, 15)
        scenario.press("?")
        #expect(text(scenario).contains("1-14 of "))
        scenario.press("G")
        #expect(text(scenario).contains("/ finds a key."), "\(text(scenario))")
    }

    @Test("PgDn scrolls by the visible lines but one, Ctrl-D by half of them", arguments: [(40, 15), (80, 24), (120, 20)])
    func paging(columns: Int, rows: Int) throws {
        var scenario = try scenario(columns, rows)
        scenario.press("?")
        let all = try #require(OverlayText(scenario.state))
        let seen = all.visibleRows(scenario.state.size)
        try #require(all.lines.count >= 2 * seen)
        scenario.press("pgdn")
        #expect(scenario.state.scroll == seen - 1)
        scenario.press("pgup ctrl-d")
        #expect(scenario.state.scroll == seen / 2)
        scenario.press("ctrl-u")
        #expect(scenario.state.scroll == 0)
    }

    @Test("/ finds keys by what they do, and Esc goes back step by step")
    func filter() throws {
        var scenario = try scenario(80, 24)
        scenario.press("? / Z o o m")
        #expect(text(scenario).contains("KEYS  /Zoom_"))
        #expect(text(scenario).contains("zoom in, out, fit the route") && !text(scenario).contains("follow the car"))
        scenario.press("q q")
        #expect(text(scenario).contains("No key matches."))
        scenario.press("esc")
        #expect(text(scenario).contains("follow the car") && scenario.state.overlay == .help)
        scenario.press("esc")
        #expect(scenario.state.overlay == nil)
        #expect(!scenario.effects.contains(.quit(code: 0)))
    }

    @Test("of several actions in a line, only those with a key are listed: on the last page, p shows the ride again")
    func lostKeys() throws {
        let options = Scenario.options { $0.keyMap = KeyMap.standard.withRide }
        var scenario = try #require(Scenario.named("complete", size: Size(columns: 40, rows: 15), options: options))
        scenario.press("? / m a r k e r")
        #expect(text(scenario).contains("next marker, open marker") && !text(scenario).contains("previous"), "\(text(scenario))")
    }

    @Test(
        "of several actions in a line, only those that are off are in brackets",
        arguments: [
            ("approaching", ["list of trips (add, remove)", "copy status line (share a link)", "go to the car (to my position)"]),
            ("map", ["zoom in, out (fit the route)", "(list of trips, add, remove)", "(go to the car, to my position)"]),
        ])
    func brackets(name: String, lines: [String]) throws {
        var scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 60)))
        scenario.press("?")
        for line in lines { #expect(text(scenario).contains(line), "\(text(scenario))") }
    }

    @Test("the words of a key that is off have no brackets inside their brackets")
    func noInnerBrackets() throws {
        var scenario = try #require(Scenario.named("complete", size: Size(columns: 30, rows: 90)))
        scenario.press("?")
        let words = text(scenario).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("(pan the map and turn follow off)") && words.contains("(cancel the trip; asks you first)"), "\(words)")
    }

    @Test("footer and help show the configured keys")
    func ownKeys() throws {
        var scenario = try scenario(120, 40, keys: [OwnKeys(.follow, [Key(.function(6))]), OwnKeys(.theme, [])])
        #expect(text(scenario).contains("F6 follow") && !text(scenario).contains("t theme"))
        scenario.press("?")
        #expect(text(scenario).contains("F6               follow the car"))
    }

    @Test("a hint in the footer can be clicked")
    func click() throws {
        var scenario = try scenario(80, 24)
        let footer = try #require(text(scenario).split(separator: "\n", omittingEmptySubsequences: false).last { $0.contains("? help") })
        func click(_ word: String, _ offset: Int = 0) throws {
            let start = try #require(footer.firstRange(of: word))
            let column = footer.distance(from: footer.startIndex, to: start.lowerBound) + offset
            scenario.send(.mouse(MouseEvent(.press(.left), at: Position(column: column, row: 23))))
        }
        let zoom = scenario.state.map.camera.zoom
        try click("+ - zoom", 2)
        #expect(scenario.state.map.camera.zoom < zoom, "the minus was hit")
        try click("follow", 3)
        #expect(text(scenario).contains("Follow"))
        try click("? help")
        #expect(scenario.state.overlay == .help)
        scenario.press("esc")
        scenario.send(.mouse(MouseEvent(.press(.left), at: Position(column: 79, row: 23))))
        #expect(scenario.state.overlay == nil)
    }

    @Test(
        "while a panel takes all keys, the last line shows only keys that work in the panel",
        arguments: [
            ("x", [String]()), ("/", ["Esc close"]), ("/ E l m", ["Enter go there", "Esc close"]), ("? /", ["Enter done", "Esc all keys"]),
        ])
    func panels(keys: String, hints: [String]) throws {
        var scenario = try scenario(80, 24)
        scenario.press(keys)
        #expect(self.hints(scenario) == hints)
    }

    @Test("over a panel, the last line shows no key that scrolls or closes the panel instead", arguments: ["?", "w", "e", "d"])
    func overPanel(keys: String) throws {
        var scenario = try scenario(80, 24)
        #expect(self.hints(scenario).contains("hjkl pan"))
        scenario.press(keys)
        #expect(self.hints(scenario) == ["? help", "f follow", "+ - zoom", "x cancel trip", "q close"])
        scenario.press("esc")
        #expect(self.hints(scenario).contains("hjkl pan"))
        var list = try #require(Scenario.named("several", size: Size(columns: 80, rows: 24)))
        list.press("L \(keys)")
        #expect(self.hints(list) == ["? help", "q close"])
    }

    private func hints(_ scenario: Scenario) -> [String] {
        FooterHints(scenario.state, page: scenario.state.page).fitted(columns: 78).map { "\($0.keys) \($0.word)" }
    }
}
