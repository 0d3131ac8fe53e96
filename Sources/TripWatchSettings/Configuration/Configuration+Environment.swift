import TOMLText

extension Configuration {
    /// Reads the configuration file and the environment. The environment takes precedence over the file, and a profile that a flag
    /// selects takes precedence over the environment.
    ///
    /// For every key of the file there is also a variable: `TRIPWATCH_` and the key's name in capitals. Its value is written as
    /// on the command line. An empty value counts as not set. An invalid variable is reported and ignored, like an invalid key
    /// in the file.
    ///
    /// - Parameters: the parameters of ``read(utf8:home:directory:profile:)``. If `isAskedOnly` is true, only the profile that a flag or
    ///   a variable selects is read from the file. Relative paths in variables are relative to the working directory.
    package static func read(
        utf8 bytes: [UInt8], environment: [String: String], home: String, directory: String, profile: String?, isAskedOnly: Bool = false
    ) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        let variables = environment.filter { $0.key.hasPrefix(ConfigurationKey.variablePrefix) && !$0.value.isEmpty }
        // Most runs have no file, no profile and no variables. They skip building the table of keys, which takes time.
        if bytes.isEmpty, profile == nil, variables.isEmpty { return (Configuration(), []) }
        let variable = variables[ConfigurationKey.profileVariable].map { (source: ConfigurationKey.profileVariable, name: $0) }
        var (configuration, messages, profileValues) = readFile(
            utf8: bytes, home: home, directory: directory,
            profile: profile.map { (source: ConfigurationKey.profileFlag, name: $0) } ?? variable, isAskedOnly: isAskedOnly)
        let file = configuration
        configuration.tokenSource = nil
        configuration.tokenHeaderFile = nil
        configuration.providerHeaderFile = nil
        let applied = profile == nil ? variables : ConfigurationKey.variables(variables, beside: profileValues)
        messages += configuration.readVariables(applied, home: home)
        configuration.addAccess(of: file)
        if !isAskedOnly { configuration.flaggedProfile = profile }
        return (configuration, messages)
    }

    /// Adds the token source and the header files that the configuration file names, unless a variable sets them. If the file names a token
    /// source, its token headers are used only with that source. If the file names a provider's address, its provider headers are used only
    /// for that address. If the file's token source is used, `tokenServer` becomes the file's server.
    private mutating func addAccess(of file: Configuration) {
        if let token = file.tokenSource, tokenSource == nil {
            tokenSource = token
            tokenServer = file.endpoint
        }
        if file.tokenSource == nil || tokenSource == file.tokenSource { tokenHeaderFile = tokenHeaderFile ?? file.tokenHeaderFile }
        if file.providerURL == nil || providerURL == file.providerURL { providerHeaderFile = providerHeaderFile ?? file.providerHeaderFile }
    }

    private mutating func readVariables(_ variables: [String: String], home: String) -> [ConfigurationMessage] {
        var messages: [ConfigurationMessage] = []
        var first: [ConfigurationKey.Group: String] = [:]
        for (variable, text) in variables.sorted(by: { $0.key < $1.key }) {
            guard let key = ConfigurationKey.all.first(where: { $0.variable == variable }) else {
                if let sentence = ConfigurationKey.unknownVariable(variable) {
                    messages.append(ConfigurationMessage(.warning, source: variable, sentence))
                }
                continue
            }
            // This variable has already been used to choose the profile.
            guard variable != ConfigurationKey.profileVariable else { continue }
            let value = key.form.value(typed: text)
            var changed = self
            guard key.apply(value, ConfigurationPlaces(home: home, directory: ""), into: &changed) else {
                messages.append(ConfigurationMessage(key.severity, source: variable, key.complaint(value)))
                continue
            }
            if let group = key.group, ConfigurationKey.isActive(value) {
                if let other = first[group] {
                    let sentence = "\(other) is already set, and only one of the two can be used; unset one"
                    messages.append(ConfigurationMessage(key.severity, source: variable, sentence))
                    continue
                }
                first[group] = variable
            }
            self = changed
        }
        return messages
    }
}

extension ConfigurationKey {
    static let variablePrefix = "TRIPWATCH_"
    /// The flag that selects the profile.
    static let profileFlag = "--profile"
    /// The variable that selects the profile if no flag selects one.
    package static let profileVariable = variablePrefix + "PROFILE"

    /// The environment variable for this key, such as `TRIPWATCH_PROVIDER_URL`.
    package var variable: String { Self.variable(of: name) }

    private static func variable(of name: String) -> String { variablePrefix + name.uppercased() }

    /// The keys with a server's address, each with the keys that are only for this server.
    private static let companions: [(address: String, keys: Set<String>)] = [
        ("endpoint", ["plaintext", "ca", "token_file", "token_command", "token_url", "token_header_file"]),
        ("provider_url", ["provider_header_file"]), ("token_url", ["token_header_file"]),
    ]

    /// Returns the variables that still apply if a flag selects a profile. A value in the profile overrides the variables for its key and
    /// for the other keys of its group. If an overridden variable names a different server from the profile, the variables that are only
    /// for the variable's server are left out too.
    static func variables(_ variables: [String: String], beside profile: [String: TOMLDocument.Value]) -> [String: String] {
        var overridden = Set(all.filter { $0.isSet(in: profile) }.map(\.name))
        for (address, keys) in companions where overridden.contains(address) {
            guard let text = variables[variable(of: address)], profile[address] != .string(text) else { continue }
            overridden.formUnion(keys)
        }
        let names = Set(overridden.map { variable(of: $0) })
        return variables.filter { !names.contains($0.key) }
    }

    /// Whether a table contains this key, or sets another key of its group. An empty text or `false` does not set that other key. Only one
    /// key of a group can be used.
    private func isSet(in values: [String: TOMLDocument.Value]) -> Bool {
        if values[name] != nil { return true }
        guard let group else { return false }
        return Self.all.contains { $0.group == group && values[$0.name].map(Self.isActive) == true }
    }

    /// Variables with the same prefix that are not keys: the token, and the variables passed to token commands.
    private static let otherVariables: Set<String> = [
        "TRIPWATCH_TOKEN", "TRIPWATCH_TRIP_ID", "TRIPWATCH_TRACKING_ID", "TRIPWATCH_VEHICLE_ID",
    ]

    /// Returns a message about a variable that belongs to no key; nil if no key has a similar name, or if the program uses the variable for
    /// something else.
    static func unknownVariable(_ variable: String) -> String? {
        // The prefix, which all variables have, is left out: it would make all names look similar.
        let word = String(variable.dropFirst(variablePrefix.count))
        guard !otherVariables.contains(variable), let near = Nearest.match(word, among: all.map { $0.name.uppercased() }) else {
            return nil
        }
        return "there is no such variable; did you mean \(variablePrefix)\(near)?"
    }
}
