public import TerminalCanvas

/// A terminal with the features of xterm that ncurses uses. It reads the bytes that a screen writes and computes the resulting picture.
/// It records unknown sequences in ``unknown``, so that no test passes because a sequence was skipped.
public struct VirtualTerminal {
    private enum State {
        case ground, escape, control, text, device, charset, character(Int)
    }

    public private(set) var size: Size
    /// The cells of the screen, row by row.
    public private(set) var cells: [Cell]
    /// The cells and the cursor of the main screen while the alternate screen is shown (mode 1049).
    private var main: (cells: [Cell], row: Int, column: Int)?
    /// The last saved position of the cursor.
    private var saved = (row: 0, column: 0)
    /// The stack of the kitty protocol's flags.
    public private(set) var keyboard: [Int] = []
    /// The unknown sequences so far.
    public private(set) var unknown: [String] = []
    /// The window's title.
    public private(set) var title = ""
    public private(set) var bells = 0
    /// The last text for the clipboard, in Base64.
    public private(set) var clipboard: String?
    /// Private modes that are on.
    public private(set) var modes: Set<Int> = [7]
    private var state = State.ground
    private var sequence: [UInt8] = []
    private var column = 0
    private var row = 0
    private var style = Style.plain
    private var pendingWrap = false
    private var insertMode = false
    private var top = 0
    private var bottom: Int
    private var lastGlyph = Glyph.space
    /// Whether erased cells get the current background (terminfo's `bce`).
    private let erasesWithBackground: Bool
    /// Whether the cursor moves to the next row directly after the last column (terminfo's `am` without `xenl`). If false, the
    /// next character moves the cursor.
    private let wrapsAtOnce: Bool

    public init(size: Size, erasesWithBackground: Bool = true, wrapsAtOnce: Bool = false) {
        self.size = size
        self.erasesWithBackground = erasesWithBackground
        self.wrapsAtOnce = wrapsAtOnce
        cells = Array(repeating: .blank, count: size.columns * size.rows)
        bottom = size.rows - 1
    }

    /// Changes the size as a window does: the picture is cut or padded, and the cursor stays inside.
    public mutating func resize(to new: Size) {
        cells = resized(cells, to: new)
        main = main.map { (resized($0.cells, to: new), min($0.row, new.rows - 1), min($0.column, new.columns - 1)) }
        size = new
        (top, bottom) = (0, new.rows - 1)
        (column, row) = (min(column, new.columns - 1), min(row, new.rows - 1))
        pendingWrap = false
    }

    private func resized(_ cells: [Cell], to new: Size) -> [Cell] {
        var resized = [Cell](repeating: .blank, count: new.columns * new.rows)
        for row in 0..<min(size.rows, new.rows) {
            for column in 0..<min(size.columns, new.columns) {
                resized[row * new.columns + column] = cells[row * size.columns + column]
            }
        }
        return resized
    }

