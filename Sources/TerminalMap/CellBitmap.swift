import TerminalCanvas

/// A set of map cells that are taken, so that names do not cover them.
struct CellBitmap {
    private var columns = 0
    private var rows = 0
    private var isBlocked: [Bool] = []

    mutating func prepare(_ size: Size) {
        columns = max(0, size.columns)
        rows = max(0, size.rows)
        if isBlocked.count == columns * rows {
            for index in isBlocked.indices { isBlocked[index] = false }
        } else {
            isBlocked = Array(repeating: false, count: columns * rows)
        }
    }

    /// Marks a run of cells as taken; cells outside the map are ignored.
    mutating func block(columns run: Range<Int>, row: Int) {
        guard row >= 0, row < rows else { return }
        for column in run.clamped(to: 0..<columns) { isBlocked[row * columns + column] = true }
    }

    /// Whether all cells of a run are on the map and free.
    func isFree(columns run: Range<Int>, row: Int) -> Bool {
        guard row >= 0, row < rows, run.lowerBound >= 0, run.upperBound <= columns else { return false }
        return !isBlocked[row * columns + run.lowerBound..<row * columns + run.upperBound].contains(true)
    }
}
