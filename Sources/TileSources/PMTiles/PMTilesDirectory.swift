/// A directory of a PMTiles archive: the positions of its tiles (specification, chapter 4).
package struct PMTilesDirectory: Sendable {
    /// The largest supported directory, in bytes, both stored and decompressed. An entry takes at least four bytes.
    static let maximumByteCount = 4 << 20
    /// One more than the highest tile number at the highest zoom (30).
    static let tileNumberEnd: UInt64 = (1 << 62) / 3

    struct Entry: Sendable, Equatable {
        /// The number of the first tile.
        var first: UInt64
        /// Offset from the start of the tiles, or of the leaf directories, in bytes.
        var offset: UInt64
        var length: UInt32
        /// Number of consecutive tiles, from `first` on, that share these bytes; 0 for a leaf directory.
        var run: UInt32
    }

    /// The entries in the order of their tiles, without overlap. Entries of length 0 are left out.
    let entries: [Entry]

    /// The error for bytes that break the rules of the format.
    struct Broken: Error {}

    /// Reads an uncompressed directory.
    init(_ bytes: [UInt8]) throws(Broken) {
        var numbers = Numbers(bytes: bytes)
        let announced = try numbers.next()
        guard announced > 0, announced <= UInt64(bytes.count / 4) else { throw Broken() }
        let count = Int(announced)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var tile: UInt64 = 0
        for _ in 0..<count {
            tile = try Self.sum(tile, try numbers.next())
            guard tile < Self.tileNumberEnd else { throw Broken() }
            entries.append(Entry(first: tile, offset: 0, length: 0, run: 0))
        }
        for index in 0..<count { entries[index].run = try numbers.nextShort() }
        for index in 0..<count { entries[index].length = try numbers.nextShort() }
        var end: UInt64?
        for index in 0..<count {
            let written = try numbers.next()
            if written == 0 {
                guard let end else { throw Broken() }
                entries[index].offset = end
            } else {
                entries[index].offset = written - 1
            }
            end = try Self.sum(entries[index].offset, UInt64(entries[index].length))
        }
        try Self.check(entries)
        // An entry of length 0 has no tile; the other entries are valid.
        self.entries = entries.filter { $0.length > 0 }
    }

    private static func sum(_ first: UInt64, _ second: UInt64) throws(Broken) -> UInt64 {
        let (sum, overflow) = first.addingReportingOverflow(second)
        if overflow { throw Broken() }
        return sum
    }

    private static func check(_ entries: [Entry]) throws(Broken) {
        for (entry, next) in zip(entries, entries.dropFirst()) {
            // A leaf directory covers the tiles up to the next entry.
            guard entry.first + UInt64(max(1, entry.run)) <= next.first else { throw Broken() }
        }
    }

    /// Returns the entry of a tile, or of the leaf directory that may contain the tile; nil if neither exists.
    func entry(for tile: UInt64) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].first <= tile { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.run == 0 || tile - entry.first < UInt64(entry.run) ? entry : nil
    }

    /// Little-endian numbers with seven bits per byte.
    private struct Numbers {
        let bytes: [UInt8]
        var position = 0

        mutating func next() throws(Broken) -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while position < bytes.count, shift < 64 {
                let byte = bytes[position]
                position += 1
                guard shift < 63 || byte < 2 else { throw Broken() }
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Broken()
        }

        mutating func nextShort() throws(Broken) -> UInt32 {
            guard let short = UInt32(exactly: try next()) else { throw Broken() }
            return short
        }
    }
}