    public mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeGround(byte)
        case .character(let missing):
            sequence.append(byte)
            state = missing == 1 ? .ground : .character(missing - 1)
            if missing == 1 {
                for scalar in String(decoding: sequence, as: UTF8.self).unicodeScalars { write(scalar) }
            }
        case .escape: takeEscape(byte)
        case .charset: state = .ground
        case .text:
            let isTerminated = byte == 0x5c && sequence.last == 0x1b
            sequence.append(byte)
            if byte == 0x07 || isTerminated { finishText() }
        case .device:
            // Neither ncurses nor these tests use sequences of this kind, so they are skipped.
            let isTerminated = byte == 0x5c && sequence.last == 0x1b && sequence.dropLast().last != 0x1b
            sequence.append(byte)
            if isTerminated { state = .ground }
        case .control:
            sequence.append(byte)
            if (0x40...0x7e).contains(byte) {
                state = .ground
                finishControl(byte)
            }
        }
    }

    private mutating func takeGround(_ byte: UInt8) {
        switch byte {
        case 0x07: bells += 1
        case 0x08:
            column = max(0, column - 1)
            pendingWrap = false
        case 0x09:
            column = min(size.columns - 1, (column / 8 + 1) * 8)
            pendingWrap = false
        case 0x0a: lineFeed()
        case 0x0d:
            column = 0
            pendingWrap = false
        // This byte switches to the default character set.
        case 0x0f: break
        case 0x1b:
            sequence = []
            state = .escape
        case 0x20..<0x7f: write(Unicode.Scalar(byte))
        case 0xc2..<0xe0: begin(byte, 1)
        case 0xe0..<0xf0: begin(byte, 2)
        case 0xf0..<0xf5: begin(byte, 3)
        default: unknown.append("byte \(byte)")
        }
    }

    private mutating func begin(_ byte: UInt8, _ missing: Int) {
        sequence = [byte]
        state = .character(missing)
    }

    private mutating func takeEscape(_ byte: UInt8) {
        state = .ground
        switch byte {
        case 0x5b: state = .control
        case 0x5d: state = .text
        case 0x50: state = .device
        case 0x28: state = .charset
        case 0x4d:
            if row == top { scroll(top, bottom, -1) } else { row = max(0, row - 1) }
        case 0x37: saved = (row, column)
        case 0x38: (row, column, pendingWrap) = (min(saved.row, size.rows - 1), min(saved.column, size.columns - 1), false)
        case 0x3d, 0x3e, 0x5c: break
        // A second escape begins a new sequence. The first escape may be left over from a program that ended in the middle of its output.
        case 0x1b: state = .escape
        default: unknown.append("ESC \(byte)")
        }
    }

    private mutating func finishText() {
        state = .ground
        let text = String(decoding: sequence.dropLast(sequence.last == 0x07 ? 1 : 2), as: UTF8.self)
        if text.hasPrefix("2;") { title = String(text.dropFirst(2)) }
        if text.hasPrefix("52;c;") { clipboard = String(text.dropFirst(5)) }
    }

    // MARK: Characters

    private mutating func write(_ scalar: Unicode.Scalar) {
        let width = TextWidth.width(of: scalar)
        if width == 0 {
            let place = pendingWrap ? column : max(0, column - 1)
            let index = row * size.columns + place
            let base = cells[index].width == 0 ? max(0, index - 1) : index
            cells[base].glyph = cells[base].glyph.adding(scalar)
            return
        }
        if modes.contains(7), pendingWrap || column + width > size.columns {
            column = 0
            pendingWrap = false
            lineFeed()
        }
        lastGlyph = Glyph(scalar)
        if insertMode { shiftRight(width) }
        put(Cell(glyph: lastGlyph, style: style, width: UInt8(width)))
        if width == 2 { put(Cell(glyph: .space, style: style, width: 0), offset: 1) }
        column += width
        if column >= size.columns {
            column = size.columns - 1
            pendingWrap = modes.contains(7)
            if pendingWrap, wrapsAtOnce {
                column = 0
                lineFeed()
            }
        }
    }

    /// Stores a cell. If the cell cuts a wide character in half, a space replaces the other half.
    private mutating func put(_ cell: Cell, offset: Int = 0) {
        let place = column + offset
        guard place < size.columns else { return }
        let index = row * size.columns + place
        if cell.width != 0, cells[index].width == 0, place > 0 { cells[index - 1] = Cell(glyph: .space, style: cells[index - 1].style) }
        if cells[index].width == 2, place + 1 < size.columns { cells[index + 1] = Cell(glyph: .space, style: cells[index + 1].style) }
        cells[index] = cell
    }

    private mutating func lineFeed() {
        pendingWrap = false
        if row == bottom { scroll(top, bottom, 1) } else { row = min(size.rows - 1, row + 1) }
    }

    /// Moves rows up by `count`, or down if `count` is negative.
    private mutating func scroll(_ first: Int, _ last: Int, _ count: Int) {
        let old = cells
        for target in first...last {
            for column in 0..<size.columns {
                let source = target + count
                cells[target * size.columns + column] = source >= first && source <= last ? old[source * size.columns + column] : erased
            }
        }
    }

    private var erased: Cell { Cell(glyph: .space, style: Style(background: erasesWithBackground ? style.background : .default)) }

    private mutating func shiftRight(_ count: Int) {
        let start = row * size.columns
        for target in stride(from: size.columns - 1, through: column, by: -1) {
            cells[start + target] = target - count >= column ? cells[start + target - count] : erased
        }
    }

    private mutating func shiftLeft(_ count: Int) {
        let start = row * size.columns
        for target in column..<size.columns {
            cells[start + target] = target + count < size.columns ? cells[start + target + count] : erased
        }
    }

    private mutating func erase(_ range: Range<Int>) {
        for index in range where index >= 0 && index < cells.count {
            // The remaining half of a wide character becomes a blank.
            if cells[index].width == 0, index == range.lowerBound, index > 0 {
                cells[index - 1] = Cell(glyph: .space, style: cells[index - 1].style)
            }
            if cells[index].width == 2, index == range.upperBound - 1, index + 1 < cells.count {
                cells[index + 1] = Cell(glyph: .space, style: cells[index + 1].style)
            }
            cells[index] = erased
        }
    }

    // MARK: Sequences

    private mutating func finishControl(_ final: UInt8) {
        let body = String(decoding: sequence.dropLast(), as: UTF8.self)
        if body.hasPrefix("?") {
            for part in body.dropFirst().split(separator: ";") {
                guard let mode = Int(part) else { continue }
                if final == 0x68 { modes.insert(mode) } else { modes.remove(mode) }
                if mode == 7 { pendingWrap = false }
                if mode == 1049 { switchScreen(toSecond: final == 0x68) }
            }
            return
        }
        if let mark = body.first, mark == ">" || mark == "<" { return setKeyboard(mark, final, body.dropFirst()) }
        let values = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(1, values.first ?? 1)
        if final != 0x6d && final != 0x62 { pendingWrap = false }
        if !move(final, first, values) && !edit(final, first, values) { control(final, first, values, body) }
    }

    /// Sets the keyboard modes of the kitty protocol and of xterm's modifyOtherKeys.
    private mutating func setKeyboard(_ mark: Character, _ final: UInt8, _ body: Substring) {
        switch (mark, final) {
        case (">", 0x75): keyboard.append(Int(body) ?? 0)
        case ("<", 0x75): _ = keyboard.popLast()
        case (">", 0x6d): break
        default: unknown.append("CSI \(mark)\(body)\(Unicode.Scalar(final))")
        }
    }

    private mutating func switchScreen(toSecond isSecond: Bool) {
        guard isSecond == (main == nil) else { return }
        pendingWrap = false
        if let main {
            (cells, row, column) = (main.cells, main.row, main.column)
            self.main = nil
        } else {
            main = (cells, row, column)
            cells = Array(repeating: .blank, count: cells.count)
        }
    }

    private mutating func move(_ final: UInt8, _ count: Int, _ values: [Int]) -> Bool {
        switch final {
        case 0x41: row = max(0, row - count)
        case 0x42: row = min(size.rows - 1, row + count)
        case 0x43: column = min(size.columns - 1, column + count)
        case 0x44: column = max(0, column - count)
        case 0x47: column = min(size.columns - 1, count - 1)
        case 0x48:
            row = min(size.rows - 1, count - 1)
            column = min(size.columns - 1, max(1, values.count > 1 ? values[1] : 1) - 1)
        case 0x5a: column = max(0, (column + 7) / 8 * 8 - 8 * count)
        case 0x64: row = min(size.rows - 1, count - 1)
        default: return false
        }
        return true
    }

    private mutating func edit(_ final: UInt8, _ count: Int, _ values: [Int]) -> Bool {
        let start = row * size.columns
        let here = start + column
        let end = start + size.columns
        switch (final, values.first ?? 0) {
        case (0x4a, 0): erase(here..<cells.count)
        case (0x4a, 1): erase(0..<here + 1)
        case (0x4a, 2): erase(0..<cells.count)
        case (0x4b, 0): erase(here..<end)
        case (0x4b, 1): erase(start..<here + 1)
        case (0x58, _): erase(here..<min(end, here + count))
        case (0x50, _): shiftLeft(count)
        case (0x40, _): shiftRight(count)
        case (0x4c, _): scroll(row, bottom, -count)
        case (0x4d, _): scroll(row, bottom, count)
        default: return false
        }
        return true
    }

    private mutating func control(_ final: UInt8, _ count: Int, _ values: [Int], _ body: String) {
        switch final {
        case 0x62: for _ in 0..<count { write(lastGlyph.base) }
        case 0x68 where values == [4]: insertMode = true
        case 0x6c where values == [4]: insertMode = false
        // This sequence sets the appearance of the cursor in GNU screen and tmux.
        case 0x68 where values == [34], 0x6c where values == [34]: break
        case 0x6d:
            for part in body.split(separator: ";", omittingEmptySubsequences: false).split(whereSeparator: { $0.contains(":") }) {
                render(part.map { Int($0) ?? 0 })
            }
            for part in body.split(separator: ";") where part.contains(":") { directColor(String(part)) }
        case 0x72:
            (top, bottom) = (count - 1, (values.count > 1 ? values[1] : size.rows) - 1)
            (column, row) = (0, 0)
        case 0x53: scroll(top, bottom, count)
        case 0x54: scroll(top, bottom, -count)
        // This sequence requests the terminal's identity.
        case 0x63 where body.isEmpty: break
        case 0x74: break
        default: unknown.append("CSI \(body)\(Unicode.Scalar(final))")
        }
    }

    private mutating func directColor(_ body: String) {
        let parts = body.split(separator: ":", omittingEmptySubsequences: false).map { UInt8($0) ?? 0 }
        guard parts.count == 6, parts[1] == 2 else { return unknown.append("SGR \(body)") }
        let color = Color.rgb(parts[3], parts[4], parts[5])
        if parts[0] == 38 { style.foreground = color } else { style.background = color }
    }

    private mutating func render(_ values: [Int]) {
        var rest = values[...]
        while let value = rest.popFirst() {
            switch value {
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 5: style.attributes.insert(.blink)
            case 7: style.attributes.insert(.reverse)
            // This value selects the default font.
            case 10: break
            case 22: style.attributes.subtract([.bold, .dim])
            case 23: style.attributes.remove(.italic)
            case 24: style.attributes.remove(.underline)
            case 25: style.attributes.remove(.blink)
            case 27: style.attributes.remove(.reverse)
            case 30...37: style.foreground = .palette(UInt8(value - 30))
            case 38: style.foreground = indexed(&rest)
            case 39: style.foreground = .default
            case 40...47: style.background = .palette(UInt8(value - 40))
            case 48: style.background = indexed(&rest)
            case 49: style.background = .default
            case 90...97: style.foreground = .palette(UInt8(value - 82))
            case 100...107: style.background = .palette(UInt8(value - 92))
            default: unknown.append("SGR \(value)")
            }
        }
    }

    private mutating func indexed(_ rest: inout ArraySlice<Int>) -> Color {
        switch rest.popFirst() {
        case 5?: if let index = rest.popFirst() { return .palette(UInt8(truncatingIfNeeded: index)) }
        case 2?:
            let parts = rest.prefix(3).map { UInt8(truncatingIfNeeded: $0) }
            rest = rest.dropFirst(3)
            if parts.count == 3 { return .rgb(parts[0], parts[1], parts[2]) }
        default: break
        }
        unknown.append("SGR 38")
        return .default
    }
}

