import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The word in the corner")
struct CornerTests {
    private static let states = ["approaching", "offline", "stopped"]

    /// Returns the styles of the letters in the corner of the map, and the style of the line on which they are drawn.
    private func styles(_ name: String, _ theme: Theme) throws -> (letters: Set<Style>, bar: Style) {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
        let canvas = AppView().canvas(scenario.state, theme: theme)
        let row = Array(canvas.text().split(separator: "\n", omittingEmptySubsequences: false)[0])
        let end = try #require(row.lastIndex { $0.isLetter || $0.isNumber })
        // The clock is the last word of the row. Two spaces separate the words before it from the title.
        let clock = try #require(row[...end].lastIndex(of: " "))
        let last = try #require(row[..<clock].lastIndex { $0 != " " })
        var first = last
        while first > 1, !(row[first - 1] == " " && row[first - 2] == " ") { first -= 1 }
        let letters = (first...last).filter { row[$0] != " " }.map { canvas[$0, 0].style }
        return (Set(letters), canvas[1, 0].style)
    }

    @Test(
        "can be read in every theme and colour depth: in the line's colours, or in one that stands out from the background",
        arguments: BundledThemes.names.flatMap { name in ColorDepth.allCases.map { (name: name, depth: $0) } }, states)
    func readable(look: (name: String, depth: ColorDepth), state: String) throws {
        let (letters, bar) = try styles(state, BundledThemes.theme(look.name, depth: look.depth))
        let style = try #require(letters.first)
        #expect(letters.count == 1)
        if style.background == bar.background, style.foreground == bar.foreground { return }
        if let contrast = style.foreground.contrast(with: style.background) {
            #expect(contrast >= 4.5)
        } else {
            // The contrast is unknown, because one of the colours is the terminal's own.
            let isPaired = look.name == "harbour" && style.background == bar.background
            #expect(style.foreground == .default || style.background == .default || isPaired, "\(style)")
        }
    }

    @Test(
        "stands out from the line only for a fault, in the themes with high contrast",
        arguments: ["high-contrast", "high-contrast-light"])
    func quiet(name: String) throws {
        for depth in ColorDepth.allCases {
            let theme = BundledThemes.theme(name, depth: depth)
            let (letters, bar) = try styles("approaching", theme)
            #expect(letters.allSatisfy { $0.background == bar.background && $0.foreground == bar.foreground })
            guard depth != .none else { continue }
            #expect(try styles("offline", theme).letters != letters)
        }
    }
}
