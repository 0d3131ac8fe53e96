extension Canvas {
    /// Returns the part of a rectangle that lies on the canvas.
    public func clipped(_ rectangle: Rectangle) -> Rectangle {
        rectangle.intersection(Rectangle(size))
    }

    /// Fills a block with copies of one cell. A wide cell takes two columns; if one column remains at the right, it becomes a space.
    public mutating func fill(_ rectangle: Rectangle, with cell: Cell) {
        let area = clipped(rectangle)
        guard !area.isEmpty else { return }
        let isWide = cell.width == 2
        let single = cell.width == 1 ? cell : Cell(glyph: .space, style: cell.style)
        for row in area.row..<area.endRow {
            detach(columns: area.column..<area.endColumn, row: row)
            let start = row * size.columns
            cells.withUnsafeMutableBufferPointer { $0[start + area.column..<start + area.endColumn].update(repeating: single) }
            guard isWide else { continue }
            for column in stride(from: area.column, to: area.endColumn - 1, by: 2) { self[column, row] = cell }
        }
    }

    /// Changes the style of every cell in a block. The characters are kept.
    @inlinable
    public mutating func restyle(_ rectangle: Rectangle, _ change: (inout Style) -> Void) {
        let area = clipped(rectangle)
        guard !area.isEmpty else { return }
        for row in area.row..<area.endRow {
            let start = row * size.columns
            for column in area.column..<area.endColumn { change(&cells[start + column].style) }
        }
    }

    /// Sets the style of every cell in a block. The characters are kept.
    public mutating func restyle(_ rectangle: Rectangle, with style: Style) {
        restyle(rectangle) { $0 = style }
    }

    /// Copies another canvas, with its top-left corner at `position`. Cells outside this canvas are left out. If an edge cuts a wide
    /// character, a space is drawn.
    public mutating func draw(_ other: Canvas, at position: Position) {
        let target = clipped(
            Rectangle(column: position.column, row: position.row, columns: other.size.columns, rows: other.size.rows))
        copy(target, from: other, at: position)
    }

    /// Copies a block of another canvas to the same position. Cells outside either canvas are left out. If an edge cuts a wide character, a
    /// space is drawn.
    public mutating func copy(_ block: Rectangle, from other: Canvas) {
        copy(clipped(other.clipped(block)), from: other, at: Position(column: 0, row: 0))
    }

    /// - Parameters:
    ///   - target: the block of this canvas that is replaced. It must lie inside both canvases.
    ///   - position: the top-left corner of the other canvas, as a position on this canvas.
    private mutating func copy(_ target: Rectangle, from other: Canvas, at position: Position) {
        guard !target.isEmpty else { return }
        let shift = target.column - position.column
        for row in target.row..<target.endRow {
            detach(columns: target.column..<target.endColumn, row: row)
            let from = (row - position.row) * other.size.columns + shift
            let start = row * size.columns + target.column
            cells.withUnsafeMutableBufferPointer { cells in
                other.cells.withUnsafeBufferPointer { others in
                    guard let first = cells.baseAddress, let source = others.baseAddress else { return }
                    (first + start).update(from: source + from, count: target.columns)
                }
            }
            mendEnds(from: start, count: target.columns)
        }
    }

    /// Moves all cells by `right` columns to the right and `down` rows down. Cells that leave the canvas are lost. Cells that get no new
    /// content keep their old content.
    public mutating func scroll(columns right: Int, rows down: Int) {
        let target = clipped(Rectangle(column: right, row: down, columns: size.columns, rows: size.rows))
        guard !target.isEmpty, right != 0 || down != 0 else { return }
        let rows = target.row..<target.endRow
        for step in 0..<target.rows {
            let row = down > 0 ? rows.upperBound - 1 - step : rows.lowerBound + step
            let (from, start) = ((row - down) * size.columns + target.column - right, row * size.columns + target.column)
            cells.withUnsafeMutableBufferPointer { buffer in
                guard let first = buffer.baseAddress else { return }
                (first + start).update(from: first + from, count: target.columns)
            }
            mendEnds(from: start, count: target.columns)
            if target.column > 0, cells[start - 1].width == 2 { makeBlank(start - 1) }
            if target.endColumn < size.columns, cells[start + target.columns].width == 0 { makeBlank(start + target.columns) }
        }
    }

    /// If an end of a copied run of cells cuts a wide character, replaces the remaining half with a space.
    private mutating func mendEnds(from start: Int, count: Int) {
        if cells[start].width == 0 { cells[start].width = 1 }
        let last = start + count - 1
        if cells[last].width == 2 { cells[last] = Cell(glyph: .space, style: cells[last].style) }
    }

    /// Returns the cells of a block as a new canvas. Cells outside this canvas are blank.
    public func cropped(_ rectangle: Rectangle) -> Canvas {
        var part = Canvas(size: rectangle.size)
        part.draw(self, at: Position(column: 0 &- rectangle.column, row: 0 &- rectangle.row))
        return part
    }

    /// If a wide character lies only partly in a run of columns, puts spaces in its place. The run can then be overwritten cell by
    /// cell.
    mutating func detach(columns: Range<Int>, row: Int) {
        let start = row * size.columns
        if cells[start + columns.lowerBound].width == 0 { release(column: columns.lowerBound, index: start + columns.lowerBound) }
        let last = columns.upperBound - 1
        if cells[start + last].width == 2 { release(column: last, index: start + last) }
    }
}
