import TerminalCanvas

extension CellPass {
    /// What decides how a terminal is written to.
    struct Rules {
        let isUTF8: Bool
        let wrap: TerminalDialect.Wrap
        let insertsLastCell: Bool
        let movesWithAttributes: Bool
        let stepsRight: Bool
        /// Whether the C library has one column for each of the block elements, which maps are full of.
        private let blocksAreNarrow: Bool

        private static let blocks = UInt32(0x2580)..<0x25a0

        /// - Parameter libraryWidth: the columns that the C library gives a character, −1 for one that it cannot write.
        init(_ dialect: TerminalDialect, isUTF8: Bool, _ libraryWidth: (UInt32) -> Int) {
            self.isUTF8 = isUTF8
            blocksAreNarrow = isUTF8 && Rules.blocks.allSatisfy { libraryWidth($0) == 1 }
            wrap = dialect.wrap
            insertsLastCell = dialect.insertsLastCell
            movesWithAttributes = dialect.movesWithAttributes
            stepsRight = dialect.stepsRight
        }

        /// What a cell's character becomes.
        struct Drawn {
            var glyph = Glyph(" ")
            var width: UInt8 = 1
        }

        /// - Parameter libraryWidth: the columns that the C library gives a character. Where these are others than the cell's, columns after it
        ///   would move: then a question mark stands in.
        func drawn(_ cell: Cell, at position: Position, in size: Size, _ libraryWidth: (UInt32) -> Int) -> Drawn {
            if cell.glyph.isBlank { return Drawn() }
            let base = cell.glyph.base.value
            let isPlain = base < 0x7f || isUTF8 && base >= 0x2800 && base < 0x2900 || blocksAreNarrow && Rules.blocks.contains(base)
            if isPlain, cell.width == 1, cell.glyph.isSingleScalar { return Drawn(glyph: cell.glyph) }
            return drawnRarely(cell, at: position, in: size, libraryWidth)
        }

        private func drawnRarely(_ cell: Cell, at position: Position, in size: Size, _ libraryWidth: (UInt32) -> Int) -> Drawn {
            let (end, isLastRow) = (position.column + Int(cell.width), position.row == size.rows - 1)
            if cell.width == 2, end > size.columns || isLastRow && cannotHaveWide(size.columns - position.column) { return Drawn() }
            guard libraryWidth(cell.glyph.base.value) == cell.width else { return Drawn(glyph: Glyph("?")) }
            var glyph = Glyph(cell.glyph.base)
            // At the end of a row marks would come too late where wrapping is at once, and for the last cell of the screen ncurses switches
            // wrapping off: then some terminals, tmux for one, put them on the cell before it.
            if !cell.glyph.isSingleScalar, end < size.columns || wrap != .next && !isLastRow {
                for mark in cell.glyph.scalars.dropFirst() where libraryWidth(mark.value) == 0 { glyph = glyph.adding(mark) }
            }
            return Drawn(glyph: glyph, width: cell.width)
        }

        /// Whether a wide character of the last row would be torn when the cell after it, the last of all, is moved to its place, or would
        /// scroll the screen.
        private func cannotHaveWide(_ columnsLeft: Int) -> Bool { insertsLastCell && columnsLeft == 3 || wrap == .next && columnsLeft == 2 }
    }
}
