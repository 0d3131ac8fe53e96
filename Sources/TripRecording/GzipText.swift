import CZlib

/// Reads text that may be compressed with gzip. Log viewers and archives compress their exports, regardless of the file name.
public enum GzipText {
    /// The reason why compressed text cannot be used.
    public enum Fault: Error, Hashable, Sendable {
        /// A part of the data is not gzip, or a checksum is wrong.
        case damaged
        /// The unpacked text exceeds the limit.
        case tooLarge
    }

    private static let mark: [UInt8] = [0x1F, 0x8B]

    /// Returns the uncompressed text. Data that does not begin like gzip is returned unchanged. If gzip data is cut off, the text before
    /// the cut is returned.
    /// - Parameter limit: size limit of the unpacked text, in bytes.
    /// - Throws: `Fault`.
    public static func plain(_ data: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        guard data.starts(with: mark) else { return data }
        // Text usually shrinks to about a tenth with gzip, so the first buffer is 12 times the size of the data.
        var room = min(limit, max(4_096, min(data.count, limit / 12) * 12))
        while true {
            let (text, result) = inflated(data, room: room)
            switch result {
            case CZLIB_DONE: return text
            case CZLIB_TRUNCATED where !text.isEmpty: return text
            case CZLIB_FULL where room < limit: room = min(limit, room * 4)
            case CZLIB_FULL: throw .tooLarge
            default: throw .damaged
            }
        }
    }

    private static func inflated(_ packed: [UInt8], room: Int) -> ([UInt8], CZlibResult) {
        var result = CZLIB_BROKEN
        let text = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var written = 0
            result = packed.withUnsafeBufferPointer { czlib_inflate($0.baseAddress, $0.count, buffer.baseAddress, room, &written) }
            count = min(written, room)
        }
        return (text, result)
    }
}

extension GzipText {
    /// Returns the text of a recording.
    static func recording(_ bytes: [UInt8]) throws(TripRecordingError) -> [UInt8] {
        guard bytes.count <= FleetEngineLog.maximumBytes else { throw .tooLarge(bytes: bytes.count) }
        do throws(Fault) {
            return try plain(bytes, limit: FleetEngineLog.maximumBytes)
        } catch {
            throw error == .damaged ? .damagedGzip : .tooLargeUnpacked
        }
    }
}
