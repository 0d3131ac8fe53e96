/// A position on a ``DotRaster``, in dots from its top-left corner. x increases to the right, y downwards.
///
/// The dot in column i and row j covers i ..< i + 1 horizontally and j ..< j + 1 vertically. All values are allowed: points that are not
/// finite are not drawn, and coordinates are clamped to ±10¹² dots.
@frozen
public struct DotPoint: Hashable, Sendable {
    /// The distance from the left edge, in dots.
    public var x: Double
    /// The distance from the upper edge, in dots.
    public var y: Double

    /// Creates a position in dots.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The largest coordinate that is drawn exactly.
    static let farthest = 1e12

    /// The point clamped to ±``farthest``; `nil` if it is not finite.
    var bounded: DotPoint? {
        guard x.isFinite, y.isFinite else { return nil }
        let limit = DotPoint.farthest
        return DotPoint(x: min(max(x, -limit), limit), y: min(max(y, -limit), limit))
    }
}

/// The pen of a line: its style, and its priority over other lines.
@frozen
public struct Ink: Hashable, Sendable {
    /// The priority over other inks. A cell shows only the inks with the highest priority in that cell. The ink that was drawn first among
    /// these sets the cell's style.
    public var priority: UInt8
    /// The colours and attributes of the cells through which the line runs.
    public var style: Style
    /// The character that the ASCII painter draws; `nil` for characters that show the direction of the line.
    public var asciiMark: Unicode.Scalar?

    /// Creates an ink. By default, its ASCII characters show the direction of the line.
    @inlinable
    public init(priority: UInt8, style: Style, asciiMark: Unicode.Scalar? = nil) {
        self.priority = priority
        self.style = style
        self.asciiMark = asciiMark
    }
}

/// The texture of an area: a pattern of 8 × 8 dots that repeats.
@frozen
public struct DotTexture: Hashable, Sendable {
    /// The rows of the pattern. Byte r contains row r, with the leftmost dot in the lowest bit.
    public var rows: UInt64

    /// Creates a pattern of eight by eight dots from the bits that ``rows`` describes.
    @inlinable
    public init(rows: UInt64) {
        self.rows = rows
    }

    /// Two dots in 64, far apart, for grass.
    public static let sparse = DotTexture(rows: 0x0000_0010_0000_0001)
    /// Four dots in 64, staggered, for woods.
    public static let dotted = DotTexture(rows: 0x0000_0044_0000_0011)
    /// Short horizontal dashes, staggered, in every fourth row, for water that is not coloured. The dashes distinguish a narrow river
    /// from two lines.
    public static let waves = DotTexture(rows: 0x0000_00cc_0000_0033)

    /// Short horizontal dashes, staggered and far apart, for coloured water.
    public static let ripples = DotTexture(rows: 0x0000_0060_0000_0006)

    /// Whether the pattern has a dot in this column and row. Both are counted from the top-left corner of one copy of the pattern,
    /// which repeats in both directions.
    @inlinable
    public func covers(_ x: Int, _ y: Int) -> Bool {
        let bit = (y & 7) * 8 + (x & 7)
        return rows >> UInt64(truncatingIfNeeded: bit) & 1 != 0
    }
}
