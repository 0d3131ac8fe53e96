/// Text attributes of a cell, such as bold.
@frozen
public struct Attributes: OptionSet, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: UInt8

    /// Creates attributes from bits. Unknown bits are kept and have no effect.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bold: thicker or brighter characters.
    public static let bold = Attributes(rawValue: 1)
    /// Dim: fainter characters.
    public static let dim = Attributes(rawValue: 2)
    /// Underlined characters.
    public static let underline = Attributes(rawValue: 4)
    /// Reverse: foreground and background are swapped.
    public static let reverse = Attributes(rawValue: 8)
    /// Italic: slanted characters.
    public static let italic = Attributes(rawValue: 16)
    /// Blinking characters.
    public static let blink = Attributes(rawValue: 32)
}

/// The colours and attributes of one cell, in 60 bits. A screen has thousands of cells, so a small cell makes drawing faster.
@frozen
public struct Style: Hashable, Sendable {
    /// The colours and attributes: bits 0 to 25 hold the foreground, 26 to 51 the background, 52 to 59 the attributes. The other bits are
    /// 0.
    @usableFromInline var bits: UInt64

    /// A mask for the bits of one colour.
    @usableFromInline static var colorMask: UInt64 { 0x3ff_ffff }
    /// A mask for all bits in use.
    @usableFromInline static var mask: UInt64 { 0x0fff_ffff_ffff_ffff }

    @inlinable
    init(bits: UInt64) {
        self.bits = bits
    }

    /// A style with the terminal's own colours and no attributes.
    public static let plain = Style()

    /// Creates a style; the default is ``plain``.
    @inlinable
    public init(foreground: Color = .default, background: Color = .default, attributes: Attributes = []) {
        bits = UInt64(foreground.bits) | UInt64(background.bits) << 26 | UInt64(attributes.rawValue) << 52
    }

    /// A number below 2^60 that is unique to the style.
    @inlinable
    public var code: UInt64 { bits }

    /// The colour of the characters.
    @inlinable
    public var foreground: Color {
        get { Color(bits: UInt32(truncatingIfNeeded: bits & Style.colorMask)) }
        set { bits = bits & ~Style.colorMask | UInt64(newValue.bits) }
    }

    /// The colour behind the characters.
    @inlinable
    public var background: Color {
        get { Color(bits: UInt32(truncatingIfNeeded: bits >> 26 & Style.colorMask)) }
        set { bits = bits & ~(Style.colorMask << 26) | UInt64(newValue.bits) << 26 }
    }

    /// The text attributes, such as bold.
    @inlinable
    public var attributes: Attributes {
        get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52)) }
        set { bits = bits & ~(0xff << 52) | UInt64(newValue.rawValue) << 52 }
    }
}
