extension Canvas {
    /// Writes a line of text, and returns its width in columns. The width includes columns left of the canvas, but not columns beyond the
    /// right edge or the limit.
    ///
    /// Wide characters are never split. The text ends before a wide character that does not fit. If the left edge cuts a wide character, a
    /// space is drawn. If half of a wide character is overwritten, the other half becomes a space. Control characters and invisible
    /// formatting characters are left out; combining marks are drawn on the character before them.
    ///
    /// - Parameter limit: the maximum number of columns; `nil` for all columns up to the right edge.
    @discardableResult
    public mutating func write(_ text: String, column: Int, row: Int, style: Style, limit: Int? = nil) -> Int {
        guard row >= 0, row < size.rows, column < size.columns, column > -1_000_000 else { return 0 }
        let end = min(size.columns, saturatingSum(column, max(0, limit ?? size.columns - column)))
        var next = column
        var last: Int?
        for scalar in text.unicodeScalars {
            let width = TextWidth.width(of: scalar)
            if width == 0 {
                if let last, last >= 0 { addMark(scalar, column: last, row: row) }
                continue
            }
            if TextSafety.isHarmful(scalar) { continue }
            guard next + width <= end else { break }
            if next >= 0 {
                self[next, row] = Cell(glyph: Glyph(scalar), style: style, width: UInt8(truncatingIfNeeded: width))
            } else if next + width > 0 {
                self[0, row] = Cell(glyph: .space, style: style)
            }
            last = next
            next += width
        }
        return next - column
    }

    private mutating func addMark(_ mark: Unicode.Scalar, column: Int, row: Int) {
        let index = row * size.columns + column
        cells[index].glyph = cells[index].glyph.adding(mark)
    }

    /// Writes the same character into several columns of a row, for rules and frames.
    public mutating func writeRule(_ scalar: Unicode.Scalar, column: Int, row: Int, length: Int, style: Style) {
        fill(Rectangle(column: column, row: row, columns: length, rows: 1), with: Cell(scalar, style: style))
    }
}
