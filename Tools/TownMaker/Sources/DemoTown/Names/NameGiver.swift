import Geo

/// Gives out names and uses each name only once.
struct NameGiver {
    private(set) var random: SeededRandom
    private var used: Set<String> = []

    init(random: SeededRandom) { self.random = random }

    /// Returns the name if it has not been used yet, and marks it as used; nil if it has been used.
    mutating func claim(_ name: String) -> String? {
        used.insert(name).inserted ? name : nil
    }

    /// Returns an unused name from a list, and marks it as used; nil if all are used.
    mutating func next(from list: [String]) -> String? {
        guard !list.isEmpty else { return nil }
        let start = random.int(in: 0...list.count - 1)
        for offset in list.indices {
            if let name = claim(list[(start + offset) % list.count]) { return name }
        }
        return nil
    }

    /// Returns an unused name made of one beginning and one ending, with `separator` between them, and marks it as used. Returns nil if no
    /// name is left. Without a separator, halves that are hard to say together are not combined.
    mutating func compound(_ beginnings: [String], _ endings: [String], separator: String = "") -> String? {
        guard !beginnings.isEmpty, !endings.isEmpty else { return nil }
        let (first, second) = (random.int(in: 0...beginnings.count - 1), random.int(in: 0...endings.count - 1))
        for offset in endings.indices {
            for shift in beginnings.indices {
                let beginning = beginnings[(first + shift) % beginnings.count]
                let ending = endings[(second + offset) % endings.count]
                guard separator != "" || isSpeakable(beginning, ending) else { continue }
                if let name = claim(beginning + separator + ending) { return name }
            }
        }
        return nil
    }

    /// Whether the two halves are easy to say together. They are not if the same letter stands on both sides of the joint, or if the
    /// beginning already ends with the ending.
    private func isSpeakable(_ beginning: String, _ ending: String) -> Bool {
        guard let last = beginning.last, let first = ending.first else { return false }
        return last.lowercased() != first.lowercased() && !beginning.lowercased().hasSuffix(ending.lowercased())
    }

    mutating func int(in range: ClosedRange<Int>) -> Int { random.int(in: range) }
}
