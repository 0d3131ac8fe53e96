import TOMLText

extension ConfigurationValue where Value: Sendable {
    /// Creates the parser for a list of strings, or a single string. The list may be empty.
    fileprivate static func texts<Item>(
        _ allowed: String, words: [String], _ read: @escaping @Sendable (String) -> Item?
    ) -> ConfigurationValue<[Item]> {
        ConfigurationValue<[Item]>(form: .list, allowed: allowed, words: words) { value, _ in
            let items: [TOMLDocument.Value] = if case .array(let items) = value { items } else { [value] }
            let found = items.compactMap { item in if case .string(let text) = item { read(text) } else { nil } }
            return found.count == items.count && found.count <= 100 ? found : nil
        }
    }
}

extension ConfigurationValue<[Alerts.Word]> {
    static let alertWords = texts(
        "a list of \"assigned\", \"here\", \"arrived\", \"delay\", \"lost\" and times such as \"5min\"; [] for no alerts",
        words: ["assigned", "2min", "here", "arrived", "delay", "lost"], Alerts.Word.init)
}

extension ConfigurationValue<[Alerts.Way]> {
    static let alertWays = texts(
        "a list with any of \"bell\", \"notice\" and \"progress\"", words: Alerts.Way.allCases.map(\.rawValue)
    ) { Alerts.Way(rawValue: $0) }
}
