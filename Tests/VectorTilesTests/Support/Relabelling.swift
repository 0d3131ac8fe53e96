@testable import VectorTiles

/// Converts a tile from one schema to another: renames its layers and keys, and keeps geometry and values.
struct Relabelling {
    /// The new name for each layer. Layers without a new name are left out.
    var layers: [String: String]
    /// The new names of the keys in each layer. The outer key is the old name of the layer. Keys without a new name keep their names.
    var keys: [String: [String: String]]

    func apply(to bytes: [UInt8]) throws -> [UInt8] {
        var tile = ProtobufWriter()
        var reader = ProtobufReader(bytes, in: bytes.indices)
        while let field = try reader.nextField() {
            let range = try reader.readLengthDelimited()
            let name = try TileLayer.name(of: range, in: bytes)
            guard let newName = layers[name] else { continue }
            tile.field(UInt64(field.number), bytes: try layer(range, of: bytes, name: newName, keys: keys[name] ?? [:]))
        }
        return tile.bytes
    }

    private func layer(_ range: Range<Int>, of bytes: [UInt8], name: String, keys: [String: String]) throws -> [UInt8] {
        var layer = ProtobufWriter()
        var reader = ProtobufReader(bytes, in: range)
        while let field = try reader.nextField() {
            guard field.wireType == .lengthDelimited else {
                layer.field(UInt64(field.number), varint: try reader.readVarint())
                continue
            }
            let part = try reader.readLengthDelimited()
            switch field.number {
            case 1: layer.field(1, text: name)
            case 3:
                let key = try reader.text(in: part)
                layer.field(3, text: keys[key] ?? key)
            default: layer.field(UInt64(field.number), bytes: Array(bytes[part]))
            }
        }
        return layer.bytes
    }
}
