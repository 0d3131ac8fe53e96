/// A grid of cells for drawing. It is shown with ncurses, printed as text, or compared in tests.
///
/// Invariant: in each row, every cell of width 2 is followed by a cell of width 0, and no other cell has width 0. If half of a wide
/// character is overwritten, the other half becomes a space in its own style.
@frozen
public struct Canvas: Sendable, Equatable {
    /// The numbers of columns and rows, each 0 to ``largestDimension``.
    public let size: Size
    @usableFromInline var cells: [Cell]

    /// The largest width and height of a canvas. The limit prevents a malicious window size from allocating memory without bound.
    @inlinable public static var largestDimension: Int { 2_000 }

    /// Creates a canvas that is filled with copies of one cell. Each dimension is clamped to 0 ... ``largestDimension``.
    public init(size: Size, fill: Cell = .blank) {
        let columns = min(max(0, size.columns), Canvas.largestDimension)
        let rows = min(max(0, size.rows), Canvas.largestDimension)
        self.size = Size(columns: columns, rows: rows)
        let first = fill.width == 1 ? fill : Cell(glyph: .space, style: fill.style)
        cells = Array(repeating: first, count: columns * rows)
        if fill.width == 2 { self.fill(Rectangle(self.size), with: fill) }
    }

    /// The cell at a position. Outside the canvas, reading returns a blank cell, and writing does nothing. Writing the left half of a wide
    /// character writes both halves; if there is no room for the right half, a space is written.
    @inlinable
    public subscript(column: Int, row: Int) -> Cell {
        get {
            guard column >= 0, column < size.columns, row >= 0, row < size.rows else { return .blank }
            return cells[row &* size.columns &+ column]
        }
        set {
            guard column >= 0, column < size.columns, row >= 0, row < size.rows else { return }
            let index = row &* size.columns &+ column
            if newValue.width == 1 && cells[index].width == 1 {
                cells[index] = newValue
            } else {
                storeWide(newValue, column: column, index: index)
            }
        }
    }

    /// Stores a cell in the case that the new cell or the old one is half of a wide character. `column` and `index` must lie inside the
    /// canvas.
    @usableFromInline
    mutating func storeWide(_ cell: Cell, column: Int, index: Int) {
        switch cell.width {
        case 0:
            if cells[index].width == 0 {
                cells[index].style = cell.style
            } else {
                release(column: column, index: index)
                cells[index] = Cell(glyph: .space, style: cell.style)
            }
        case 2 where column + 1 < size.columns:
            release(column: column, index: index)
            release(column: column + 1, index: index + 1)
            cells[index] = cell
            cells[index + 1] = Cell(glyph: .space, style: cell.style, width: 0)
        case 2:
            release(column: column, index: index)
            cells[index] = Cell(glyph: .space, style: cell.style)
        default:
            release(column: column, index: index)
            cells[index] = Cell(glyph: cell.glyph, style: cell.style)
        }
    }

    /// If the cell at `index` is half of a wide character, turns both halves into spaces in their own styles.
    mutating func release(column: Int, index: Int) {
        switch cells[index].width {
        case 0:
            if column > 0 { makeBlank(index - 1) }
            makeBlank(index)
        case 2:
            makeBlank(index)
            if column + 1 < size.columns { makeBlank(index + 1) }
        default: break
        }
    }

    mutating func makeBlank(_ index: Int) {
        cells[index].glyph = .space
        cells[index].width = 1
    }

    /// Calls `body` with all cells, row by row from the top left, for backends that read the whole canvas.
    @inlinable
    public func withCells<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<Cell>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try cells.withUnsafeBufferPointer(body)
    }

    /// Returns the cells of one row from left to right; empty outside the canvas.
    @inlinable
    public func row(_ row: Int) -> ArraySlice<Cell> {
        guard row >= 0, row < size.rows else { return [] }
        return cells[row * size.columns..<(row + 1) * size.columns]
    }
}
