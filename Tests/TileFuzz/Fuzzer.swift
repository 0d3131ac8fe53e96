import FoundationEssentials
import Geo

/// Makes broken inputs from valid ones, and reads them. The same seed makes the same inputs.
struct Fuzzer {
    let kind: FuzzKind
    /// The file to which each input is written before it is read. After a trap, the file still has the input.
    let path: String

    /// The number of inputs with each outcome.
    private(set) var counts: [FuzzOutcome: Int] = [:]
    /// The longest time that reading an input took, in seconds, and the number of that input.
    private(set) var slowest = (seconds: 0.0, number: 0)
    private(set) var number = 0

    private let seeds: [[UInt8]]
    private var random: SeededRandom

    /// - Parameters:
    ///   - directory: the folder for the inputs. It must exist.
    ///   - moreSeeds: valid inputs, in addition to those of the fuzz kind.
    init(_ kind: FuzzKind, seed: UInt64, directory: String, moreSeeds: [[UInt8]] = []) throws {
        self.kind = kind
        path = directory + "/" + kind.fileName
        seeds = try kind.seeds(in: directory) + moreSeeds
        random = SeededRandom(seed: seed)
    }

    /// The faults that were found.
    var failures: [String] { counts.keys.compactMap { if case .wrong(let problem) = $0 { problem } else { nil } } }

    /// Makes one input and reads it.
    mutating func step() async throws {
        let input = next()
        try Data(input).write(to: URL(filePath: path))
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await kind.feed(input, path: path)
        let seconds = (clock.now - start) / .seconds(1)
        if seconds > slowest.seconds { slowest = (seconds, number) }
        if case .wrong = outcome { try Data(input).write(to: URL(filePath: path + ".wrong")) }
        counts[outcome, default: 0] += 1
        number += 1
    }

    /// Returns the next input.
    mutating func next() -> [UInt8] {
        guard var input = random.element(of: seeds) else { return [] }
        // One input in fifty stays valid.
        if random.chance(0.02) { return input }
        for _ in 0...random.int(in: 0...7) where !input.isEmpty { mutate(&input) }
        // A broken byte inside compressed data has an effect only if the compressed file itself is valid.
        if kind == .blob, random.chance(0.5) {
            var tile = MadeUpTile.village(random.int(in: 0...9)).bytes
            for _ in 0...random.int(in: 0...4) where !tile.isEmpty { mutate(&tile) }
            return GzipWriter.stored(tile)
        }
        return input
    }

    private static let bytes: [UInt8] = [0, 1, 2, 0x1a, 0x7f, 0x80, 0xfe, 0xff, 0x1f, 0x8b, 0x78]

    private mutating func mutate(_ input: inout [UInt8]) {
        let place = random.int(in: 0...input.count - 1)
        switch random.int(in: 0...9) {
        case 0: input[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: input[place] ^= 1 << UInt8(random.int(in: 0...7))
        case 2: input[place] = random.element(of: Self.bytes) ?? 0
        case 3: input.remove(at: place)
        case 4: input.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 5: replace(&input, at: place, with: number64())
        case 6: replace(&input, at: min(place, random.int(in: 0...126)), with: number64())
        case 7: input.replaceSubrange(place..<min(input.count, place + 1), with: MadeUpTile.varint(edge()))
        case 8: input.removeLast(random.int(in: 0...min(input.count - 1, 64)))
        default:
            guard let other = random.element(of: seeds), !other.isEmpty else { return }
            let start = random.int(in: 0...other.count - 1)
            input.insert(contentsOf: other[start..<min(other.count, start + random.int(in: 1...64))], at: place)
        }
    }

    private func replace(_ input: inout [UInt8], at place: Int, with bytes: [UInt8]) {
        for (index, byte) in bytes.enumerated() where place + index < input.count { input[place + index] = byte }
    }

    /// Returns a number near a power of two, for which arithmetic may overflow.
    private mutating func edge() -> UInt64 {
        let power: UInt64 = 1 << UInt64(random.int(in: 0...63))
        return power &+ UInt64(random.int(in: 0...2)) &- 1
    }

    private mutating func number64() -> [UInt8] { PMTilesWriter.littleEndian(edge(), random.element(of: [4, 8]) ?? 8) }
}
