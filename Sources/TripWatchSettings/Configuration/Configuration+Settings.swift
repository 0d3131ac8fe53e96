import TOMLText
import TerminalCanvas

/// A setting that is in effect, and the source of its value.
package struct ConfigurationSetting: Hashable, Sendable {
    /// Name of the key.
    package let name: String
    /// The value in the form that `config set` accepts; a table as TOML on one line.
    package let text: String
    /// Source of the value: `config.toml`, `[profiles.NAME]`, or the name of the environment variable.
    package let place: String
    /// Whether the value may be shown, which is the case if it cannot contain a secret.
    package let isShown: Bool

    /// The setting as a line, such as `units = us  (config.toml)`. A value that can hold a secret is hidden.
    package var line: String {
        "\(name) = \(isShown ? sanitised(text, maximumLength: 400) : "…")  (\(sanitised(place, maximumLength: 80)))"
    }
}

extension Configuration {
    /// Returns the settings in effect, from the environment and the file, in the order of ``ConfigurationKey/all``. Invalid values are left
    /// out. If such a value is for the server, the connection or the credentials, the value that it overrides is left out too.
    ///
    /// - Parameter profile: the profile that a flag selects; nil if there is no such flag.
    /// - Throws: the syntax error if the text is not TOML.
    package static func settings(
        utf8 bytes: [UInt8], environment: [String: String], profile: String?
    ) throws(ConfigurationMessage) -> [ConfigurationSetting] {
        let table: [String: TOMLDocument.Value]
        do throws(TOMLDocument.Failure) { table = try TOMLDocument(utf8: bytes).table } catch { throw ConfigurationMessage(failure: error) }
        var layers = ConfigurationLayers()
        layers.add(table, place: fileName)
        let variables = environment.filter { !$0.value.isEmpty }
        var chosen = profile ?? variables[ConfigurationKey.profileVariable] ?? ""
        if profile == nil, chosen.isEmpty, case .string(let name)? = table["profile"] { chosen = name }
        var tables: [(values: [String: TOMLDocument.Value], place: String)] = []
        var profileValues: [String: TOMLDocument.Value] = [:]
        if chosen == localProfile {
            tables.append((values: localSettings, place: "--local"))
            profileValues = localSettings.filter { $0.value != .string("") }
        }
        if !chosen.isEmpty, case .table(let profiles)? = table["profiles"], case .table(let keys)? = profiles[chosen] {
            tables.append((values: keys.filter { $0.key != "profile" }, place: "[profiles.\(chosen)]"))
            profileValues.merge(keys) { $1 }
        }
        for table in tables { layers.add(table.values, place: table.place) }
        layers.add(variables: profile == nil ? variables : ConfigurationKey.variables(variables, beside: profileValues))
        return ConfigurationKey.all.compactMap { layers.settings[$0.name] }
    }

    /// Returns the servers of the profiles that set a server and a token source, in the order of the profiles' names; empty if the text is
    /// not TOML.
    package static func profileServers(utf8 bytes: [UInt8]) -> [(profile: String, endpoint: String)] {
        guard let document = try? TOMLDocument(utf8: bytes), case .table(let profiles)? = document.table["profiles"] else { return [] }
        return profiles.sorted { $0.key < $1.key }.compactMap { entry -> (profile: String, endpoint: String)? in
            guard case .table(let keys) = entry.value, case .string(let endpoint)? = keys["endpoint"],
                ConfigurationKey.all.contains(where: { $0.group == .tokenSource && keys[$0.name].map(ConfigurationKey.isActive) == true })
            else { return nil }
            return (profile: entry.key, endpoint: endpoint)
        }
    }

    /// The values of the built-in profile `local`. The value "" removes a setting that is meant for another server.
    static let localSettings: [String: TOMLDocument.Value] = [
        "endpoint": .string("127.0.0.1:50051"), "plaintext": .boolean(true), "provider": .string("demo"),
        "provider_url": .string("http://127.0.0.1:8080"), "provider_header_file": .string(""), "token_file": .string(""),
        "token_command": .string(""), "token_url": .string(""), "token_header_file": .string(""),
    ]
}

/// Collects settings from several tables. The settings of a table override those of the tables before it.
private struct ConfigurationLayers {
    private(set) var settings: [String: ConfigurationSetting] = [:]

    mutating func add(_ table: [String: TOMLDocument.Value], place: String) {
        for key in ConfigurationKey.all {
            guard let value = table[key.name] else { continue }
            var scratch = Configuration()
            // These directories have no meaning, because only the form of a path is checked here.
            guard key.apply(value, ConfigurationPlaces(home: "/", directory: "/"), into: &scratch) else {
                if key.severity == .connection { settings[key.name] = nil }
                continue
            }
            if let group = key.group, ConfigurationKey.isActive(value) {
                for other in ConfigurationKey.all where other.group == group { settings[other.name] = nil }
            }
            settings[key.name] =
                value == .string("")
                ? nil : ConfigurationSetting(name: key.name, text: Self.text(value), place: place, isShown: key.isShown)
        }
    }

    /// Adds the settings in environment variables. If a variable changes the file's `provider_url` or token source, the file's
    /// `provider_header_file` or `token_header_file`, respectively, is removed.
    mutating func add(variables: [String: String]) {
        let file = settings
        for key in ConfigurationKey.all {
            guard let text = variables[key.variable] else { continue }
            add([key.name: key.form.value(typed: text)], place: key.variable)
        }
        for (header, sources) in [
            ("provider_header_file", ["provider_url"]), ("token_header_file", ["token_file", "token_command", "token_url"]),
        ] where settings[header] == file[header] && sources.contains(where: { file[$0] != nil && settings[$0]?.text != file[$0]?.text }) {
            settings[header] = nil
        }
    }

    private static func text(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .double(let number): return "\(number)"
        case .boolean(let flag): return "\(flag)"
        case .array(let items) where !items.isEmpty && items.allSatisfy(\.isText): return items.map(text).joined(separator: ",")
        case .array, .table, .time: return inline(value)
        }
    }

    /// Returns a value as TOML on one line.
    private static func inline(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .array(let items): return "[" + items.map(inline).joined(separator: ", ") + "]"
        case .table(let table):
            let rows = table.sorted { $0.key < $1.key }.map { "\($0.key) = \(inline($0.value))" }
            return rows.isEmpty ? "{}" : "{ " + rows.joined(separator: ", ") + " }"
        case .string, .integer, .double, .boolean, .time: return value.literal ?? ""
        }
    }
}

extension TOMLDocument.Value {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }
}
