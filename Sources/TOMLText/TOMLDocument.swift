/// A parsed TOML 1.0 text: its values, its bytes, and the position of each statement.
///
/// Dates, and nesting beyond ``maximumDepth``, are refused, because settings do not need them. A time of day is allowed.
/// The parser never traps on any input. Its running time is bounded by the length of the input.
public struct TOMLDocument: Hashable, Sendable {
    /// One value.
    public enum Value: Hashable, Sendable {
        case string(String)
        case integer(Int)
        case double(Double)
        case boolean(Bool)
        case array([Value])
        case table([String: Value])
        /// A time of day. It is accepted, but its value is not kept.
        case time
    }

    /// The reason why a text is not valid TOML, or cannot be changed. `sentence` quotes nothing from the text. Lines and columns are
    /// counted from 1.
    public struct Failure: Error, Hashable, Sendable {
        public var line: Int?
        /// Column in the line, in Unicode scalars.
        public var column: Int?
        public var sentence: String

        public init(line: Int? = nil, column: Int? = nil, sentence: String) {
            self.line = line
            self.column = column
            self.sentence = sentence
        }
    }

    /// A statement: one line of the text, or all lines of a key whose value has several lines.
    public struct Statement: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case blank
            case comment
            /// The header of a table or of an element of an array of tables.
            case header([String])
            /// A key with the byte range of its value. `hasComments` says whether the value has comments inside.
            case pair([String], value: Range<Int>, hasComments: Bool)
        }

        public let content: Content
        /// Byte range of the statement in the text, including the line ending.
        public let range: Range<Int>
        /// Number of the statement's first line, counted from 1.
        public let line: Int
    }

    /// Maximum size of a text, in bytes. A longer text is refused without being parsed.
    public static let maximumBytes = 65_536
    /// Maximum nesting of lists and inline tables, and maximum number of dots in one key.
    public static let maximumDepth = 16

    /// The unchanged text.
    public let bytes: [UInt8]
    /// Keys and values of the top level.
    public let table: [String: Value]
    /// All statements of the text in order, without gaps; a byte order mark comes before the first.
    public let statements: [Statement]

    /// Parses UTF-8 text, with or without a byte order mark.
    public init(utf8 bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.maximumBytes else {
            throw Failure(sentence: "the file is larger than \(Self.maximumBytes / 1_024) KiB")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure(sentence: "the file is not UTF-8 text") }
        guard !bytes.contains(0) else { throw Failure(sentence: "the file contains a NUL character") }
        var reader = TOMLReader(bytes)
        statements = try reader.statements()
        table = reader.tree.values(of: TOMLTree.root)
        self.bytes = bytes
    }

    /// Maps the full path of each key and table to the number of the first line that mentions it.
    public func lines() -> [[String]: Int] {
        var lines: [[String]: Int] = [:]
        var table: [String] = []
        for statement in statements {
            let path: [String]
            switch statement.content {
            case .blank, .comment: continue
            case .header(let header): (table, path) = (header, header)
            case .pair(let key, _, _): path = table + key
            }
            for count in path.indices where lines[Array(path[...count])] == nil { lines[Array(path[...count])] = statement.line }
        }
        return lines
    }

    /// Returns the line of each element of an array of tables, and the lines of the element's keys. The result is empty for a list in
    /// brackets.
    public func rows(of path: [String]) -> [(line: Int, keys: [String: Int])] {
        var rows: [(line: Int, keys: [String: Int])] = []
        var isInside = false
        for statement in statements {
            switch statement.content {
            case .blank, .comment: continue
            case .header(let header):
                isInside = header == path
                if isInside { rows.append((line: statement.line, keys: [:])) }
            case .pair(let key, _, _):
                guard isInside, let name = key.first, let last = rows.indices.last else { continue }
                rows[last].keys[name] = statement.line
            }
        }
        return rows
    }
}

extension TOMLDocument.Value {
    /// The value as TOML on one line; nil for tables and times, which are never written.
    public var literal: String? {
        switch self {
        case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array(let items):
            items.contains { $0.literal == nil } ? nil : "[" + items.compactMap(\.literal).joined(separator: ", ") + "]"
        case .table, .time: nil
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\" + String(scalar)
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.properties.generalCategory == .control:
            "\\u" + String(repeating: "0", count: 4 - min(4, String(scalar.value, radix: 16).count)) + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }
}
