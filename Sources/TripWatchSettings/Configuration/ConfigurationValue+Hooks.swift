import TOMLText

extension ConfigurationValue<[Hook]> {
    /// Hooks, written as `[[hooks]]` tables or as addresses.
    static let hooks = ConfigurationValue(
        form: .list, allowed: "tables [[hooks]] with 'url' or 'command', and optionally 'when' and 'key_file'; or a list of addresses"
    ) { value, places in
        let items: [TOMLDocument.Value] = if case .array(let items) = value { items } else { [value] }
        let hooks = items.compactMap { try? Hook.reading($0, places) }
        return hooks.count == items.count && hooks.count <= Hook.maximumCount ? hooks : nil
    }
}

extension Hook {
    /// Maximum number of hooks in the file.
    static let maximumCount = 20
    /// The keys of a hook's table.
    private static let keys = ["url", "command", "when", "key_file"]

    /// The reason why a hook in the file is invalid.
    struct Fault: Error {
        /// The wrong key in the hook's table; nil if the fault is not in a single key.
        let key: String?
        /// The reason, without the value of a key that can contain a secret. Messages show it after the key.
        let sentence: String

        init(_ key: String?, _ sentence: String) {
            self.key = key
            self.sentence = sentence
        }
    }

    /// Reads one hook: a table or an address.
    static func reading(_ value: TOMLDocument.Value, _ places: ConfigurationPlaces) throws(Fault) -> Hook {
        if case .string(let address) = value { return try target(url: address, command: nil, key: nil) }
        guard case .table(let table) = value else { throw Fault(nil, "\(value.kind) is not allowed; use a table or an address") }
        var texts: [String: String] = [:]
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            guard keys.contains(name) else { throw Fault(name, "there is no such key; the keys are \(keys.joined(separator: ", "))") }
            guard case .string(let text) = value else { throw Fault(name, "\(value.kind) is not allowed; use text in quotation marks") }
            texts[name] = text
        }
        var hook = try target(url: texts["url"], command: texts["command"], key: "url")
        if let when = texts["when"] {
            do throws(MomentRules.RuleError) { hook.rules = try hook.rules.reading(when) } catch { throw Fault("when", "\(error)") }
        }
        if let file = texts["key_file"] {
            guard let path = places.path(file) else { throw Fault("key_file", "use the path of a file (~/ is your home)") }
            hook.keyFile = path
        }
        return hook
    }

    /// - Parameter key: the key of the hook's table that holds the address. Messages name this key. It is nil if the hook is written
    ///   without a table.
    private static func target(url: String?, command: String?, key: String?) throws(Fault) -> Hook {
        switch (url, command) {
        case (let address?, nil):
            guard let hook = Hook(address: address) else {
                throw Fault(key, "this address is not allowed; use http or https, without a user name, a password or a fragment")
            }
            return hook
        case (nil, let words?):
            guard let hook = Hook(command: words) else {
                throw Fault("command", "this is not a valid command line; write a program with its arguments, and close every quote")
            }
            return hook
        default: throw Fault(nil, "a hook needs either 'url' or 'command'")
        }
    }
}
