import CNCurses
import TerminalCanvas

/// Brings canvases to the terminal through ncurses: tells it which cells changed, collects the bytes it makes of that, and puts the cells in.
///
/// One exists at a time, on the thread that made it.
final class CanvasRenderer {
    private(set) var size: Size
    private let profile: TerminalProfile
    private var pass: CellPass
    /// What the terminal shows, or `nil` when that is not known.
    private var shown: Canvas?
    /// Cells on their way to ncurses.
    private var run: [CNCursesCell] = []

    /// ncurses must be open.
    init(profile: TerminalProfile, size: Size) {
        self.size = size
        self.profile = profile
        pass = CanvasRenderer.makePass(profile, size)
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
    }

    private static func makePass(_ profile: TerminalProfile, _ size: Size) -> CellPass {
        let dialect = TerminalDialect(.ofNCurses, depth: profile.colorDepth)
        let table = StyleTable(dialect: dialect, depth: profile.colorDepth) { color in
            if case .rgb(let red, let green, let blue) = color.kind, !profile.numbersDirectly {
                return (.rendition("38;2;\(red);\(green);\(blue)"), .rendition("48;2;\(red);\(green);\(blue)"))
            }
            return number(of: color, isDirect: profile.numbersDirectly).map { number in
                (TerminalDialect.Piece(sequence("setaf", number)), TerminalDialect.Piece(sequence("setab", number)))
            }
        }
        return CellPass(table: table, dialect: dialect, isUTF8: profile.isUTF8, size: size) { Int(cncurses_width($0)) }
    }

    func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
        forget()
    }

    /// The terminal shows something else than it was told: the next canvas is painted whole.
    func invalidate() {
        cncurses_invalidate()
        forget()
    }

    private func forget() {
        shown = nil
        if pass.table.isFull { pass = CanvasRenderer.makePass(profile, size) }
        pass.startOver(size: size)
    }

    /// The bytes that bring the terminal from the last canvas to this one, none when nothing differs. A canvas of another size is cut, or
    /// padded with blanks.
    func bytes(for canvas: Canvas) -> [UInt8] {
        if pass.table.isFull { invalidate() }
        let fitted = fit(canvas)
        guard write(fitted) else { return [] }
        shown = fitted
        if let bytes = collect(), !pass.isLost { return bytes }
        // Memory is short, or ncurses went a way that nobody can follow: painted anew there is but one way.
        invalidate()
        _ = write(fitted)
        shown = fitted
        let bytes = collect()
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
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            guard cncurses_take(buffer.baseAddress, count) else { return nil }
            return pass.drawn(UnsafeBufferPointer(buffer))
        }
    }

    // MARK: Telling ncurses

    /// Hands over what differs from the canvas before. False when nothing does.
    private func write(_ canvas: Canvas) -> Bool {
        // A screen about to be cleared is blank.
        (shown ?? Canvas(size: size)).withCells { old in
            canvas.withCells { cells in
                guard cells.baseAddress != old.baseAddress else { return false }
                var differs = shown == nil
                for row in 0..<size.rows {
                    var column = 0
                    while let changed = changedColumns(cells, old, row: row, from: column) {
                        put(cells, row: row, columns: changed)
                        differs = true
                        column = changed.upperBound
                    }
                }
                return differs
            }
        }
    }

    /// Cells without a difference that part two changes, rather than being told again.
    private static let gap = 32

    /// From the first column of a row that differs on to where it does not any more, wide characters whole.
    private func changedColumns(_ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, row: Int, from: Int) -> Range<Int>? {
        let start = row * size.columns
        guard start + size.columns <= new.count, start + size.columns <= old.count else { return nil }
        var first = from
        while first < size.columns, new[start + first] == old[start + first] { first += 1 }
        guard first < size.columns else { return nil }
        var (end, next) = (first + 1, first + 1)
        while next < size.columns, next - end < CanvasRenderer.gap {
            if new[start + next] != old[start + next] { end = next + 1 }
            next += 1
        }
        if first > 0, new[start + first].width == 0 { first -= 1 }
        if end < size.columns, new[start + end].width == 0 { end += 1 }
        return first..<end
    }

    private func put(_ cells: UnsafeBufferPointer<Cell>, row: Int, columns: Range<Int>) {
        let start = row * size.columns
        guard start + columns.upperBound <= cells.count else { return }
        if run.count < size.columns { run = Array(repeating: CNCursesCell(), count: size.columns) }
        let changed = UnsafeBufferPointer(rebasing: cells[(start + columns.lowerBound)..<(start + columns.upperBound)])
        run.withUnsafeMutableBufferPointer { run in
            var count = 0
            let left = pass.take(changed, at: Position(column: columns.lowerBound, row: row)) { told in
                run[count] = CNCursesCell(pair: told.pair, character: told.standIn)
                count += 1
            }
            _ = cncurses_put(Int32(clamping: row), Int32(clamping: columns.lowerBound + left), run.baseAddress, count)
        }
    }
}

extension TerminalDialect.Capabilities {
    /// Those of the entry that ncurses has open.
    fileprivate static var ofNCurses: Self {
        Self(string: TerminalLifeCycle.string, hasFlag: { cncurses_has_flag($0) }, number: { Int(cncurses_number($0)) })
    }
}

/// How terminfo numbers a colour that the terminal has: the palette's index; for direct colour the first eight of the palette, or red, green
/// and blue in one number. `nil` for the terminal's own.
private func number(of color: Color, isDirect: Bool) -> Int32? {
    switch color.kind {
    case .default: return nil
    case .palette(let index) where !isDirect || index < 8: return Int32(index)
    case .palette, .rgb:
        guard isDirect, let (red, green, blue) = color.components else { return nil }
        let number = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
        // The blues nearest to black would be taken for the palette.
        return number > 0 && number < 8 ? 8 : number
    }
}

/// The bytes that set a colour.
private func sequence(_ capability: String, _ number: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
        count = cncurses_color(capability, number, buffer.baseAddress, buffer.count)
    }
}
