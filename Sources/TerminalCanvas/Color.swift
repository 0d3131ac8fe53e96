/// The colour of a cell: the terminal's own colour, an entry of the terminal's 256-colour palette, or a direct colour.
@frozen
public struct Color: Hashable, Sendable {
    /// The kind in the top byte (0 default, 1 palette, 2 direct). The bytes below contain the index, or red, green and blue.
    @usableFromInline let bits: UInt32

    @inlinable
    init(bits: UInt32) {
        self.bits = bits
    }

    /// The terminal's own colour. It is the default foreground or background, depending on where it is used.
    public static let `default` = Color(bits: 0)

    /// Returns an entry of the terminal's palette, 0 to 255. Users can change entries 0 to 15. Entries 16 to 255 are a fixed cube of
    /// colours and fixed greys.
    @inlinable
    public static func palette(_ index: UInt8) -> Color {
        Color(bits: 0x0100_0000 | UInt32(index))
    }

    /// Returns a direct colour in sRGB.
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
        /// A direct colour: red, green and blue, each 0...255.
        case rgb(UInt8, UInt8, UInt8)
    }

    /// The kind of this colour, with its index or components.
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
