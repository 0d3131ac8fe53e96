import TerminalCanvas

/// The contents of a control sequence, without `ESC [`.
struct ControlSequence {
    /// The character before the parameters, one of `< = > ?`; nil if the sequence has none of them.
    var marker: UInt8?
    /// At most sixteen parameters; 0 for an omitted parameter. Each is at most 0x110000, the first number beyond Unicode.
    var parameters: [Int] = []
    /// The numbers after the colons of each parameter: the key's other characters, and the type of the event.
    var details: [[Int]] = []
    var final: UInt8 = 0

    init(_ bytes: ArraySlice<UInt8>) {
        guard let last = bytes.last else { return }
        final = last
        var rest = bytes.dropLast()
        if let first = rest.first, (0x3c...0x3f).contains(first) {
            marker = first
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { return }
        for part in rest.split(separator: 0x3b, maxSplits: 15, omittingEmptySubsequences: false) {
            let numbers = part.split(separator: 0x3a, maxSplits: 3, omittingEmptySubsequences: false).map { digits in
                digits.reduce(0) { (0x30...0x39).contains($1) ? min($0 * 10 + Int($1) - 0x30, 0x11_0000) : $0 }
            }
            parameters.append(numbers.first ?? 0)
            details.append(Array(numbers.dropFirst()))
        }
    }

    /// Reads the three bytes of an X10 mouse report, and stores them as a report of mode 1006. Each byte is 32 more than the value that it
    /// stands for.
    init(x10 bytes: ArraySlice<UInt8>) {
        let values = bytes.map { Int($0) - 32 }
        guard values.count == 3, let code = values.first else { return }
        marker = 0x3c
        parameters = values
        // Code 3 means that a button was released, without saying which button.
        final = code & 0xe3 == 3 ? 0x6d : 0x4d
    }

    // MARK: Keys

    /// The key, in the forms that xterm and rxvt send: a letter, or a number before `~`. The second parameter contains the modifiers. If
    /// another program has left the kitty protocol or xterm's modifyOtherKeys on, keys can also arrive as numbers in other forms; see
    /// `KeyNumber`. The key is nil for the release of a key, and for an unknown sequence.
    var key: Key? {
        // The kitty protocol also reports when a key is released.
        if details.count > 1, details[1].first == 3 { return nil }
        if final == 0x75 { return KeyNumber(self).key }
        if final == 0x7e, parameters.count == 3, parameters[0] == 27 { return KeyNumber(otherKey: parameters).key }
        var modifiers = ControlSequence.modifiers(parameters.count > 1 ? parameters[1] : 1)
        let first = parameters.first ?? 1
        let code: Key.Code?
        switch final {
        case 0x7e: code = ControlSequence.code(number: first)
        case 0x5a: code = .backtab
        case 0x24, 0x5e, 0x40:
            // rxvt ends the sequence with "$" for Shift, "^" for Ctrl, and "@" for both.
            code = ControlSequence.code(number: first)
            modifiers = final == 0x24 ? .shift : final == 0x5e ? .control : [.shift, .control]
        case 0x61...0x64:
            code = ControlSequence.code(letter: final - 0x20)
            modifiers = .shift
        default: code = first <= 1 ? ControlSequence.code(letter: final) : nil
        }
        return code.map { Key($0, modifiers: modifiers) }
    }

    /// Returns the key for the byte after `ESC O`, or after `ESC [ [` on the Linux console.
    static func key(shifted byte: UInt8, isConsole: Bool) -> Key? {
        if isConsole { return (0x41...0x45).contains(byte) ? Key(.function(Int(byte) - 0x40)) : nil }
        switch byte {
        case 0x4d: return Key(.enter)
        case 0x61...0x64: return code(letter: byte - 0x20).map { Key($0, modifiers: .control) }
        // These are keys of the numeric keypad: "* + , - . /" and the digits.
        case 0x6a...0x79: return .character(Character(Unicode.Scalar(byte - 0x40)))
        default: return code(letter: byte).map { Key($0) }
        }
    }

    private static func code(letter: UInt8) -> Key.Code? {
        switch letter {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x50...0x53: .function(Int(letter) - 0x4f)
        default: nil
        }
    }

    private static func code(number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// Returns the modifiers in a parameter. xterm sends 1 plus the sum of: Shift 1, Alt 2, Ctrl 4, Meta 8. Meta counts as Alt.
    private static func modifiers(_ parameter: Int) -> Key.Modifiers {
        let bits = max(0, parameter - 1)
        var modifiers = Key.Modifiers(rawValue: UInt8(bits & 7))
        if bits & 8 != 0 { modifiers.insert(.alt) }
        return modifiers
    }

    // MARK: Mouse

    /// Returns the event in a report of xterm's mode 1006: button and modifiers, column, row, `M` for press or motion, `m` for release.
    /// `nil` for unsupported events, such as motion without a button.
    func mouseEvent(in size: Size) -> MouseEvent? {
        guard parameters.count == 3 else { return nil }
        let code = parameters[0]
        let column = min(max(0, parameters[1] - 1), max(0, size.columns - 1))
        let row = min(max(0, parameters[2] - 1), max(0, size.rows - 1))
        guard let action = mouseAction(code) else { return nil }
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        return MouseEvent(action, at: Position(column: column, row: row), modifiers: modifiers)
    }

    private func mouseAction(_ code: Int) -> MouseEvent.Action? {
        let directions: [MouseEvent.Direction] = [.up, .down, .left, .right]
        let buttons: [MouseEvent.Button?] = [.left, .middle, .right, nil]
        let button = buttons[code & 3]
        switch (code & 0xe0, final) {
        case (64, 0x4d): return .scroll(directions[code & 3])
        case (32, 0x4d): return button.map { .drag($0) }
        case (0, 0x4d): return button.map { .press($0) }
        case (0, _), (32, _): return .release(button)
        default: return nil
        }
    }
}
