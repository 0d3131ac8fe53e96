/// Parses a text statement by statement. The text must be UTF-8 without NUL.
struct TOMLReader {
    typealias Failure = TOMLDocument.Failure

    let bytes: [UInt8]
    var index: Int
    private(set) var tree = TOMLTree()
    private var line = 1
    /// Whether the current value has comments inside.
    private var hasComments = false

    /// Creates a reader that skips a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// The next byte; nil at the end.
    var byte: UInt8? { byte(after: 0) }

    func byte(after count: Int) -> UInt8? { index + count < bytes.count ? bytes[index + count] : nil }

    /// Returns a failure at a position in the text.
    func failure(_ sentence: String, at place: Int) -> Failure {
        let before = bytes[..<place]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Failure(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before[start...].count { $0 & 0xc0 != 0x80 } + 1,
            sentence: sentence)
    }

    /// Returns a failure at the current position. If the character there is invalid, the failure says so instead of `sentence`.
    func failure(_ sentence: String) -> Failure {
        let isForeign = byte.map { $0 >= 0x80 || (Self.isControl($0) && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n")) } ?? false
        return failure(isForeign ? "only printable ASCII is allowed outside straight quotation marks and comments" : sentence, at: index)
    }

    /// Whether TOML forbids a byte in single-line strings and comments.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7f }

    mutating func skipBlanks() {
        while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
    }

    /// Skips a line ending and returns true, or returns false if something else follows.
    mutating func skipNewline() -> Bool {
        let isLong = byte == UInt8(ascii: "\r") && byte(after: 1) == UInt8(ascii: "\n")
        guard isLong || byte == UInt8(ascii: "\n") else { return false }
        index += isLong ? 2 : 1
        line += 1
        return true
    }

    /// Skips a comment up to the end of the line, if one follows.
    private mutating func skipComment() throws(Failure) {
        guard byte == UInt8(ascii: "#") else { return }
        while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") || self.byte(after: 1) != UInt8(ascii: "\n") {
            if Self.isControl(byte) { throw failure("a control character is not allowed in a comment", at: index) }
            index += 1
        }
    }

    /// Skips whitespace, line endings and comments between the values of an array.
    private mutating func skipListSpace() throws(Failure) {
        repeat {
            skipBlanks()
            if byte == UInt8(ascii: "#") { hasComments = true }
            try skipComment()
        } while skipNewline()
    }
}

// MARK: - Statements

extension TOMLReader {
    /// Reads the whole text.
    mutating func statements() throws(Failure) -> [TOMLDocument.Statement] {
        var statements: [TOMLDocument.Statement] = []
        var table = TOMLTree.root
        while index < bytes.count {
            let (start, line) = (index, line)
            let content = try statement(&table)
            skipBlanks()
            try skipComment()
            guard skipNewline() || byte == nil else {
                throw failure("the line must end here; only a comment that starts with \"#\" can follow")
            }
            statements.append(TOMLDocument.Statement(content: content, range: start..<index, line: line))
        }
        return statements
    }

    private mutating func statement(_ table: inout Int) throws(Failure) -> TOMLDocument.Statement.Content {
        skipBlanks()
        switch byte {
        case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .blank
        case UInt8(ascii: "#"): return .comment
        case UInt8(ascii: "["):
            let path = try header(&table)
            return .header(path)
        default:
            hasComments = false
            let (path, value) = try pair(in: table)
            return .pair(path, value: value, hasComments: hasComments)
        }
    }

    private mutating func header(_ table: inout Int) throws(Failure) -> [String] {
        let start = index
        let isElement = byte(after: 1) == UInt8(ascii: "[")
        index += isElement ? 2 : 1
        let path = try key("a table's name must consist of letters, digits, \"-\" and \"_\", or be in quotation marks")
        guard byte == UInt8(ascii: "]"), !isElement || byte(after: 1) == UInt8(ascii: "]") else {
            throw failure("the name of this table must end here with \(isElement ? "\"]]\"" : "\"]\"")")
        }
        index += isElement ? 2 : 1
        let opened = tree.open(path, isElement: isElement, line: line)
        guard let open = opened.table else { throw failure("this table's name is already used on line \(opened.obstacle)", at: start) }
        table = open
        return path
    }

    /// Reads a key and its value, and returns the range of the value.
    private mutating func pair(in table: Int, depth: Int = 0) throws(Failure) -> (path: [String], value: Range<Int>) {
        let start = index
        let path = try key("a key must consist of letters, digits, \"-\" and \"_\", or be in quotation marks")
        guard byte == UInt8(ascii: "=") else { throw failure("a key must be followed by \"=\" and a value") }
        index += 1
        skipBlanks()
        let valueStart = index
        let value = try value(depth: depth)
        if let obstacle = tree.set(path, to: value, in: table, line: line) {
            throw failure("this key is already used on line \(obstacle)", at: start)
        }
        return (path, valueStart..<index)
    }

    /// Reads a key, which may have dots, and the space after it.
    private mutating func key(_ missing: String) throws(Failure) -> [String] {
        var path: [String] = []
        while true {
            skipBlanks()
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                path.append(try text(mayBeLong: false))
            } else {
                let start = index
                while let byte, Self.isBare(byte) { index += 1 }
                guard index > start else { throw failure(missing) }
                path.append(String(decoding: bytes[start..<index], as: UTF8.self))
            }
            skipBlanks()
            guard byte == UInt8(ascii: ".") else { return path }
            guard path.count <= TOMLDocument.maximumDepth else { throw failure("this is nested too deeply") }
            index += 1
        }
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

// MARK: - Values

extension TOMLReader {
    private mutating func value(depth: Int) throws(Failure) -> TOMLDocument.Value {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try text(mayBeLong: true))
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard depth < TOMLDocument.maximumDepth else { throw failure("this is nested too deeply") }
            return byte == UInt8(ascii: "[") ? try list(depth: depth + 1) : try inlineTable(depth: depth + 1)
        default: return try word()
        }
    }

    private mutating func list(depth: Int) throws(Failure) -> TOMLDocument.Value {
        let start = index
        var items: [TOMLDocument.Value] = []
        index += 1
        while true {
            try skipListSpace()
            if byte != UInt8(ascii: "]") && byte != UInt8(ascii: "}") && byte != nil {
                items.append(try value(depth: depth))
                try skipListSpace()
            }
            switch byte {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return .array(items)
            case UInt8(ascii: "}"): throw failure("this list must end with \"]\" instead of \"}\"")
            case nil: throw failure("the list that starts here has no \"]\" at its end", at: start)
            default: throw failure("a list needs \"]\" at its end, and \",\" between its values")
            }
        }
    }

    private mutating func inlineTable(depth: Int) throws(Failure) -> TOMLDocument.Value {
        let table = tree.addTable(line: line)
        index += 1
        skipBlanks()
        if byte == UInt8(ascii: "}") {
            index += 1
            return .table([:])
        }
        while true {
            _ = try pair(in: table, depth: depth)
            skipBlanks()
            switch byte {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "}"):
                index += 1
                return .table(tree.values(of: table))
            default: throw failure("a table in braces needs \"}\" at its end, on the same line, and \",\" between its pairs")
            }
        }
    }
}
