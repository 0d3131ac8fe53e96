import TOMLText
import TerminalCanvas

extension TOMLDocument.Value {
    /// Kind of the value, for messages.
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

    /// The value for a message.
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

/// A text from a file for a message: sanitised, shortened, in quotation marks.
func quoted(_ text: String) -> String {
    let safe = sanitised(text, maximumLength: 48)
    return "\"" + (safe.unicodeScalars.count < 48 ? safe : safe + "…") + "\""
}
