import TerminalCanvas

/// The byte sequences of the keys according to terminfo. They take precedence over the usual forms in ``ControlSequence``.
package struct KeyTable: Sendable {
    private var keys: [[UInt8]: Key] = [:]

    /// The terminfo names of the keys in ``Key``.
    static let capabilities: [(name: String, code: Key.Code)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end), ("kpp", .pageUp),
            ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kcbt", .backtab), ("kent", .enter),
        ] + (1...12).map { ("kf\($0)", .function($0)) }

    package init() {}

    /// - Parameter sequence: returns the value of a terminfo capability; empty if the terminal lacks it.
    init(sequence: (String) -> [UInt8]) {
        for (name, code) in KeyTable.capabilities {
            let bytes = sequence(name)
            // A sequence of one byte is ignored, because it would hide the character that the byte stands for. A sequence that is too long
            // or does not begin with ESC is ignored, too. If two keys have the same sequence, it stands for the key that is listed first.
            guard bytes.count >= 2, bytes.count <= InputDecoder.longestSequence, bytes.first == 0x1b, keys[bytes] == nil else { continue }
            keys[bytes] = Key(code)
        }
    }

    subscript(bytes: [UInt8]) -> Key? {
        keys[bytes]
    }
}
