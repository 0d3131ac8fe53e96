/// Joins many names into few arguments, and splits them: the parser takes time quadratic in the number of arguments.
enum ManyWords {
    /// Separator, which no process argument can contain.
    private static let separator = "\0"

    /// Joins words that must be names: each follows another word or the value of a flag, and no flag takes two values.
    /// - Parameter arguments: the program's arguments; those of other commands are returned unchanged.
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
