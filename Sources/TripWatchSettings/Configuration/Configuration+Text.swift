extension Configuration {
    /// The text of a configuration file in which every key is commented out. It states the default and the purpose of each key.
    ///
    /// Even if every key is uncommented, the file changes no setting, because all values are the defaults.
    package static let defaultText: String = {
        let keys = ConfigurationKey.all.map { key in
            let note = key.standardLiteral == ConfigurationKey.emptyLiteral ? "#   if not set: \(key.standard)\n" : ""
            return "# \(key.purpose)\n#   allowed: \(key.allowed)\n" + note + "#\(key.name) = \(key.standardLiteral)\n"
        }
        return ([opening] + keys + [closing]).joined(separator: "\n")
    }()

    private static let opening = """
        # The settings of tripwatch, in TOML. Every key is listed with its default. To set a key, remove the "#"
        # before it and change its value. A default of "" means that the key has no value. Invalid and unknown
        # settings are reported at startup and ignored, with two exceptions: commands that need a server do not start if
        # endpoint, plaintext, ca, provider, provider_url or token_... is wrong, and "tripwatch serve" does not start if
        # anything is wrong.
        #
        # Flags override the environment, and the environment overrides this file. Each key has a variable, such as
        # TRIPWATCH_TOKEN_FILE for token_file, and most keys have a flag, such as --token-file. Do not put secrets in this
        # file: a token comes from a file, a command, an address or TRIPWATCH_TOKEN.

        """

    private static let closing = """
        # A profile is a table of the same keys. The keys of the profile in use override the keys above. Choose a
        # profile with --profile NAME, or set the key "profile" above to its name. An example of a profile:
        #
        #     [profiles.laptop]
        #     endpoint = "127.0.0.1:50051"
        #     plaintext = true
        #     provider = "demo"

        """

    /// A Markdown table of the keys, for the documentation.
    package static let markdownTable: String = {
        let rows = ConfigurationKey.all.map { key in
            "| " + ["`\(key.name)`", key.purpose, key.allowed, key.standard].map(cell).joined(separator: " | ") + " |"
        }
        return (["| key | what it is for | allowed | default |", "|---|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }()

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
