extension KeyMap {
    /// The keys as a Markdown table, for docs/keys.md.
    package var markdownTable: String {
        var lines = ["| key | does |", "|---|---|"]
        for group in KeyBinding.Group.allCases {
            for binding in bindings where binding.group == group {
                let keys = binding.keysText.split(separator: " ").map { $0 == "|" ? "`\\|`" : "`\($0)`" }.joined(separator: " ")
                lines.append("| \(keys) | \(binding.words) |")
            }
        }
        return lines.joined(separator: "\n")
    }
}
