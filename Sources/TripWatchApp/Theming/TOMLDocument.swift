import TOMLKit
import TerminalCanvas

/// A TOML text as plain values. This file alone knows the parser.
///
/// The parser (toml++ behind a thin wrapper) refuses malformed text by itself. What it does not survive is kept from it: invalid UTF-8 and
/// NUL, at which its C strings would end; what ``TOMLPrecheck`` finds; and long texts, since the wrapper never frees what was read.
struct TOMLDocument: Hashable, Sendable {
    /// One value.
    enum Value: Hashable, Sendable {
        case string(String)
        case integer(Int)
        case double(Double)
        case boolean(Bool)
        case array([Value])
        case table([String: Value])
        /// A time of day, which nothing here has a use for; dates are refused.
        case time
    }

    /// Why a text is no document: one sentence, and where, counted from 1.
    struct Failure: Error, Hashable {
        var line: Int?
        var column: Int?
        var sentence: String
    }

    /// A text longer than this is refused unread, bytes.
    static let maximumBytes = 65_536

    /// The top level.
    var table: [String: Value]

    /// Reads UTF-8, with or without a byte order mark.
    init(utf8 bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.maximumBytes else {
            throw Failure(sentence: "the file is larger than \(Self.maximumBytes / 1_024) KiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure(sentence: "the file is not UTF-8 text") }
        guard !bytes.contains(0) else { throw Failure(sentence: "the file contains a NUL character") }
        if let failure = TOMLPrecheck.failure(bytes) { throw failure }
        do {
            table = try Self.values(of: TOMLTable(string: text))
        } catch let error as TOMLParseError {
            throw Failure(
                line: error.source.begin.line, column: error.source.begin.column,
                sentence: sanitised(error.description, maximumLength: 200))
        } catch {
            throw Failure(sentence: "the file cannot be read as TOML")
        }
    }

    private static func values(of table: TOMLTable) -> [String: Value] {
        var values: [String: Value] = [:]
        // The wrapper's own iterator traps on a key with an escaped NUL, under which nothing is found again.
        for key in table.keys {
            if let item = table[key] { values[key] = value(of: item) }
        }
        return values
    }

    private static func value(of item: any TOMLValueConvertible) -> Value {
        switch item.type {
        case .string: item.string.map { .string($0) } ?? .time
        case .int: item.int.map { .integer($0) } ?? .time
        case .double: item.double.map { .double($0) } ?? .time
        case .bool: item.bool.map { .boolean($0) } ?? .time
        case .array: .array(item.array.map { array in (0..<array.count).map { value(of: array[$0]) } } ?? [])
        case .table: .table(item.table.map { values(of: $0) } ?? [:])
        case .date, .time, .dateTime: .time
        }
    }
}

extension TOMLDocument.Value {
    /// What kind of value it is, for messages.
    var kind: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .double: "a number"
        case .boolean: "true or false"
        case .array: "a list"
        case .table: "a table"
        case .time: "a time"
        }
    }

    /// The value as it may stand in a message.
    var shown: String {
        switch self {
        case .string(let text): quoted(text)
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array, .table, .time: kind
        }
    }
}

/// A text from a file as it may stand in a message: safe, short, in quotation marks.
func quoted(_ text: String) -> String {
    let safe = sanitised(text, maximumLength: 48)
    return "\"" + (safe.unicodeScalars.count < 48 ? safe : safe + "…") + "\""
}
