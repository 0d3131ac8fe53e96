import TOMLText

/// A key of the configuration file: one row of the table of all keys. Code that reads, writes, checks or documents the
/// configuration uses this table.
package struct ConfigurationKey: Sendable {
    /// Groups of keys. Only one key of a group can be set.
    enum Group: Hashable, Sendable {
        case tokenSource
        case security
    }

    /// The name in the file, such as "provider_url".
    package let name: String
    /// Purpose of the key, as a sentence.
    package let purpose: String
    /// The allowed values, in words, such as "true or false".
    package let allowed: String
    /// The default, in words, such as "5 seconds".
    package let standard: String
    /// The default as TOML; `""` if the default is not a single value. In this case, `""` is also an allowed value, which removes the
    /// setting.
    package let standardLiteral: String

    /// TOML for "no value".
    static let emptyLiteral = "\"\""

    let form: ConfigurationForm
    /// Allowed words; empty if the allowed values are not a list of words.
    let words: [String]
    let group: Group?
    /// Whether messages may show the value. False if the value can contain a secret.
    let isShown: Bool
    private let store: @Sendable (TOMLDocument.Value, ConfigurationPlaces, inout Configuration) -> Bool

    /// - Parameter store: stores the parsed value in the configuration; nil removes a value that another table has set.
    init<Value>(
        _ name: String, _ purpose: String, _ value: ConfigurationValue<Value>, standard: String, literal: String = emptyLiteral,
        group: Group? = nil, isShown: Bool = true, store: @escaping @Sendable (inout Configuration, Value?) -> Void
    ) {
        self.name = name
        self.purpose = purpose
        allowed = value.allowed
        form = value.form
        words = value.words
        self.standard = standard
        standardLiteral = literal
        self.group = group
        self.isShown = isShown
        let mayBeEmpty = literal == Self.emptyLiteral
        self.store = { written, places, configuration in
            if mayBeEmpty, written == .string("") {
                store(&configuration, nil)
                return true
            }
            guard let read = value.read(written, places) else { return false }
            store(&configuration, read)
            return true
        }
    }

    /// Names of keys that select the server, the connection and the credentials.
    private static let connectionNames: Set = [
        "endpoint", "plaintext", "ca", "provider", "provider_url", "token_file", "token_command", "token_url", "token_header_file",
    ]

    /// The severity of an error in the value.
    var severity: ConfigurationMessage.Severity { Self.connectionNames.contains(name) ? .connection : .warning }

    /// The allowed values, if they can be listed; otherwise empty.
    package var choices: [String] { words.isEmpty && allowed == "true or false" ? ["true", "false"] : words }

    /// Whether a value of this key is the path of a file.
    package func holdsPath(_ value: String) -> Bool {
        form == .path && !value.isEmpty && !words.contains(value) && !value.contains("://")
    }

    /// Applies a value to the configuration.
    ///
    /// - Returns: false if the value is not allowed; the configuration is then unchanged.
    func apply(_ value: TOMLDocument.Value, _ places: ConfigurationPlaces, into configuration: inout Configuration) -> Bool {
        store(value, places, &configuration)
    }

    /// Whether a value sets the key. If so, no other key of its group can be set.
    static func isActive(_ value: TOMLDocument.Value) -> Bool { value != .string("") && value != .boolean(false) }

    /// Returns a message about a value that is not allowed.
    func complaint(_ value: TOMLDocument.Value) -> String {
        var hint = ""
        if isShown, case .string(let word) = value, let near = Nearest.match(word, among: words), near != word {
            hint = " (did you mean \(quoted(near))?)"
        }
        return "\(shown(value)) is not allowed\(hint); use \(allowed)"
    }

    /// Returns a value as messages show it. For a list, this is only the invalid item. For a value that can contain a secret, this
    /// is only the kind.
    private func shown(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .array(let items) where form == .list && isShown:
            var scratch = Configuration()
            let wrong = items.first { !store($0, ConfigurationPlaces(home: "", directory: ""), &scratch) || $0 == .string("") }
            return wrong.map { $0.shown + " in the list" } ?? value.shown
        // An address may contain a secret key.
        case .string(let text) where !isShown || form == .path && text.contains("://"): return "this text"
        default: return isShown ? value.shown : value.kind
        }
    }
}

// MARK: - Lookup

extension ConfigurationKey {
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> ConfigurationKey? { byName[name] }

    /// Returns the names of a group's keys, for messages.
    static func names(of group: Group) -> String {
        let names = all.filter { $0.group == group }.map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// Returns a message about an unknown key.
    static func unknown(_ name: String, isInProfile: Bool) -> String {
        switch name {
        case "token", "access_token", "password", "secret":
            return "this file must not hold secrets; use token_file or token_command, or set TRIPWATCH_TOKEN"
        case "token_header", "token_headers", "provider_header", "provider_headers":
            return "a header can hold a secret, and this file must not hold secrets; use token_header_file or provider_header_file"
        case "profile" where isInProfile,
            "profiles" where isInProfile:
            return "a profile cannot choose or hold another profile; remove this key"
        default: break
        }
        let names = all.map(\.name).filter { !isInProfile || $0 != "profile" } + (isInProfile ? [] : ["profiles"])
        if let near = Nearest.match(name, among: names) { return "there is no such key; did you mean \(quoted(near))?" }
        return "there is no such key; the keys are " + names.joined(separator: ", ")
    }
}
