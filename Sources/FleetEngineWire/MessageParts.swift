/// Counts the messages and strings inside an encoded message. Each of these parts may take only two bytes, but hundreds
/// after decoding.
package enum MessageParts {
    /// Maximum number of parts in a message. A route of 200,000 points in list form has fewer.
    package static let most = 250_000
    /// Depth to which messages are searched. Fleet Engine's messages are nested less deeply.
    private static let deepest = 8

    /// Whether an encoded message has more parts than a message may have.
    package static func areTooMany(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 2 * most else { return false }
        var reader = Reader(bytes: bytes, end: bytes.count)
        return reader.count(depth: 0) > most
    }

    /// Reads fields in the binary format of protocol buffers.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var place = 0
        let end: Int

        /// Counts the fields that have a length, and the fields inside them. Stops at invalid data, and when there are too many fields.
        /// Strings are searched as if they were messages. In a text, this finds few fields: a printable character that is read as a length
        /// skips at least 32 bytes.
        mutating func count(depth: Int) -> Int {
            var count = 0
            while count <= MessageParts.most, let tag = number(), tag >> 3 > 0 {
                switch tag & 7 {
                case 0: guard number() != nil else { return count }
                case 1: guard skip(8) else { return count }
                case 2:
                    guard let length = number(), length <= UInt64(end - place) else { return count }
                    let inner = Reader(bytes: bytes, place: place, end: place + Int(length))
                    count += 1 + inner.counted(depth: depth + 1)
                    place = inner.end
                // The start or the end of a group. Its fields are read like all others.
                case 3, 4: break
                case 5: guard skip(4) else { return count }
                default: return count
                }
            }
            return count
        }

        private func counted(depth: Int) -> Int {
            guard depth < MessageParts.deepest else { return 0 }
            var reader = self
            return reader.count(depth: depth)
        }

        /// Reads a variable-length number. Returns nil at the end, and for a number that is cut off or too long.
        private mutating func number() -> UInt64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while place < end, shift < 64 {
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }

        private mutating func skip(_ count: Int) -> Bool {
            guard end - place >= count else { return false }
            place += count
            return true
        }
    }
}
