import CNCurses
import TerminalCanvas

/// Brings canvases to the terminal through ncurses: tells it which cells changed and collects the bytes it makes of that.
///
/// One exists at a time, on the thread that made it.
final class CanvasRenderer {
    private(set) var size: Size
    private var pairs: ColorPairs
    /// What the terminal shows, or `nil` when that is not known.
    private var shown: Canvas?
    private var run: [CNCursesCell] = []

    /// ncurses must be open.
    init(profile: TerminalProfile, size: Size) {
        self.size = size
        pairs = ColorPairs(depth: profile.colorDepth, isDirect: profile.isDirect)
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
    }

    func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
        shown = nil
    }

    /// The terminal shows something else than it was told: the next canvas is painted whole.
    func invalidate() {
        cncurses_invalidate()
        shown = nil
    }

    /// The bytes that bring the terminal from the last canvas to this one, none when nothing differs. A canvas of another size is cut, or
    /// padded with blanks.
    func bytes(for canvas: Canvas) -> [UInt8] {
        let fitted = fit(canvas)
        guard write(fitted) else { return [] }
        if pairs.ranOut {
            // All pairs are in use for colours that are not on the screen any more: begin anew with those that are.
            invalidate()
            pairs.startOver()
            write(fitted)
        }
        shown = fitted
        let bytes = collect()
        // Memory is short. What the terminal shows is not known then.
        if bytes == nil { invalidate() }
        return bytes ?? []
    }

    private func fit(_ canvas: Canvas) -> Canvas {
        guard canvas.size != size else { return canvas }
        var fitted = Canvas(size: size)
        for row in 0..<min(size.rows, canvas.size.rows) {
            for column in 0..<min(size.columns, canvas.size.columns) where canvas[column, row].width > 0 {
                fitted[column, row] = canvas[column, row]
            }
        }
        return fitted
    }

    private func collect() -> [UInt8]? {
        let count = cncurses_update()
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = cncurses_take(buffer.baseAddress, count) ? count : 0
        }
        return bytes.count == count ? bytes : nil
    }

    // MARK: Telling ncurses

    /// Hands over what differs from the canvas before. False when nothing does.
    @discardableResult
    private func write(_ canvas: Canvas) -> Bool {
        canvas.withCells { cells in
            guard let shown else {
                for row in 0..<size.rows { put(cells, row: row, columns: 0..<size.columns) }
                return true
            }
            return shown.withCells { old in
                guard cells.baseAddress != old.baseAddress else { return false }
                var differs = false
                for row in 0..<size.rows {
                    guard let changed = changedColumns(cells, old, row: row) else { continue }
                    put(cells, row: row, columns: changed)
                    differs = true
                }
                return differs
            }
        }
    }

    /// From the first to the last column of a row that differs, wide characters whole.
    private func changedColumns(_ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, row: Int) -> Range<Int>? {
        let start = row * size.columns
        guard start + size.columns <= new.count, start + size.columns <= old.count else { return nil }
        var first = 0
        while first < size.columns, new[start + first] == old[start + first] { first += 1 }
        guard first < size.columns else { return nil }
        var end = size.columns
        while end > first, new[start + end - 1] == old[start + end - 1] { end -= 1 }
        if first > 0, new[start + first].width == 0 { first -= 1 }
        return first..<end
    }

    private func put(_ cells: UnsafeBufferPointer<Cell>, row: Int, columns: Range<Int>) {
        let start = row * size.columns
        guard start + columns.upperBound <= cells.count else { return }
        run.removeAll(keepingCapacity: true)
        for column in columns {
            var cell = cells[start + column]
            guard cell.width > 0 else { continue }
            // ncurses switches wrapping off to write the last cell of the screen, and some terminals, tmux for one, put marks that follow on
            // the cell before it then.
            if row == size.rows - 1, column + Int(cell.width) == size.columns { cell.glyph = Glyph(cell.glyph.base) }
            run.append(converted(cell))
        }
        run.withUnsafeBufferPointer {
            _ = cncurses_put(Int32(clamping: row), Int32(clamping: columns.lowerBound), $0.baseAddress, $0.count)
        }
    }

    private func converted(_ cell: Cell) -> CNCursesCell {
        var converted = CNCursesCell()
        converted.scalars.0 = cell.glyph.base.value
        if !cell.glyph.isSingleScalar {
            let scalars = cell.glyph.scalars
            if scalars.count > 1 { converted.scalars.1 = scalars[1].value }
            if scalars.count > 2 { converted.scalars.2 = scalars[2].value }
        }
        converted.pair = pairs.pair(foreground: cell.style.foreground, background: cell.style.background)
        // The bits are the same on both sides.
        converted.attributes = cell.style.attributes.rawValue
        converted.width = cell.width
        return converted
    }
}
