extension DotRaster {
    /// Draws both planes onto a canvas with the top left at `position`, clipped. Cells in which nothing was drawn stay as they are.
    public func paint(into canvas: inout Canvas, at position: Position = .zero) {
        let area = canvas.clipped(Rectangle(column: position.column, row: position.row, columns: size.columns, rows: size.rows))
        guard !area.isEmpty else { return }
        for row in area.row..<area.endRow {
            let start = (row - position.row) * size.columns - position.column
            for column in area.column..<area.endColumn {
                let dot = cells[start + column]
                let fill = background[start + column]
                if dot.dots == 0 && fill.rank == 0 && fill.color == .default { continue }
                canvas[column, row] = cell(dot, on: fill.color)
            }
        }
    }

    private func cell(_ dot: DotCell, on color: Color) -> Cell {
        guard dot.dots != 0, let ink = inks[dot.ink] else { return Cell(glyph: .space, style: Style(background: color)) }
        var style = ink.style
        if style.background == .default { style.background = color }
        let scalar = painter == .ascii ? ink.asciiMark ?? LineDirection(rawValue: dot.dots).character : painter.character(dots: dot.dots)
        return Cell(glyph: Glyph(scalar), style: style)
    }
}

extension Painter {
    /// The character with these dots set; bits as in Braille patterns for ``braille``, else in reading order from the lowest.
    func character(dots: UInt8) -> Unicode.Scalar {
        switch self {
        case .braille: dots == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
        case .sextant: Painter.sextant(dots & 0x3f)
        case .halfBlock: [" ", "▀", "▄", "█"][Int(dots & 3)]
        case .ascii: dots == 0 ? " " : LineDirection(rawValue: dots).character
        }
    }

    /// U+1FB00 on, from which the patterns that exist as older characters are missing.
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
