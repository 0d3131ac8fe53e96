/// Small PMTiles archives, and answers of map servers.
enum MapSeeds {
    static func archives() -> [[UInt8]] { [archive(isPacked: false).bytes, archive(isPacked: true).bytes] }

    /// Returns server answers for three maps: a URL template, a TileJSON, and an archive.
    static func answers() -> [[UInt8]] {
        let tile = TownSeeds.packedTile()
        let plain = TownSeeds.tiles().first ?? []
        let document =
            #"{"tilejson":"3.0.0","tiles":["/{z}/{x}/{y}.mvt"],"minzoom":0,"maxzoom":14,"name":"A map","attribution":"<b>A</b>"}"#
        let stored = archive(isPacked: false)
        func part(_ range: Range<Int>) -> (head: String, body: [UInt8]) {
            let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(stored.bytes.count)"
            return ("206\ncontent-range: \(place)\netag: \"1\"\ncontent-encoding: identity", Array(stored.bytes[range]))
        }
        return [
            script(
                "http://a.example/{z}/{x}/{y}.mvt",
                [
                    ("200\ncontent-encoding: gzip\netag: \"1\"\ncache-control: max-age=60\nage: 5", tile), ("204", []),
                    ("302\nlocation: /other", []),
                    ("200\nexpires: Mon, 05 May 2031 10:30:00 GMT\ndate: Mon, 05 May 2031 10:22:00 GMT", plain),
                ]),
            script(
                "https://a.example/all.json",
                [("200\ncontent-type: application/json", Array(document.utf8)), ("200", tile), ("503\nretry-after: 5", []), ("404", [])]),
            script(
                "https://a.example/world.pmtiles",
                [part(0..<stored.bytes.count), part(stored.metadata), part(stored.tiles), part(stored.leaves), part(stored.tiles)]),
        ]
    }

    private static func script(_ address: String, _ answers: [(head: String, body: [UInt8])]) -> [UInt8] {
        Array(address.utf8) + answers.flatMap { Array("\n--next--\n\($0.head)\n\n".utf8) + $0.body }
    }

    // MARK: Archives

    private static let headerByteCount = 127

    private struct Archive {
        let bytes: [UInt8]
        let metadata: Range<Int>
        let leaves: Range<Int>
        let tiles: Range<Int>
    }

    /// Returns an archive with the same tile for all places of zooms 0 and 1. The places of zoom 1 are in a leaf directory.
    private static func archive(isPacked: Bool) -> Archive {
        func packed(_ bytes: [UInt8]) -> [UInt8] { isPacked ? PackedSeeds.gzip(bytes) : bytes }
        let tile = TownSeeds.packedTile()
        let leaf = packed(directory([(first: 1, run: 4, length: tile.count)]))
        let root = packed(directory([(first: 0, run: 1, length: tile.count), (first: 1, run: 0, length: leaf.count)]))
        let metadata = packed(Array(#"{"name":"A map","attribution":"<b>people</b>","vector_layers":[{"id":"water"}]}"#.utf8))
        var header = Array("PMTiles".utf8) + [3]
        var ranges: [Range<Int>] = []
        for part in [root, metadata, leaf, tile] {
            let start = ranges.last?.upperBound ?? headerByteCount
            ranges.append(start..<start + part.count)
            header += littleEndian(start, 8) + littleEndian(part.count, 8)
        }
        // Three unknown counts, a clustered archive, the compressions, vector tiles, zooms 0 and 1, the bounds, and the centre.
        header += [UInt8](repeating: 0, count: 24)
        header += [1, isPacked ? 2 : 1, 2, 1, 0, 1]
        for edge in [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000] { header += littleEndian(edge, 4) }
        header += [UInt8](repeating: 0, count: 9)
        return Archive(bytes: header + root + metadata + leaf + tile, metadata: ranges[1], leaves: ranges[2], tiles: ranges[3])
    }

    /// Returns a directory whose entries all begin at the start of their section.
    private static func directory(_ entries: [(first: Int, run: Int, length: Int)]) -> [UInt8] {
        var numbers = [entries.count]
        var last = 0
        for entry in entries {
            numbers.append(entry.first - last)
            last = entry.first
        }
        numbers += entries.map(\.run)
        numbers += entries.map(\.length)
        return (numbers + entries.map { _ in 1 }).flatMap(varint)
    }

    private static func varint(_ number: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number & 0x7f)
        return number < 0x80 ? [low] : [low | 0x80] + varint(number >> 7)
    }

    private static func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
