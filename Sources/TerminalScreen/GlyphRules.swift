import TerminalCanvas

/// Decides how a terminal can show a cell's character.
struct GlyphRules {
    private let isUTF8: Bool
    private let wrapsAtOnce: Bool
    private let insertsLastCell: Bool
    private let libraryWidth: (UInt32) -> Int
    /// Whether every block element is one column wide in the C library. The answer is stored, because some maps consist mostly of block
    /// elements.
    private let blocksAreNarrow: Bool

    private static let blocks = UInt32(0x2580)..<0x25a0
    private static let braille = UInt32(0x2800)..<0x2900

    /// - Parameters:
    ///   - wrapsAtOnce: whether the cursor moves to the next row as soon as the last column is written (terminfo's `am` without `xenl`).
    ///   - insertsLastCell: whether ncurses writes the screen's last cell one column to the left of its final position, and then moves it
    ///     there.
    ///   - libraryWidth: the width of a character in the C library, and thus in ncurses, in columns; −1 if the library cannot write it.
    init(isUTF8: Bool, wrapsAtOnce: Bool, insertsLastCell: Bool, libraryWidth: @escaping (UInt32) -> Int) {
        self.isUTF8 = isUTF8
        self.wrapsAtOnce = wrapsAtOnce
        self.insertsLastCell = insertsLastCell
        self.libraryWidth = libraryWidth
        blocksAreNarrow = isUTF8 && GlyphRules.blocks.allSatisfy { libraryWidth($0) == 1 }
    }

    /// Returns a cell's character as it is displayed: unchanged, without some or all of its marks, as a question mark, or as a blank. A
    /// question mark or a blank is never wide.
    func drawn(_ cell: Cell, column: Int, row: Int, in size: Size) -> (glyph: Glyph, isWide: Bool) {
        if cell.glyph.isBlank { return (.space, false) }
        let base = cell.glyph.base.value
        let isPlain = base < 0x7f || isUTF8 && Self.braille.contains(base) || blocksAreNarrow && Self.blocks.contains(base)
        if isPlain, cell.width == 1, cell.glyph.isSingleScalar { return (cell.glyph, false) }
        let end = column + Int(cell.width)
        let isLastRow = row == size.rows - 1
        if cell.width == 2, end > size.columns || isLastRow && tearsWide(columnsLeft: size.columns - column) { return (.space, false) }
        // If ncurses used another width for the character, the columns after it would be shifted.
        guard libraryWidth(base) == cell.width else { return (Glyph("?"), false) }
        // In the last column, marks may end up on another cell. If the terminal wraps at once, its cursor is already in the next row. In
        // the last row, ncurses switches wrapping off; some terminals, such as tmux, then put the marks on the previous cell.
        let keepsMarks = end < size.columns || !wrapsAtOnce && !isLastRow
        return (keepsMarks ? known(cell.glyph) : Glyph(cell.glyph.base), cell.width == 2)
    }

    private func known(_ glyph: Glyph) -> Glyph {
        if glyph.isSingleScalar { return glyph }
        return glyph.scalars.dropFirst().reduce(Glyph(glyph.base)) { libraryWidth($1.value) == 0 ? $0.adding($1) : $0 }
    }

    /// Whether a wide character in the last row would be torn apart, by the move of the screen's last cell or by scrolling.
    private func tearsWide(columnsLeft: Int) -> Bool { insertsLastCell && columnsLeft == 3 || wrapsAtOnce && columnsLeft == 2 }
}
