import CDeflate

/// Compression that gives the same bytes every time.
enum Gzip {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        // Enough room for data that Deflate cannot compress, which grows slightly.
        let room = bytes.count + bytes.count / 1_000 + 64
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = bytes.withUnsafeBufferPointer { cdeflate_gzip($0.baseAddress, $0.count, buffer.baseAddress, room) }
            precondition(count > 0, "zlib has no memory")
        }
    }
}
