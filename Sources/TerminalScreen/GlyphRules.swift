import TerminalCanvas

/// Decides how much of a cell's character a terminal can show.
struct GlyphRules {
    private let isUTF8: Bool
    private let wrapsAtOnce: Bool
    private let insertsLastCell: Bool
    private let libraryWidth: (UInt32) -> Int
    /// Whether the C library has one column for each of the block elements, which maps are full of.
    private let blocksAreNarrow: Bool

    private static let blocks = UInt32(0x2580)..<0x25a0
    private static let braille = UInt32(0x2800)..<0x2900

    /// - Parameters:
    ///   - wrapsAtOnce: whether the cursor is in the next row as soon as the last column is written (terminfo's `am` without `xenl`).
    ///   - insertsLastCell: whether ncurses writes the last cell of the screen one column further left and moves it to its place.
    ///   - libraryWidth: the columns that the C library, and with it ncurses, gives a character, −1 for one that it cannot write.
    init(isUTF8: Bool, wrapsAtOnce: Bool, insertsLastCell: Bool, libraryWidth: @escaping (UInt32) -> Int) {
        self.isUTF8 = isUTF8
        self.wrapsAtOnce = wrapsAtOnce
        self.insertsLastCell = insertsLastCell
        self.libraryWidth = libraryWidth
        blocksAreNarrow = isUTF8 && GlyphRules.blocks.allSatisfy { libraryWidth($0) == 1 }
    }

    /// A cell's character as it can be shown: itself, without its marks, a question mark, or a blank. Only a character itself is wide.
    func drawn(_ cell: Cell, column: Int, row: Int, in size: Size) -> (glyph: Glyph, isWide: Bool) {
        if cell.glyph.isBlank { return (.space, false) }
        let base = cell.glyph.base.value
        let isPlain = base < 0x7f || isUTF8 && Self.braille.contains(base) || blocksAreNarrow && Self.blocks.contains(base)
        if isPlain, cell.width == 1, cell.glyph.isSingleScalar { return (cell.glyph, false) }
        let end = column + Int(cell.width)
        let isLastRow = row == size.rows - 1
        if cell.width == 2, end > size.columns || isLastRow && tearsWide(columnsLeft: size.columns - column) { return (.space, false) }
        // Columns after a character of another width would move.
        guard libraryWidth(base) == cell.width else { return (Glyph("?"), false) }
        // At the end of a row marks come too late where wrapping is at once. For the last cell of the screen ncurses switches wrapping off:
        // then some terminals, tmux for one, put marks on the cell before it.
        let keepsMarks = end < size.columns || !wrapsAtOnce && !isLastRow
        return (keepsMarks ? known(cell.glyph) : Glyph(cell.glyph.base), cell.width == 2)
    }

    private func known(_ glyph: Glyph) -> Glyph {
        if glyph.isSingleScalar { return glyph }
        return glyph.scalars.dropFirst().reduce(Glyph(glyph.base)) { libraryWidth($1.value) == 0 ? $0.adding($1) : $0 }
    }

    /// Whether a wide character of the last row is torn when the cell after it, the last of all, is moved to its place, or scrolls the
    /// screen.
    private func tearsWide(columnsLeft: Int) -> Bool { insertsLastCell && columnsLeft == 3 || wrapsAtOnce && columnsLeft == 2 }
}
