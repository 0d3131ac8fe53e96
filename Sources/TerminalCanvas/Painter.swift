/// The characters with which a ``DotRaster`` is drawn.
@frozen
public enum Painter: String, Sendable, CaseIterable {
    /// Braille patterns, with 2 × 4 dots per cell.
    case braille
    /// Sextants of Unicode 13, with 2 × 3 dots per cell.
    case sextant
    /// Half blocks, with 1 × 2 dots per cell.
    case halfBlock = "half"
    /// ASCII characters, with one dot per cell.
    case ascii

    /// The number of columns and rows of dots in one cell.
    @inlinable
    public var dotsPerCell: (columns: Int, rows: Int) {
        switch self {
        case .braille: (2, 4)
        case .sextant: (2, 3)
        case .halfBlock: (1, 2)
        case .ascii: (1, 1)
        }
    }
}
