import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Overlays in every theme")
struct OverlayStyleTests {
    private func canvas(_ keys: String, _ theme: Theme, _ size: Size) throws -> Canvas {
        var scenario = try #require(Scenario.named("approaching", size: size))
        scenario.press(keys)
        try #require(scenario.state.overlay != nil)
        return AppView().canvas(scenario.state, theme: theme)
    }

    @Test(
        "on a theme's background, no text has the terminal's own colour, and all text can be read",
        arguments: BundledThemes.names.flatMap { name in ColorDepth.allCases.map { (name: name, depth: $0) } },
        ["?", "? / z", "x", "d", "w"])
    func readable(look: (name: String, depth: ColorDepth), keys: String) throws {
        let theme = BundledThemes.theme(look.name, depth: look.depth)
        let ground = theme.style(.dialog).background
        guard ground != .default else { return }
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 15)] {
            let canvas = try canvas(keys, theme, size)
            for row in 0..<size.rows {
                for column in 0..<size.columns where canvas[column, row].style.background == ground {
                    let cell = canvas[column, row]
                    guard cell.glyph != .space else { continue }
                    #expect(cell.style.foreground != .default, "\(column) \(row)")
                    guard let contrast = cell.style.foreground.contrast(with: ground) else { continue }
                    #expect(contrast >= 4.5, "\(column) \(row): \(contrast)")
                }
            }
        }
    }

    @Test(
        "the selected line of the list looks selected from end to end",
        arguments: BundledThemes.names.flatMap { name in ColorDepth.allCases.map { (name: name, depth: $0) } })
    func selection(look: (name: String, depth: ColorDepth)) throws {
        let theme = BundledThemes.theme(look.name, depth: look.depth)
        let chosen = theme.style(.selection)
        var scenario = try #require(Scenario.named("several", size: Size(columns: 80, rows: 24)))
        scenario.press("L")
        let canvas = AppView().canvas(scenario.state, theme: theme)
        let lines = canvas.text().split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("▸") })
        for column in 0..<80 {
            let style = canvas[column, row].style
            #expect(style.background == chosen.background && style.foreground == chosen.foreground, "\(column)")
            #expect(style.attributes.contains(.reverse) == chosen.attributes.contains(.reverse), "\(column)")
        }
    }

    @Test(
        "beside a box that covers the panel in part, the panel shows no parts of words", arguments: ["x", "?", "w", "e", "d"],
        [(80, 24), (120, 40), (200, 60), (60, 16), (44, 20)])
    func beside(keys: String, size: (columns: Int, rows: Int)) throws {
        let theme = BundledThemes.theme("harbour-dark", depth: .palette256)
        let ground = theme.style(.dialog).background
        var scenario = try #require(Scenario.named("stopped", size: Size(columns: size.columns, rows: size.rows)))
        scenario.press(keys)
        try #require(scenario.state.overlay != nil)
        let canvas = AppView().canvas(scenario.state, theme: theme)
        let layout = ScreenLayout(scenario.state, page: scenario.state.page)
        guard let separator = layout.separator else { return }
        var isCovered = false
        for row in layout.map.row..<layout.map.endRow {
            let box = (0..<size.columns).filter { canvas[$0, row].style.background == ground }
            guard let last = box.last else { continue }
            // A box that ends to the left of the panel does not change the panel.
            let isPanelWhole = last < separator
            let isEmpty = (separator + 1..<size.columns).allSatisfy { canvas[$0, row].glyph == .space || box.contains($0) }
            isCovered = isCovered || !isPanelWhole
            #expect(isPanelWhole || isEmpty, "\(row)")
        }
        #expect(isCovered == (size.columns < 200))
    }

    @Test("a box hides a name on the map that it covers in part")
    func names() throws {
        let theme = Theme(name: "plain", looks: [:], depth: .none)
        var scenario = try #require(Scenario.named("cancelled", size: Size(columns: 80, rows: 24)))
        let view = AppView()
        func rows() -> [String] {
            view.canvas(scenario.state, theme: theme).text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let row = try #require(rows().firstIndex { $0.hasSuffix("⚑ Northgate Station") })
        scenario.press("?")
        let covered = try #require(rows().dropFirst(row).first)
        let edge = try #require(covered.lastIndex(of: "⢸"), "\(rows())")
        let beside = covered[edge...].filter(\.isLetter)
        #expect(beside.isEmpty, "\(rows())")
    }

    @Test("keys in the help are reversed only if the whole key is", arguments: ["mono", "terminal-16"])
    func reversal(name: String) throws {
        let theme = BundledThemes.theme(name, depth: .ansi16)
        let size = Size(columns: 80, rows: 24)
        let canvas = try canvas("?", theme, size)
        for row in 3..<size.rows - 2 {
            for column in 14..<60 { #expect(!canvas[column, row].style.attributes.contains(.reverse), "\(column) \(row)") }
        }
    }
}
