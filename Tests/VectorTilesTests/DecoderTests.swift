import Geo
import Testing

@testable import VectorTiles

@Suite struct DecoderTests {
    private let decoder = VectorTileDecoder()

    private func decode(_ bytes: [UInt8]) throws -> VectorTile {
        let tile = try decoder.decode(bytes, id: .world)
        tile.expectConsistent()
        return tile
    }

    @Test("no bytes are an empty tile")
    func emptyTile() throws {
        #expect(try decode([]).featureCount == 0)
    }

    @Test("a line keeps its vertices, also outside the tile, and its name")
    func line() throws {
        let bytes = TileWriter.tile(
            layer: "streets", [.line([(-64, 10), (100, 20), (5000, -3)], [("kind", "primary"), ("name", "Quay")])])
        let tile = try decode(bytes)
        #expect(tile.features(of: .primary) == 0..<1)
        #expect(tile.coordinates == [-64, 10, 100, 20, 5000, -3])
        #expect(tile.bounds[0] == TileBounds(minX: -64, minY: -3, maxX: 5000, maxY: 20))
        // In the Shortbread schema, the names of roads are in a separate layer.
        #expect(tile.name(of: 0) == nil)
    }

    @Test("the cursor continues where a closed ring ended, and rings are not closed by a vertex")
    func rings() throws {
        let rings = [[(0, 0), (100, 0), (100, 100), (0, 100)], [(10, 10), (10, 20), (20, 20)]]
        let tile = try decode(TileWriter.tile(layer: "water", [.polygon(rings, [("class", "lake")])]))
        #expect(tile.features(of: .water).count == 1)
        #expect(tile.parts(of: 0).map { tile.vertices(ofPart: $0).count } == [4, 3])
        #expect(Array(tile.coordinates.suffix(6)) == [10, 10, 10, 20, 20, 20])
    }

    @Test("layers of another extent are converted to 4096 units", arguments: [256, 512, 4096, 8192] as [UInt64])
    func extents(extent: UInt64) throws {
        let half = Int(extent / 2)
        let bytes = TileWriter.tile(
            layer: "transportation", extent: extent, [.line([(0, 0), (half, half), (Int(extent), 0)], [("class", "rail")])])
        #expect(try decode(bytes).coordinates == [0, 0, 2048, 2048, 4096, 0])
    }

    @Test("keys and values may come before or after the features, numbers packed or loose")
    func fieldOrder() throws {
        let features: [WrittenFeature] = [
            .line([(0, 0), (9, 9)], [("class", "motorway"), ("brunnel", "bridge")]), .line([(1, 0), (9, 9)], [("class", "path")]),
        ]
        for valuesFirst in [false, true] {
            for looseNumbers in [false, true] {
                let bytes = TileWriter.tile(
                    layer: "transportation", valuesFirst: valuesFirst, looseNumbers: looseNumbers, features)
                let tile = try decode(bytes)
                #expect(tile.classes == [.path, .motorway])
                #expect(tile.flags == [[], .bridge])
            }
        }
    }

    @Test("of packed and loose numbers, the last ones are used, whatever unknown fields are between them")
    func mixedNumbers() throws {
        func feature(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var writer = ProtobufWriter()
            writer.field(3, varint: 2)
            write(&writer)
            var layer = ProtobufWriter()
            layer.field(15, varint: 2)
            layer.field(1, text: "pier_lines")
            layer.field(2, bytes: writer.bytes)
            var tile = ProtobufWriter()
            tile.field(3, bytes: layer.bytes)
            return tile.bytes
        }
        let packed = Geometry.commands([[(1, 1), (2, 2)]], lineTo: true, close: false)
        let loose = Geometry.commands([[(5, 5), (9, 9)]], lineTo: true, close: false)
        let mixed = feature { writer in
            writer.field(4, varint: loose[0])
            writer.field(4, packed: packed)
            for number in loose.dropFirst() {
                writer.field(99, varint: 7)
                writer.field(4, varint: number)
            }
        }
        let decoder = VectorTileDecoder(schema: .shortbread)
        #expect(try decoder.decode(mixed, id: .world).coordinates == [5, 5, 9, 9])
        let twice = feature { writer in
            writer.field(4, packed: loose)
            writer.field(4, packed: packed)
        }
        #expect(try decoder.decode(twice, id: .world).coordinates == [1, 1, 2, 2])
    }

