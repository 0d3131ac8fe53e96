import FoundationEssentials
import Testing

@testable import TripRecording

/// A JSON value to write, with keys in camelCase. A style changes the keys to the spelling of one of the log's export formats.
indirect enum LogDocument: Sendable {
    case text(String), number(Double), flag(Bool), null
    case list([LogDocument])
    case members([(String, LogDocument)])

    enum KeyStyle: CaseIterable, Sendable { case camelCase, lowerCase, underscores }

    func rendered(_ style: KeyStyle = .camelCase) -> String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .null: "null"
        case .list(let list): "[\(list.map { $0.rendered(style) }.joined(separator: ","))]"
        case .members(let members):
            "{\(members.map { "\"\(Self.key($0.0, style))\":\($0.1.rendered(style))" }.joined(separator: ","))}"
        }
    }

    private static func key(_ key: String, _ style: KeyStyle) -> String {
        switch style {
        case .camelCase: key
        case .lowerCase: key.lowercased()
        case .underscores: key.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
        }
    }
}

extension LogDocument: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral list: LogDocument...) { self = .list(list) }
    init(dictionaryLiteral members: (String, LogDocument)...) { self = .members(members) }
}

/// The formats in which logs are exported.
enum LogForm: CaseIterable, Sendable {
    case rawLogs, entries, array, lines

    func text(_ entries: [String]) -> String {
        switch self {
        case .rawLogs: "{\"logSource\":\"test\",\"rawLogs\":[\(entries.joined(separator: ",\n"))]}"
        case .entries: "{\"entries\":[\(entries.joined(separator: ","))],\"nextPageToken\":\"\"}"
        case .array: "[\n\(entries.joined(separator: ",\n"))\n]\n"
        case .lines: entries.joined(separator: "\n") + "\n"
        }
    }
}

func readLog(_ text: String) throws -> FleetEngineLog { try FleetEngineLog(Data(text.utf8)) }

func readLog(_ entries: [LogDocument], form: LogForm = .rawLogs, style: LogDocument.KeyStyle = .camelCase) throws -> FleetEngineLog {
    try readLog(form.text(entries.map { $0.rendered(style) }))
}

/// Returns the message of the error that `body` throws; empty if it does not throw.
func sentence(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch { return "\(error)" }
}
