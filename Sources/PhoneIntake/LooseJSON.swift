/// Reads invalid JSON that some clients send: it has words such as `NaN`, `-Infinity` or `None` in place of numbers.
///
/// The decoder's own JSON5 mode cannot be used, because bytes that are not UTF-8 make it crash the program.
struct LooseJSON {
    private static let values = ["true", "false", "null"].map { Array($0.utf8) }

    private var rest: ArraySlice<UInt8>
    private var plain: [UInt8] = []

    /// Returns the JSON with `null` in place of each word that JSON does not have.
    static func withoutWords(_ bytes: [UInt8]) -> [UInt8] {
        var reader = LooseJSON(rest: bytes[...])
        reader.plain.reserveCapacity(bytes.count)
        reader.readAll()
        return reader.plain
    }

    private mutating func readAll() {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""): plain += string()
            case UInt8(ascii: "-") where rest.dropFirst().first.map(Self.isLetter) == true: plain += word()
            case _ where Self.isLetter(byte): plain += word()
            default: plain += other()
            }
        }
    }

    /// Reads a string with its quotes. If the closing quote is missing, reads to the end of the text.
    private mutating func string() -> ArraySlice<UInt8> {
        var isEscaped = true
        let end = rest.firstIndex { byte in
            defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
            return !isEscaped && byte == UInt8(ascii: "\"")
        }
        return cut(before: end.map { $0 + 1 })
    }

    /// Reads a word. Returns `null` for a word that JSON does not have.
    private mutating func word() -> [UInt8] {
        let word = Array(cut(before: rest.dropFirst().firstIndex { !Self.isLetter($0) }))
        return Self.values.contains(word) ? word : Array("null".utf8)
    }

    /// Reads a number, including letters in it. If no number begins here, reads a single byte.
    private mutating func other() -> ArraySlice<UInt8> {
        guard let byte = rest.first, Self.isDigit(byte) else { return cut(before: rest.startIndex + 1) }
        return cut(before: rest.firstIndex { !Self.isDigit($0) && !Self.isLetter($0) && !".+-".utf8.contains($0) })
    }

    /// Removes the text before an index and returns it.
    /// - Parameter end: the index; nil takes all of the text.
    private mutating func cut(before end: Int?) -> ArraySlice<UInt8> {
        let front = rest[..<(end ?? rest.endIndex)]
        rest = rest[front.endIndex...]
        return front
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
