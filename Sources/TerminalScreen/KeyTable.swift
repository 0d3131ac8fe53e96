import TerminalCanvas

/// Which bytes the terminal's own description gives to its keys. They come before the common forms that ``ControlSequence`` knows.
struct KeyTable: Sendable {
    private var keys: [[UInt8]: Key] = [:]

    /// The terminfo names of the keys that have a place in ``Key``.
    static let capabilities: [(name: String, code: Key.Code)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end), ("kpp", .pageUp),
            ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kcbt", .backtab), ("kent", .enter),
        ] + (1...12).map { ("kf\($0)", .function($0)) }

    init() {}

    /// - Parameter sequence: the value of a terminfo capability, empty where the terminal has none.
    init(sequence: (String) -> [UInt8]) {
        for (name, code) in KeyTable.capabilities {
            let bytes = sequence(name)
            // A byte alone would take a character away from the user; a mouse report is no key.
            guard bytes.count >= 2, bytes.count <= InputDecoder.longestSequence, bytes.first == 0x1b, keys[bytes] == nil else { continue }
            keys[bytes] = Key(code)
        }
    }

    subscript(bytes: [UInt8]) -> Key? {
        keys[bytes]
    }
}
