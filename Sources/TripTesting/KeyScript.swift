public import TerminalCanvas

/// A list of keys, written as words such as `q`, `?`, `esc`, `ctrl-c`, `shift-tab`, `f1`. Spaces or line breaks separate the words. A `#`
/// that stands alone begins a comment, which ends at the end of the line.
public struct KeyScript: Hashable, Sendable {
    /// A word that is not the name of a key.
    public struct UnknownKey: Error, Hashable, Sendable, CustomStringConvertible {
        /// The word as it is written in the script.
        public let word: String
        /// The number of the line that contains the word, from 1.
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
