/// A number drawn with digits several rows high, so that it is readable from a distance. A few letters are supported too.
///
/// Each digit or letter is a figure of three by five squares, which takes 3, 4 or 5 rows. With the ASCII painter, or if a
/// character has no figure, the text stays plain and takes one row.
public struct BigText: Sendable {
    /// The height of a digit or letter, in rows. Without Braille, a height of four rows becomes three.
    public enum Height: Int, Sendable, CaseIterable {
        /// Three rows; in Braille, a square is two dots wide and high.
        case three = 3
        /// Four rows; in Braille, a square is three dots wide and high.
        case four = 4
        /// Five rows; in Braille, a square is four dots wide and high.
        case five = 5
    }

    /// The text without control characters. It has at most 64 characters.
    public let text: String
    private let painter: Painter
    /// The width and height of a square, in dots of `painter`; 0 for plain text.
    private let scale: Int
    private let figures: [UInt16]

    /// Prepares the text for drawing. It stays plain, in one row, if a character has no large form or the painter is ASCII.
    public init(_ text: String, height: Height = .three, painter: Painter = .braille) {
        let clean = sanitised(text, maximumLength: 64)
        let found = clean.unicodeScalars.compactMap { BigText.figures[$0] }
        self.text = clean
        if painter == .ascii || found.count != clean.unicodeScalars.count {
            self.painter = painter
            scale = 0
            figures = []
        } else if painter == .braille {
            self.painter = painter
            scale = height.rawValue - 1
            figures = found
        } else {
            self.painter = .halfBlock
            scale = height == .five ? 2 : 1
            figures = found
        }
    }

    /// Whether the text is plain, so that it takes one row.
    public var isPlain: Bool { scale == 0 }

    /// The size of the drawn text, in cells.
    public var size: Size {
        guard !isPlain else { return Size(columns: displayWidth(text), rows: text.isEmpty ? 0 : 1) }
        guard !figures.isEmpty else { return .zero }
        return Size(columns: figures.reduce(-1) { $0 + columns(of: $1) + 1 }, rows: cells(5, painter.dotsPerCell.rows))
    }

    /// Draws the text with its top-left corner at `position`, and returns its width in columns. Cells in which large text has no dots do
    /// not change.
    @discardableResult
    public func draw(into canvas: inout Canvas, at position: Position, style: Style) -> Int {
        guard !isPlain else { return canvas.write(text, column: position.column, row: position.row, style: style) }
        var raster = DotRaster(size: size, painter: painter)
        let ink = Ink(priority: 0, style: style)
        var left = 0
        for figure in figures {
            plot(figure, left: left * painter.dotsPerCell.columns, ink: ink, into: &raster)
            left += columns(of: figure) + 1
        }
        raster.paint(into: &canvas, at: position)
        return size.columns
    }

    private func plot(_ figure: UInt16, left: Int, ink: Ink, into raster: inout DotRaster) {
        let narrow = BigText.isNarrow(figure)
        for row in 0..<5 * scale {
            for column in 0..<(narrow ? 1 : 3) * scale {
                let square = row / scale * 3 + column / scale + (narrow ? 1 : 0)
                guard figure >> UInt16(truncatingIfNeeded: 14 - square) & 1 != 0 else { continue }
                raster.plot(DotPoint(x: Double(left + column), y: Double(row)), ink: ink)
            }
        }
    }

    private func columns(of figure: UInt16) -> Int {
        cells(BigText.isNarrow(figure) ? 1 : 3, painter.dotsPerCell.columns)
    }

    /// Returns the number of cells that cover this number of squares in one direction.
    private func cells(_ squares: Int, _ dotsPerCell: Int) -> Int {
        (squares * scale + dotsPerCell - 1) / dotsPerCell
    }

    /// Whether a figure uses only its middle column of squares.
    private static func isNarrow(_ figure: UInt16) -> Bool {
        figure & 0b101_101_101_101_101 == 0
    }

    /// The figures, each as five rows of three squares. Bit 14 is the square at the top left.
    private static let figures: [Unicode.Scalar: UInt16] = [
        "0": 0b111_101_101_101_111, "1": 0b110_010_010_010_111, "2": 0b111_001_111_100_111, "3": 0b111_001_111_001_111,
        "4": 0b101_101_111_001_001, "5": 0b111_100_111_001_111, "6": 0b111_100_111_101_111, "7": 0b111_001_001_010_010,
        "8": 0b111_101_111_101_111, "9": 0b111_101_111_001_111, ":": 0b000_010_000_010_000, ".": 0b000_000_000_000_010,
        "<": 0b001_010_100_010_001, ">": 0b100_010_001_010_100, "~": 0b000_001_111_100_000, "-": 0b000_000_111_000_000,
        "+": 0b000_010_111_010_000, "H": 0b101_101_111_101_101, "E": 0b111_100_111_100_111, "R": 0b111_101_110_101_101,
        "D": 0b110_101_101_101_110, "N": 0b111_101_101_101_101, "O": 0b111_101_101_101_111, "W": 0b101_101_101_111_101,
        "h": 0b100_100_111_101_101, " ": 0b000_000_000_000_000,
    ]
}
