import TerminalCanvas
import VectorTiles

/// Converts the area samples of cells to colours and characters, for one frame.
struct GroundLook {
    private let background: Color
    /// The colour for each number of an ``AreaPlane``.
    private let colors: [Color]
    private let glyphs: [EdgeGlyph]
    /// Glyphs for cells whose main colour is the terminal's own background.
    private let uprightGlyphs: [EdgeGlyph]

    init(_ pass: MapPass) {
        background = pass.background
        colors = pass.groundColors
        glyphs = EdgeGlyph.table(for: pass.scene.painter)
        uprightGlyphs = EdgeGlyph.uprightTable(for: pass.scene.painter)
    }

    /// Whether the whole cell has the background colour of the map.
    @inline(__always)
    func isPlain(_ samples: UInt64) -> Bool { AreaPlane.isUniform(samples) && colors[Int(samples & 0xff)] == background }

    /// Returns the look of a cell that has areas but no lines.
    func cell(_ samples: UInt64) -> Cell {
        let cell = GroundCell(samples: samples, colors: colors)
        // As a foreground, the terminal's own background colour needs reverse video, which is slow in ncurses. A cell that would need it
        // shows only its main colour.
        if cell.mask == 0 || cell.other == .default { return Cell(glyph: .space, style: Style(background: cell.main)) }
        let table = cell.main == .default ? uprightGlyphs : glyphs
        return table[Int(cell.mask)].cell(inside: cell.other, outside: cell.main)
    }

    /// Returns the background colour of a cell in which a line or a texture is drawn.
    func underLine(_ samples: UInt64) -> Color { GroundCell(samples: samples, colors: colors).underLine }
}

extension MapPass {
    /// The colour for each number of an ``AreaPlane``.
    var groundColors: [Color] {
        var colors = Array(repeating: background, count: 256)
        for mapClass in MapClass.allCases where scene.fills.contains(mapClass) {
            let index = Int(mapClass.sampleNumber)
            if mapClass <= .building {
                colors[index] = style[area: mapClass]?.color ?? background
            } else if let line = style[line: mapClass], line.surfaceMeters > 0 {
                colors[index] = line.surfaceColor
            }
        }
        for (number, color) in overlayFills.enumerated() { colors[Int(FlatFill.firstNumber) + number] = color }
        return colors
    }
}

/// The one or two colours of the areas in a cell.
struct GroundCell {
    /// The colour of most samples of the cell.
    private(set) var main: Color
    /// The colour of the other samples. Samples of a third colour are shown in the colour of the cell's first sample.
    private(set) var other: Color
    /// The samples in the other colour, in reading order from the lowest bit.
    private(set) var mask: UInt8
    /// The background colour behind a line: `main`, but the colour of water if at least ``enoughWater`` samples are water. A narrow river
    /// thus stays visible among streets.
    private(set) var underLine: Color

    /// If a cell has at least this number of water samples, the background behind a line is the colour of water.
    private static let enoughWater = 3

    /// - Parameters:
    ///   - samples: the samples of the cell, as ``AreaPlane/samples(column:row:)`` returns them.
    ///   - colors: the colour for each number of an ``AreaPlane``.
    init(samples: UInt64, colors: [Color]) {
        main = colors[Int(samples & 0xff)]
        other = main
        underLine = main
        mask = 0
        if !AreaPlane.isUniform(samples) { split(samples, colors: colors) }
    }

    private mutating func split(_ samples: UInt64, colors: [Color]) {
        let first = UInt8(truncatingIfNeeded: samples)
        let others = AreaPlane.samples(samples, otherThan: first)
        let second = UInt8(truncatingIfNeeded: samples >> UInt64(8 * others.trailingZeroBitCount))
        var water = (count: 0, color: main)
        if AreaPlane.samples(samples, otherThan: second) == ~others {
            // Most cells with several numbers have exactly two.
            (other, mask) = (colors[Int(second)], colors[Int(second)] == main ? 0 : others)
            if MapClass.isWater(sampleNumber: first) { water = (8 - others.nonzeroBitCount, main) }
            if MapClass.isWater(sampleNumber: second) { water = (water.count + others.nonzeroBitCount, other) }
        } else {
            for bit in 0..<8 {
                let number = UInt8(truncatingIfNeeded: samples >> UInt64(bit * 8))
                let color = colors[Int(number)]
                if MapClass.isWater(sampleNumber: number) { water = (water.count + 1, color) }
                guard color != main, mask == 0 || color == other else { continue }
                other = color
                mask |= 1 << UInt8(bit)
            }
        }
        if mask.nonzeroBitCount > 4 {
            swap(&main, &other)
            mask = ~mask
        }
        underLine = water.count >= Self.enoughWater ? water.color : main
    }
}

