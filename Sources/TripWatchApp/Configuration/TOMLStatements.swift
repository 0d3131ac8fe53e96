/// A TOML text in its statements, to tell where a key stands and to change one without touching another.
///
/// The text is one that ``TOMLDocument`` accepts. Of any other the pieces mean nothing, but still cover it without a gap.
struct TOMLStatements: Sendable {
    /// A line, or the lines of one key and its value.
    struct Statement: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case blank
            case comment
            /// The header of a table or of an element of a list of tables.
            case header([String])
            case pair([String], Value)
        }

        let content: Content
        /// Its bytes in the text, with the line's end.
        let range: Range<Int>
        /// The first of its lines, counted from 1.
        let line: Int
    }

    /// Where the value of a key stands.
    struct Value: Hashable, Sendable {
        /// Its bytes in the text.
        let range: Range<Int>
        /// Whether there are comments inside of it, in a list over several lines.
        let hasComments: Bool
    }

    let all: [Statement]

    init(_ bytes: [UInt8]) {
        var cursor = TOMLCursor(bytes)
        var statements: [Statement] = []
        while !cursor.isAtEnd {
            let (start, line) = (cursor.index, cursor.line)
            let content = cursor.statement()
            cursor.skipLine()
            statements.append(Statement(content: content, range: start..<cursor.index, line: line))
        }
        all = statements
    }

    /// The line on which each key and each table is spoken of first, by its full path.
    func lines() -> [[String]: Int] {
        var lines: [[String]: Int] = [:]
        var table: [String] = []
        for statement in all {
            let path: [String]
            switch statement.content {
            case .blank, .comment: continue
            case .header(let header): (table, path) = (header, header)
            case .pair(let key, _): path = table + key
            }
            for count in path.indices where lines[Array(path[...count])] == nil { lines[Array(path[...count])] = statement.line }
        }
        return lines
    }
}

/// Walks through a TOML text.
private struct TOMLCursor {
    private let bytes: [UInt8]
    private(set) var index: Int
    private(set) var line = 1

    /// Begins behind a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    var isAtEnd: Bool { index >= bytes.count }
    private var byte: UInt8? { isAtEnd ? nil : bytes[index] }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where !isAtEnd {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while let byte, isSkipped(byte) { advance() }
    }

    private mutating func skipBlanks() { skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") } }

    /// Goes behind the end of this line.
    mutating func skipLine() {
        skip { $0 != UInt8(ascii: "\n") }
        advance()
    }

    /// Reads one statement, up to a comment behind it or to the end of its last line.
    mutating func statement() -> TOMLStatements.Statement.Content {
        skipBlanks()
        switch byte {
        case nil, UInt8(ascii: "\n"): return .blank
        case UInt8(ascii: "#"): return .comment
        case UInt8(ascii: "["):
            skip { $0 == UInt8(ascii: "[") }
            return .header(path())
        default:
            let path = path()
            if byte == UInt8(ascii: "=") { advance() }
            skipBlanks()
            return .pair(path, value())
        }
    }

    /// Reads a key and its dots.
    private mutating func path() -> [String] {
        var path: [String] = []
        while true {
            skipBlanks()
            let start = index
            if let mark = byte, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") {
                skipText(mark)
                path.append(Self.name(Array(bytes[start..<index])))
            } else {
                skip { !" \t\r\n.=]#\"'".utf8.contains($0) }
                path.append(String(decoding: bytes[start..<index], as: UTF8.self))
            }
            skipBlanks()
            guard byte == UInt8(ascii: ".") else { return path }
            advance()
        }
    }

    /// What a key in quotation marks means.
    private static func name(_ quoted: [UInt8]) -> String {
        if quoted.contains(UInt8(ascii: "\\")), let read = try? TOMLDocument(utf8: quoted + Array(" = 0".utf8)),
            let key = read.table.keys.first
        {
            return key
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    private mutating func value() -> TOMLStatements.Value {
        let start = index
        var end = index
        var depth = 0
        var hasComments = false
        while let byte, depth > 0 || byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "#") {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText(byte)
            case UInt8(ascii: "#"):
                hasComments = true
                skip { $0 != UInt8(ascii: "\n") }
            default:
                if "[{".utf8.contains(byte) { depth += 1 }
                if "]}".utf8.contains(byte) { depth -= 1 }
                advance()
            }
            if !" \t\r".utf8.contains(byte) { end = index }
        }
        return TOMLStatements.Value(range: start..<end, hasComments: hasComments)
    }

    /// Goes behind a text between one or three quotation marks.
    private mutating func skipText(_ mark: UInt8) {
        let isLong = bytes[index...].prefix(3).elementsEqual([mark, mark, mark])
        advance(isLong ? 3 : 1)
        while let byte, isLong || byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") {
                advance(2)
                continue
            }
            // Up to two marks of a long text itself may stand before the three that end it.
            let marks = bytes[index...].prefix(isLong ? 5 : 1).prefix { $0 == mark }.count
            advance(max(1, marks))
            if marks >= (isLong ? 3 : 1) { return }
        }
    }
}
