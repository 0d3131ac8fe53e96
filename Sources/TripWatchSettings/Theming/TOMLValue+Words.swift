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

    /// Text for the value in a message; only the kind of a list, a table or a time.
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

/// Quotes text from a file so that a message can show it: sanitised, shortened, in quotation marks.
func quoted(_ text: String) -> String {
    let safe = sanitised(text, maximumLength: 48)
    return "\"" + (safe.unicodeScalars.count < 48 ? safe : safe + "…") + "\""
}