extension MapClass {
    /// Whether a number in an ``AreaPlane`` belongs to water.
    @inline(__always)
    fileprivate static func isWater(sampleNumber number: UInt8) -> Bool {
        number == MapClass.water.sampleNumber || number == MapClass.ocean.sampleNumber
    }
}

/// The character that is most similar to a pattern of 2 × 4 samples.
struct EdgeGlyph {
    let scalar: Unicode.Scalar
    /// Whether the foreground is the colour outside the pattern instead of the colour inside.
    let isInverted: Bool

    func cell(inside: Color, outside: Color) -> Cell {
        let style = isInverted ? Style(foreground: outside, background: inside) : Style(foreground: inside, background: outside)
        return Cell(glyph: Glyph(scalar), style: style)
    }

    /// A character for each of the 256 patterns.
    static func table(for painter: Painter) -> [EdgeGlyph] {
        switch painter {
        case .halfBlock: halves
        case .sextant: all
        // Block characters are not used here, because they take two cells on some terminals.
        case .braille, .ascii: braille
        }
    }

    /// A character for each of the 256 patterns; none is inverted.
    static func uprightTable(for painter: Painter) -> [EdgeGlyph] {
        switch painter {
        case .halfBlock: uprightHalves
        case .sextant: uprightAll
        case .braille, .ascii: braille
        }
    }

    /// The available block characters, each with the samples that it covers, in reading order from the lowest bit.
    private static let shapes: [(Unicode.Scalar, UInt8)] = [
        (" ", 0b0000_0000), ("▀", 0b0000_1111), ("▌", 0b0101_0101), ("▘", 0b0000_0101), ("▝", 0b0000_1010), ("▖", 0b0101_0000),
        ("▗", 0b1010_0000), ("▚", 0b1010_0101), ("▂", 0b1100_0000), ("▆", 0b1111_1100),
    ]
    /// The block characters that are the inverses of ▀, ▌ and ▚ in ``shapes``.
    private static let uprightShapes: [(Unicode.Scalar, UInt8)] = [("▄", 0b1111_0000), ("▐", 0b1010_1010), ("▞", 0b0101_1010)]

    /// The table with all block characters.
    static let all = table(of: shapes, inverts: true)
    static let uprightAll = table(of: shapes + uprightShapes, inverts: false)
    /// The table with half blocks only.
    static let halves = table(of: Array(shapes.prefix(3)), inverts: true)
    static let uprightHalves = table(of: Array(shapes.prefix(3) + uprightShapes.prefix(2)), inverts: false)
    /// The table with Braille patterns, which have a dot for every sample.
    static let braille = (0..<256).map { pattern in
        let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        let dots = bits.enumerated().reduce(0) { pattern & 1 << $1.offset == 0 ? $0 : $0 | $1.element }
        return EdgeGlyph(scalar: dots == 0 ? " " : Unicode.Scalar(0x2800 + dots) ?? " ", isInverted: false)
    }

    /// Returns, for each pattern, the character that differs from it in the fewest samples.
    private static func table(of blocks: [(Unicode.Scalar, UInt8)], inverts: Bool) -> [EdgeGlyph] {
        (0..<256).map { pattern in
            var best = EdgeGlyph(scalar: " ", isInverted: false)
            var fewest = 9
            for (scalar, samples) in blocks {
                for isInverted in inverts ? [false, true] : [false] {
                    let shown = isInverted ? ~samples : samples
                    let wrong = (shown ^ UInt8(truncatingIfNeeded: pattern)).nonzeroBitCount
                    if wrong < fewest { (best, fewest) = (EdgeGlyph(scalar: scalar, isInverted: isInverted), wrong) }
                }
            }
            return best
        }
    }
}
