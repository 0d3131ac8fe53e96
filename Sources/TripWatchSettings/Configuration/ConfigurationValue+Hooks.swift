import TOMLText

extension ConfigurationValue<[Hook]> {
    /// Hooks, written as `[[hooks]]` tables or as addresses.
    static let hooks = ConfigurationValue(
        form: .list, allowed: "tables [[hooks]] with 'url' or 'command', and optionally 'when' and 'key_file'; or a list of addresses"
    ) { value, places in
        let items: [TOMLDocument.Value] = if case .array(let items) = value { items } else { [value] }
        let hooks = items.compactMap { hook($0, places) }
        return hooks.count == items.count && hooks.count <= mostHooks ? hooks : nil
    }

    private static var mostHooks: Int { 20 }

    private static func hook(_ value: TOMLDocument.Value, _ places: ConfigurationPlaces) -> Hook? {
        if case .string(let address) = value { return Hook(address: address) }
        guard case .table(let table) = value else { return nil }
        var texts: [String: String] = [:]
        for (name, value) in table {
            guard ["url", "command", "when", "key_file"].contains(name), case .string(let text) = value else { return nil }
            texts[name] = text
        }
        var found: Hook?
        switch (texts["url"], texts["command"]) {
        case (let address?, nil): found = Hook(address: address)
        case (nil, let command?): found = Hook(command: command)
        default: return nil
        }
        guard var hook = found else { return nil }
        if let when = texts["when"] {
            guard let rules = try? hook.rules.reading(when) else { return nil }
            hook.rules = rules
        }
        if let file = texts["key_file"] {
            guard let path = places.path(file) else { return nil }
            hook.keyFile = path
        }
        return hook
    }
}
