import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

/// Tests of the characters that the screen draws. Characters of East Asian width "ambiguous" take two cells on some terminals, and would
/// break the layout. Characters that common fonts do not have would appear as boxes.
@Suite("The characters of the screen")
struct GlyphTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)
    /// All of these characters exist in DejaVu Sans Mono, and are neutral in the table of East Asian widths.
    private static let signs = Set("▴⬈▸⬊▾⬋◂⬉▵◹▹◿▿◺◃◸◍◌◉▪⚑✚✛✓✗⚠◦∙⋯╎©".unicodeScalars)

    private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || (0x2800...0x28ff).contains(scalar.value) || Self.signs.contains(scalar)
    }

    @Test("of every state and page exist in fonts and are one cell wide everywhere", arguments: Scenario.names)
    func braille(name: String) throws {
        for (columns, rows) in [(80, 24), (40, 15)] {
            let start = try #require(Scenario.named(name, size: Size(columns: columns, rows: rows)))
            for keys in ["", "?", "w", "e", "d", "x", "x tab enter", "s", "y", "r", "n"] {
                var scenario = start
                scenario.press(keys)
                let text = AppView().canvas(scenario.state, theme: Self.theme).text()
                let wrong = Set(text.unicodeScalars.filter { !isAllowed($0) && $0 != "\n" })
                #expect(wrong.isEmpty, "\(name), \(keys): \(wrong)")
            }
        }
    }

    @Test("of a booking on the map do so too", arguments: ["B", "B enter", "B enter l enter", "B enter l enter enter"])
    func booking(keys: String) throws {
        for (columns, rows) in [(80, 24), (40, 15)] {
            let options = Scenario.options { $0.booking = .available }
            var scenario = try #require(Scenario.named("map", size: Size(columns: columns, rows: rows), options: options))
            scenario.press(keys)
            let text = AppView().canvas(scenario.state, theme: Self.theme).text()
            let wrong = Set(text.unicodeScalars.filter { !isAllowed($0) && $0 != "\n" })
            #expect(wrong.isEmpty && text.contains("✛") == scenario.state.isChoosingPlace, "\(keys): \(wrong)\n\(text)")
        }
    }

    @Test("in the program's own words are replaced on other terminals")
    func punctuation() {
        #expect(GlyphTier(.braille).text("a … b – “c” ∙ d") == "a ⋯ b - \"c\" ∙ d")
        #expect(GlyphTier(.braille).text("東京駅 é") == "東京駅 é")
    }
}
