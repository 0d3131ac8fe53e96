import TOMLText

extension Configuration {
    /// Sets a key of the top level in the text of a configuration file and keeps every other line and every comment unchanged.
    ///
    /// The line of the key gets the new value; else the line on which it stands commented out does; else a new line comes before the
    /// first table.
    ///
    /// - Parameters:
    ///   - name: one of ``ConfigurationKey/all``.
    ///   - value: as typed: without quotation marks, several languages with commas in between.
    ///   - text: the file; empty without a file.
    /// - Returns: a text that reads back with this value and otherwise as before.
    /// - Throws: the fault of the name, the value or the text, or why it cannot be changed without losing something.
    package static func setting(_ name: String, to value: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        let key = try editableKey(name)
        let written = try checked(value, for: key)
        return try ConfigurationEdit(text, key: key).setting(written)
    }

    /// Removes a key of the top level from the text of a configuration file: its line is commented out and shows the default.
    ///
    /// - Returns: a text that reads back without the key and otherwise as before; the same text where the key is not set.
    /// - Throws: the fault of the name or the text, or why it cannot be changed without losing something.
    package static func unsetting(_ name: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        try ConfigurationEdit(text, key: editableKey(name)).unsetting()
    }

    private static func editableKey(_ name: String) throws(ConfigurationMessage) -> ConfigurationKey {
        if let key = ConfigurationKey.named(name) { return key }
        if name.hasPrefix("profiles.") || name == "profiles" {
            throw ConfigurationMessage(.error, key: name, "profiles are changed by hand; only the keys above them are set by a command")
        }
        throw ConfigurationMessage(.error, key: name, ConfigurationKey.unknown(name, isInProfile: false))
    }

    private static func checked(_ typed: String, for key: ConfigurationKey) throws(ConfigurationMessage) -> TOMLDocument.Value {
        let value = key.form.value(typed: typed)
        var scratch = Configuration()
        // Only the form of a path counts here.
        guard key.apply(value, ConfigurationPlaces(home: "/", directory: "/"), into: &scratch) else {
            throw ConfigurationMessage(.error, key: key.name, key.complaint(value))
        }
        // A host alone is read, and is asked at the port of Google's; that is hardly what a user means who types it here.
        if key.name == "endpoint", WebAddress.Authority(typed)?.port == nil {
            throw ConfigurationMessage(.error, key: key.name, key.complaint(value))
        }
        return value
    }
}

/// A file in which one key of the top level is changed.
private struct ConfigurationEdit {
    let key: ConfigurationKey
    private let document: TOMLDocument

    init(_ text: [UInt8], key: ConfigurationKey) throws(ConfigurationMessage) {
        self.key = key
        do throws(TOMLDocument.Failure) { document = try TOMLDocument(utf8: text) } catch { throw ConfigurationMessage(failure: error) }
    }

    func setting(_ value: TOMLDocument.Value) throws(ConfigurationMessage) -> [UInt8] {
        try check(value)
        do throws(TOMLDocument.Failure) {
            return try document.setting(key.name, to: value, preferring: key.standardLiteral)
        } catch { throw refusal(line: error.line, error.sentence) }
    }

    func unsetting() throws(ConfigurationMessage) -> [UInt8] {
        do throws(TOMLDocument.Failure) {
            return try document.commentingOut(key.name, showing: key.standardLiteral)
        } catch { throw refusal(line: error.line, error.sentence) }
    }

    private func refusal(line: Int? = nil, _ sentence: String) -> ConfigurationMessage {
        ConfigurationMessage(.error, line: line, key: key.name, sentence)
    }

    /// Refuses what the other keys of the file do not go together with.
    private func check(_ value: TOMLDocument.Value) throws(ConfigurationMessage) {
        guard ConfigurationKey.isActive(value) else { return }
        if let group = key.group {
            let others = ConfigurationKey.all.filter { $0.group == group && $0.name != key.name }
            if let other = others.first(where: { document.table[$0.name].map(ConfigurationKey.isActive) ?? false }) {
                throw refusal("only one of \(ConfigurationKey.names(of: group)) can be used, and \(other.name) is set")
            }
        }
        guard key.name == "profile", case .string(let name) = value else { return }
        var names: [String] = []
        if case .table(let profiles)? = document.table["profiles"] { names = profiles.keys.sorted() }
        if name != Configuration.localProfile, !names.contains(name) { throw refusal(Configuration.noProfile(name, among: names)) }
    }
}
