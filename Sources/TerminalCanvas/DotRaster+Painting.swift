extension DotRaster {
    /// Draws the raster onto a canvas, and clips it at the canvas's edges. The raster's top-left corner is at `position`. The canvas keeps
    /// its cells where the raster has no dots.
    ///
    /// - Parameter part: the block of the canvas that may change; nil for the whole canvas.
    public func paint(into canvas: inout Canvas, at position: Position = .zero, within part: Rectangle? = nil) {
        let whole = canvas.clipped(Rectangle(column: position.column, row: position.row, columns: size.columns, rows: size.rows))
        let area = part.map(whole.intersection) ?? whole
        guard !area.isEmpty else { return }
        for row in area.row..<area.endRow {
            let start = (row - position.row) * size.columns - position.column
            for column in area.column..<area.endColumn {
                if let cell = cell(cells[start + column]) { canvas[column, row] = cell }
            }
        }
    }

    /// Calls `body` for each cell that has an ink or is reserved, row by row, with its column, row and content. The content is nil for a
    /// cell without dots.
    public func forEachTakenCell(_ body: (_ column: Int, _ row: Int, _ cell: Cell?) -> Void) {
        for row in 0..<size.rows {
            for column in 0..<size.columns where cells[row * size.columns + column].rank > 0 {
                body(column, row, cell(cells[row * size.columns + column]))
            }
        }
    }

    @inline(__always)
    private func cell(_ dot: DotCell) -> Cell? {
        guard dot.dots != 0, let ink = inks[dot.ink] else { return nil }
        return Cell(glyph: Glyph(character(of: dot, ink)), style: ink.style)
    }

    private func character(of dot: DotCell, _ ink: Ink) -> Unicode.Scalar {
        if painter == .ascii, let mark = ink.asciiMark { return mark }
        return painter.character(dots: dot.dots)
    }
}

extension Painter {
    /// Returns the character in which these dots are set. For ``braille``, the bits are in the order of Braille patterns. For ``ascii``,
    /// they are the bits of a `LineDirection`. For the other painters, they are in reading order from the lowest bit.
    func character(dots: UInt8) -> Unicode.Scalar {
        switch self {
        case .braille: dots == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
        case .sextant: Painter.sextant(dots & 0x3f)
        case .halfBlock: [" ", "▀", "▄", "█"][Int(dots & 3)]
        case .ascii: dots == 0 ? " " : LineDirection(rawValue: dots).character
        }
    }

    /// Returns the character of a sextant pattern. Four patterns have older characters. The Unicode block that begins at U+1FB00 lacks
    /// these four.
    private static func sextant(_ dots: UInt8) -> Unicode.Scalar {
        switch dots {
        case 0: " "
        case 21: "▌"
        case 42: "▐"
        case 63: "█"
        default: Unicode.Scalar(0x1fb00 + UInt32(dots) - 1 - (dots > 21 ? 1 : 0) - (dots > 42 ? 1 : 0)) ?? " "
        }
    }
}
