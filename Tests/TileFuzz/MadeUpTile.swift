import VectorTiles

/// Writes small vector tiles of invented places, as seeds for the fuzzer and for tests.
struct MadeUpTile {
    /// A feature of the tile. All its values are strings.
    struct Feature {
        var kind: GeometryKind
        var tags: [(String, String)]
        /// The positions of points, the vertices of a line, or the corners of a polygon.
        var vertices: [(Int, Int)]
    }

    private(set) var layers: [(name: String, features: [Feature])] = []

    mutating func add(_ layer: String, _ kind: GeometryKind, _ tags: [(String, String)], _ vertices: [(Int, Int)]) {
        let feature = Feature(kind: kind, tags: tags, vertices: vertices)
        if let index = layers.firstIndex(where: { $0.name == layer }) {
            layers[index].features.append(feature)
        } else {
            layers.append((layer, [feature]))
        }
    }

    /// The tile as protocol buffer bytes.
    var bytes: [UInt8] { layers.flatMap { Self.field(3, Self.layer($0.name, $0.features)) } }

    /// Returns a village in the OpenMapTiles schema. Its contents depend on `number`.
    static func village(_ number: Int = 0) -> MadeUpTile {
        var tile = MadeUpTile()
        let shift = number * 17 % 900
        tile.add("water", .polygon, [("class", "lake")], [(shift, 0), (900 + shift, 40), (800, 900), (shift, 700)])
        tile.add("transportation", .line, [("class", "primary"), ("brunnel", "bridge")], [(0, shift), (70, 9), (4000, 4000)])
        tile.add("transportation", .line, [("class", "minor"), ("ramp", "1")], [(5, 5), (5, 2000), (shift, 3000)])
        tile.add(
            "transportation_name", .line, [("class", "minor"), ("name", "Number \(number) Lane"), ("ref", "X 1")], [(5, 5), (5, 2000)])
        tile.add("building", .polygon, [("render_height", "9")], [(9, 9), (40, 9), (40, 30 + shift), (9, 30)])
        tile.add("place", .point, [("class", "village"), ("name:latin", "Made Up \(number)"), ("rank", "4")], [(7, 8)])
        tile.add("housenumber", .point, [("housenumber", "\(number) a")], [(25, 20), (60, 70)])
        tile.add("boundary", .line, [("admin_level", "2")], [(0, 0), (4000, 100)])
        return tile
    }
}

// MARK: - Protocol buffers

extension MadeUpTile {
    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func field(_ number: UInt64, _ payload: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(payload.count)) + payload
    }

    private static func layer(_ name: String, _ features: [Feature]) -> [UInt8] {
        var keys: [String] = []
        var values: [String] = []
        func index(_ text: String, in list: inout [String]) -> UInt64 {
            let known = list.firstIndex(of: text)
            if known == nil { list.append(text) }
            return UInt64(known ?? list.count - 1)
        }
        var bytes = [0x78, 2] + field(1, Array(name.utf8))
        for feature in features {
            let tags = feature.tags.flatMap { varint(index($0.0, in: &keys)) + varint(index($0.1, in: &values)) }
            let kind = varint(3 << 3) + varint(UInt64(feature.kind.rawValue))
            bytes += field(2, field(2, tags) + kind + field(4, geometry(feature)))
        }
        for key in keys { bytes += field(3, Array(key.utf8)) }
        for value in values { bytes += field(4, field(1, Array(value.utf8))) }
        return bytes + varint(5 << 3) + varint(4096)
    }

    private static func geometry(_ feature: Feature) -> [UInt8] {
        var (x, y) = (0, 0)
        func step(_ vertex: (Int, Int)) -> [UInt8] {
            defer { (x, y) = vertex }
            return [vertex.0 - x, vertex.1 - y].flatMap { varint(UInt64(UInt32(truncatingIfNeeded: $0 << 1 ^ $0 >> 63))) }
        }
        let count = UInt64(feature.vertices.count)
        let isPoint = feature.kind == .point
        var bytes: [UInt8] = []
        for (index, vertex) in feature.vertices.enumerated() {
            if index == 0 { bytes += varint((isPoint ? count : 1) << 3 | 1) }
            if index == 1, !isPoint { bytes += varint((count - 1) << 3 | 2) }
            bytes += step(vertex)
        }
        return feature.kind == .polygon ? bytes + [1 << 3 | 7] : bytes
    }
}
