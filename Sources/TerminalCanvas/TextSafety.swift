/// Rules for characters that are never sent to the screen.
enum TextSafety {
    /// Whether a character must not be sent to a terminal, because it moves the cursor, changes the direction of text, joins or selects
    /// glyphs, or is invisible. The harmful characters are the Unicode category Cc, most of Cf, the line and paragraph separators, U+034F,
    /// variation selectors, tags and noncharacters.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7f..<0xa0).contains(value) || value == 0xad }
        switch value {
        case 0x034f, 0x061c, 0x180b...0x180f, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f: return true
        case 0xfe00...0xfe0f, 0xfeff, 0xfff9...0xfffb, 0xfdd0...0xfdef: return true
        case 0x1bca0...0x1bca3, 0x1d173...0x1d17a, 0xe0000...0xe0fff: return true
        default: return value & 0xfffe == 0xfffe
        }
    }

    /// Whether a text has only printable ASCII characters, as most drawn texts do. Such a text contains nothing harmful, and each byte
    /// takes one cell.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] >= 0x20, bytes[index] < 0x7f else { return false }
                index += 1
            }
            return true
        } ?? false
    }

    /// Whether a character is a line break or a tab. A space replaces such characters.
    static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0d, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
