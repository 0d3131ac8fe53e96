import VectorTiles

/// Writes small PMTiles archives of version 3. They are valid, or have a single fault.
struct PMTilesWriter {
    /// An entry of a directory.
    struct Entry {
        var first: UInt64
        var offset: UInt64
        var length: UInt64
        var run: UInt64
    }

    var tiles: [(id: TileID, bytes: [UInt8])] = []
    var metadata = "{}"
    /// The number of entries in each leaf directory; nil for no leaf directories.
    var leafSize: Int?
    /// The number of levels of leaf directories.
    var leafLevels = 1
    /// Whether equal tiles are stored once, and equal tiles next to each other share an entry.
    var sharesTiles = true
    /// Whether the tiles are stored in the order of their numbers. If false, they are in reverse order.
    var isClustered = true
    /// Whether directories and metadata are compressed with gzip.
    var isInternallyCompressed = true
    var tileType: UInt8 = 1
    var tileCompression: UInt8 = 2
    /// The edges in degrees times 10^7: west, south, east, north.
    var bounds: [Int32] = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
    var center: (zoom: UInt8, longitude: Int32, latitude: Int32) = (0, 0, 0)

    /// Returns the bytes of the archive.
    func bytes() -> [UInt8] {
        let (entries, data) = placed()
        var leaves: [UInt8] = []
        var top = entries
        if let leafSize {
            for _ in 0..<leafLevels { top = Self.leaves(of: top, size: leafSize, into: &leaves, packed) }
        }
        return archive(root: packed(Self.directory(top)), leaves: leaves, data: data)
    }

    /// Returns the bytes of an archive with these parts. The contents of the parts are not checked.
    func archive(root: [UInt8], leaves: [UInt8] = [], data: [UInt8]) -> [UInt8] {
        let text = packed(Array(metadata.utf8))
        var header = Array("PMTiles".utf8) + [3]
        var offset = 127
        for part in [root, text, leaves, data] {
            header += Self.littleEndian(UInt64(offset), 8) + Self.littleEndian(UInt64(part.count), 8)
            offset += part.count
        }
        header += Self.littleEndian(UInt64(tiles.count), 8) + Array(repeating: 0, count: 16)
        let zooms = tiles.map { UInt8($0.id.zoom) }
        header += [isClustered ? 1 : 0, isInternallyCompressed ? 2 : 1, tileCompression, tileType, zooms.min() ?? 0, zooms.max() ?? 0]
        for edge in bounds { header += Self.littleEndian(UInt64(UInt32(bitPattern: edge)), 4) }
        header.append(center.zoom)
        for degrees in [center.longitude, center.latitude] { header += Self.littleEndian(UInt64(UInt32(bitPattern: degrees)), 4) }
        return header + root + text + leaves + data
    }

    private func packed(_ bytes: [UInt8]) -> [UInt8] { isInternallyCompressed ? GzipWriter.stored(bytes) : bytes }

    /// Returns the data of the tiles, one after the other, and the directory entries for them.
    private func placed() -> (entries: [Entry], data: [UInt8]) {
        let numbered = tiles.map { (number: HilbertCurve.number(of: $0.id), bytes: $0.bytes) }.sorted { $0.number < $1.number }
        var data: [UInt8] = []
        var places: [[UInt8]: UInt64] = [:]
        var entries: [Entry] = []
        for tile in isClustered ? numbered : numbered.reversed() {
            let known = sharesTiles ? places[tile.bytes] : nil
            let offset = known ?? UInt64(data.count)
            if known == nil {
                places[tile.bytes] = offset
                data += tile.bytes
            }
            entries.append(Entry(first: tile.number, offset: offset, length: UInt64(tile.bytes.count), run: 1))
        }
        entries.sort { $0.first < $1.first }
        guard sharesTiles else { return (entries, data) }
        var joined: [Entry] = []
        for entry in entries {
            if let last = joined.last, last.offset == entry.offset, last.first + last.run == entry.first {
                joined[joined.count - 1].run += 1
            } else {
                joined.append(entry)
            }
        }
        return (joined, data)
    }

    private static func leaves(
        of entries: [Entry], size: Int, into leaves: inout [UInt8], _ packed: ([UInt8]) -> [UInt8]
    ) -> [Entry] {
        stride(from: 0, to: entries.count, by: size).map { start in
            let part = Array(entries[start..<min(start + size, entries.count)])
            let leaf = packed(directory(part))
            defer { leaves += leaf }
            return Entry(first: part[0].first, offset: UInt64(leaves.count), length: UInt64(leaf.count), run: 0)
        }
    }

    /// Returns a directory before its compression.
    static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = MadeUpTile.varint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += MadeUpTile.varint(entry.first &- last)
            last = entry.first
        }
        for entry in entries { bytes += MadeUpTile.varint(entry.run) }
        for entry in entries { bytes += MadeUpTile.varint(entry.length) }
        for (index, entry) in entries.enumerated() {
            let follows = index > 0 && entries[index - 1].offset &+ entries[index - 1].length == entry.offset
            bytes += MadeUpTile.varint(follows ? 0 : entry.offset &+ 1)
        }
        return bytes
    }

    static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}

/// The Hilbert curve, built from its definition. The reader under test computes it in another way.
enum HilbertCurve {
    /// Returns the number of a tile in a PMTiles archive. The function walks along the whole curve, so it is only for low zooms.
    static func number(of id: TileID) -> UInt64 {
        let above = (0..<id.zoom).reduce(0) { $0 + (1 << (2 * $1)) }
        return UInt64(above + (places(zoom: id.zoom).firstIndex { $0 == (id.x, id.y) } ?? 0))
    }

    /// Returns the column and row of every tile of a zoom, in the order of the curve. The curve consists of four smaller curves,
    /// of which the first and last are turned.
    static func places(zoom: Int) -> [(Int, Int)] {
        guard zoom > 0 else { return [(0, 0)] }
        let half = 1 << (zoom - 1)
        let inner = places(zoom: zoom - 1)
        return inner.map { ($0.1, $0.0) } + inner.map { ($0.0, $0.1 + half) } + inner.map { ($0.0 + half, $0.1 + half) }
            + inner.map { (2 * half - 1 - $0.1, half - 1 - $0.0) }
    }
}
