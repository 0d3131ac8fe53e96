/// Reads XML piece by piece, so that the memory it needs does not grow with the text. It skips document type declarations with their
/// entities, so that no entity can be expanded.
struct XMLReader {
    enum Event: Hashable {
        /// A start tag. The name has no prefix.
        case start(String, [Attribute])
        /// An end tag. The text before it is in `text`.
        case end(String)
    }

    struct Attribute: Hashable {
        let name: String
        let value: String
    }

    private static let maximumDepth = 64
    private static let longestName = 256
    /// Maximum length of texts and of attribute values, in bytes. Longer ones are truncated.
    private static let longestText = 128
    private static let mostAttributes = 64

    private let refill: () throws(LocationFileError) -> [UInt8]?
    private var piece: [UInt8] = []
    private var offset = 0
    private var open: [[UInt8]] = []
    private var pendingEnd: String?
    private var hasRoot = false
    private var textBytes: [UInt8] = []
    /// The index in `textBytes` of the `&` with which a reference may begin.
    private var ampersand: Int?
    /// Number of the current line, counted from 1.
    private(set) var line = 1
    /// The beginning of the text since the last tag. References to characters and to XML's five predefined entities are replaced, but not
    /// in CDATA sections.
    var text: String { String(decoding: textBytes, as: UTF8.self) }
    /// The first word of the text.
    var word: String { String(decoding: textBytes.drop(while: Self.isSpace).prefix { !Self.isSpace($0) }, as: UTF8.self) }

    /// The text without the white space at its start and end.
    var trimmed: String {
        let bytes = textBytes.drop(while: Self.isSpace)
        let end = bytes.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// - Parameter refill: returns the next piece of the text; nil at the end.
    init(_ refill: @escaping () throws(LocationFileError) -> [UInt8]?) { self.refill = refill }

    /// - Returns: nil at the end of the document.
    mutating func next() throws(LocationFileError) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        clearText()
        while let byte = try nextByte() {
            guard byte == UInt8(ascii: "<") else {
                try character(byte)
                continue
            }
            switch try some() {
            case UInt8(ascii: "?"): try skip(past: "?>")
            case UInt8(ascii: "!"): try declaration()
            case UInt8(ascii: "/"): return try closingTag()
            case let first: return try openingTag(first)
            }
        }
        guard open.isEmpty, hasRoot else { throw hasRoot ? .truncated(line: line) : .isNot("XML file") }
        return nil
    }

    private mutating func nextByte() throws(LocationFileError) -> UInt8? {
        if offset == piece.count {
            guard let next = try refill(), !next.isEmpty else { return nil }
            (piece, offset) = (next, 0)
        }
        let byte = piece[offset]
        offset += 1
        if byte == 0x0A { line += 1 }
        return byte
    }

    private mutating func some() throws(LocationFileError) -> UInt8 {
        guard let byte = try nextByte() else { throw .truncated(line: line) }
        return byte
    }

    /// Adds a byte to the text, up to the maximum length. Outside the root element, only white space and control characters up to 0x1F are
    /// allowed, but not NUL. Before the root element, the byte order mark is allowed too.
    private mutating func character(_ byte: UInt8) throws(LocationFileError) {
        if open.isEmpty {
            guard byte <= 0x20 && byte != 0 || !hasRoot && [0xEF, 0xBB, 0xBF].contains(byte) else {
                throw hasRoot ? .malformed(line: line) : .isNot("XML file")
            }
        } else if textBytes.count < Self.longestText {
            if byte == UInt8(ascii: "&") { ampersand = textBytes.count }
            textBytes.append(byte)
            if byte == UInt8(ascii: ";") { replaceReference() }
        }
    }

    private mutating func clearText() {
        textBytes.removeAll(keepingCapacity: true)
        ampersand = nil
    }

    private mutating func skip(past mark: StaticString) throws(LocationFileError) {
        let wanted = Array("\(mark)".utf8)
        var last: [UInt8] = []
        while last != wanted {
            if last.count == wanted.count { last.removeFirst() }
            last.append(try some())
        }
    }

