import FoundationEssentials
import Testing

@testable import VectorTiles

/// Tests of tiles that partly break the specification, as some encoders write them.
@Suite("Partly invalid tiles")
struct OddTileTests {
    private static let street = WrittenFeature.line([(0, 0), (900, 900)], [("class", "primary"), ("name", "Long Lane")])
    private static let next = WrittenFeature.line([(50, 0), (50, 4000)], [("class", "minor")])

    private func line(_ geometry: [UInt64]) -> WrittenFeature {
        WrittenFeature(type: 2, tags: [("class", "secondary")], geometry: geometry)
    }

    private func decode(_ bytes: [UInt8]) throws -> VectorTile {
        let tile = try VectorTileDecoder().decode(bytes, id: .world)
        tile.expectConsistent()
        return tile
    }

    static let damaged: [(String, [UInt64])] = [
        ("a command that does not exist", [1 << 3 | 1, 0, 0, 1 << 3 | 2, 8, 8, 1 << 3 | 5, 2, 2]),
        ("a line that is closed", [1 << 3 | 1, 0, 0, 1 << 3 | 2, 8, 8, 1 << 3 | 7]),
        ("fewer coordinates than it announces", [1 << 3 | 1, 0, 0, 3 << 3 | 2, 8, 8, 4, 4]),
        ("a line from nowhere", [1 << 3 | 2, 8, 8]),
        ("a second part that is damaged", [1 << 3 | 1, 0, 0, 1 << 3 | 2, 8, 8, 1 << 3 | 1, 4, 4, 9 << 3 | 2, 1]),
    ]

    @Test("a damaged feature is left out, and those before and after it are drawn", arguments: damaged)
    func damagedFeature(name: String, geometry: [UInt64]) throws {
        for looseNumbers in [false, true] {
            let features = [Self.street, line(geometry), Self.next]
            let bytes = TileWriter.tile(layer: "transportation", looseNumbers: looseNumbers, features)
            let tile = try decode(bytes)
            #expect(tile.classes == [.street, .primary], "\(name)")
            #expect(tile.coordinates == [0, 0, 900, 900, 50, 0, 50, 4000])
            let roads = try VectorTileDecoder().decodeRoads(bytes, id: .world)
            #expect(roads.lines.map(\.roadClass) == [.primary, .street] && roads.coordinates.count == 8)
            #expect(throws: VectorTileError.self) { try VectorTileDecoder.inspect(bytes) }
        }
    }

    @Test("a part of a line with a single vertex draws nothing, and the next part is drawn; a ring is closed without a command, too")
    func emptyCommands() throws {
        let twoParts = line([1 << 3 | 1, 0, 0, 0 << 3 | 2, 1 << 3 | 1, 20, 20, 1 << 3 | 2, 8, 8])
        let tile = try decode(TileWriter.tile(layer: "transportation", [twoParts]))
        #expect(tile.coordinates == [10, 10, 14, 14] && tile.features(of: .secondary).count == 1)
        let ring = WrittenFeature(
            type: 3, tags: [("class", "lake")], geometry: [1 << 3 | 1, 0, 0, 2 << 3 | 2, 200, 0, 0, 200, 0 << 3 | 7])
        #expect(try decode(TileWriter.tile(layer: "water", [ring])).features(of: .water).count == 1)
    }

    private func place(keys: [[UInt8]], values: [[UInt8]], tags: [UInt64]) -> [UInt8] {
        var feature = ProtobufWriter()
        feature.field(2, packed: tags)
        feature.field(3, varint: 1)
        feature.field(4, packed: Geometry.commands([[(5, 5)]], lineTo: false, close: false))
        var layer = ProtobufWriter()
        layer.field(15, varint: 2)
        layer.field(1, text: "place")
        layer.field(2, bytes: feature.bytes)
        for key in keys { layer.field(3, bytes: key) }
        for value in values { layer.field(4, bytes: value) }
        var tile = ProtobufWriter()
        tile.field(3, bytes: layer.bytes)
        return tile.bytes
    }

    @Test("a name that is not UTF-8 is repaired; a key that is not UTF-8 is unknown")
    func names() throws {
        let town: [UInt8] = [0x0a, 4] + Array("town".utf8)
        // The bytes are "Münster" in Latin-1.
        let name: [UInt8] = [0x0a, 7, 0x4d, 0xfc] + Array("nster".utf8)
        let keys = ["class", "name"].map { Array($0.utf8) }
        #expect(try decode(place(keys: keys, values: [town, name], tags: [0, 0, 1, 1])).name(of: 0) == "M\u{fffd}nster")
        let odd = try decode(place(keys: keys + [[0xff, 0xfe]], values: [town, [0x0a, 1, 0x41]], tags: [2, 0, 0, 0, 1, 1]))
        #expect(odd.classes == [.town] && odd.name(of: 0) == "A")
    }

    @Test("a value without a type, or a tag outside the layer, is left out alone")
    func values() throws {
        let keys = ["class", "name", "rank"].map { Array($0.utf8) }
        let town: [UInt8] = [0x0a, 4] + Array("town".utf8)
        let tile = try decode(
            place(keys: keys, values: [town, [0x0a, 1, 0x41], [], [0x40, 1]], tags: [2, 2, 2, 3, 9, 0, 0, 99, 0, 0, 1, 1]))
        #expect(tile.classes == [.town] && tile.name(of: 0) == "A")
    }

    @Test("a layer without a version and an extent has the usual ones; one of an unknown version or without a name is left out")
    func layers() throws {
        func tile(_ layers: [[UInt8]]) -> [UInt8] {
            var writer = ProtobufWriter()
            for layer in layers { writer.field(3, bytes: layer) }
            return writer.bytes
        }
        let good = TileWriter.layer("transportation", [Self.street])
        for bare in [
            TileWriter.layer("transportation", version: nil, [Self.next]), TileWriter.layer("transportation", extent: 0, [Self.next]),
        ] {
            #expect(try decode(tile([bare, good])).classes == [.street, .primary])
        }
        for odd in [
            TileWriter.layer("transportation", version: 3, [Self.next]), TileWriter.layer("", [Self.next]),
            TileWriter.layer("transportation", extent: 1 << 40, [Self.next]),
        ] {
            #expect(try decode(tile([odd, good])).classes == [.primary])
            #expect(try VectorTileDecoder().decodeRoads(tile([odd, good]), id: .world).lines.count == 1)
        }
        #expect(try VectorTileDecoder.layerNames(of: tile([TileWriter.layer("", []), good])) == ["transportation"])
    }

    @Test("parts with a wrong length make the tile unreadable")
    func framing() {
        let whole = TileWriter.tile(layer: "transportation", [Self.street, Self.next])
        for bytes in [Array(whole.dropLast(3)), whole + [0x1a, 0x7f, 0x00], [0x18, 0x00], Array(repeating: 0xff, count: 20)] {
            #expect(throws: VectorTileError.self) { try VectorTileDecoder().decode(bytes, id: .world) }
        }
    }
}
