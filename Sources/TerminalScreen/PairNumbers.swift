import CNCurses
import TerminalCanvas

/// Two colours as terminfo numbers; −1 for the terminal's own colour.
struct ColorPair: Hashable {
    var foreground: Int32
    var background: Int32

    static let terminals = ColorPair(foreground: -1, background: -1)
}

/// Assigns numbers to colour pairs. A pair is passed to ncurses when it first occurs.
struct PairNumbers {
    private var numbers: [ColorPair: Int32] = [:]
    private var last = (pair: ColorPair.terminals, number: Int32(0))
    /// Whether a pair was requested after all numbers were used up.
    private(set) var isFull = false

    /// Returns a row in the form that ncurses accepts.
    mutating func numbered(_ cells: [RowPreparation.PreparedCell]) -> [CNCursesCell] {
        cells.map { cell in
            CNCursesCell(
                characters: cell.glyph.characters, attributes: UInt32(cell.look.attributes.rawValue), pair: number(of: cell.look.colors))
        }
    }

    /// Returns the number of a pair; 0, which means the terminal's own colours, if no number is left.
    private mutating func number(of pair: ColorPair) -> Int32 {
        if pair != last.pair { last = (pair, find(pair)) }
        return last.number
    }

    private mutating func find(_ pair: ColorPair) -> Int32 {
        if pair == .terminals { return 0 }
        if let number = numbers[pair] { return number }
        let number = Int32(clamping: numbers.count + 1)
        guard !isFull, cncurses_set_pair(number, pair.foreground, pair.background) else {
            isFull = true
            return 0
        }
        numbers[pair] = number
        return number
    }

    /// Releases all numbers. Every row must then be passed to ncurses again.
    mutating func reset() {
        cncurses_reset_pairs()
        self = PairNumbers()
    }
}

extension Glyph {
    /// The base character and two marks; 0 for a missing mark.
    fileprivate var characters: (UInt32, UInt32, UInt32) {
        if isSingleScalar { return (base.value, 0, 0) }
        let marks = scalars.dropFirst().map(\.value) + [0, 0]
        return (base.value, marks[0], marks[1])
    }
}
