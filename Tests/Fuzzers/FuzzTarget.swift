/// A part of the program that reads bytes from outside, together with valid input for it.
struct FuzzTarget: Sendable {
    /// Reads one input, which is also in the file at `path`. Any error other than ``FuzzFault`` means that the input is refused.
    typealias Feed = @Sendable (_ input: [UInt8], _ path: String) async throws -> Void

    let name: String
    /// Returns valid input that is used in addition to files.
    let seeds: @Sendable () -> [[UInt8]]
    /// The endings of the names of files with valid input.
    let endings: [String]
    /// Pieces of text that occur in the input's format. Mutations insert them.
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

    /// All targets, in the order in which they run.
    static let all = [maps, mapServers, roads, positions, trips, shipments, texts, keys, http, calls].flatMap { $0 }

    /// Pieces of JSON. Some of them are nested too deeply for a recursive reader.
    static let json = [
        "{", "}", "[", "]", ",", ":", "null", "true", "\"\"", "\"\\ud800\"", "\"\\u0000\"", "\"\\u202e\"", "{\"a\":", "[[[[",
        String(repeating: "[", count: 128), String(repeating: "[", count: 513), String(repeating: "[", count: 10_000),
        String(repeating: "{\"a\":", count: 4_000),
    ]
}

extension FuzzTarget {
    /// Splits an input after its first line.
    static func headed(_ input: [UInt8]) -> (line: String, rest: ArraySlice<UInt8>) {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        return (String(decoding: input[..<end], as: UTF8.self), input[end...].dropFirst())
    }

    /// Splits an input into at most four messages. Each message is preceded by its length in two bytes.
    static func messages(in input: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = input[...]
        while rest.count > 2, messages.count < 4 {
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            messages.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return messages
    }
}

/// The error for a refused input, if the reader itself throws no error.
struct RefusedInput: Error {}

/// The reason why a fuzz run failed. For example, a target accepted an input but broke a rule.
struct FuzzFault: Error {
    let rule: String

    /// Throws if a text contains control characters, or marks that change the direction of text.
    static func check(printable text: String, of rule: String) throws(FuzzFault) {
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && !(0x7f..<0xa0).contains(scalar.value) && !scalar.properties.isBidiControl
        }
        guard isSafe else { throw FuzzFault(rule: "\(rule) has control characters: \(text.debugDescription)") }
    }
}
