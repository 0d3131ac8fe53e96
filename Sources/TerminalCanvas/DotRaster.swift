/// A grid of dots over the cells of a map or a figure, on which lines and points are drawn.
///
/// A cell belongs to the ink with the highest priority in it. An ink with a lower priority leaves no dots there. An ink with a higher
/// priority removes the dots that are already there. Inks with the same priority share the cell in the style of the first one.
public struct DotRaster: Sendable {
    /// The size in cells.
    public let size: Size
    /// The painter, which turns dots into characters.
    public let painter: Painter
    /// The number of columns of dots.
    public let dotColumns: Int
    /// The number of rows of dots.
    public let dotRows: Int

    /// The memory that one cell takes, in bytes.
    public static let bytesPerCell = MemoryLayout<DotCell>.stride

    var cells: [DotCell]
    var inks = InkTable()

    /// Creates an empty raster. Its size is clamped like a canvas's size.
    public init(size: Size, painter: Painter) {
        let columns = min(max(0, size.columns), Canvas.largestDimension)
        let rows = min(max(0, size.rows), Canvas.largestDimension)
        self.size = Size(columns: columns, rows: rows)
        self.painter = painter
        dotColumns = columns * painter.dotsPerCell.columns
        dotRows = rows * painter.dotsPerCell.rows
        cells = Array(repeating: DotCell(), count: columns * rows)
    }

    /// Removes all dots. The memory is kept for the next frame.
    public mutating func clear() { prepare(size, painter: painter) }

    /// Removes all dots, and sets the size and the painter. If neither changes, the memory is reused.
    public mutating func prepare(_ size: Size, painter: Painter) {
        guard size == self.size && painter == self.painter else {
            self = DotRaster(size: size, painter: painter)
            return
        }
        for index in cells.indices { cells[index] = DotCell() }
        inks = InkTable()
    }

    private func index(_ column: Int, _ row: Int) -> Int? {
        guard column >= 0, column < size.columns, row >= 0, row < size.rows else { return nil }
        return row * size.columns + column
    }

    /// Returns the priority of a cell's ink, or the priority with which the cell is reserved; `nil` for a cell with neither.
    public func priority(column: Int, row: Int) -> UInt8? {
        guard let index = index(column, row), cells[index].rank > 0 else { return nil }
        return UInt8(truncatingIfNeeded: cells[index].rank - 1)
    }

    /// Whether a cell belongs to an ink of at least this priority, or is reserved with at least this priority.
    public func isTaken(column: Int, row: Int, from priority: UInt8) -> Bool {
        self.priority(column: column, row: row).map { $0 >= priority } ?? false
    }

    /// Whether a dot is set, given its column and row in dots. With the ASCII painter: whether anything is drawn in the cell.
    public func isSet(x: Int, y: Int) -> Bool {
        guard x >= 0, x < dotColumns, y >= 0, y < dotRows else { return false }
        let grid = DotGrid(painter: painter, columns: size.columns)
        let (index, bit) = grid.locate(x, y)
        return cells[index].dots & (painter == .ascii ? 0xff : bit) != 0
    }

    /// Reserves a cell for a character that is drawn later, such as a marker. Inks with a lower priority lose their dots in the cell, and
    /// cannot draw new dots there.
    public mutating func reserve(column: Int, row: Int, priority: UInt8) {
        guard let index = index(column, row), UInt16(priority) + 1 > cells[index].rank else { return }
        cells[index] = DotCell(rank: UInt16(priority) + 1)
    }
}

/// The dots of one cell.
struct DotCell: Sendable {
    /// The priority of the cell's ink or reservation, plus 1; 0 if the cell has neither.
    var rank: UInt16 = 0
    /// The index of the cell's ink in the ``InkTable``.
    var ink: UInt16 = 0
    /// The dots, one bit each, in the painter's order. For the ASCII painter, the bits are directions of lines.
    var dots: UInt8 = 0
}

/// The inks that were used since the raster was cleared.
struct InkTable: Sendable {
    private(set) var inks: [Ink] = []
    private var numbers: [Ink: UInt16] = [:]
    private var last: UInt16 = 0

    /// Returns the index of an ink. After 65,535 different inks, all further inks get the last index.
    mutating func number(of ink: Ink) -> UInt16 {
        if Int(last) < inks.count, inks[Int(last)] == ink { return last }
        if let known = numbers[ink] {
            last = known
        } else {
            if inks.count < Int(UInt16.max) { inks.append(ink) }
            last = UInt16(truncatingIfNeeded: inks.count - 1)
            numbers[ink] = last
        }
        return last
    }

    subscript(number: UInt16) -> Ink? {
        Int(number) < inks.count ? inks[Int(number)] : nil
    }
}
