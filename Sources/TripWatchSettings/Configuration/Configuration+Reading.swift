import TOMLText
import TerminalCanvas

extension Configuration {
    /// Reads the configuration file.
    ///
    /// The function always returns a configuration. Unknown and invalid keys are reported and ignored. If the text is not TOML, this is
    /// reported, and all settings have their defaults.
    ///
    /// - Parameters:
    ///   - bytes: the file's content; empty if there is no file. A file longer than ``maximumFileBytes`` is refused, so the
    ///     first `maximumFileBytes` + 1 bytes of it are enough.
    ///   - home: the user's home directory, for paths that begin with `~/`.
    ///   - directory: the file's directory, for relative paths.
    ///   - profile: the profile that a flag selects. It takes precedence over the profile that the file selects; empty for no
    ///     profile; nil for the file's profile.
    /// - Returns: the configuration, and messages in the order of the lines, at most about twenty.
    package static func read(
        utf8 bytes: [UInt8], home: String, directory: String, profile: String?
    ) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        let read = readFile(
            utf8: bytes, home: home, directory: directory, profile: profile.map { (source: ConfigurationKey.profileFlag, name: $0) })
        return (read.configuration, read.messages)
    }

    /// Reads the configuration file, as ``read(utf8:home:directory:profile:)`` does.
    /// - Parameters:
    ///   - profile: the profile that a flag or a variable selects, with the name of the flag or variable.
    ///   - isAskedOnly: whether to use only the keys of this profile and ignore all others.
    /// - Returns: the configuration, the messages, and the values that the profile in use sets.
    static func readFile(
        utf8 bytes: [UInt8], home: String, directory: String, profile: (source: String, name: String)?, isAskedOnly: Bool = false
    ) -> (configuration: Configuration, messages: [ConfigurationMessage], profileValues: [String: TOMLDocument.Value]) {
        do throws(TOMLDocument.Failure) {
            let document = try TOMLDocument(utf8: bytes)
            let places = ConfigurationPlaces(home: home, directory: directory)
            var reader = ConfigurationReader(places: places, document: document)
            reader.read(profile: profile, isAskedOnly: isAskedOnly)
            return (reader.configuration, reader.messages.finished, reader.profileValues)
        } catch {
            return (Configuration(), [ConfigurationMessage(failure: error)], [:])
        }
    }
}

/// Builds a configuration from a file.
private struct ConfigurationReader {
    let places: ConfigurationPlaces
    let document: TOMLDocument
    /// Line numbers of the keys, by path.
    let lines: [[String]: Int]
    private(set) var configuration = Configuration()
    private(set) var messages = ConfigurationMessages()
    /// The values of the profile in use.
    private(set) var profileValues: [String: TOMLDocument.Value] = [:]

    init(places: ConfigurationPlaces, document: TOMLDocument) {
        self.places = places
        self.document = document
        lines = document.lines()
    }

    /// Reads the keys at the top level of the file, then those of the profile, which override them.
    mutating func read(profile asked: (source: String, name: String)?, isAskedOnly: Bool) {
        let table = document.table
        var profiles: [String: TOMLDocument.Value] = [:]
        if case .table(let tables)? = table["profiles"] {
            profiles = tables
        } else if let value = table["profiles"] {
            add(["profiles"], "\(value.shown) is not allowed; use tables [profiles.NAME]")
        }
        configuration = applying(table, at: [], over: configuration, counts: true)
        let named = asked?.name ?? (isAskedOnly ? nil : configuration.profile)
        let chosen = named.flatMap { $0.isEmpty ? nil : $0 }
        if isAskedOnly { configuration = Configuration() }
        configuration.profile = nil
        if chosen == Configuration.localProfile { useLocalServer() }
        for (name, value) in inOrder(profiles, at: ["profiles"]) {
            guard case .table(let keys) = value else {
                add(["profiles", name], "\(value.shown) is not allowed; use a table [profiles.NAME] of keys and values")
                continue
            }
            if name == chosen {
                configuration = applying(keys, at: ["profiles", name], over: configuration, counts: true)
                configuration.profile = name
                profileValues.merge(keys) { $1 }
            } else {
                _ = applying(keys, at: ["profiles", name], over: Configuration(), counts: false)
            }
        }
        if let chosen, configuration.profile == nil {
            let sentence = Configuration.noProfile(chosen, among: profiles.keys.sorted())
            if let asked {
                messages.add(ConfigurationMessage(.error, source: asked.source, sentence))
            } else {
                messages.add(.error, line: line(of: ["profile"]), path: ["profile"], sentence)
            }
        }
    }

    /// Applies the built-in profile `local`, which works without a table in the file.
    private mutating func useLocalServer() {
        for key in ConfigurationKey.all {
            guard let value = Configuration.localSettings[key.name] else { continue }
            _ = key.apply(value, places, into: &configuration)
        }
        configuration.profile = Configuration.localProfile
        // An empty value ("") in this profile removes the file's setting, but does not override the key's variable.
        profileValues = Configuration.localSettings.filter { $0.value != .string("") }
    }

