import TOMLText
import TerminalCanvas

extension TOMLDocument.Value {
    /// The kind of the value in words, for messages.
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

    /// The value as a message shows it. For a list, a table or a time, this is only the kind.
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

/// Returns text from a file as a message shows it: in quotation marks, shortened, and without control characters.
func quoted(_ text: String) -> String {
    let safe = sanitised(text, maximumLength: 48)
    return "\"" + (safe.unicodeScalars.count < 48 ? safe : safe + "…") + "\""
}
