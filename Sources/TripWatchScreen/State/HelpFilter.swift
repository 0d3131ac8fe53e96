/// Words that the lines of the help are picked by.
struct HelpFilter: Hashable, Sendable {
    static let maximumLength = 30

    var words = ""
    /// Characters belong to the words.
    var isOpen = true

    /// Whether a line has the words, in any case.
    func matches(_ text: String) -> Bool { words.isEmpty || text.lowercased().contains(words.lowercased()) }
}
