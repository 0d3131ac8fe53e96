/// The width of characters in cells, according to Unicode 15.0. Marks, emoji modifiers, control and formatting characters, line and
/// paragraph separators, and the conjoining vowels and final consonants of Hangul take no cell. Other characters of East Asian Width W and
/// F take two cells. All others take one cell, including those of ambiguous width.
public enum TextWidth {
    /// Returns the width of a character: 0, 1 or 2 cells. Control characters have width 0, because they are never drawn.
    @inlinable
    public static func width(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value >= 0x20 && value < 0x7f || value >= 0x2800 && value < 0x2900 { return 1 }
        return tabulated(value)
    }

    @usableFromInline
    static func tabulated(_ value: UInt32) -> Int {
        if value < 0x300 { return value < 0x20 || (0x7f..<0xa0).contains(value) || value == 0xad ? 0 : 1 }
        if contains(zeroWidthRanges, value) { return 0 }
        return value >= 0x1100 && contains(wideRanges, value) ? 2 : 1
    }

    /// Whether a value lies in one of the ranges. The ranges are given as pairs of first and last values, in ascending order.
    private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if value > ranges[2 * middle + 1] {
                low = middle + 1
            } else if value < ranges[2 * middle] {
                high = middle
            } else {
                return true
            }
        }
        return false
    }
}

/// Returns the width of a text in cells: the sum over its characters. Characters that are never drawn have width 0.
public func displayWidth(_ text: String) -> Int {
    if TextSafety.isPlain(text) { return text.utf8.count }
    var total = 0
    for scalar in text.unicodeScalars where !TextSafety.isHarmful(scalar) {
        total += TextWidth.width(of: scalar)
    }
    return total
}
