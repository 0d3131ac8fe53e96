package import TerminalCanvas

/// The symbols and lines that the screen uses with a given painter. Each symbol is one cell wide on every terminal that can show it.
package struct GlyphTier: Hashable {
    package var rule: Unicode.Scalar
    package var separator: Unicode.Scalar
    package var connector: String
    /// The characters of a frame: top left, top, top right, right, bottom right, bottom, bottom left, left.
    package var frame: [Unicode.Scalar]
    package var isASCII: Bool

    package init(_ painter: Painter) {
        isASCII = painter == .ascii
        switch painter {
        case .braille:
            rule = "⠒"
            separator = "╎"
            connector = "⡇"
            frame = ["⡏", "⠉", "⢹", "⢸", "⣸", "⣀", "⣇", "⡇"]
        case .sextant, .halfBlock:
            rule = "─"
            separator = "│"
            connector = "│"
            frame = ["┌", "─", "┐", "│", "┘", "─", "└", "│"]
        case .ascii:
            rule = "-"
            separator = "|"
            connector = "|"
            frame = ["+", "-", "+", "|", "+", "-", "+", "|"]
        }
    }

    // In ASCII, the mark is a plus and not an x, because x marks a failure.
    package var done: String { isASCII ? "+" : "✓" }
    package var now: String { isASCII ? "*" : "▸" }
    package var next: String { isASCII ? "o" : "◦" }
    package var goal: String { isASCII ? "F" : "⚑" }
    /// The separator between a word and its qualifier, with spaces. A hyphen would look like a minus sign.
    package var dot: String { isASCII ? ", " : " ∙ " }
    /// The separator between the parts of a description.
    var slash: String { isASCII ? "/" : "∙" }
    /// The arrow from an old value to a new value.
    var to: String { isASCII ? "->" : "▸" }
    package var warning: String { isASCII ? "!" : "⚠" }
    package var failed: String { isASCII ? "x" : "✗" }
    var car: String { isASCII ? "v" : "▾" }
    package var ellipsis: String { isASCII ? ".." : "⋯" }

    /// Replaces punctuation that is two cells wide on some terminals with similar punctuation that is always one cell wide. With the ASCII
    /// painter, converts the whole text to ASCII.
    package func text(_ text: String) -> String {
        if isASCII { return transliterated(text.replacing(" ∙ ", with: " / ").replacing("▸", with: "->")) }
        guard text.unicodeScalars.contains(where: { Self.narrow[$0] != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(Self.narrow[scalar] ?? scalar) }
        return String(result)
    }

    private static let narrow: [Unicode.Scalar: Unicode.Scalar] = [
        "…": "⋯", "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "·": "∙", "•": "∙",
    ]
}
