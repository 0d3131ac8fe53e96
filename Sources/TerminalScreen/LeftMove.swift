import TerminalCanvas

/// A move of the screen's contents to the left, as when a map scrolls east.
struct LeftMove: Equatable {
    /// The number of columns that the contents have moved.
    let columns: Int
    /// The rows that the move makes more similar to the new screen.
    let rows: [Int]

    /// The contents are taken as moved only if more than this number of characters match after the move, in three sample rows together. A
    /// wrong guess only costs bytes.
    private static let enough = 24

    /// Finds the move between two screens; `nil` if nothing has moved.
    init?(from old: Canvas, to new: Canvas) {
        guard old.size == new.size, let columns = Self.columns(from: old, to: new) else { return nil }
        let rows = (0..<new.size.rows).filter { Self.gains(old.row($0), new.row($0), columns) }
        guard !rows.isEmpty else { return nil }
        self.columns = columns
        self.rows = rows
    }

    private static func columns(from old: Canvas, to new: Canvas) -> Int? {
        let size = new.size
        let samples = [1, 2, 3].map { $0 * size.rows / 4 }
        guard samples.contains(where: { old.row($0) != new.row($0) }) else { return nil }
        var best: (columns: Int, equal: Int)?
        for columns in stride(from: 1, through: size.columns / 2, by: 1) {
            let equal = samples.reduce(0) { $0 + equalCharacters(old.row($1).dropFirst(columns), new.row($1).prefix(size.columns / 2)) }
            if equal > best?.equal ?? enough { best = (columns, equal) }
        }
        return best?.columns
    }

    private static func equalCharacters(_ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>) -> Int {
        zip(old, new).reduce(0) { $1.0 == $1.1 && !$1.1.glyph.isBlank ? $0 + 1 : $0 }
    }

    private static func gains(_ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>, _ columns: Int) -> Bool {
        let moved = old.dropFirst(columns)
        // If the move would cut a wide character in half, ncurses draws the row without a move.
        guard moved.first?.width != 0, old.suffix(columns).first?.width != 0 else { return false }
        let equalBefore = zip(old, new).reduce(0) { $1.0 == $1.1 ? $0 + 1 : $0 }
        let equalAfter = zip(moved, new).reduce(0) { $1.0 == $1.1 ? $0 + 1 : $0 }
        return equalAfter - equalBefore >= new.count / 8
    }
}
