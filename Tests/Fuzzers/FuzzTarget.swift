/// A part of the program that reads bytes from outside, with valid input to start from.
struct FuzzTarget: Sendable {
    /// Reads one input, which is also in the file at `path`. An error other than ``FuzzFault`` means that the input is refused.
    typealias Feed = @Sendable (_ input: [UInt8], _ path: String) async throws -> Void

    let name: String
    /// Makes valid input, in addition to the input in files.
    let seeds: @Sendable () -> [[UInt8]]
    /// Endings of files with valid input.
    let endings: [String]
    /// Pieces of the format, for mutations.
    let words: [String]
    let feed: Feed

    init(
        _ name: String, seeds: [String] = [], bytes: @escaping @Sendable () -> [[UInt8]] = { [] }, endings: [String] = [],
        words: [String] = [], feed: @escaping Feed
    ) {
        self.name = name
        self.seeds = { seeds.map { Array($0.utf8) } + bytes() }
        self.endings = endings
        self.words = words
        self.feed = feed
    }

    /// All targets, in the order of a run.
    static let all = maps + roads + positions + trips + texts + keys + calls

    /// Pieces of JSON, some nested too deeply for a recursive reader.
    static let json = [
        "{", "}", "[", "]", ",", ":", "null", "true", "\"\"", "\"\\ud800\"", "\"\\u0000\"", "\"\\u202e\"", "{\"a\":", "[[[[",
        String(repeating: "[", count: 10_000), String(repeating: "{\"a\":", count: 4_000),
    ]
}

/// A rule that an accepted input broke.
struct FuzzFault: Error {
    let rule: String

    /// Throws if a text is not safe to print because it has control characters or marks that change the direction of text.
    static func check(printable text: String, of rule: String) throws(FuzzFault) {
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && !(0x7f..<0xa0).contains(scalar.value) && !scalar.properties.isBidiControl
        }
        guard isSafe else { throw FuzzFault(rule: "\(rule) has control characters: \(text.debugDescription)") }
    }
}
