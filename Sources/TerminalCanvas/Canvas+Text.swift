extension Canvas {
    /// Returns the characters without their styles, one line per row. Line feeds separate the lines, and blanks at the end of a row are
    /// left out.
    public func text() -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cells.count * 2)
        for row in 0..<size.rows {
            if row > 0 { bytes.append(0x0a) }
            let line = self.row(row)
            let end = line.lastIndex { !$0.glyph.isBlank }.map { $0 + 1 } ?? line.startIndex
            for cell in line[..<end] where cell.width > 0 { cell.glyph.appendUTF8(to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the canvas as text with SGR sequences (ECMA-48 §8.3.117), one line per row. Line feeds separate the lines.
    ///
    /// Each line begins and ends in the terminal's own style, so that each line can be used on its own. Invisible cells at the end of a
    /// row are left out. With `.none`, the text has no sequences.
    public func ansi(colors: ColorDepth) -> String {
        guard colors != .none else { return text() }
        var writer = AnsiWriter(depth: colors)
        writer.bytes.reserveCapacity(cells.count * 4)
        for row in 0..<size.rows {
            if row > 0 { writer.bytes.append(0x0a) }
            let line = self.row(row)
            let end = line.lastIndex { !$0.glyph.isBlank || $0.style.showsOnBlank }.map { $0 + 1 } ?? line.startIndex
            for cell in line[..<end] where cell.width > 0 {
                writer.set(cell.style)
                cell.glyph.appendUTF8(to: &writer.bytes)
            }
            writer.set(.plain)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Style {
    /// Whether a space in this style is visible.
    var showsOnBlank: Bool {
        background != .default || !attributes.isDisjoint(with: [.reverse, .underline])
    }
}

extension Glyph {
    /// Appends the base character and its marks, encoded in UTF-8.
    @inline(__always)
    func appendUTF8(to bytes: inout [UInt8]) {
        if bits < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            return
        }
        Glyph.append(bits & 0x1f_ffff, to: &bytes)
        if bits >> 21 != 0 { Glyph.append(bits >> 21 & 0x1f_ffff, to: &bytes) }
        if bits >> 42 != 0 { Glyph.append(bits >> 42 & 0x1f_ffff, to: &bytes) }
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        func tail(_ shift: UInt64) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value >> shift & 0x3f) }
        switch value {
        case ..<0x80: bytes.append(UInt8(truncatingIfNeeded: value))
        case ..<0x800: bytes += [0xc0 | UInt8(truncatingIfNeeded: value >> 6), tail(0)]
        case ..<0x1_0000:
            bytes.append(0xe0 | UInt8(truncatingIfNeeded: value >> 12))
            bytes.append(tail(6))
            bytes.append(tail(0))
        default: bytes += [0xf0 | UInt8(truncatingIfNeeded: value >> 18), tail(12), tail(6), tail(0)]
        }
    }
}

/// Writes an SGR sequence (ECMA-48 §8.3.117) wherever the style changes.
private struct AnsiWriter {
    let depth: ColorDepth
    var bytes: [UInt8] = []
    private var current = Style.plain
    /// The `current` style with its colours reduced, as it was sent to the terminal.
    private var shown = Style.plain

    init(depth: ColorDepth) {
        self.depth = depth
    }

    mutating func set(_ style: Style) {
        guard style != current else { return }
        current = style
        let wanted = style.reduced(to: depth)
        guard wanted != shown else { return }
        bytes.append(0x1b)
        bytes.append(0x5b)
        if wanted == .plain {
            bytes.append(0x6d)
        } else {
            let resets = !shown.attributes.isSubset(of: wanted.attributes)
            if resets {
                number(0)
                shown = .plain
            }
            attributes(wanted.attributes.subtracting(shown.attributes))
            if wanted.foreground != shown.foreground { color(wanted.foreground, base: 30) }
            if wanted.background != shown.background { color(wanted.background, base: 40) }
            bytes[bytes.count - 1] = 0x6d
        }
        shown = wanted
    }

    /// Writes a parameter and its separator. The final byte of a sequence later replaces the last separator.
    private mutating func number(_ value: Int) {
        if value >= 100 { bytes.append(UInt8(truncatingIfNeeded: 0x30 + value / 100)) }
        if value >= 10 { bytes.append(UInt8(truncatingIfNeeded: 0x30 + value / 10 % 10)) }
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + value % 10))
        bytes.append(0x3b)
    }

    private mutating func attributes(_ set: Attributes) {
        if set.contains(.bold) { number(1) }
        if set.contains(.dim) { number(2) }
        if set.contains(.italic) { number(3) }
        if set.contains(.underline) { number(4) }
        if set.contains(.blink) { number(5) }
        if set.contains(.reverse) { number(7) }
    }

    /// Writes a colour. `base` is 30 for the foreground and 40 for the background.
    private mutating func color(_ color: Color, base: Int) {
        switch color.kind {
        case .default: number(base + 9)
        case .palette(let index) where index < 8: number(base + Int(index))
        case .palette(let index) where index < 16: number(base + 60 + Int(index) - 8)
        case .palette(let index):
            number(base + 8)
            number(5)
            number(Int(index))
        case .rgb(let red, let green, let blue):
            for value in [base + 8, 2, Int(red), Int(green), Int(blue)] { number(value) }
        }
    }
}
