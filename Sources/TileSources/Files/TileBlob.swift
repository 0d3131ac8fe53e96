import CZlib
import VectorTiles

/// Decompresses the stored bytes of a tile, a directory or a text.
package enum TileBlob {
    /// The largest supported tile, in bytes, both stored and decompressed.
    package static let maximumByteCount = VectorTileDecoder.maximumByteCount

    /// The largest compression ratio of Deflate.
    private static let largestRatio = 1032

    package enum Problem: Error, Hashable {
        /// There is more data than allowed.
        case tooLarge
        /// The compressed bytes end too early.
        case truncated
        /// The compressed bytes are damaged.
        case damaged
        /// There is not enough memory to decompress the data.
        case outOfMemory
    }

    /// The largest number of layers of compression to undo; some tools compress data that is already compressed.
    private static let mostTimes = 3

    /// Decompresses gzip and zlib data, even if compressed several times; returns other data unchanged. The first bytes decide,
    /// because some archives state the format wrongly. A raw vector tile never begins like gzip or zlib data.
    package static func plain(_ bytes: [UInt8], limit: Int = maximumByteCount) throws(Problem) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<mostTimes where isCompressed(bytes) { bytes = try inflate(bytes, limit: limit) }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    /// Returns the format of an image; nil for other data.
    package static func pictureFormat(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "PNG" }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "JPEG" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "WebP" }
        return nil
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let first = Int(bytes[0])
        let second = Int(bytes[1])
        return first == 0x1f && second == 0x8b || first == 0x78 && (first << 8 | second) % 31 == 0
    }

    /// Decompresses gzip or zlib to at most `limit` bytes.
    static func inflate(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
        let most = min(limit, bytes.count.multipliedReportingOverflow(by: largestRatio).partialValue)
        var room = min(most, announcedSize(bytes) ?? bytes.count * 8)
        while true {
            var result = CZLIB_BROKEN
            let output = [UInt8](unsafeUninitializedCapacity: max(1, room)) { buffer, count in
                var written = 0
                result = bytes.withUnsafeBufferPointer {
                    czlib_inflate($0.baseAddress, $0.count, buffer.baseAddress, room, &written)
                }
                count = min(written, room)
            }
            switch result {
            case CZLIB_DONE: return output
            case CZLIB_FULL where room < limit: room = min(limit, max(1024, room * 2))
            case CZLIB_FULL: throw .tooLarge
            case CZLIB_TRUNCATED: throw .truncated
            case CZLIB_NO_MEMORY: throw .outOfMemory
            default: throw .damaged
            }
        }
    }

    /// Returns the decompressed size according to the last four bytes of gzip data; nil for other data. The size may be wrong.
    private static func announcedSize(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 18, bytes[0] == 0x1f else { return nil }
        return bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
