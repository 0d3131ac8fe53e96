import TerminalCanvas

/// A key that is sent as a number. The kitty protocol and xterm's formatOtherKeys send `CSI NUMBER ; MODIFIERS u`. xterm's modifyOtherKeys
/// sends `CSI 27 ; MODIFIERS ; NUMBER ~`. The number is the code of a character, or one of kitty's numbers for keys without a character.
struct KeyNumber {
    private static let shift = 1
    private static let alt = 2
    private static let control = 4
    private static let capsLock = 64
    /// Super and Hyper. Keys with one of these modifiers belong to the window manager.
    private static let superAndHyper = 8 | 16
    /// Meta, which is treated as Alt. For Meta, xterm uses the bit that kitty uses for Super.
    private static let kittyMeta = 32
    private static let xtermMeta = 8

    private let number: Int
    /// The character of the key when Shift is held; nil if the terminal does not report it.
    private let shifted: Int?
    private var bits: Int

    /// Reads a key in the form that ends in `u`.
    init(_ sequence: ControlSequence) {
        number = sequence.parameters.first ?? 0
        let given = sequence.parameters.count > 1 ? max(0, sequence.parameters[1] - 1) : 0
        bits = given & Self.kittyMeta != 0 ? given | Self.alt : given
        let text = sequence.parameters.count > 2 ? sequence.parameters[2] : 0
        shifted = [sequence.details.first?.first, text].compactMap { $0 }.first { $0 > 0 }
    }

    /// Reads a key in the form that begins with 27, from its three parameters.
    init(otherKey parameters: [Int]) {
        number = parameters.count > 2 ? parameters[2] : 0
        let given = parameters.count > 1 ? max(0, parameters[1] - 1) : 0
        bits = given & Self.xtermMeta != 0 ? given & ~Self.xtermMeta | Self.alt : given
        shifted = nil
    }

    /// The key that the terminal would send without the protocol; nil for keys that have no meaning on their own, such as Shift, and for
    /// keys with Super or Hyper.
    var key: Key? {
        guard bits & Self.superAndHyper == 0 else { return nil }
        let modifiers = Key.Modifiers(rawValue: UInt8(bits & 7))
        switch number {
        case 9: return bits & Self.shift != 0 ? Key(.backtab) : plain(.tab)
        case 13, 57_414: return plain(.enter)
        case 27: return plain(.escape)
        case 8, 127: return plain(.backspace)
        case 57_344...63_743:
            if let character = Self.keypad(number) { return .character(character) }
            return Self.code(number).map { Key($0, modifiers: modifiers) }
        default: return character
        }
    }

    /// Returns one of the keys Tab, Enter, Escape and Backspace, and drops Shift and Ctrl; Alt is kept. A terminal that lacks the keyboard
    /// protocol sends the same byte for these keys whether or not Shift or Ctrl is held. Only Shift+Tab differs; it is `backtab` and does
    /// not come here.
    private func plain(_ code: Key.Code) -> Key { Key(code, modifiers: bits & Self.alt != 0 ? .alt : []) }

    private var character: Key? {
        let isShifted = bits & Self.shift != 0
        guard let base = Self.character(number) else { return nil }
        if bits & Self.control != 0 {
            let letter = Character(base.lowercased())
            switch letter {
            case "i": return plain(.tab)
            case "m", "j": return plain(.enter)
            case "h": return plain(.backspace)
            case "[": return plain(.escape)
            default: return Key(.character(letter == "@" ? " " : letter), modifiers: bits & Self.alt != 0 ? [.alt, .control] : .control)
            }
        }
        var shown = base
        if isShifted, let shifted, let other = Self.character(shifted) { shown = other }
        let upper = base.uppercased()
        if shown == base, isShifted != (bits & Self.capsLock != 0), upper.count == 1, let other = upper.first { shown = other }
        return Key(.character(shown), modifiers: bits & Self.alt != 0 ? .alt : [])
    }

    private static func character(_ number: Int) -> Character? {
        guard number >= 0x20, !(0x7f...0x9f).contains(number), let scalar = Unicode.Scalar(UInt32(number)) else { return nil }
        return Character(scalar)
    }

    /// Returns the character of a key on the numeric keypad; nil for any other key.
    private static func keypad(_ number: Int) -> Character? {
        switch number {
        case 57_399...57_408: Character(Unicode.Scalar(UInt8(0x30 + number - 57_399)))
        case 57_409: "."
        case 57_410: "/"
        case 57_411: "*"
        case 57_412: "-"
        case 57_413: "+"
        case 57_415: "="
        case 57_416: ","
        default: nil
        }
    }

    private static func code(_ number: Int) -> Key.Code? {
        let pad: [Key.Code] = [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]
        let index = number - 57_417
        return pad.indices.contains(index) ? pad[index] : nil
    }
}
