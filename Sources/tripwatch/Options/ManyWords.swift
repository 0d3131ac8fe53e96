/// Many names as few arguments, and back: the parser's work grows with the square of their number.
enum ManyWords {
    /// No argument of a process can hold it.
    private static let separator = "\0"

    /// Joins what is sure to be names: words after a word that is one, or the value of a flag. None of the flags has two values.
    /// - Parameter arguments: of the program. Those of other commands stay as they are.
    static func joined(_ arguments: [String], of command: String) -> [String] {
        guard arguments.first == command else { return arguments }
        var (joined, run): ([String], [String]) = ([command], [])
        var isAfterWord = false
        for argument in arguments.dropFirst() {
            let isWord = !argument.hasPrefix("-")
            if !run.isEmpty, !isWord {
                joined.append(run.joined(separator: separator))
                run = []
            }
            if isWord, isAfterWord { run.append(argument) } else { joined.append(argument) }
            isAfterWord = isWord
        }
        return run.isEmpty ? joined : joined + [run.joined(separator: separator)]
    }

    static func split(_ words: [String]) -> [String] {
        words.flatMap { $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init) }
    }
}
