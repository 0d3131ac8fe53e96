/// One cell of the screen, in 16 bytes.
@frozen
public struct Cell: Hashable, Sendable {
    /// The character with its combining marks.
    public var glyph: Glyph
    /// The bits of the style, with the width in the two bits above them.
    @usableFromInline var look: UInt64

    @usableFromInline static var widthShift: UInt64 { 60 }

    /// A blank cell in the terminal's own colours.
    public static let blank = Cell(glyph: .space)

    /// Creates a cell with a glyph. The width is 0, 1 or 2; see ``width``.
    @inlinable
    public init(glyph: Glyph, style: Style = .plain, width: UInt8 = 1) {
        self.glyph = glyph
        look = style.bits | UInt64(width) << Cell.widthShift
    }

    /// Creates a cell with one character. Its width is the width at which terminals show the character.
    @inlinable
    public init(_ scalar: Unicode.Scalar, style: Style = .plain) {
        self.init(glyph: Glyph(scalar), style: style, width: TextWidth.width(of: scalar) == 2 ? 2 : 1)
    }

    /// The colours and attributes of the cell.
    @inlinable
    public var style: Style {
        get { Style(bits: look & Style.mask) }
        set { look = look & ~Style.mask | newValue.bits }
    }

    /// The width in columns: 1 for a narrow character, 2 for the left half of a wide character, or 0 for its right half.
    @inlinable
    public var width: UInt8 {
        get { UInt8(truncatingIfNeeded: look >> Cell.widthShift) }
        set { look = look & Style.mask | UInt64(newValue) << Cell.widthShift }
    }
}
