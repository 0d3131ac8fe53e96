/// Joins many names into one argument before the parser runs, and splits them afterwards. The parser's run time grows with the
/// square of the number of arguments.
enum ManyWords {
    /// The separator between the names. No argument of a process can contain it.
    private static let separator = "\0"

    /// Joins words that directly follow another word. They are names, because only the first word after a flag can be its value.
    /// - Parameter arguments: the program's arguments. If they call another command, they are returned unchanged.
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
