import TerminalCanvas

/// Adds colours and attributes to what ncurses writes, which knows of neither: follows the cursor, looks up the style of each place that is
/// written or erased, and sets what does not stand yet.
///
/// What it does not know passes unchanged; then the next characters are plain until the cursor is put somewhere.
struct StylePass {
    /// What is to be seen in a place.
    struct Place {
        /// A number of the ``table``'s.
        var style: Int32 = 0
        /// As in ``Cell``.
        var width: UInt8 = 1
    }

    var table: StyleTable
    private let dialect: TerminalDialect
    private let isUTF8: Bool
    private var rendition: Rendition
    private(set) var size: Size
    private var places: [Place]
    /// The style that the next character has as things stand.
    private var standing: Int32?
    /// Whether that is the style of blanks that ncurses has another character for.
    private var standsForBlank = false
    private var cursor: Position?
    /// Whether the next bytes begin with the clearing of the screen.
    private var expectsClear = true
    private var output: [UInt8] = []

    init(table: StyleTable, dialect: TerminalDialect, isUTF8: Bool, size: Size) {
        self.table = table
        self.dialect = dialect
        self.isUTF8 = isUTF8
        self.size = size
        rendition = Rendition(dialect: dialect, store: &self.table.store)
        places = Array(repeating: Place(), count: size.columns * size.rows)
    }

    /// The screen is painted anew, maybe in another size: nothing is known of the terminal.
    mutating func startOver(size: Size) {
        self.size = size
        places = Array(repeating: Place(), count: size.columns * size.rows)
        rendition.forget()
        standing = nil
        cursor = nil
        expectsClear = true
    }

    /// What ncurses is told of: from now on to be seen so.
    mutating func set(_ place: Place, column: Int, row: Int) {
        places[row * size.columns + column] = place
    }

    /// Whether a wide character of the last row would be torn when the cell after it, the last of all, is moved to its place, or would scroll
    /// the screen.
    func cannotHaveWide(column: Int) -> Bool {
        dialect.insertsLastCell && column == size.columns - 3 || dialect.wrap == .next && column == size.columns - 2
    }

    /// Whether the last cell of a row can have marks. Where wrapping is at once they would come too late, and for the last cell of the screen
    /// ncurses switches wrapping off: then some terminals, tmux for one, put them on the cell before it.
    func canEndInMarks(row: Int) -> Bool { dialect.wrap != .next && row < size.rows - 1 }

    // MARK: Rewriting

    /// All that brings the terminal to the picture, from what ncurses makes of it.
    mutating func styled(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        output.removeAll(keepingCapacity: true)
        var input = Input(bytes: bytes)
        clear(&input)
        while let byte = input.next {
            if byte >= 0x20, byte != 0x7f {
                character(byte, &input)
            } else if byte == 0x1b {
                escape(&input)
            } else {
                control(byte, &input)
            }
        }
        input.pass(to: &output)
        return output
    }

    /// The bytes of ncurses and how far they are copied: what passes unchanged is copied in as few pieces as possible.
    struct Input {
        let bytes: UnsafeBufferPointer<UInt8>
        private(set) var index = 0
        private var copied = 0

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        func byte(after count: Int) -> UInt8? { index + count < bytes.count ? bytes[index + count] : nil }

        mutating func advance(_ count: Int) { index = min(index + count, bytes.count) }

        /// Copies everything up to here that has not been.
        mutating func pass(to output: inout [UInt8]) {
            guard copied < index else { return }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
            copied = index
        }

        /// Leaves out the next bytes.
        mutating func drop(_ count: Int, _ output: inout [UInt8]) {
            pass(to: &output)
            advance(count)
            copied = index
        }
    }

    private mutating func clear(_ input: inout Input) {
        guard expectsClear, input.bytes.starts(with: dialect.clear) else { return }
        expectsClear = false
        change(to: 0, isErasing: true, &input)
        input.advance(dialect.clear.count)
        cursor = Position(column: 0, row: 0)
    }