    @Test("points belong to the tile that contains them")
    func ownership() throws {
        let spots = [(-1, 5), (0, 0), (4095, 4095), (4096, 5), (5, 4096)]
        let features = spots.enumerated().map { WrittenFeature.point($1.0, $1.1, [("class", "town"), ("name", "\($0)")]) }
        let tile = try decode(TileWriter.tile(layer: "place", features))
        #expect(tile.features(of: .town).map { tile.name(of: $0) } == ["1", "2"])
    }

    @Test("names are taken in the order languages, Latin, English, local")
    func nameOrder() throws {
        let all = [
            ("name", "札幌"), ("name:latin", "Sapporo"), ("name:en", "Sapporo City"), ("name_de", "Sapporo (de)"), ("class", "city"),
        ]
        func name(_ languages: [String], _ tags: [(String, String)]) throws -> String? {
            let bytes = TileWriter.tile(layer: "place", [.point(1, 1, tags)])
            return try VectorTileDecoder(languages: languages).decode(bytes, id: .world).name(of: 0)
        }
        #expect(try name(["fr", "de"], all) == "Sapporo (de)")
        #expect(try name(["fr"], all) == "Sapporo")
        #expect(try name([], all.filter { $0.0 != "name:latin" }) == "Sapporo City")
        #expect(try name(["en"], [all[0], all[4]]) == "札幌")
        #expect(try name(["en"], [("pgf:name", "\u{E0}"), all[4]]) == nil)
    }

    @Test("a feature whose local name differs has that name too, and no other feature has")
    func localName() throws {
        func names(_ tags: [(String, String)], _ languages: [String] = ["en"]) throws -> [String?] {
            let bytes = TileWriter.tile(layer: "place", [.point(1, 1, [("class", "city")] + tags)])
            let tile = try VectorTileDecoder(languages: languages).decode(bytes, id: .world)
            return [tile.name(of: 0), tile.localName(of: 0), tile.localName(of: 1)]
        }
        #expect(try names([("name", "Wien"), ("name_en", "Vienna")]) == ["Vienna", "Wien", nil])
        #expect(try names([("name_en", "Vienna"), ("name", "Wien")]) == ["Vienna", "Wien", nil])
        #expect(try names([("name", "Wien"), ("name_en", "Vienna")], ["de"]) == ["Vienna", "Wien", nil])
        #expect(try names([("name", "Wien"), ("name:de", "Wien")], ["de"]) == ["Wien", nil, nil])
        #expect(try names([("name", "Wien")]) == ["Wien", nil, nil])
        #expect(try names([("name", ""), ("name_en", "Vienna")]) == ["Vienna", nil, nil])
    }

    @Test("an empty name is replaced by the next one; a name of another language or of glyphs is ignored")
    func nameTraps() throws {
        func name(_ tags: [(String, String)], _ languages: [String] = []) throws -> String? {
            let bytes = TileWriter.tile(layer: "place", [.point(1, 1, [("class", "city")] + tags)])
            return try VectorTileDecoder(languages: languages).decode(bytes, id: .world).name(of: 0)
        }
        #expect(try name([("name:latin", ""), ("name:en", ""), ("name", "Αθήνα")]) == "Αθήνα")
        #expect(try name([("name:latin", "Athina")]) == "Athina")
        #expect(try name([("name:nonlatin", "Αθήνα"), ("name:latin", "Athina"), ("name_int", "Athina!")], ["el"]) == "Athina")
        #expect(try name([("name:pt", "Nova"), ("name:zh", "新"), ("name", "New")], ["zh-Hant", "pt"]) == "新")
        #expect(try name([("name:zh", "新"), ("name:zh-Hant", "新新"), ("name", "New")], ["zh_Hant"]) == "新新")
        #expect(try name([("name_de", "Neu"), ("name", "New")], ["de_AT.UTF-8@euro"]) == "Neu")
        #expect(try name([("name", "New"), ("name:", "no")], ["", ".", "C.UTF-8"]) == "New")
        #expect(try name([("pgf:name", "1"), ("name2", "2"), ("alt_name", "3")]) == nil)
        #expect(try name([("name", String(repeating: "long ", count: 5000))])?.unicodeScalars.count == 120)
    }

