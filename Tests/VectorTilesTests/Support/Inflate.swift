/// A simple reader of gzip files (RFC 1951 and 1952), for test data.
struct Inflate {
    struct Broken: Error {}

    private let input: [UInt8]
    private var position: Int
    private var bitBuffer = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.count > 18, bytes[0] == 0x1f, bytes[1] == 0x8b, bytes[2] == 8 else { throw Broken() }
        var start = 10
        if bytes[3] & 4 != 0 { start += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
        for flag: UInt8 in [8, 16] where bytes[3] & flag != 0 {
            while start < bytes.count, bytes[start] != 0 { start += 1 }
            start += 1
        }
        var inflate = Inflate(input: bytes, position: start)
        return try inflate.run()
    }

    private init(input: [UInt8], position: Int) {
        self.input = input
        self.position = position
    }

    private mutating func bits(_ count: Int) throws -> Int {
        while bitCount < count {
            guard position < input.count else { throw Broken() }
            bitBuffer |= Int(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        defer {
            bitBuffer >>= count
            bitCount -= count
        }
        return bitBuffer & (1 << count - 1)
    }

    /// The counts and symbols of a canonical Huffman code.
    private struct Code {
        var counts = Array(repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) {
            for length in 1...15 {
                for (symbol, own) in lengths.enumerated() where own == length {
                    counts[length] += 1
                    symbols.append(symbol)
                }
            }
        }
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Broken()
    }

    private mutating func run() throws -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try block(Code(lengths), Code(Array(repeating: 5, count: 30)))
            case 2: try dynamic()
            default: throw Broken()
            }
        }
        return output
    }

    private mutating func stored() throws {
        (bitBuffer, bitCount) = (0, 0)
        guard position + 4 <= input.count else { throw Broken() }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        position += 4
        guard position + count <= input.count else { throw Broken() }
        output += input[position..<position + count]
        position += count
    }

    private mutating func dynamic() throws {
        let (literals, distances, sizes) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        var lengths = Array(repeating: 0, count: 19)
        for index in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(sizes) { lengths[index] = try bits(3) }
        let sizeCode = Code(lengths)
        var all: [Int] = []
        while all.count < literals + distances {
            switch try symbol(sizeCode) {
            case 16:
                guard let last = all.last else { throw Broken() }
                all += Array(repeating: last, count: try bits(2) + 3)
            case 17: all += Array(repeating: 0, count: try bits(3) + 3)
            case 18: all += Array(repeating: 0, count: try bits(7) + 11)
            case let length: all.append(length)
            }
        }
        try block(Code(all[..<literals]), Code(Array(all[literals...])))
    }

    private mutating func block(_ literals: Code, _ distances: Code) throws {
        while true {
            let found = try symbol(literals)
            if found == 256 { return }
            if found < 256 {
                output.append(UInt8(found))
                continue
            }
            let step = found - 257
            let extra = step < 8 || step == 28 ? 0 : step / 4 - 1
            let base = step < 8 ? step + 3 : step == 28 ? 258 : 3 + (4 + step % 4) << extra
            let length = base + (try bits(extra))
            let code = try symbol(distances)
            let distanceExtra = code < 4 ? 0 : code / 2 - 1
            let distance = (code < 4 ? code + 1 : 1 + (2 + code % 2) << distanceExtra) + (try bits(distanceExtra))
            guard distance <= output.count else { throw Broken() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
