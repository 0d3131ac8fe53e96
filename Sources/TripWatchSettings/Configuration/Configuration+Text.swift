extension Configuration {
    /// A configuration file in which every key is commented out, with its default and its purpose.
    ///
    /// The file changes nothing, even if every key is uncommented.
    package static let defaultText: String = {
        let keys = ConfigurationKey.all.map { key in
            let note = key.standardLiteral == ConfigurationKey.emptyLiteral ? "#   without it: \(key.standard)\n" : ""
            return "# \(key.purpose)\n#   allowed: \(key.allowed)\n" + note + "#\(key.name) = \(key.standardLiteral)\n"
        }
        return ([opening] + keys + [closing]).joined(separator: "\n")
    }()

    private static let opening = """
        # The settings of tripwatch, in TOML. Every key stands here with its default; to set one, take away the
        # "#" before it and change its value. Where the default is "", that is as good as no value. What is wrong
        # or unknown here is told at the start and left out.
        #
        # A flag wins over the environment, and that over this file. Flag and variable have the key's name: --token-file and
        # TRIPWATCH_TOKEN_FILE for token_file. Secrets have no place here: a token comes from a file, a command, an address or
        # TRIPWATCH_TOKEN.

        """

    private static let closing = """
        # A profile is a table of the same keys. Those of the one in use win over the keys above; --profile NAME or
        # the key profile chooses it:
        #
        #     [profiles.laptop]
        #     endpoint = "127.0.0.1:50051"
        #     plaintext = true
        #     provider = "demo"

        """

    /// The keys as a Markdown table.
    package static let markdownTable: String = {
        let rows = ConfigurationKey.all.map { key in
            "| " + ["`\(key.name)`", key.purpose, key.allowed, key.standard].map(cell).joined(separator: " | ") + " |"
        }
        return (["| key | what it is for | allowed | default |", "|---|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }()

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
