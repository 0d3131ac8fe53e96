/// Writes the bytes of valid and invalid vector tiles.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func field(_ number: UInt64, varint value: UInt64) {
        varint(number << 3)
        varint(value)
    }

    mutating func field(_ number: UInt64, bytes payload: [UInt8]) {
        varint(number << 3 | 2)
        varint(UInt64(payload.count))
        bytes += payload
    }

    mutating func field(_ number: UInt64, text: String) { field(number, bytes: Array(text.utf8)) }

    mutating func field(_ number: UInt64, packed values: [UInt64]) {
        var payload = ProtobufWriter()
        for value in values { payload.varint(value) }
        field(number, bytes: payload.bytes)
    }
}

/// A feature for `TileWriter`.
struct WrittenFeature {
    var type: UInt64
    var tags: [(String, String)] = []
    var geometry: [UInt64]

    static func point(_ x: Int, _ y: Int, _ tags: [(String, String)] = []) -> WrittenFeature {
        WrittenFeature(type: 1, tags: tags, geometry: Geometry.commands([[(x, y)]], lineTo: false, close: false))
    }

    static func line(_ points: [(Int, Int)], _ tags: [(String, String)] = []) -> WrittenFeature {
        WrittenFeature(type: 2, tags: tags, geometry: Geometry.commands([points], lineTo: true, close: false))
    }

    static func polygon(_ rings: [[(Int, Int)]], _ tags: [(String, String)] = []) -> WrittenFeature {
        WrittenFeature(type: 3, tags: tags, geometry: Geometry.commands(rings, lineTo: true, close: true))
    }
}

enum Geometry {
    static func zigzag(_ value: Int) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: value << 1 ^ value >> 63)) }

    static func commands(_ parts: [[(Int, Int)]], lineTo: Bool, close: Bool) -> [UInt64] {
        var numbers: [UInt64] = []
        var (x, y) = (0, 0)
        func step(_ point: (Int, Int)) {
            numbers += [zigzag(point.0 - x), zigzag(point.1 - y)]
            (x, y) = point
        }
        for part in parts {
            guard let first = part.first else { continue }
            numbers.append(1 << 3 | 1)
            step(first)
            if lineTo, part.count > 1 {
                numbers.append(UInt64(part.count - 1) << 3 | 2)
                for point in part.dropFirst() { step(point) }
            }
            if close { numbers.append(1 << 3 | 7) }
        }
        return numbers
    }
}

enum TileWriter {
    /// Returns a tile with one layer. All values are strings.
    static func tile(
        layer name: String, extent: UInt64 = 4096, version: UInt64? = 2, valuesFirst: Bool = false, looseNumbers: Bool = false,
        _ features: [WrittenFeature]
    ) -> [UInt8] {
        var tile = ProtobufWriter()
        tile.field(
            3,
            bytes: layer(
                name, extent: extent, version: version, valuesFirst: valuesFirst, looseNumbers: looseNumbers, features))
        return tile.bytes
    }

    /// Returns a tile with several layers.
    static func tile(layers: [(String, [WrittenFeature])]) -> [UInt8] {
        var tile = ProtobufWriter()
        for (name, features) in layers { tile.field(3, bytes: layer(name, features)) }
        return tile.bytes
    }

    static func layer(
        _ name: String, extent: UInt64 = 4096, version: UInt64? = 2, valuesFirst: Bool = false, looseNumbers: Bool = false,
        _ features: [WrittenFeature]
    ) -> [UInt8] {
        var keys: [String] = []
        var values: [String] = []
        func index(_ text: String, in list: inout [String]) -> UInt64 {
            if let known = list.firstIndex(of: text) { return UInt64(known) }
            list.append(text)
            return UInt64(list.count - 1)
        }
        var written = ProtobufWriter()
        for feature in features {
            var writer = ProtobufWriter()
            let tags = feature.tags.flatMap { [index($0.0, in: &keys), index($0.1, in: &values)] }
            if looseNumbers {
                for tag in tags { writer.field(2, varint: tag) }
                writer.field(3, varint: feature.type)
                for number in feature.geometry { writer.field(4, varint: number) }
            } else {
                writer.field(2, packed: tags)
                writer.field(3, varint: feature.type)
                writer.field(4, packed: feature.geometry)
            }
            written.field(2, bytes: writer.bytes)
        }
        var dictionary = ProtobufWriter()
        for key in keys { dictionary.field(3, text: key) }
        for value in values {
            var writer = ProtobufWriter()
            writer.field(1, text: value)
            dictionary.field(4, bytes: writer.bytes)
        }
        var head = ProtobufWriter()
        if let version { head.field(15, varint: version) }
        head.field(1, text: name)
        var tail = ProtobufWriter()
        tail.field(5, varint: extent)
        return valuesFirst
            ? head.bytes + dictionary.bytes + written.bytes + tail.bytes : head.bytes + written.bytes + dictionary.bytes + tail.bytes
    }
}
