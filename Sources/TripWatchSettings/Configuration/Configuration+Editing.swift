import TOMLText

extension Configuration {
    /// Sets a top-level key in the text of a configuration file. All other lines and comments stay unchanged.
    ///
    /// Changes the line that sets the key, or else uncomments and changes a commented-out line with the key. Without either, adds a
    /// line before the first table.
    ///
    /// - Parameters:
    ///   - name: one of ``ConfigurationKey/all``.
    ///   - value: the value as typed: without quotation marks, and with commas between the items of a list.
    ///   - text: the file's content; empty if there is no file.
    /// - Returns: a text that sets this value and otherwise has the same settings as the old text.
    /// - Throws: an error if the name, the value or the text is invalid, or if the text cannot be changed without losing data.
    package static func setting(_ name: String, to value: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        let key = try editableKey(name)
        let written = try checked(value, for: key)
        return try ConfigurationEdit(text, key: key).setting(written)
    }

    /// Removes a top-level key from the text of a configuration file: its line is commented out and shows the default.
    ///
    /// - Returns: a text that lacks the key, but otherwise has the same settings as the old text; the old text if the key is not
    ///   set.
    /// - Throws: an error if the name or the text is invalid, or if the text cannot be changed without losing data.
    package static func unsetting(_ name: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        try ConfigurationEdit(text, key: editableKey(name)).unsetting()
    }

    private static func editableKey(_ name: String) throws(ConfigurationMessage) -> ConfigurationKey {
        if let key = ConfigurationKey.named(name) { return key }
        if name.hasPrefix("profiles.") || name == "profiles" {
            throw ConfigurationMessage(.error, key: name, "this command does not change profiles; use 'tripwatch config edit'")
        }
        throw ConfigurationMessage(.error, key: name, ConfigurationKey.unknown(name, isInProfile: false))
    }

    private static func checked(_ typed: String, for key: ConfigurationKey) throws(ConfigurationMessage) -> TOMLDocument.Value {
        let value = key.form.value(typed: typed)
        var scratch = Configuration()
        // These directories have no meaning, because only the form of a path is checked here.
        guard key.apply(value, ConfigurationPlaces(home: "/", directory: "/"), into: &scratch) else {
            throw ConfigurationMessage(.error, key: key.name, key.complaint(value))
        }
        // A host without a port would get Google's port. A user who sets this key probably means another port.
        if key.name == "endpoint", WebAddress.Authority(typed)?.port == nil {
            throw ConfigurationMessage(.error, key: key.name, key.complaint(value))
        }
        return value
    }
}

/// Edits one top-level key of a configuration file.
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

    /// Throws if the value would set a second key of the same group, or if it names a profile that the file does not have. The profile
    /// `local` always exists. The values `""` and `false` set nothing, so they are never refused here.
    private func check(_ value: TOMLDocument.Value) throws(ConfigurationMessage) {
        guard ConfigurationKey.isActive(value) else { return }
        if let group = key.group {
            let others = ConfigurationKey.all.filter { $0.group == group && $0.name != key.name }
            if let other = others.first(where: { document.table[$0.name].map(ConfigurationKey.isActive) ?? false }) {
                let names = ConfigurationKey.names(of: group)
                throw refusal("only one of \(names) can be set; run 'tripwatch config unset \(other.name)' first")
            }
        }
        guard key.name == "profile", case .string(let name) = value else { return }
        var names: [String] = []
        if case .table(let profiles)? = document.table["profiles"] { names = profiles.keys.sorted() }
        if name != Configuration.localProfile, !names.contains(name) { throw refusal(Configuration.noProfile(name, among: names)) }
    }
}
