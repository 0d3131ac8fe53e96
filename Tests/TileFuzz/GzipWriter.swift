/// Writes gzip without compression, and small gzip files that become very large when they are unpacked.
enum GzipWriter {
    /// Returns the bytes as a gzip file of stored blocks (RFC 1951, 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            blocks += [rest.isEmpty ? 1 : 0] + littleEndian(UInt32(block.count), 2) + littleEndian(UInt32(~block.count & 0xffff), 2) + block
        } while !rest.isEmpty
        return header + blocks + littleEndian(checksum(bytes), 4) + littleEndian(UInt32(truncatingIfNeeded: bytes.count), 4)
    }

    /// Returns a gzip file that unpacks to more than `count` zeros. The zeros are about 159 times as large as the file: one literal, then
    /// copies of 258 bytes (RFC 1951, 3.2.6). The checksum is wrong, because a reader should stop before it reaches the checksum.
    static func zeros(_ count: Int, announcing announced: Int? = nil) -> [UInt8] {
        var bits: [UInt8] = []
        var buffer = 0
        var filled = 0
        /// Adds bits, the lowest first. Codes are passed with their bits reversed.
        func add(_ code: Int, _ length: Int) {
            buffer |= code << filled
            filled += length
            while filled >= 8 {
                bits.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                filled -= 8
            }
        }
        // These bits begin the last block, which uses the fixed code, and add one zero byte.
        add(0b011, 3)
        add(0b0000_1100, 8)
        for _ in 0..<(count + 257) / 258 { add(0b1010_0011, 8 + 5) }
        add(0, 7 + 7)
        return header + bits + [0, 0, 0, 0] + littleEndian(UInt32(truncatingIfNeeded: announced ?? count + 1), 4)
    }

    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private static let checksums: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { checksums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
