import Geo

/// Makes broken input from valid input. The same seed creates the same inputs.
struct Mutator {
    /// The size of the largest input, in bytes.
    static let largestInput = 1 << 18

    private let seeds: [[UInt8]]
    private let words: [[UInt8]]
    private var random: SeededRandom

    init(_ seeds: [[UInt8]], words: [String], seed: UInt64) {
        self.seeds = seeds
        self.words = words.map { Array($0.utf8) }
        random = SeededRandom(seed: seed)
    }

    /// The number of valid inputs. They come first, and are not changed.
    var seedCount: Int { seeds.count }

    /// Returns the next input. The valid inputs come first, each once and unchanged.
    mutating func next(_ number: Int) -> [UInt8] {
        if number < seeds.count { return seeds[number] }
        var input = random.element(of: seeds) ?? []
        for _ in 0...random.int(in: 0...5) { mutate(&input) }
        return input
    }

    private mutating func mutate(_ input: inout [UInt8]) {
        guard !input.isEmpty else {
            input = word()
            return
        }
        let place = random.int(in: 0...input.count - 1)
        switch random.int(in: 0...10) {
        case 0: input[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: input[place] ^= 1 << UInt8(random.int(in: 0...7))
        case 2: input.insert(contentsOf: word(), at: place)
        case 3: overwrite(&input, at: place, with: word())
        case 4: input.removeSubrange(place..<end(from: place, in: input))
        case 5: duplicate(&input, at: place)
        case 6: splice(&input, at: place)
        case 7: input.removeSubrange(place...)
        case 8: overwrite(&input, at: place, with: binaryNumber())
        default: replaceNumber(&input, after: place)
        }
        if input.count > Self.largestInput { input.removeSubrange(Self.largestInput...) }
    }

    private mutating func end(from place: Int, in input: [UInt8]) -> Int {
        min(input.count, place + random.int(in: 1...(random.chance(0.2) ? 2_000 : 24)))
    }

    private mutating func word() -> [UInt8] { random.element(of: words.isEmpty ? Self.edges : words) ?? [] }

    private func overwrite(_ input: inout [UInt8], at place: Int, with bytes: [UInt8]) {
        input.replaceSubrange(place..<min(input.count, place + bytes.count), with: bytes)
    }

    private mutating func duplicate(_ input: inout [UInt8], at place: Int) {
        let piece = Array(input[place..<end(from: place, in: input)])
        let times = random.chance(0.1) ? min(500, Self.largestInput / piece.count) : 1
        for _ in 0..<times { input.insert(contentsOf: piece, at: place) }
    }

    private mutating func splice(_ input: inout [UInt8], at place: Int) {
        guard let other = random.element(of: seeds), !other.isEmpty else { return }
        let start = random.int(in: 0...other.count - 1)
        input.insert(contentsOf: other[start..<end(from: start, in: other)], at: place)
    }
}

// MARK: - Numbers

extension Mutator {
    private static let edges = [
        "0", "-0", "1", "-1", "90", "-90.000001", "180", "-180", "360", "0.0000001", "1e308", "-1e308", "1e999", "1e-320", "1e15", "4e18",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "2147483648", "4294967296", "nan",
        "253402300800", "1900000000", "0x10", "٣",
    ].map { Array($0.utf8) }

    /// Finds the first number in text form at or after a position in the input, and replaces it with an unusual one.
    private mutating func replaceNumber(_ input: inout [UInt8], after place: Int) {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard let start = input[place...].firstIndex(where: isDigit) else { return }
        let end = input[start...].firstIndex { !isDigit($0) && $0 != UInt8(ascii: ".") } ?? input.endIndex
        let isSigned = start > 0 && input[start - 1] == UInt8(ascii: "-")
        input.replaceSubrange((isSigned ? start - 1 : start)..<end, with: random.element(of: Self.edges) ?? [])
    }

    /// Returns the bytes of a number near a power of two, where arithmetic overflows. The number has a fixed size or is a varint.
    private mutating func binaryNumber() -> [UInt8] {
        let power: UInt64 = 1 << UInt64(random.int(in: 0...63))
        var rest = power &+ UInt64(random.int(in: 0...2)) &- 1
        if random.chance(0.5) {
            return (0..<(random.element(of: [1, 2, 4, 8]) ?? 8)).map { UInt8(truncatingIfNeeded: rest >> (8 * UInt64($0))) }
        }
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }
}
