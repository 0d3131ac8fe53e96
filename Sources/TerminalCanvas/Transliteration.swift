/// Converts text to ASCII, for terminals without Unicode. Letters lose their marks, and Greek and Cyrillic letters become Latin ones.
/// Typographic symbols and this program's own symbols become the most similar ASCII characters. Line breaks and tabs become spaces. Other
/// characters that must not be sent to a terminal are removed, and so are characters of width 0. All remaining characters become `?`. Each
/// letter is converted without regard to the language, which is not known: ä becomes a.
public func transliterated(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        if scalar.value >= 0x20 && scalar.value < 0x7f {
            result.unicodeScalars.append(scalar)
        } else if TextSafety.isHarmful(scalar) {
            if TextSafety.isBreak(scalar) { result.append(" ") }
        } else {
            result += Transliteration.ascii(scalar)
        }
    }
    return result
}

enum Transliteration {
    private static let table: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for (characters, ascii) in groups {
            for scalar in characters.unicodeScalars { table[scalar] = ascii }
        }
        return table
    }()

    /// Returns the replacement for one character; empty for marks.
    static func ascii(_ scalar: Unicode.Scalar) -> String {
        let value = scalar.value
        if value < 0x80 { return String(scalar) }
        if let known = table[scalar] { return known }
        switch value {
        case 0x2800...0x28ff: return String(braille(UInt8(truncatingIfNeeded: value)))
        case 0x1fb00...0x1fb3b: return "#"
        case 0xff01...0xff5e: return Unicode.Scalar(value - 0xfee0).map { String($0) } ?? "?"
        default: return TextWidth.width(of: scalar) == 0 ? "" : "?"
        }
    }

    /// Returns the ASCII character that is most similar to a Braille pattern. Horizontal and vertical rows of dots become lines. For other
    /// patterns, the number of dots decides.
    private static func braille(_ dots: UInt8) -> Unicode.Scalar {
        switch dots {
        case 0: " "
        case 0x09, 0x12, 0x24, 0xc0: "-"
        case 0x47, 0xb8: "|"
        default:
            switch dots.nonzeroBitCount {
            case 1, 2: "."
            case 3: ":"
            default: "#"
            }
        }
    }
}

extension Glyph {
    /// This glyph as a single ASCII character.
    public var ascii: Glyph {
        if bits < 0x7f { return self }
        let text = Transliteration.ascii(base)
        return text.unicodeScalars.first.map { Glyph($0) } ?? .space
    }
}

extension Canvas {
    /// Replaces every character with an ASCII character, for a terminal that cannot show others. A wide character becomes one character and
    /// a space.
    public mutating func reduceToASCII() {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let index = row * size.columns + column
                let cell = cells[index]
                guard !cell.glyph.isSingleScalar || cell.glyph.base.value >= 0x7f || cell.width != 1 else { continue }
                cells[index] = Cell(glyph: cell.width == 0 ? .space : cell.glyph.ascii, style: cell.style)
            }
        }
    }
}
