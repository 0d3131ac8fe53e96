/// One colour of a cell: the terminal's own, an entry of its 256-colour palette, or a direct colour.
@frozen
public struct Color: Hashable, Sendable {
    /// Kind in the top byte (0 default, 1 palette, 2 direct), payload below it: the index, or red, green, blue.
    @usableFromInline let bits: UInt32

    @inlinable
    init(bits: UInt32) {
        self.bits = bits
    }

    /// The terminal's own foreground or background, depending on the use.
    public static let `default` = Color(bits: 0)

    /// Entry 0 to 255 of the terminal's palette. Users may change 0 to 15; 16 to 255 are the fixed cube and greys.
    @inlinable
    public static func palette(_ index: UInt8) -> Color {
        Color(bits: 0x0100_0000 | UInt32(index))
    }

    /// A direct colour in sRGB.
    @inlinable
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(bits: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The kinds of colours.
    @frozen
    public enum Kind: Hashable, Sendable {
        /// The terminal's own colour.
        case `default`
        /// An entry of the palette of 256 colours.
        case palette(UInt8)
        /// Red, green and blue, each 0...255.
        case rgb(UInt8, UInt8, UInt8)
    }

    /// The kind of this colour, with its values.
    @inlinable
    public var kind: Kind {
        switch bits >> 24 {
        case 1: .palette(UInt8(truncatingIfNeeded: bits))
        case 2: .rgb(UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits))
        default: .default
        }
    }
}

/// The colours that a terminal can show.
public enum ColorDepth: String, Sendable, CaseIterable {
    /// No colours.
    case none
    /// The eight colours of ECMA-48, palette entries 0 to 7.
    case ansi8
    /// The eight colours and their bright forms, palette entries 0 to 15.
    case ansi16
    /// The 256-colour palette of xterm.
    case palette256
    /// Any 24-bit colour.
    case direct
}
