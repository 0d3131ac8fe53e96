/// The words of a command line, split as a POSIX shell splits them. Only quotes and backslashes have a special meaning;
/// variables and wildcards are not expanded.
package struct CommandWords: Hashable, Sendable {
    /// The program and its arguments; never empty.
    package let words: [String]

    /// Maximum length of a line, in bytes.
    static let longestLine = 8_192

    /// Splits a command line. Returns nil if the line has no words, is too long, has an empty first word or an unclosed quote, or ends with
    /// a backslash. Also returns nil if it contains an ASCII control character other than a tab or a line feed.
    package init?(_ line: String) {
        guard line.utf8.count <= Self.longestLine, !line.unicodeScalars.contains(where: Self.isForbidden) else { return nil }
        var splitter = Splitter()
        for scalar in line.unicodeScalars { splitter.add(scalar) }
        guard let words = splitter.finished, !words.isEmpty, words.first != "" else { return nil }
        self.words = words
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" && scalar != "\n" || scalar.value == 0x7f
    }

    private struct Splitter {
        private var words: [String] = []
        private var word: String.UnicodeScalarView?
        private var quote: Unicode.Scalar?
        private var isEscaped = false

        mutating func add(_ scalar: Unicode.Scalar) {
            switch (quote, scalar) {
            case _ where isEscaped:
                isEscaped = false
                // Between double quotes, a backslash escapes only these characters. A backslash at the end of a line joins the
                // line with the next one.
                if quote != nil, !"\"\\$`\n".unicodeScalars.contains(scalar) { append("\\") }
                if scalar != "\n" { append(scalar) }
            case (nil, "\\"), ("\"", "\\"): isEscaped = true
            case (nil, "'"), (nil, "\""):
                quote = scalar
                word = word ?? String.UnicodeScalarView()
            case (let open?, _) where scalar == open: quote = nil
            case (nil, " "), (nil, "\t"), (nil, "\n"): endWord()
            default: append(scalar)
            }
        }

        private mutating func append(_ scalar: Unicode.Scalar) {
            var word = word ?? String.UnicodeScalarView()
            word.append(scalar)
            self.word = word
        }

        private mutating func endWord() {
            if let word { words.append(String(word)) }
            word = nil
        }

        /// The words that were read; nil if a quote is still open or a backslash is the last character.
        var finished: [String]? {
            guard quote == nil, !isEscaped else { return nil }
            return words + (word.map { [String($0)] } ?? [])
        }
    }
}