    @Test("points left of and above a tile of finer units stay outside it")
    func fineOwnership() throws {
        let features = [(-1, 5), (5, -1), (0, 0), (8191, 8191), (8192, 5)].map {
            WrittenFeature.point($0.0, $0.1, [("class", "town"), ("name", "T")])
        }
        let tile = try decode(TileWriter.tile(layer: "place", extent: 8192, features))
        #expect(tile.coordinates == [0, 0, 4095, 4095])
    }

    @Test("the strict reading reports wrong values and tags")
    func strictErrors() throws {
        func reason(_ layer: [UInt8]) -> VectorTileError.Reason? {
            var writer = ProtobufWriter()
            writer.field(3, bytes: [0x78, 2, 0x0a, 1, 0x61] + layer)
            do {
                _ = try VectorTileDecoder.inspect(writer.bytes)
                return nil
            } catch { return error.reason }
        }
        #expect(reason([0x22, 0]) == .unknownValueType)
        #expect(reason([0x22, 2, 0x40, 1]) == .unknownValueType)
        #expect(reason([0x22, 3, 0x0a, 1, 0xff]) == .invalidText)
        #expect(reason([0x22, 2, 0x08, 1]) == .wrongWireType(field: 1))
        #expect(reason([0x1a, 1, 0xff]) == .invalidText)
        #expect(reason([0x12, 4, 0x12, 2, 0, 0]) == .tagOutOfRange)
        #expect(reason([0x12, 4, 0x12, 2, 0, 0, 0x1a, 1, 0x6b]) == .tagOutOfRange)
        #expect(reason([0x12, 4, 0x12, 2, 0, 0, 0x1a, 1, 0x6b, 0x22, 2, 0x38, 1]) == nil)
        #expect(reason([0x12, 3, 0x12, 1, 0]) == nil)
        #expect(reason(Array(repeating: [0x1a, 0], count: 1 << 16).flatMap { $0 }) == nil)
        #expect(reason(Array(repeating: [0x1a, 0], count: 1 << 16 | 1).flatMap { $0 }) == .tooManyParts)
        #expect(try VectorTileDecoder.layerNames(of: TileWriter.tile(layers: [("a", []), ("b", [])])) == ["a", "b"])
    }

    @Test("all seven kinds of value are read")
    func values() throws {
        let written: [([UInt8], TileValue)] = [
            ([0x0a, 1, 0x78], .text("x")), ([0x15, 0, 0, 0x80, 0x3f], .number(1)), ([0x19, 0, 0, 0, 0, 0, 0, 0, 0x40], .number(2)),
            ([0x20, 3], .integer(3)), ([0x28, 4], .integer(4)), ([0x30, 9], .integer(-5)), ([0x38, 1], .flag(true)),
        ]
        for (bytes, expected) in written {
            var reader = ProtobufReader(bytes, in: bytes.indices)
            #expect(try TileValue.read(from: &reader, in: bytes.indices) == expected)
        }
        #expect(TileValue.integer(6).isTrue && TileValue.number(0).isTrue == false && TileValue.text("yes").isTrue)
        #expect(TileValue.number(.nan).integer == nil && TileValue.number(7).integer == 7 && TileValue.text("8").integer == 8)
    }

    @Test("a name that many features share is stored once")
    func sharedNames() throws {
        let features = (0..<50).map { WrittenFeature.line([(0, $0), (9, $0)], [("class", "minor"), ("name", "Long Lane")]) }
        let tile = try decode(TileWriter.tile(layer: "transportation_name", features))
        #expect(tile.names == ["", "Long Lane"])
        #expect(tile.flags.allSatisfy { $0.contains(.labelOnly) })
    }

