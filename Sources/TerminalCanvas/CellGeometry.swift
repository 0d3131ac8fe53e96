/// A size in cells.
@frozen
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// A size of zero columns and zero rows.
    public static let zero = Size(columns: 0, rows: 0)

    /// Creates a size from columns and rows.
    @inlinable
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The position of a cell, counted from 0 at the top left.
@frozen
public struct Position: Hashable, Sendable {
    /// The number of columns to the left of the cell.
    public var column: Int
    /// The number of rows above the cell.
    public var row: Int

    /// The position at the top left.
    public static let zero = Position(column: 0, row: 0)

    /// Creates a position from a column and a row.
    @inlinable
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A block of cells. All operations are safe for all values: negative sizes count as zero, and sums do not overflow.
@frozen
public struct Rectangle: Hashable, Sendable {
    /// The first column.
    public var column: Int
    /// The first row.
    public var row: Int
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// An empty block at the top left.
    public static let zero = Rectangle(column: 0, row: 0, columns: 0, rows: 0)

    /// Creates a block from its first cell and its size.
    @inlinable
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = columns
        self.rows = rows
    }

    /// Creates a block of this size at the top left.
    @inlinable
    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    /// The position of the block's first cell.
    public var origin: Position { Position(column: column, row: row) }
    /// The block's size, never below zero.
    public var size: Size { Size(columns: max(0, columns), rows: max(0, rows)) }
    /// Whether the block has no cells.
    public var isEmpty: Bool { columns <= 0 || rows <= 0 }

    /// The first column to the right of the block.
    public var endColumn: Int { saturatingSum(column, max(0, columns)) }
    /// The first row below the block.
    public var endRow: Int { saturatingSum(row, max(0, rows)) }

    /// Whether a cell lies in the block.
    public func contains(_ position: Position) -> Bool {
        position.column >= column && position.column < endColumn && position.row >= row && position.row < endRow
    }

    /// Returns the overlap of the two blocks; empty if they do not overlap.
    public func intersection(_ other: Rectangle) -> Rectangle {
        let left = max(column, other.column)
        let top = max(row, other.row)
        let columns = min(endColumn, other.endColumn).subtractingReportingOverflow(left)
        let rows = min(endRow, other.endRow).subtractingReportingOverflow(top)
        return Rectangle(
            column: left, row: top, columns: columns.overflow ? 0 : max(0, columns.partialValue),
            rows: rows.overflow ? 0 : max(0, rows.partialValue))
    }

    /// Returns the block shrunk by `columns` at both the left and the right, and by `rows` at both the top and the bottom. Its size
    /// is never negative.
    public func inset(columns inColumns: Int = 0, rows inRows: Int = 0) -> Rectangle {
        let across = min(max(0, inColumns), max(0, columns) / 2 + 1)
        let down = min(max(0, inRows), max(0, rows) / 2 + 1)
        return Rectangle(
            column: saturatingSum(column, across), row: saturatingSum(row, down), columns: max(0, max(0, columns) - across - across),
            rows: max(0, max(0, rows) - down - down))
    }

    /// Splits the block into the leftmost `count` columns and the remaining columns.
    public func split(left count: Int) -> (left: Rectangle, rest: Rectangle) {
        let taken = min(max(0, count), max(0, columns))
        var (left, rest) = (self, self)
        left.columns = taken
        rest.column = saturatingSum(column, taken)
        rest.columns = max(0, columns) - taken
        return (left, rest)
    }

    /// Splits the block into the remaining columns and the rightmost `count` columns.
    public func split(right count: Int) -> (rest: Rectangle, right: Rectangle) {
        let whole = max(0, columns)
        let (rest, right) = split(left: whole - min(max(0, count), whole))
        return (rest, right)
    }

    /// Splits the block into the topmost `count` rows and the remaining rows.
    public func split(top count: Int) -> (top: Rectangle, rest: Rectangle) {
        let taken = min(max(0, count), max(0, rows))
        var (top, rest) = (self, self)
        top.rows = taken
        rest.row = saturatingSum(row, taken)
        rest.rows = max(0, rows) - taken
        return (top, rest)
    }

    /// Splits the block into the remaining rows and the lowest `count` rows.
    public func split(bottom count: Int) -> (rest: Rectangle, bottom: Rectangle) {
        let whole = max(0, rows)
        let (rest, bottom) = split(top: whole - min(max(0, count), whole))
        return (rest, bottom)
    }

    /// Returns a block of the given size in the middle of this block, cut to fit into it.
    public func centred(_ size: Size) -> Rectangle {
        let width = min(max(0, size.columns), max(0, columns))
        let height = min(max(0, size.rows), max(0, rows))
        return Rectangle(
            column: saturatingSum(column, (max(0, columns) - width) / 2), row: saturatingSum(row, (max(0, rows) - height) / 2),
            columns: width, rows: height)
    }
}

/// Returns the sum, or the nearest representable value.
func saturatingSum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : sum
}