    private mutating func change(to style: Int32, isErasing: Bool = false, _ input: inout Input) {
        go(rendition.way(to: table.looks[Int(style)], isErasing: isErasing, swatches: table.swatches), &input)
        standing = isErasing ? nil : style
        standsForBlank = table.looks[Int(style)].mustBeWritten
    }

    private mutating func endStyle(_ input: inout Input) {
        go(rendition.wayToPlain(swatches: table.swatches), &input)
        standing = nil
    }

    private mutating func go(_ way: Rendition.Way, _ input: inout Input) {
        guard way.cost > 0 else { return }
        input.pass(to: &output)
        rendition.go(way, swatches: table.swatches, store: table.store, output: &output)
    }

    private func place(at position: Position) -> Place? {
        guard position.column >= 0, position.column < size.columns, position.row >= 0, position.row < size.rows else { return nil }
        return places[position.row * size.columns + position.column]
    }
}

// MARK: - Characters

extension StylePass {
    private mutating func character(_ first: UInt8, _ input: inout Input) {
        let count = isUTF8 ? StylePass.length(first) : 1
        guard let position = cursor, var place = place(at: position) else {
            endStyle(&input)
            return input.advance(count)
        }
        if isUTF8, first >= 0xcc, isMark(first, count, input) { return input.advance(count) }
        if insertsCorner(at: position, count, input) {
            place = self.place(at: Position(column: position.column + 1, row: position.row)) ?? place
        }
        if place.style != standing { change(to: place.style, &input) }
        if standsForBlank {
            input.drop(count, &output)
            output.append(0x20)
        } else {
            input.advance(count)
        }
        // Where the C library does not know a wide character, ncurses has ASCII for it.
        moveRight(first >= 0x80 ? max(1, Int(place.width)) : 1, from: position)
    }

    private static func length(_ first: UInt8) -> Int { first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4 }

    private func isMark(_ first: UInt8, _ count: Int, _ input: Input) -> Bool {
        // Braille, which is most of a map.
        if first == 0xe2, let second = input.byte(after: 1), second >= 0xa0, second <= 0xa3 { return false }
        var value = UInt32(first) & (0xff >> UInt32(count + 1))
        for offset in 1..<max(2, count) { value = value << 6 | UInt32(input.byte(after: offset) ?? 0) & 0x3f }
        return Unicode.Scalar(value).map { TextWidth.width(of: $0) == 0 } ?? false
    }

    /// Whether this character, in the last column but one of the last row, is the one for the last, about to be moved there by an insertion:
    /// then nothing but moves stands between.
    private func insertsCorner(at position: Position, _ count: Int, _ input: Input) -> Bool {
        guard dialect.insertsLastCell, position.row == size.rows - 1, position.column == size.columns - 2 else { return false }
        var rest = input.bytes[min(input.index + count, input.bytes.count)...]
        while let byte = rest.first {
            if byte == 0x1b, rest.dropFirst().first == 0x5b {
                guard let end = rest.dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else { return false }
                if rest[end] == 0x40 || rest[end] == 0x68 { return true }
                rest = rest[(end + 1)...]
            } else if byte < 0x20 {
                rest = rest.dropFirst()
            } else {
                return false
            }
        }
        return false
    }

    private mutating func moveRight(_ columns: Int, from position: Position) {
        var next = position
        next.column += columns
        if next.column >= size.columns {
            // Wrapping is switched off for the last cell of all.
            if next.row == size.rows - 1 || dialect.wrap == .none {
                next.column = size.columns - 1
            } else if dialect.wrap == .next {
                next = Position(column: 0, row: next.row + 1)
            } else {
                return cursor = nil
            }
        }
        cursor = next
    }
}

// MARK: - Everything else

extension StylePass {
    /// A control sequence of ECMA-48: `ESC [`, numbers, a letter.
    private struct Sequence {
        var first = 0
        var second = 0
        /// Whether it is nobody's but its terminal's.
        var isPrivate = false
        var final: UInt8 = 0
        /// Its length in bytes.
        var count = 0

