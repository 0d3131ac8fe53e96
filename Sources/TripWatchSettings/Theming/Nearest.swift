/// Finds the probable meaning of a mistyped word.
package enum Nearest {
    /// Maximum length of a compared word, characters.
    private static let maximumLength = 64

    /// The candidate with the fewest mistakes, the first one if several have equally few; nil if all have too many for their length.
    ///
    /// A mistake is a missing, additional or wrong letter, or two swapped neighbours. Case is ignored.
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

    /// The optimal string alignment distance: Levenshtein's edits and swaps of neighbours, at most one edit per position.
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
