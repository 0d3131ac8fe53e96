/// One place of the screen.
@frozen
public struct Cell: Hashable, Sendable {
    public var glyph: Glyph
    public var style: Style
    /// 1; 2 for the left half of a wide character; 0 for the right half of the wide cell before it.
    public var width: UInt8

    /// An empty place in the terminal's own colours.
    public static let blank = Cell(glyph: .space)

    @inlinable
    public init(glyph: Glyph, style: Style = .plain, width: UInt8 = 1) {
        self.glyph = glyph
        self.style = style
        self.width = width
    }

    /// A cell with one character of the width that terminals give it.
    @inlinable
    public init(_ scalar: Unicode.Scalar, style: Style = .plain) {
        self.init(glyph: Glyph(scalar), style: style, width: TextWidth.width(of: scalar) == 2 ? 2 : 1)
    }
}