        init?(_ input: Input) {
            var numbers = 0
            count = 2
            while let byte = input.byte(after: count) {
                count += 1
                switch byte {
                case 0x30...0x39 where numbers == 0: first = min(first * 10 + Int(byte - 0x30), 9_999)
                case 0x30...0x39: second = numbers == 1 ? min(second * 10 + Int(byte - 0x30), 9_999) : second
                case 0x3b: numbers += 1
                case 0x40...0x7e:
                    final = byte
                    return
                default: isPrivate = true
                }
            }
            return nil
        }
    }

    private mutating func control(_ byte: UInt8, _ input: inout Input) {
        switch byte {
        case 0x08: move { $0.column = max(0, $0.column - 1) }
        case 0x09: move { [last = size.columns - 1] in $0.column = min(last, ($0.column / 8 + 1) * 8) }
        case 0x0a: move { [last = size.rows - 1] in $0.row = min(last, $0.row + 1) }
        case 0x0d: move { $0.column = 0 }
        // Padding, and the way back to the usual character set, which nobody leaves.
        case 0x00, 0x0f: return input.drop(1, &output)
        default: cursor = nil
        }
        beginMove(&input)
        input.advance(1)
    }

    private mutating func escape(_ input: inout Input) {
        switch input.byte(after: 1) {
        case 0x5b:
            guard let sequence = Sequence(input) else { return input.advance(1) }
            control(sequence, &input)
        // The usual character set.
        case 0x28: input.drop(3, &output)
        case 0x4d:
            move { $0.row = max(0, $0.row - 1) }
            beginMove(&input)
            input.advance(2)
        default:
            cursor = nil
            input.advance(2)
        }
    }

    private mutating func control(_ sequence: Sequence, _ input: inout Input) {
        if !sequence.isPrivate {
            switch sequence.final {
            // Of attributes ncurses knows no more than their end.
            case 0x6d: return input.drop(sequence.count, &output)
            case 0x4a, 0x4b, 0x58:
                if let style = cursor.flatMap({ place(at: $0)?.style }) {
                    change(to: style, isErasing: true, &input)
                } else {
                    endStyle(&input)
                }
            case 0x62: if let position = cursor { moveRight(max(1, sequence.first), from: position) }
            // Insertions, and the mode for them, leave the cursor where it is.
            case 0x40, 0x68, 0x6c: break
            default:
                beginMove(&input)
                move(by: sequence)
            }
        }
        input.advance(sequence.count)
    }

    private mutating func move(by sequence: Sequence) {
        let count = max(1, sequence.first)
        let (last, bottom) = (size.columns - 1, size.rows - 1)
        switch sequence.final {
        case 0x48, 0x66: cursor = Position(column: min(last, max(1, sequence.second) - 1), row: min(bottom, count - 1))
        case 0x47, 0x60: move { $0.column = min(last, count - 1) }
        case 0x64: move { $0.row = min(bottom, count - 1) }
        case 0x41: move { $0.row = max(0, $0.row - count) }
        case 0x42: move { $0.row = min(bottom, $0.row + count) }
        case 0x43: move { $0.column = min(last, $0.column + count) }
        case 0x44: move { $0.column = max(0, $0.column - count) }
        case 0x5a: move { $0.column = max(0, ($0.column + 7) / 8 * 8 - 8 * count) }
        case 0x49: move { $0.column = min(last, ($0.column / 8 + count) * 8) }
        default: cursor = nil
        }
    }

    private mutating func move(_ change: (inout Position) -> Void) {
        guard var position = cursor else { return }
        change(&position)
        cursor = position
    }

    /// Some terminals move the cursor rightly only while nothing is on.
    private mutating func beginMove(_ input: inout Input) {
        if !dialect.movesWithAttributes { endStyle(&input) }
    }
}