    @Test("an error of the strict reading states what is wrong, and where")
    func errors() {
        func reason(_ bytes: [UInt8]) -> VectorTileError.Reason? {
            do {
                _ = try VectorTileDecoder.inspect(bytes)
                return nil
            } catch { return error.reason }
        }
        func water(_ geometry: [UInt64], type: UInt64 = 3) -> [UInt8] {
            TileWriter.tile(layer: "water", [WrittenFeature(type: type, tags: [("class", "lake")], geometry: geometry)])
        }
        #expect(reason(Array(repeating: 0, count: VectorTileDecoder.maximumByteCount + 1)) == .tooLarge)
        #expect(reason(Array(repeating: [0x1a, 6, 0x78, 2, 0x0a, 2, 0x61, 0x61], count: 4097).flatMap { $0 }) == .tooManyParts)
        #expect(reason([0x1a]) == .truncated)
        #expect(reason([0x1a, 0x7f, 0x00]) == .truncated)
        #expect(reason([0x18, 0x00]) == .wrongWireType(field: 3))
        #expect(reason([0x1f, 0x00]) == .malformedProtobuf)
        #expect(reason(Array(repeating: 0xff, count: 20)) == .malformedProtobuf)
        #expect(reason(TileWriter.tile(layer: "water", version: nil, [])) == .unsupportedVersion)
        #expect(reason(TileWriter.tile(layer: "water", version: 3, [])) == .unsupportedVersion)
        #expect(reason(TileWriter.tile(layer: "", [])) == .missingLayerName)
        #expect(reason(TileWriter.tile(layer: "water", extent: 0, [])) == .invalidExtent)
        #expect(reason(water([1 << 3 | 7])) == .invalidCommand)
        #expect(reason(water([1 << 3 | 2, 0, 0])) == .invalidCommand)
        #expect(reason(water([1 << 3 | 1, 0, 0, 2 << 3 | 7])) == .invalidCommand)
        #expect(reason(water([1 << 3 | 1, 0, 0, 200_000_000 << 3 | 2, 0, 0])) == .missingParameters)
        #expect(VectorTileError(.truncated, at: 3).description == "not a usable vector tile: it ends too early (byte 3)")
    }

    @Test("steps beyond 32 bits end at the limit")
    func overflow() throws {
        let far = Geometry.zigzag(Int(Int32.max))
        let geometry: [UInt64] = [1 << 3 | 1, far, 0, 2 << 3 | 2, far, 2, far, 2]
        let bytes = TileWriter.tile(layer: "transportation", [WrittenFeature(type: 2, tags: [("class", "rail")], geometry: geometry)])
        #expect(try decode(bytes).coordinates == [.max, 0, .max, 1, .max, 2])
    }

    @Test("a damaged tile is refused or read, and never causes a crash", arguments: 0..<40)
    func damage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let whole = Self.village
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0...random.int(in: 0...5) {
                let place = random.int(in: 0...bytes.count - 1)
                switch random.int(in: 0...3) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes[place] ^= 1 << UInt8(random.int(in: 0...7))
                case 2 where bytes.count > 8: bytes.remove(at: place)
                default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            (try? decoder.decode(bytes, id: .world))?.expectConsistent()
            _ = try? VectorTileDecoder.inspect(bytes)
        }
        for length in stride(from: Int(seed) % 7, to: whole.count, by: 7) {
            _ = try? decoder.decode(Array(whole[..<length]), id: .world)
        }
    }

    /// A tile of several layers in the OpenMapTiles schema.
    private static let village = TileWriter.tile(layers: [
        ("water", [.polygon([[(0, 0), (900, 40), (800, 900)], [(300, 200), (400, 300), (500, 200)]], [("class", "ocean")])]),
        ("transportation", [.line([(0, 0), (70, 9), (4000, 4000)], [("class", "minor"), ("subclass", "residential"), ("ramp", "1")])]),
        ("transportation_name", [.line([(0, 0), (4000, 4000)], [("class", "minor"), ("name", "High Street"), ("ref", "B 7")])]),
        ("place", [.point(7, 8, [("class", "village"), ("name:en", "Made Up"), ("rank", "4")])]),
        ("boundary", [.line([(0, 0), (4000, 100)], [("admin_level", "2")])]),
    ])
}
