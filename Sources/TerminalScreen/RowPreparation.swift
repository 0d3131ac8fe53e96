import TerminalCanvas

/// Converts the rows of a canvas to the form that ncurses accepts. The result for a row depends only on that row.
struct RowPreparation {
    /// One character, in one or two columns.
    struct PreparedCell: Equatable {
        var glyph: Glyph
        var look: Look

        /// The ``Look/blankColor`` of a space; `nil` for other characters.
        var blankColor: Int32? { glyph == .space ? look.blankColor : nil }
    }

    private var looks: LookTable
    private let rules: GlyphRules

    init(looks: LookTable, rules: GlyphRules) {
        self.looks = looks
        self.rules = rules
    }

    /// Returns the characters of a row from left to right.
    mutating func prepare(_ canvas: Canvas, row: Int) -> [PreparedCell] {
        var cells: [PreparedCell] = []
        cells.reserveCapacity(canvas.size.columns)
        var followsWide = false
        for (column, cell) in canvas.row(row).enumerated() {
            if cell.width == 0, followsWide {
                followsWide = false
                continue
            }
            let drawn = cell.width == 0 ? (glyph: .space, isWide: false) : rules.drawn(cell, column: column, row: row, in: canvas.size)
            followsWide = drawn.isWide
            cells.append(PreparedCell(glyph: drawn.glyph, look: looks.look(of: cell.style)))
        }
        RowPreparation.dressBlanks(&cells)
        return cells
    }

    /// Gives blanks the look of the character before or after them if the background is the same. ncurses then changes colours less often.
    /// Each change costs 11 to 38 bytes.
    static func dressBlanks(_ cells: inout [PreparedCell]) {
        var standing = Look()
        for index in cells.indices {
            guard let color = cells[index].blankColor else {
                standing = cells[index].look
                continue
            }
            if standing.blankColor != color || !standing.suitsBlanks { standing = lookOfBlanks(in: color, cells[index...]) }
            cells[index].look = standing
        }
    }

    /// Returns the look for a run of blanks with this background. The next character's look is used if it has the same background and suits
    /// blanks (`suitsBlanks`). Otherwise, the result is a look that sets only the background.
    private static func lookOfBlanks(in color: Int32, _ cells: ArraySlice<PreparedCell>) -> Look {
        if let next = cells.first(where: { $0.blankColor != color })?.look, next.blankColor == color, next.suitsBlanks { return next }
        return Look(colors: ColorPair(foreground: -1, background: color))
    }
}
