import CNCurses
import TerminalCanvas

/// Brings canvases to the terminal through ncurses: tells it which cells changed, collects the bytes it makes of that, and adds the styles.
///
/// One exists at a time, on the thread that made it.
final class CanvasRenderer {
    private(set) var size: Size
    private let profile: TerminalProfile
    private var pass: StylePass
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

    private static func makePass(_ profile: TerminalProfile, _ size: Size) -> StylePass {
        let dialect = TerminalDialect(.ofNCurses, depth: profile.colorDepth)
        let table = StyleTable(dialect: dialect, depth: profile.colorDepth) { color in
            if case .rgb(let red, let green, let blue) = color.kind, !profile.numbersDirectly {
                return (.rendition("38;2;\(red);\(green);\(blue)"), .rendition("48;2;\(red);\(green);\(blue)"))
            }
            return number(of: color, isDirect: profile.numbersDirectly).map { number in
                (TerminalDialect.Piece(sequence("setaf", number)), TerminalDialect.Piece(sequence("setab", number)))
            }
        }
        return StylePass(table: table, dialect: dialect, isUTF8: profile.isUTF8, size: size)
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
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            guard cncurses_take(buffer.baseAddress, count) else { return nil }
            return pass.styled(UnsafeBufferPointer(buffer))
        }
    }

    // MARK: Telling ncurses

    /// Hands over what differs from the canvas before. False when nothing does.
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
    private static let gap = 6

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
        run.withUnsafeMutableBufferPointer {
            let count = pass.tell(changed, Position(column: columns.lowerBound, row: row), $0)
            _ = cncurses_put(Int32(clamping: row), Int32(clamping: columns.lowerBound), $0.baseAddress, count)
        }
    }
}

extension StylePass {
    /// Makes cells of a row into those that ncurses is told of, for which there must be room, and returns how many these are.
    fileprivate mutating func tell(
        _ cells: UnsafeBufferPointer<Cell>, _ first: Position, _ run: UnsafeMutableBufferPointer<CNCursesCell>
    ) -> Int {
        let isLastRow = first.row == size.rows - 1
        var (column, count) = (first.column, 0)
        var told = CNCursesCell()
        for cell in cells {
            let isCut = isLastRow && cell.width == 2 && cannotHaveWide(column: column)
            let isBlank = cell.glyph.isBlank || isCut
            told.style = table.number(of: cell.style, isBlank: isBlank)
            set(Place(style: told.style, width: cell.width), column: column, row: first.row)
            column += 1
            guard cell.width > 0 else { continue }
            told.width = isCut ? 1 : cell.width
            // Some blanks must not be erased, which is what ncurses does where it can.
            let blank: UInt32 = table.looks[Int(told.style)].mustBeWritten ? 0x5f : 0x20
            told.scalars = (isBlank ? blank : cell.glyph.base.value, 0, 0)
            if !cell.glyph.isSingleScalar, !isCut, column - 1 + Int(cell.width) < size.columns || canEndInMarks(row: first.row) {
                let scalars = cell.glyph.scalars
                if scalars.count > 1 { told.scalars.1 = scalars[1].value }
                if scalars.count > 2 { told.scalars.2 = scalars[2].value }
            }
            for _ in 0..<(isCut ? 2 : 1) where count < run.count {
                run[count] = told
                count += 1
            }
        }
        return count
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
