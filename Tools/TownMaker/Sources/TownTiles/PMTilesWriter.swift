import Geo
import VectorTiles

/// Writes a PMTiles archive, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md), with a single directory.
struct PMTilesWriter {
    struct Tile {
        let id: TileID
        /// The uncompressed bytes of the tile.
        let bytes: [UInt8]
    }

    private static let headerByteCount = 127
    private static let gzip: UInt8 = 2
    private static let vectorTiles: UInt8 = 1

    let zooms: ClosedRange<Int>
    let bounds: BoundingBox
    let center: Coordinate
    let centerZoom: Int
    /// The metadata, as JSON.
    let metadata: [UInt8]

    /// Returns the whole file: header, directory, metadata, and the tiles in the order of their numbers.
    func archive(of tiles: [Tile]) -> [UInt8] {
        let sorted = tiles.map { (number: Self.number(of: $0.id), bytes: Gzip.packed($0.bytes)) }.sorted { $0.number < $1.number }
        let directory = Gzip.packed(Self.directory(of: sorted.map { ($0.number, $0.bytes.count) }))
        let text = Gzip.packed(metadata)
        let sections = [directory.count, text.count, 0, sorted.reduce(0) { $0 + $1.bytes.count }]
        return header(sections: sections, tileCount: tiles.count) + directory + text + sorted.flatMap(\.bytes)
    }

    /// Returns the header of the archive.
    /// - Parameter sections: the lengths of the directory, the metadata, the leaf directories and the tiles, in bytes.
    private func header(sections: [Int], tileCount: Int) -> [UInt8] {
        var header = Array("PMTiles".utf8) + [3]
        var offset = Self.headerByteCount
        for length in sections {
            header += Self.littleEndian(UInt64(offset)) + Self.littleEndian(UInt64(length))
            offset += length
        }
        // The numbers of addressed tiles, directory entries and distinct tiles are equal, because no two tiles are the same.
        for _ in 0..<3 { header += Self.littleEndian(UInt64(tileCount)) }
        header += [1, Self.gzip, Self.gzip, Self.vectorTiles, UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
        header += [bounds.west, bounds.south, bounds.east, bounds.north].flatMap(Self.degrees)
        header += [UInt8(centerZoom)] + Self.degrees(center.longitude) + Self.degrees(center.latitude)
        return header
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }

    private static func degrees(_ value: Double) -> [UInt8] { littleEndian(Int32((value * 1e7).rounded())) }

    /// Returns the directory column by column, as chapter 4 of the specification says. Tiles lie directly one after the other.
    private static func directory(of tiles: [(number: UInt64, byteCount: Int)]) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varint(UInt64(tiles.count))
        var last: UInt64 = 0
        for tile in tiles {
            writer.varint(tile.number - last)
            last = tile.number
        }
        for _ in tiles { writer.varint(1) }
        for tile in tiles { writer.varint(UInt64(tile.byteCount)) }
        // 0 means that the tile directly follows the one before. Any other number is the offset plus one.
        for index in tiles.indices { writer.varint(index == 0 ? 1 : 0) }
        return writer.bytes
    }

    /// Returns the position of a tile among all tiles: in the order of the zooms, and within a zoom along a Hilbert curve.
    static func number(of id: TileID) -> UInt64 {
        var (x, y, number) = (id.x, id.y, 0)
        var side = 1 << id.zoom
        while side > 1 {
            side /= 2
            let (right, down) = (x >= side, y >= side)
            number += side * side * (right ? (down ? 2 : 3) : (down ? 1 : 0))
            if right { x -= side }
            if down { y -= side }
            if !down { (x, y) = right ? (side - 1 - y, side - 1 - x) : (y, x) }
        }
        return UInt64(((1 << (2 * id.zoom)) - 1) / 3 + number)
    }
}
