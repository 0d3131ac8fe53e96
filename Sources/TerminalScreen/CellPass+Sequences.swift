import TerminalCanvas

/// What ncurses writes beside characters: moves, erasures, modes.
extension CellPass {
    /// A control sequence of ECMA-48: `ESC [`, numbers, a letter.
    private struct Sequence {
        var first = 0
        var second = 0
        /// Whether it is nobody's but its terminal's.
        var isPrivate = false
        var final: UInt8 = 0
        /// Its length in bytes.
        var count = 2

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            var numbers = 0
            while count < bytes.count {
                let byte = bytes[count]
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

    mutating func control(_ byte: UInt8) {
        // Padding, and the way back to the usual character set, which nobody leaves.
        if byte == 0x00 || byte == 0x0f { return }
        beginMove()
        output.append(byte)
        switch byte {
        case 0x08: move { $0.column = max(0, $0.column - 1) }
        case 0x09: move { [last = size.columns - 1] in $0.column = min(last, ($0.column / 8 + 1) * 8) }
        case 0x0a: move { [last = size.rows - 1] in $0.row = min(last, $0.row + 1) }
        case 0x0d: move { $0.column = 0 }
        default: cursor = nil
        }
    }

    /// Handles what begins with ESC and returns its length.
    mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        switch bytes.count > 1 ? bytes[1] : 0 {
        case 0x5b:
            guard let sequence = Sequence(bytes) else { return pass(bytes, 1) }
            control(sequence, bytes)
            return sequence.count
        // The usual character set.
        case 0x28: return min(3, bytes.count)
        case 0x4d:
            beginMove()
            move { $0.row = max(0, $0.row - 1) }
            return pass(bytes, 2)
        default:
            catchUp()
            cursor = nil
            return pass(bytes, 2)
        }
    }

    private mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int) -> Int {
        let count = min(count, bytes.count)
        output.append(UnsafeBufferPointer(rebasing: bytes[..<count]))
        return count
    }

    private mutating func control(_ sequence: Sequence, _ bytes: UnsafeBufferPointer<UInt8>) {
        if sequence.isPrivate {
            catchUp()
        } else {
            switch sequence.final {
            // Of attributes ncurses knows no more than their end.
            case 0x6d: return
            case 0x4a, 0x4b, 0x58: erase()
            // Where there is one column only, the last cell has been written in its place; ncurses writes what it takes for its neighbour.
            case 0x40 where size.columns == 1:
                omitsNext = true
                return
            // Insertions, and the mode for them, leave the cursor where it is.
            case 0x40, 0x68, 0x6c: catchUp()
            default:
                // Where it goes does not depend on where it is, as far as the row stays.
                if sequence.final == 0x48 || sequence.final == 0x47 { (steps, isAhead) = (0, false) }
                beginMove()
                move(by: sequence)
            }
        }
        _ = pass(bytes, sequence.count)
    }

    private mutating func erase() {
        catchUp()
        if let style = cursor.flatMap({ index(of: $0) }).map({ places[$0].style }) {
            change(to: style, isErasing: true)
        } else {
            endStyle()
        }
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
        default:
            // Rows that are moved would be others than those that ncurses takes them for.
            isLost = true
            cursor = nil
        }
    }

    private mutating func move(_ change: (inout Position) -> Void) {
        guard var position = cursor else { return }
        change(&position)
        cursor = position
    }

    private mutating func beginMove() {
        catchUp()
        // Some terminals move the cursor rightly only while nothing is on.
        if !rules.movesWithAttributes { endStyle() }
    }
}
