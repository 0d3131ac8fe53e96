import TOMLText

/// A key of the configuration file: one row of the table from which the file is read, explained, written and checked.
package struct ConfigurationKey: Sendable {
    /// Keys of which only one can be set.
    enum Group: Hashable, Sendable {
        case tokenSource
        case security
    }

    /// As it stands in the file: "provider_url".
    package let name: String
    /// The purpose of the key, in a sentence.
    package let purpose: String
    /// The allowed values, in words: "true or false".
    package let allowed: String
    /// The default, in words: "5 seconds".
    package let standard: String
    /// The default as TOML; the empty text where no one value is the default. It is then allowed and sets nothing.
    package let standardLiteral: String

    /// The TOML for "no value".
    static let emptyLiteral = "\"\""

    let form: ConfigurationForm
    /// The words of a choice; empty where the value is free.
    let words: [String]
    let group: Group?
    /// Whether the value may stand in a message. What could hold a secret does not.
    let isShown: Bool
    private let store: @Sendable (TOMLDocument.Value, ConfigurationPlaces, inout Configuration) -> Bool

    /// - Parameter store: stores the value that was read, or for nil removes the value that another table set.
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

    /// Those that say which server is asked, how, and who asks.
    private static let connectionNames: Set = [
        "endpoint", "plaintext", "ca", "provider", "provider_url", "token_file", "token_command", "token_url", "token_header_file",
    ]

    /// How grave a value is that cannot be used.
    var severity: ConfigurationMessage.Severity { Self.connectionNames.contains(name) ? .connection : .warning }

    /// Values to choose from; empty where there are too many.
    package var choices: [String] { words.isEmpty && allowed == "true or false" ? ["true", "false"] : words }

    /// Whether a value of this key is the path of a file.
    package func holdsPath(_ value: String) -> Bool {
        form == .path && !value.isEmpty && !words.contains(value) && !value.contains("://")
    }

    /// Takes a value over into the configuration.
    ///
    /// - Returns: false where the value is not allowed; the configuration is then as before.
    func apply(_ value: TOMLDocument.Value, _ places: ConfigurationPlaces, into configuration: inout Configuration) -> Bool {
        store(value, places, &configuration)
    }

    /// Whether a value of this key keeps the others of its group from being used.
    static func isActive(_ value: TOMLDocument.Value) -> Bool { value != .string("") && value != .boolean(false) }

    /// The message about a value that is not allowed.
    func complaint(_ value: TOMLDocument.Value) -> String {
        var hint = ""
        if isShown, case .string(let word) = value, let near = Nearest.match(word, among: words), near != word {
            hint = " (did you mean \(quoted(near))?)"
        }
        return "\(shown(value)) is not allowed\(hint); allowed is \(allowed)"
    }

    /// A value in a message: the wrong part of a list, and the kind alone of a value that could hold a secret.
    private func shown(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .array(let items) where form == .list && isShown:
            var scratch = Configuration()
            let wrong = items.first { !store($0, ConfigurationPlaces(home: "", directory: ""), &scratch) || $0 == .string("") }
            return wrong.map { $0.shown + " in the list" } ?? value.shown
        // An address may have a key in it.
        case .string(let text) where !isShown || form == .path && text.contains("://"): return "this text"
        default: return isShown ? value.shown : value.kind
        }
    }
}

// MARK: - Finding one

extension ConfigurationKey {
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> ConfigurationKey? { byName[name] }

    /// The names of a group, for messages.
    static func names(of group: Group) -> String {
        let names = all.filter { $0.group == group }.map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// The sentence for an unknown key.
    static func unknown(_ name: String, isInProfile: Bool) -> String {
        switch name {
        case "token", "access_token", "password", "secret":
            return "no secret is kept in this file; say token_file or token_command, or set TRIPWATCH_TOKEN"
        case "token_header", "token_headers", "provider_header", "provider_headers":
            return "a header can hold a secret, and none is kept in this file; it is a flag"
        case "profile" where isInProfile,
            "profiles" where isInProfile:
            return "a profile cannot choose or hold another"
        default: break
        }
        let names = all.map(\.name).filter { !isInProfile || $0 != "profile" } + (isInProfile ? [] : ["profiles"])
        if let near = Nearest.match(name, among: names) { return "there is no such key; did you mean \(quoted(near))?" }
        return "there is no such key; there are " + names.joined(separator: ", ")
    }
}
