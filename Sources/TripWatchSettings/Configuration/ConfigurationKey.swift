import TOMLText

/// A key of the configuration file: a row of the table that reading, documentation, writing and checks are based on.
package struct ConfigurationKey: Sendable {
    /// Groups of keys that exclude each other.
    enum Group: Hashable, Sendable {
        case tokenSource
        case security
    }

    /// Name in the file: "provider_url".
    package let name: String
    /// Purpose of the key, as a sentence.
    package let purpose: String
    /// Allowed values, in words: "true or false".
    package let allowed: String
    /// Default, in words: "5 seconds".
    package let standard: String
    /// Default as TOML; empty if the default is not a single value. An empty value is then allowed and sets nothing.
    package let standardLiteral: String

    /// TOML for "no value".
    static let emptyLiteral = "\"\""

    let form: ConfigurationForm
    /// Allowed words; empty if the value is not chosen from a list.
    let words: [String]
    let group: Group?
    /// Whether messages may show the value. False if it can hold a secret.
    let isShown: Bool
    private let store: @Sendable (TOMLDocument.Value, ConfigurationPlaces, inout Configuration) -> Bool

    /// - Parameter store: stores the parsed value, or for nil removes a value set by another table.
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

    /// Severity of an invalid value.
    var severity: ConfigurationMessage.Severity { Self.connectionNames.contains(name) ? .connection : .warning }

    /// Values to choose from; empty if there are too many.
    package var choices: [String] { words.isEmpty && allowed == "true or false" ? ["true", "false"] : words }

    /// Whether a value of this key is a file's path.
    package func holdsPath(_ value: String) -> Bool {
        form == .path && !value.isEmpty && !words.contains(value) && !value.contains("://")
    }

    /// Applies a value to the configuration.
    ///
    /// - Returns: false if the value is not allowed; the configuration is then unchanged.
    func apply(_ value: TOMLDocument.Value, _ places: ConfigurationPlaces, into configuration: inout Configuration) -> Bool {
        store(value, places, &configuration)
    }

    /// Whether a value excludes the other keys of its group.
    static func isActive(_ value: TOMLDocument.Value) -> Bool { value != .string("") && value != .boolean(false) }

    /// Message about a value that is not allowed.
    func complaint(_ value: TOMLDocument.Value) -> String {
        var hint = ""
        if isShown, case .string(let word) = value, let near = Nearest.match(word, among: words), near != word {
            hint = " (did you mean \(quoted(near))?)"
        }
        return "\(shown(value)) is not allowed\(hint); use \(allowed)"
    }

    /// Text for a value in a message: only the invalid item of a list, and only the kind of a value that can hold a secret.
    private func shown(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .array(let items) where form == .list && isShown:
            var scratch = Configuration()
            let wrong = items.first { !store($0, ConfigurationPlaces(home: "", directory: ""), &scratch) || $0 == .string("") }
            return wrong.map { $0.shown + " in the list" } ?? value.shown
        // An address may contain a key.
        case .string(let text) where !isShown || form == .path && text.contains("://"): return "this text"
        default: return isShown ? value.shown : value.kind
        }
    }
}

// MARK: - Lookup

extension ConfigurationKey {
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> ConfigurationKey? { byName[name] }

    /// The key names of a group, for messages.
    static func names(of group: Group) -> String {
        let names = all.filter { $0.group == group }.map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// Message about an unknown key.
    static func unknown(_ name: String, isInProfile: Bool) -> String {
        switch name {
        case "token", "access_token", "password", "secret":
            return "this file must not hold secrets; use token_file or token_command, or set TRIPWATCH_TOKEN"
        case "token_header", "token_headers", "provider_header", "provider_headers":
            return "a header can hold a secret, which this file must not; use token_header_file or provider_header_file"
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
