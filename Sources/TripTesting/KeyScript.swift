public import TerminalCanvas

/// Keys, written as words such as `q`, `?`, `esc`, `ctrl-c`, `shift-tab`, `f1`, with blanks or line breaks in between. A separate `#`
/// begins a comment, which ends with its line.
public struct KeyScript: Hashable, Sendable {
    /// A word that is not the name of a key.
    public struct UnknownKey: Error, Hashable, Sendable, CustomStringConvertible {
        /// The word as it was written.
        public let word: String
        /// The line that has the word, counted from 1.
        public let line: Int

        public var description: String { "line \(line): '\(word)' is not a key" }
    }

    /// The keys, in the order in which they are pressed.
    public let keys: [Key]

    /// Reads a script.
    /// - Throws: `UnknownKey` with the first word that is not the name of a key.
    public init(_ text: String) throws(UnknownKey) {
        var keys: [Key] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for word in line.split(whereSeparator: \.isWhitespace) {
                if word == "#" { break }
                guard let key = Key(String(word)) else { throw UnknownKey(word: String(word), line: index + 1) }
                keys.append(key)
            }
        }
        self.keys = keys
    }
}
