import TOMLText
import TerminalCanvas

extension ConfigurationValue<[OwnKeys]> {
    /// Key bindings, written as a table or as strings of the form ACTION=KEY. Several strings can bind keys to the same action.
    static let ownKeys = ConfigurationValue(
        form: .list,
        allowed: "a table of actions such as theme = \"T\" or quit = [\"Q\", \"F10\"], or a list of strings such as \"theme=T\""
    ) { value, _ in
        switch value {
        case .table(let rows):
            let own = rows.sorted { $0.key < $1.key }.compactMap { try? OwnKeys.reading($0.key, $0.value).get() }
            return own.count == rows.count ? own : nil
        case .array(let items): return texts(items)
        default: return texts([value])
        }
    }

    private static func texts(_ items: [TOMLDocument.Value]) -> [OwnKeys]? {
        var keys: [AppAction: [Key]] = [:]
        for item in items {
            guard case .string(let text) = item, let sign = text.firstIndex(of: "="),
                let action = AppAction(rawValue: String(text[..<sign]))
            else { return nil }
            let name = String(text[text.index(after: sign)...])
            let key = OwnKeys.key(name)
            guard key != nil || name.isEmpty else { return nil }
            keys[action, default: []] += [key].compactMap { $0 }
        }
        return keys.map { OwnKeys($0.key, $0.value) }.sorted { $0.action.rawValue < $1.action.rawValue }
    }
}

extension OwnKeys {
    /// The reason why a row of the table is invalid. Messages show it after the row's name.
    struct Fault: Error { let sentence: String }

    /// Returns the key with this name; nil if a terminal cannot send the key.
    static func key(_ name: String) -> Key? {
        guard var key = Key(name) else { return nil }
        if case .character(let character) = key.code {
            guard !character.unicodeScalars.contains(where: \.isControl) else { return nil }
            // For Ctrl+H, Ctrl+I, Ctrl+J, Ctrl+M and Ctrl+[, a terminal sends Backspace, Tab, Enter, Enter and Esc. For Ctrl+@, it sends
            // the same as for Ctrl+Space.
            if key.modifiers.contains(.control), "hijm[@".contains(character) { return nil }
            key.modifiers.remove(.shift)
        }
        return key.modifiers.contains(.alt) || key.code == .insert ? nil : key
    }

    /// Reads one row of the table.
    static func reading(_ name: String, _ value: TOMLDocument.Value) -> Result<OwnKeys, Fault> {
        guard let action = AppAction(rawValue: name) else {
            let names = AppAction.allCases.map(\.rawValue)
            let hint = Nearest.match(name, among: names).map { "did you mean \(quoted($0))?" } ?? "'tripwatch help keys' lists them all"
            return .failure(Fault(sentence: "there is no such action; \(hint)"))
        }
        let items: [TOMLDocument.Value] = if case .array(let items) = value { items } else { [value] }
        var keys: [Key] = []
        var wrong: [String] = []
        for item in items {
            // A digit may be written without quotation marks, as a number.
            let text: String? =
                switch item {
                case .string(let text): text
                case .integer(let digit): "\(digit)"
                default: nil
                }
            guard let key = text.flatMap(Self.key) else {
                wrong.append(item.shown)
                continue
            }
            if !keys.contains(key) { keys.append(key) }
        }
        guard wrong.isEmpty else {
            let forms = "use a key such as x, X, Ctrl-X, F5, Space or Enter, or a list of keys"
            return .failure(Fault(sentence: "\(wrong.joined(separator: ", ")) \(wrong.count == 1 ? "is" : "are") not allowed; \(forms)"))
        }
        return .success(OwnKeys(action, keys))
    }
}