extension VirtualTerminal {
    /// Describes the first difference between the screen and a canvas: their sizes, or else the first cell that looks different. `nil` if
    /// the pictures are equal.
    public func difference(from canvas: Canvas) -> String? {
        guard canvas.size == size else { return "size \(size) instead of \(canvas.size)" }
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let (seen, wanted) = (cells[row * size.columns + column], canvas[column, row])
                if VirtualTerminal.visible(seen) != VirtualTerminal.visible(wanted) {
                    return "\(column),\(row): \(seen) instead of \(wanted)"
                }
            }
        }
        return nil
    }

    /// Returns the same cell for all cells that look the same. A blank keeps only the style that is visible on it. Reverse video is
    /// replaced by exchanged colours where the result looks the same.
    private static func visible(_ cell: Cell) -> Cell {
        var style = cell.style
        let isExact = style.attributes.isDisjoint(with: [.bold, .dim]) || cell.glyph.isBlank
        let hasColor = style.foreground != .default
        let isOwn = style.background == .default && !(cell.glyph.isBlank && !style.attributes.contains(.underline))
        if isExact, hasColor, !isOwn, style.attributes.contains(.reverse) {
            (style.foreground, style.background) = (style.background, style.foreground)
            style.attributes.remove(.reverse)
        }
        guard cell.glyph.isBlank else { return Cell(glyph: cell.glyph, style: style, width: cell.width) }
        style.attributes.formIntersection([.reverse, .underline])
        if style.attributes.isEmpty { style.foreground = .default }
        return Cell(glyph: .space, style: style, width: cell.width)
    }

    /// The characters on the screen as text, with a line for each row.
    public var text: String {
        (0..<size.rows).map { row in
            String(String.UnicodeScalarView(cells[row * size.columns..<(row + 1) * size.columns].filter { $0.width > 0 }.map(\.glyph.base)))
        }.joined(separator: "\n")
    }
}
