/// A position on a ``DotRaster``, in dots from its top left corner; x grows to the right, y downwards.
///
/// The dot in column i and row j covers i ..< i + 1 across and j ..< j + 1 down. Any value is allowed: points that are not finite are not
/// drawn, and coordinates are clamped to ±10¹² dots.
@frozen
public struct DotPoint: Hashable, Sendable {
    /// Dots from the left edge.
    public var x: Double
    /// Dots from the upper edge.
    public var y: Double

    /// A position in dots.
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

/// The pen of a line: the strength of its class, and its look.
@frozen
public struct Ink: Hashable, Sendable {
    /// The strength. A cell belongs to the strongest ink drawn in it. Of equally strong inks, the first decides the cell's style, and all
    /// of them leave their dots.
    public var priority: UInt8
    /// Colours and attributes of the cells in which the line is drawn.
    public var style: Style
    /// The ASCII painter's character; `nil` for characters that follow the direction of the line.
    public var asciiMark: Unicode.Scalar?

    /// A pen; by default its ASCII character follows the direction of the line.
    @inlinable
    public init(priority: UInt8, style: Style, asciiMark: Unicode.Scalar? = nil) {
        self.priority = priority
        self.style = style
        self.asciiMark = asciiMark
    }
}

/// The texture of an area: an 8 × 8 pattern of dots that repeats.
@frozen
public struct DotTexture: Hashable, Sendable {
    /// Row r of the pattern in byte r, the leftmost dot in its lowest bit.
    public var rows: UInt64

    /// A pattern of eight by eight dots, in the order of ``rows``.
    @inlinable
    public init(rows: UInt64) {
        self.rows = rows
    }

    /// Two dots in 64, far apart: grass.
    public static let sparse = DotTexture(rows: 0x0000_0010_0000_0001)
    /// Four dots in 64, staggered: woods.
    public static let dotted = DotTexture(rows: 0x0000_0044_0000_0011)
    /// Short horizontal dashes, staggered, one row in four, for water without a colour. They make a narrow river look different from two
    /// lines.
    public static let waves = DotTexture(rows: 0x0000_00cc_0000_0033)

    /// Short horizontal dashes, staggered, far apart, for water that its colour already distinguishes.
    public static let ripples = DotTexture(rows: 0x0000_0060_0000_0006)

    /// Whether there is a dot in this column and row, counted from any corner of the repeated pattern.
    @inlinable
    public func covers(_ x: Int, _ y: Int) -> Bool {
        let bit = (y & 7) * 8 + (x & 7)
        return rows >> UInt64(truncatingIfNeeded: bit) & 1 != 0
    }
}
