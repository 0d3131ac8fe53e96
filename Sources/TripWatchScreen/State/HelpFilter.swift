/// Search text that filters the lines of the help.
struct HelpFilter: Hashable, Sendable {
    static let maximumLength = 30

    var words = ""
    /// Whether typed characters are added to the search text.
    var isOpen = true

    /// Whether a line contains the search text, ignoring case.
    func matches(_ text: String) -> Bool { words.isEmpty || text.lowercased().contains(words.lowercased()) }
}
