/// Finds the word that a mistyped word probably stands for.
package enum Nearest {
    /// Maximum length of the words that are compared, in characters.
    private static let maximumLength = 64

    /// Returns the candidate that is closest to the word, measured in mistakes. If several are equally close, returns the first of them.
    /// Returns nil if no candidate is close enough: one mistake is allowed for every three letters of the shorter word, and always at least
    /// one.
    ///
    /// A mistake is a missing, additional or wrong letter, or two swapped neighbouring letters. Case is ignored.
    package static func match(_ word: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased())
        guard !typed.isEmpty, typed.count <= maximumLength else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased())
            let limit = max(1, min(typed.count, known.count) / 3)
            guard !known.isEmpty, known.count <= maximumLength, abs(known.count - typed.count) <= limit else { continue }
            let distance = distance(typed, known)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Returns the optimal string alignment distance. It counts Levenshtein edits and swaps of neighbouring letters, with at most
    /// one edit at each position.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
