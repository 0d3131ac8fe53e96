import Foundation

/// Splits shell text from a page into words. It supports the syntax that the pages use: words, quotes, comments, pipes, lists and command
/// substitution.
enum ShellWords {
    /// Returns the commands of a text. Each command is a list of its words without redirections.
    static func commands(in text: String) -> [[String]] {
        var reader = Reader()
        for character in text.replacing("\\\n", with: " ") { reader.read(character) }
        reader.endCommand()
        return reader.commands
    }

    /// Commands whose arguments are another command.
    private static let runners = ["ssh", "sudo", "swift"]

    /// Returns the arguments of each call of tripwatch in a text. Calls within quotes are included.
    static func calls(in text: String) -> [[String]] {
        commands(in: text).flatMap { words in
            let quoted = words.filter { $0.contains("tripwatch ") }.flatMap(calls(in:))
            guard let name = words.firstIndex(of: "tripwatch") else { return quoted }
            guard words[..<name].allSatisfy({ $0.contains("=") }) || runners.contains(words[0]) else { return quoted }
            return [Array(words[(name + 1)...])] + quoted
        }
    }

    /// Returns the shell blocks of a page.
    static func blocks(of page: String) -> [String] {
        page.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    private struct Reader {
        private(set) var commands: [[String]] = []
        private var words: [String] = []
        private var word: String?
        private var quote: Character?
        private var isComment = false
        private var isRedirection = false

        mutating func read(_ character: Character) {
            if isComment {
                isComment = character != "\n"
                if !isComment { endCommand() }
            } else if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else {
                readBare(character)
            }
        }

        private mutating func readBare(_ character: Character) {
            switch character {
            case "'", "\"":
                quote = character
                word = word ?? ""
            case "#" where word == nil: isComment = true
            case " ": endWord()
            case "\n", "|", "&", ";", "(", ")": endCommand()
            case "<", ">":
                endWord()
                isRedirection = true
            default: word = (word ?? "") + String(character)
            }
        }

        private mutating func endWord() {
            guard let word else { return }
            if !isRedirection { words.append(word) }
            (self.word, isRedirection) = (nil, false)
        }

        mutating func endCommand() {
            endWord()
            if !words.isEmpty { commands.append(words) }
            (words, isRedirection) = ([], false)
        }
    }
}
