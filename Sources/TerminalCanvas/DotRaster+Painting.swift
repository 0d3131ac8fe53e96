extension DotRaster {
    /// Draws the dots onto a canvas with the top left at `position`, clipped. Cells without dots are kept.
    public func paint(into canvas: inout Canvas, at position: Position = .zero) {
        let area = canvas.clipped(Rectangle(column: position.column, row: position.row, columns: size.columns, rows: size.rows))
        guard !area.isEmpty else { return }
        for row in area.row..<area.endRow {
            let start = (row - position.row) * size.columns - position.column
            for column in area.column..<area.endColumn {
                let dot = cells[start + column]
                guard dot.dots != 0, let ink = inks[dot.ink] else { continue }
                canvas[column, row] = Cell(glyph: Glyph(character(of: dot, ink)), style: ink.style)
            }
        }
    }

    private func character(of dot: DotCell, _ ink: Ink) -> Unicode.Scalar {
        if painter == .ascii, let mark = ink.asciiMark { return mark }
        return painter.character(dots: dot.dots)
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