    /// Returns `configuration` with the keys of a table, which override the previous values.
    /// - Parameter counts: whether the table is the top level or the selected profile. Errors in other profiles are only warnings.
    private mutating func applying(
        _ table: [String: TOMLDocument.Value], at path: [String], over configuration: Configuration, counts: Bool
    ) -> Configuration {
        var configuration = configuration
        var first: [ConfigurationKey.Group: String] = [:]
        for (name, value) in inOrder(table, at: path) where !path.isEmpty || name != "profiles" {
            let place = path + [name]
            if name == "keys", case .table(let rows) = value {
                configuration.keys = own(rows, at: place, over: configuration.keys ?? [])
                continue
            }
            guard let key = ConfigurationKey.named(name), path.isEmpty || name != "profile" else {
                add(place, ConfigurationKey.unknown(name, isInProfile: !path.isEmpty))
                continue
            }
            var changed = configuration
            guard key.apply(value, places, into: &changed) else {
                if key.name == "hooks", addHookFault(in: value, at: place) { continue }
                add(key, place, counts: counts, Self.complaint(key, value))
                continue
            }
            if let group = key.group, ConfigurationKey.isActive(value) {
                if let other = first[group] {
                    add(
                        key, place, counts: counts,
                        "only one of \(ConfigurationKey.names(of: group)) can be used; \(other) is used, because it comes first"
                    )
                    continue
                }
                first[group] = name
            }
            configuration = changed
        }
        return configuration
    }

    /// Reads the key bindings of a `keys` table, and reports errors: invalid rows, and keys that another action already has. A binding
    /// replaces the one in `others` for the same action.
    private mutating func own(_ rows: [String: TOMLDocument.Value], at path: [String], over others: [OwnKeys]) -> [OwnKeys]? {
        var own = others
        for (name, value) in inOrder(rows, at: path) {
            switch OwnKeys.reading(name, value) {
            case .success(let keys): own = own.filter { $0.action != keys.action } + [keys]
            case .failure(let fault): add(path + [name], fault.sentence)
            }
        }
        var conflicts: [(conflict: KeyMap.Conflict, pages: [String])] = []
        for (page, map) in KeyMap.pages {
            for conflict in map.with(own).conflicts where rows[conflict.action.rawValue] != nil {
                if let known = conflicts.firstIndex(where: { $0.conflict == conflict }) {
                    conflicts[known].pages.append(page)
                } else {
                    conflicts.append((conflict, [page]))
                }
            }
        }
        for (conflict, pages) in conflicts {
            let words =
                "\(conflict.key.title) is also the key of '\(conflict.other.rawValue)' in \(pages.joined(separator: ", ")); "
                + "there, '\(conflict.action.rawValue)' keeps its built-in keys"
            add(path + [conflict.action.rawValue], words)
        }
        return own.isEmpty ? nil : own
    }

    /// Reports that a list has too many hooks, or else its first invalid hook.
    /// - Returns: whether something was reported; false for a value that is not a list.
    private mutating func addHookFault(in value: TOMLDocument.Value, at path: [String]) -> Bool {
        guard case .array(let items) = value else { return false }
        guard items.count <= Hook.maximumCount else {
            add(path, "there are \(items.count) hooks; use at most \(Hook.maximumCount)")
            return true
        }
        let rows = document.rows(of: path)
        for (index, item) in items.enumerated() {
            do throws(Hook.Fault) { _ = try Hook.reading(item, places) } catch {
                let row: (line: Int, keys: [String: Int])? = rows.indices.contains(index) ? rows[index] : nil
                let place = error.key.flatMap { row?.keys[$0] } ?? row?.line ?? line(of: path)
                let words = (error.key.map { sanitised($0, maximumLength: 48) + ": " } ?? "") + error.sentence
                messages.add(line: place, path: path, words)
                return true
            }
        }
        return false
    }

    private static func complaint(_ key: ConfigurationKey, _ value: TOMLDocument.Value) -> String {
        if key.name == "profile", case .table = value { return "write the table of a profile as [profiles.NAME]" }
        return key.complaint(value)
    }

    /// Returns the keys and values of a table in the order of their lines.
    private func inOrder(_ table: [String: TOMLDocument.Value], at path: [String]) -> [(key: String, value: TOMLDocument.Value)] {
        table.map { (line: line(of: path + [$0.key]) ?? .max, pair: $0) }
            .sorted { ($0.line, $0.pair.key) < ($1.line, $1.pair.key) }
            .map { ($0.pair.key, $0.pair.value) }
    }

    /// Returns the line number of a key, or else of the table that the key belongs to.
    private func line(of path: [String]) -> Int? {
        var rest = path[...]
        while !rest.isEmpty {
            if let line = lines[Array(rest)] { return line }
            rest = rest.dropLast()
        }
        return nil
    }

    private mutating func add(_ path: [String], _ sentence: @autoclosure () -> String) {
        messages.add(line: line(of: path), path: path, sentence())
    }

    /// Adds a message about a key, with the key's severity. For a table that is not in use, the message is a warning.
    /// - Parameter counts: whether the key's table is in use.
    private mutating func add(_ key: ConfigurationKey, _ path: [String], counts: Bool, _ sentence: @autoclosure () -> String) {
        messages.add(counts ? key.severity : .warning, line: line(of: path), path: path, sentence())
    }
}

extension Configuration {
    /// Name of the built-in profile for a local server, started with `serve` on this machine. The file need not have a table for it.
    package static let localProfile = "local"

    /// Returns the names of the profiles in the text of a configuration file; empty if the text is not TOML.
    package static func profileNames(utf8 text: [UInt8]) -> [String] {
        guard case .table(let profiles)? = (try? TOMLDocument(utf8: text))?.table["profiles"] else { return [] }
        return profiles.keys.sorted()
    }

    /// Returns a message about an unknown profile.
    static func noProfile(_ name: String, among names: [String]) -> String {
        let hint = Nearest.match(name, among: names).map { " (did you mean \(quoted($0))?)" } ?? ""
        let others =
            names.isEmpty
            ? "the only profile is \(quoted(localProfile))" : "the profiles are " + names.prefix(20).map(quoted).joined(separator: ", ")
        return "there is no profile \(quoted(name))\(hint); \(others)"
    }
}
