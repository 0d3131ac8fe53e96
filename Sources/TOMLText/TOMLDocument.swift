/// A TOML 1.0 text read without loss: its values, and the place of each statement.
///
/// Two features of TOML are refused, since settings do not need them: dates (a time of day is read), and nesting beyond ``maximumDepth``.
/// No text makes reading trap or take longer than its length allows.
public struct TOMLDocument: Hashable, Sendable {
    /// One value.
    public enum Value: Hashable, Sendable {
        case string(String)
        case integer(Int)
        case double(Double)
        case boolean(Bool)
        case array([Value])
        case table([String: Value])
        /// A time of day, which is read but not used.
        case time
    }

    /// The reason why a text is not a document, or cannot be changed: one sentence without any of the text, and its position, counted from
    /// 1.
    public struct Failure: Error, Hashable, Sendable {
        public var line: Int?
        /// Counted in Unicode scalars.
        public var column: Int?
        public var sentence: String

        public init(line: Int? = nil, column: Int? = nil, sentence: String) {
            self.line = line
            self.column = column
            self.sentence = sentence
        }
    }

    /// A line, or the lines of one key and its value.
    public struct Statement: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case blank
            case comment
            /// The header of a table or of an element of a list of tables.
            case header([String])
            /// A key, and the bytes of its value in the text.
            case pair([String], value: Range<Int>, hasComments: Bool)
        }

        public let content: Content
        /// Its bytes in the text, including the line end.
        public let range: Range<Int>
        /// Number of its first line, counted from 1.
        public let line: Int
    }

    /// Largest text in bytes; a longer one is refused without being read.
    public static let maximumBytes = 65_536
    /// Largest nesting of lists and inline tables, and largest number of dots in one key.
    public static let maximumDepth = 16

    /// The text as it was read.
    public let bytes: [UInt8]
    /// The top level.
    public let table: [String: Value]
    /// All statements of the text in order, without gaps; a byte order mark comes before the first.
    public let statements: [Statement]

    /// Reads UTF-8, with or without a byte order mark.
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

    /// The first line that mentions each key and each table, by its full path.
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
