import VectorTiles

/// A vertex in tile units.
struct TileVertex: Hashable {
    var x: Int32
    var y: Int32
}

/// Writes one layer of a Mapbox vector tile (https://github.com/mapbox/vector-tile-spec/tree/master/2.1).
struct TileLayerWriter {
    /// Tile units along an edge of the tile.
    static let extent: Int32 = 4096

    private let name: String
    private var keys: [String] = []
    private var values: [TownTag.Value] = []
    private var keyNumbers: [String: UInt32] = [:]
    private var valueNumbers: [TownTag.Value: UInt32] = [:]
    private var features = ProtobufWriter()
    private(set) var isEmpty = true

    init(name: String) { self.name = name }

    /// Adds a feature, unless it has no geometry left.
    mutating func add(_ kind: GeometryKind, _ parts: [[TileVertex]], tags: [TownTag]) {
        let geometry = TileGeometry.commands(kind, parts)
        guard !geometry.isEmpty else { return }
        var feature = ProtobufWriter()
        feature.packed(tags.flatMap { [number(ofKey: $0.key), number(of: $0.value)] }, field: 2)
        feature.number(UInt64(kind.rawValue), field: 3)
        feature.packed(geometry, field: 4)
        features.bytes(feature.bytes, field: 2)
        isEmpty = false
    }

    private mutating func number(ofKey key: String) -> UInt32 {
        if let known = keyNumbers[key] { return known }
        keys.append(key)
        keyNumbers[key] = UInt32(keys.count - 1)
        return UInt32(keys.count - 1)
    }

    private mutating func number(of value: TownTag.Value) -> UInt32 {
        if let known = valueNumbers[value] { return known }
        values.append(value)
        valueNumbers[value] = UInt32(values.count - 1)
        return UInt32(values.count - 1)
    }

    /// Returns the encoded layer.
    func finished() -> [UInt8] {
        var layer = ProtobufWriter()
        layer.number(2, field: 15)
        layer.bytes(Array(name.utf8), field: 1)
        var bytes = layer.bytes + features.bytes
        var rest = ProtobufWriter()
        for key in keys { rest.bytes(Array(key.utf8), field: 3) }
        for value in values { rest.bytes(Self.message(value), field: 4) }
        rest.number(UInt64(Self.extent), field: 5)
        bytes += rest.bytes
        return bytes
    }

    private static func message(_ value: TownTag.Value) -> [UInt8] {
        var message = ProtobufWriter()
        switch value {
        case .text(let text): message.bytes(Array(text.utf8), field: 1)
        case .number(let number): message.number(number, field: 5)
        case .yes: message.number(1, field: 7)
        }
        return message.bytes
    }
}

/// Geometry in the form of vector tiles: commands, and offsets from each vertex to the next.
enum TileGeometry {
    private enum Command {
        static let moveTo: UInt32 = 1
        static let lineTo: UInt32 = 2
        static let closePath: UInt32 = 7
    }

    /// Returns the commands for a geometry. The first ring of a polygon is its outer ring, and the others are its holes. Each ring gets
    /// the winding order that the specification requires.
    static func commands(_ kind: GeometryKind, _ parts: [[TileVertex]]) -> [UInt32] {
        var writer = Commands()
        for (number, part) in parts.enumerated() {
            let vertices = withoutRepetition(part)
            switch kind {
            case .point: writer.add(vertices.prefix(1), isClosed: false)
            case .line: if vertices.count > 1 { writer.add(vertices[...], isClosed: false) }
            case .polygon:
                let ring = vertices.last == vertices.first ? Array(vertices.dropLast()) : vertices
                let area = ring.count > 2 ? doubleArea(ring) : 0
                // Without an outer ring, the polygon is empty.
                if area == 0, number == 0 { return [] }
                guard area != 0 else { continue }
                writer.add((area > 0) == (number == 0) ? ring[...] : Array(ring.reversed())[...], isClosed: true)
            }
        }
        return writer.words
    }

    private static func withoutRepetition(_ part: [TileVertex]) -> [TileVertex] {
        var kept: [TileVertex] = []
        for vertex in part where vertex != kept.last { kept.append(vertex) }
        return kept
    }

    /// Returns twice the area of a ring, positive if the ring is clockwise as drawn. Rows count downwards.
    private static func doubleArea(_ ring: [TileVertex]) -> Int {
        var (area, last) = (0, ring[ring.count - 1])
        for vertex in ring {
            area += Int(last.x) * Int(vertex.y) - Int(vertex.x) * Int(last.y)
            last = vertex
        }
        return area
    }

    private struct Commands {
        private(set) var words: [UInt32] = []
        private var last = TileVertex(x: 0, y: 0)

        mutating func add(_ vertices: ArraySlice<TileVertex>, isClosed: Bool) {
            guard let first = vertices.first else { return }
            words.append(Command.moveTo | 1 << 3)
            step(to: first)
            if vertices.count > 1 { words.append(Command.lineTo | UInt32(vertices.count - 1) << 3) }
            for vertex in vertices.dropFirst() { step(to: vertex) }
            if isClosed { words.append(Command.closePath | 1 << 3) }
        }

        private mutating func step(to vertex: TileVertex) {
            for delta in [vertex.x - last.x, vertex.y - last.y] { words.append(UInt32(bitPattern: (delta << 1) ^ (delta >> 31))) }
            last = vertex
        }
    }
}
