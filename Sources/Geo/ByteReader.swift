/// Reads numbers from the start of a byte array, never beyond its end.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - offset }

    mutating func byte() throws(PolylineError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// - Parameter byteCount: 0...8.
    mutating func littleEndian(byteCount: Int) throws(PolylineError) -> UInt64 {
        guard byteCount <= remaining else { throw .truncated(offset: bytes.count) }
        var value: UInt64 = 0
        for shift in 0..<byteCount { value |= UInt64(bytes[offset + shift]) << (8 * shift) }
        offset += byteCount
        return value
    }

    /// Reads a number with seven bits per byte, the lowest bits first. The top bit is set on all bytes but the last (Protocol Buffers'
    /// varint, 64 bits at most).
    mutating func varint() throws(PolylineError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw .numberTooLong(offset: start) }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw .numberTooLong(offset: start)
    }
}
