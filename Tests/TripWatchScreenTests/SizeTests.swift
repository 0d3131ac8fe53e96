import Geo
import TerminalCanvas
import Testing
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

@Suite("Screens of every size")
struct SizeTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    /// Draws a state at a size. The canvas must have exactly this size.
    private func draw(_ scenario: Scenario, _ view: AppView, columns: Int, rows: Int) {
        var scenario = scenario
        let size = Size(columns: columns, rows: rows)
        scenario.send(.resize(size))
        let canvas = view.canvas(scenario.state, theme: Self.theme)
        #expect(canvas.size == size)
    }

    @Test("all small sizes can be drawn, in every state", arguments: Scenario.names)
    func small(name: String) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
        let view = AppView()
        for rows in 1...16 {
            // In the state `approaching`, each width is drawn with every second height. In other states, only every seventh width is drawn.
            for columns in stride(from: 1, through: 64, by: name == "approaching" ? 1 : 7) where (rows + columns).isMultiple(of: 2) {
                draw(scenario, view, columns: columns, rows: rows)
            }
        }
    }

    @Test("large sizes can be drawn", arguments: ["approaching", "stopped", "complete", "map"])
    func large(name: String) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
        let view = AppView()
        for (columns, rows) in [(61, 17), (79, 23), (99, 31), (100, 32), (131, 37), (160, 38), (200, 60), (300, 100), (300, 3), (20, 100)] {
            draw(scenario, view, columns: columns, rows: rows)
        }
    }

    @Test("a booking on the map can be drawn at every size", arguments: ["B", "B enter l enter", "B enter l enter enter"])
    func booking(keys: String) throws {
        let options = Scenario.options { $0.booking = .available }
        var scenario = try #require(Scenario.named("map", size: Size(columns: 80, rows: 24), options: options))
        scenario.press(keys)
        let view = AppView()
        for rows in [1, 2, 3, 4, 5, 6, 7, 8, 24] {
            for columns in [1, 2, 19, 20, 21, 40, 80, 130] { draw(scenario, view, columns: columns, rows: rows) }
        }
    }

    @Test("every overlay can be drawn at every size", arguments: ["x", "?", "w", "e", "d"])
    func overlays(key: String) throws {
        for name in ["approaching", "stopped"] {
            var scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
            scenario.press(key)
            #expect(scenario.state.overlay != nil)
            let view = AppView()
            // Each of the two scenarios is drawn at every other one of these sizes, so together they cover all of them.
            for (index, rows) in [1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 15, 24, 60].enumerated() {
                for (place, columns) in [1, 2, 7, 19, 20, 21, 39, 40, 43, 44, 45, 59, 60, 80, 130].enumerated()
                where (index + place).isMultiple(of: 2) == (name == "approaching") {
                    draw(scenario, view, columns: columns, rows: rows)
                }
            }
        }
    }

    @Test(
        "below 20x3, as many whole words as fit are shown, the arrival first",
        arguments: [
            (19, 5, ["6 min  14:13", "on the way", "live 3 s"]), (30, 2, ["6 min  14:13  on the way", "live 3 s"]),
            (80, 1, ["6 min  14:13  on the way  live 3 s"]), (12, 2, ["6 min  14:13", "on the way"]),
            (8, 4, ["6 min", "14:13", "moving", "live 3 s"]),
            (5, 3, ["6 min", "14:13", "3 s"]), (5, 1, ["6 min"]), (4, 1, ["6min"]),
        ])
    func tiny(columns: Int, rows: Int, lines: [String]) throws {
        let scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        let text = AppView().canvas(scenario.state, theme: Self.theme).text().split(separator: "\n").map(String.init)
        #expect(text.prefix(lines.count) == lines[...], "\(text)")
    }

    @Test("no word is cut on the smallest screens, in any state", arguments: Scenario.names)
    func wholeWords(name: String) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 19, rows: 4)))
        let view = AppView()
        for columns in 5..<20 {
            var scenario = scenario
            scenario.send(.resize(Size(columns: columns, rows: 4)))
            let text = view.canvas(scenario.state, theme: Self.theme).text()
            #expect(!text.contains("⋯") && !text.contains("…"), "\(columns): \(text)")
            #expect(columns < 9 || text.contains { $0.isLetter || $0.isNumber }, "\(columns): \(text)")
        }
    }

    @Test("at thirty columns no word is cut either", arguments: Scenario.names)
    func smallCorner(name: String) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 30, rows: 5)))
        let text = AppView().canvas(scenario.state, theme: Self.theme).text()
        #expect(!text.contains("⋯"), "\(text)")
    }

    @Test("the arrival is on every screen that shows a trip")
    func arrivalEverywhere() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        let view = AppView()
        for columns in stride(from: 20, through: 140, by: 6) {
            for rows in stride(from: 3, through: 44, by: 3) {
                scenario.send(.resize(Size(columns: columns, rows: rows)))
                let text = view.canvas(scenario.state, theme: Self.theme).text()
                #expect(text.contains("14:13"), "\(columns)x\(rows)")
                #expect(text.contains("live"), "\(columns)x\(rows)")
            }
        }
    }
}