    /// Reads a comment, a document type declaration or a CDATA section.
    private mutating func declaration() throws(LocationFileError) {
        let first = try some()
        if first == UInt8(ascii: "-") {
            guard try some() == UInt8(ascii: "-") else { throw .malformed(line: line) }
            return try skip(past: "-->")
        }
        if first == UInt8(ascii: "[") {
            for byte in "CDATA[".utf8 where try some() != byte { throw .malformed(line: line) }
            return try literal()
        }
        guard !hasRoot else { throw .malformed(line: line) }
        var depth = 0
        while true {
            switch try some() {
            case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">"):
                if depth <= 0 { return }
                depth -= 1
            default: break
            }
        }
    }

    private mutating func literal() throws(LocationFileError) {
        ampersand = nil
        var closing = 0
        while true {
            let byte = try some()
            if byte == UInt8(ascii: ">"), closing >= 2 { return }
            closing = byte == UInt8(ascii: "]") ? closing + 1 : 0
            if closing == 0, textBytes.count < Self.longestText { textBytes.append(byte) }
        }
    }
}

// MARK: - References

extension XMLReader {
    /// Replaces the reference at the end of the text, such as `&lt;` or `&#233;`. Any other text is kept as it is.
    private mutating func replaceReference() {
        guard let start = ampersand else { return }
        ampersand = nil
        let name = String(decoding: textBytes.dropFirst(start + 1).dropLast(), as: UTF8.self)
        guard let character = Self.character(named: name) else { return }
        textBytes.removeLast(textBytes.count - start)
        textBytes.append(contentsOf: String(character).utf8)
    }

    /// Returns the character that a reference stands for; nil for any other name.
    private static func character(named name: String) -> Character? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "amp": return "&"
        default:
            guard name.first == "#" else { return nil }
            let isHex = name.dropFirst().first == "x"
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: isHex ? 16 : 10) else { return nil }
            return Unicode.Scalar(code).map { Character($0) }
        }
    }
}

// MARK: - Tags

extension XMLReader {
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte belongs to a name: letters, digits, the punctuation of names, and all non-ASCII bytes.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// - Returns: the name, and the byte after it.
    private mutating func name(_ first: UInt8) throws(LocationFileError) -> (name: [UInt8], next: UInt8) {
        var name: [UInt8] = []
        var byte = first
        while Self.isName(byte) {
            guard name.count < Self.longestName else { throw .malformed(line: line) }
            name.append(byte)
            byte = try some()
        }
        guard !name.isEmpty else { throw .malformed(line: line) }
        return (name, byte)
    }

    private static func local(_ name: [UInt8]) -> String {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        return String(decoding: name[start...], as: UTF8.self)
    }

    private mutating func space(from first: UInt8) throws(LocationFileError) -> UInt8 {
        var byte = first
        while Self.isSpace(byte) { byte = try some() }
        return byte
    }

    private mutating func closingTag() throws(LocationFileError) -> Event {
        let (name, next) = try name(try some())
        guard try space(from: next) == UInt8(ascii: ">"), open.popLast() == name else { throw .malformed(line: line) }
        return .end(Self.local(name))
    }

    private mutating func openingTag(_ first: UInt8) throws(LocationFileError) -> Event {
        guard !hasRoot || !open.isEmpty else { throw .malformed(line: line) }
        let (name, behind) = try name(first)
        var byte = try space(from: behind)
        var attributes: [Attribute] = []
        while byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            guard attributes.count < Self.mostAttributes else { throw .malformed(line: line) }
            let (key, next) = try self.name(byte)
            guard try space(from: next) == UInt8(ascii: "=") else { throw .malformed(line: line) }
            attributes.append(Attribute(name: Self.local(key), value: try value()))
            byte = try space(from: try some())
        }
        hasRoot = true
        let local = Self.local(name)
        if byte == UInt8(ascii: "/") {
            guard try some() == UInt8(ascii: ">") else { throw .malformed(line: line) }
            pendingEnd = local
        } else {
            guard open.count < Self.maximumDepth else { throw .malformed(line: line) }
            open.append(name)
        }
        clearText()
        return .start(local, attributes)
    }

    private mutating func value() throws(LocationFileError) -> String {
        let quote = try space(from: try some())
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .malformed(line: line) }
        var bytes: [UInt8] = []
        while true {
            let byte = try some()
            if byte == quote { return String(decoding: bytes, as: UTF8.self) }
            guard byte != UInt8(ascii: "<") else { throw .malformed(line: line) }
            if bytes.count < Self.longestText { bytes.append(byte) }
        }
    }
}
