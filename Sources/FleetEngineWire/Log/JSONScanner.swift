/// The faults that a ``JSONScanner`` finds in a text. Lines are counted from 1.
package protocol JSONScannerFailure: Error {
    /// The text ends inside a value that begins on this line.
    static func truncated(line: Int) -> Self
    /// This line contains text that is not JSON.
    static func notJSON(line: Int) -> Self
    /// Brackets on this line are nested deeper than the limit.
    static func tooDeep(line: Int) -> Self
}

/// Moves over the values of a JSON text without parsing them. It recognises only brackets and strings; a decoder parses the values.
package struct JSONScanner<Failure: JSONScannerFailure> {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    /// The offset of the next value, in bytes.
    package private(set) var offset = 0
    /// The number of the line at `offset`.
    package private(set) var line: Int
    /// The number of values so far, counted as opening brackets and commas.
    package private(set) var valueCount = 0
    /// The line number of each open bracket, starting with the outermost bracket.
    private var openLines: [Int] = []

    /// - Parameters:
    ///   - line: the number of the text's first line.
    ///   - maximumDepth: the maximum nesting depth of brackets in a value.
    package init(_ bytes: [UInt8], line: Int = 1, maximumDepth: Int) {
        self.bytes = bytes
        self.line = line
        self.maximumDepth = maximumDepth
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Skips white space, and returns the next byte without skipping it; nil at the end of the text.
    package mutating func next() -> UInt8? {
        skipSpace()
        return current
    }

    /// Moves past an opening bracket to the first element.
    /// - Returns: false for empty brackets; the scanner has then moved past them.
    package mutating func enter(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar) throws(Failure) -> Bool {
        guard let byte = next() else { throw Failure.truncated(line: openLine) }
        guard byte == UInt8(ascii: opening) else { throw Failure.notJSON(line: line) }
        let startLine = line
        offset += 1
        valueCount += 1
        if next() == UInt8(ascii: closing) {
            offset += 1
            return false
        }
        openLines.append(startLine)
        return true
    }

    /// Moves over a comma, or over the closing bracket of the innermost open pair. Returns whether another element follows.
    package mutating func continues(until closing: Unicode.Scalar) throws(Failure) -> Bool {
        guard let byte = next() else { throw Failure.truncated(line: openLine) }
        let isEnd = byte == UInt8(ascii: closing)
        guard isEnd || byte == UInt8(ascii: ",") else { throw Failure.notJSON(line: line) }
        offset += 1
        if isEnd { _ = openLines.popLast() } else { valueCount += 1 }
        return !isEnd
    }

    /// Moves over the key of a member and its colon.
    /// - Returns: the key as written, including escapes.
    package mutating func key() throws(Failure) -> String {
        guard let byte = next() else { throw Failure.truncated(line: openLine) }
        guard byte == UInt8(ascii: "\"") else { throw Failure.notJSON(line: line) }
        let start = offset
        try skipString()
        let key = String(decoding: bytes[start + 1..<offset - 1], as: UTF8.self)
        guard let separator = next() else { throw Failure.truncated(line: openLine) }
        guard separator == UInt8(ascii: ":") else { throw Failure.notJSON(line: line) }
        offset += 1
        return key
    }

    /// Moves over a value.
    /// - Returns: the range of the value in the text.
    package mutating func value() throws(Failure) -> Range<Int> {
        guard let byte = next() else { throw Failure.truncated(line: openLine) }
        let start = offset
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): try skipBrackets()
        case UInt8(ascii: "\""): try skipString()
        default: try skipWord()
        }
        return start..<offset
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// The number of the line with the innermost open bracket; outside brackets, the current line.
    private var openLine: Int { openLines.last ?? line }

    private mutating func skipSpace() {
        while let byte = current {
            switch byte {
            case 0x0A:
                line += 1
                offset += 1
            case 0x20, 0x09, 0x0D: offset += 1
            default: return
            }
        }
    }

    /// Moves over a number, `true`, `false`, `null` or invalid text, which the decoder will refuse.
    private mutating func skipWord() throws(Failure) {
        let start = offset
        scan: while let byte = current {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): offset += 1
            default: break scan
            }
        }
        if offset == start { throw Failure.notJSON(line: line) }
    }

    private mutating func skipString() throws(Failure) {
        let startLine = line
        offset += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): offset += 2
            case 0x0A: throw Failure.notJSON(line: startLine)
            default: offset += 1
            }
        }
        throw Failure.truncated(line: startLine)
    }

    private mutating func skipBrackets() throws(Failure) {
        let startLine = line
        var closers: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                continue
            case UInt8(ascii: "{"):
                valueCount += 1
                closers.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["):
                valueCount += 1
                closers.append(UInt8(ascii: "]"))
            case UInt8(ascii: ","): valueCount += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == byte else { throw Failure.notJSON(line: line) }
            case 0x0A: line += 1
            default: break
            }
            guard closers.count <= maximumDepth else { throw Failure.tooDeep(line: line) }
            offset += 1
            if closers.isEmpty { return }
        }
        throw Failure.truncated(line: startLine)
    }
}
