/// Finds the cell of a dot, and the dot's bit in that cell. The code has no branches, because it runs once per dot.
struct DotGrid {
    private let columns: Int
    private let columnShift: Int
    private let dotsDown: Int
    /// 2¹⁶ divided by the number of dot rows in a cell, rounded up. Multiplying by this factor replaces a division. The result is
    /// exact for rows below 32,768.
    private let rowFactor: Int
    /// The bit for each dot of a cell. Byte n belongs to dot n, in reading order with two dots per row.
    private let bits: UInt64

    init(painter: Painter, columns: Int) {
        self.columns = columns
        let dots = painter.dotsPerCell
        columnShift = dots.columns - 1
        dotsDown = dots.rows
        rowFactor = (65_536 + dots.rows - 1) / dots.rows
        switch painter {
        case .braille: bits = 0x8040_2004_1002_0801
        case .sextant: bits = 0x0000_2010_0804_0201
        case .halfBlock: bits = 0x0000_0000_0002_0001
        case .ascii: bits = 0x0000_0000_0000_0010
        }
    }

    @inline(__always)
    func locate(_ x: Int, _ y: Int) -> (index: Int, bit: UInt8) {
        let column = x >> columnShift
        let row = (y &* rowFactor) >> 16
        let place = (y &- row &* dotsDown) &* 2 &+ (x &- column << columnShift)
        return (row &* columns &+ column, UInt8(truncatingIfNeeded: bits >> UInt64(truncatingIfNeeded: place &* 8)))
    }
}

/// Sets dots with one ink in the cells of a raster. Each cell keeps the ink with the highest priority.
struct DotPlotter {
    private let cells: UnsafeMutableBufferPointer<DotCell>
    private let grid: DotGrid
    private let columns: Int
    private let rows: Int
    private let rank: UInt16
    private let ink: UInt16
    /// A mask for the bits of dots: all ones if dots are set, 0 if cells are only reserved.
    private let mask: UInt8

    init(cells: UnsafeMutableBufferPointer<DotCell>, raster: RasterShape, priority: UInt8, ink: UInt16, isDrawing: Bool = true) {
        self.cells = cells
        mask = isDrawing ? .max : 0
        grid = DotGrid(painter: raster.painter, columns: raster.cellColumns)
        columns = raster.columns
        rows = raster.rows
        rank = UInt16(priority) + 1
        self.ink = ink
    }

    /// Sets one dot; does nothing outside the raster.
    @inline(__always)
    func plot(_ x: Int, _ y: Int) {
        guard isInside(x, y) else { return }
        let (index, bit) = grid.locate(x, y)
        add(bit & mask, at: index)
    }

    /// Adds a direction of a line to a cell, for the ASCII painter; does nothing outside the raster.
    @inline(__always)
    func mark(_ x: Int, _ y: Int, _ direction: LineDirection) {
        guard isInside(x, y) else { return }
        add(direction.rawValue & mask, at: grid.locate(x, y).index)
    }

    @inline(__always)
    private func isInside(_ x: Int, _ y: Int) -> Bool {
        UInt(bitPattern: x) < UInt(bitPattern: columns) && UInt(bitPattern: y) < UInt(bitPattern: rows)
    }

    @inline(__always)
    private func add(_ bits: UInt8, at index: Int) {
        let owner = cells[index].rank
        if owner == rank {
            if cells[index].dots == 0 { cells[index].ink = ink }
            cells[index].dots |= bits
        } else if owner < rank {
            cells[index] = DotCell(rank: rank, ink: ink, dots: bits)
        }
    }
}

/// The size and painter of a raster, for the code that sets dots in the raster's cells.
struct RasterShape: Sendable {
    let painter: Painter
    let cellColumns: Int
    /// The number of columns and rows of dots.
    let columns: Int
    let rows: Int
}

extension DotRaster {
    var shape: RasterShape {
        RasterShape(painter: painter, cellColumns: size.columns, columns: dotColumns, rows: dotRows)
    }

    /// Runs a closure that sets dots with one ink.
    @inline(__always)
    mutating func withPlotter(_ ink: Ink, _ body: (DotPlotter) -> Void) {
        let number = inks.number(of: ink)
        let shape = shape
        cells.withUnsafeMutableBufferPointer { buffer in
            body(DotPlotter(cells: buffer, raster: shape, priority: ink.priority, ink: number))
        }
    }

    /// Sets the dot at a point.
    public mutating func plot(_ point: DotPoint, ink: Ink) {
        guard point.x >= 0, point.y >= 0, point.x < Double(dotColumns), point.y < Double(dotRows) else { return }
        withPlotter(ink) { $0.plot(Int(point.x), Int(point.y)) }
    }
}

/// The directions in which a line crosses a cell, as the ASCII painter stores them.
struct LineDirection: OptionSet, Sendable {
    let rawValue: UInt8

    static let level = LineDirection(rawValue: 1)
    static let upright = LineDirection(rawValue: 2)
    /// The direction of `/`.
    static let rising = LineDirection(rawValue: 4)
    /// The direction of `\`.
    static let falling = LineDirection(rawValue: 8)
    static let point = LineDirection(rawValue: 16)

    /// The ASCII character for all these directions together.
    var character: Unicode.Scalar {
        let lines = subtracting(.point)
        if lines.contains([.level, .upright]) || lines.contains([.rising, .falling]) { return "+" }
        if lines.contains(.rising) { return "/" }
        if lines.contains(.falling) { return "\\" }
        if lines.contains(.upright) { return "|" }
        return lines.contains(.level) ? "-" : "."
    }
}
