/// The undecoded layers of a tile that are needed only at close zooms, or for a few tiles. These are house numbers, of which a city's tile
/// has thousands, and road names.
struct DeferredLayers: Sendable, Equatable {
    /// Largest size of these layers in bytes; larger ones are left out. Real ones take a fifth of it.
    private static let maximumByteCount = 1 << 20

    /// A tile with only these layers.
    private let bytes: [UInt8]
    private let schema: TileSchema

    /// Nil without any layer, and if the layers are too large.
    init?(_ layers: [Range<Int>], of bytes: [UInt8], schema: TileSchema) {
        let count = layers.reduce(0) { $0 + $1.count }
        guard count > 0, count <= Self.maximumByteCount else { return nil }
        var tile: [UInt8] = []
        tile.reserveCapacity(count + 5 * layers.count)
        for layer in layers {
            tile.append(3 << 3 | 2)
            var rest = layer.count
            while rest >= 0x80 {
                tile.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            tile.append(UInt8(truncatingIfNeeded: rest))
            tile += bytes[layer]
        }
        (self.bytes, self.schema) = (tile, schema)
    }

    /// Memory of the layers, in bytes.
    var byteCount: Int { bytes.count }

    /// The decoded layers; nil if they are broken.
    func tile(_ id: TileID, _ decoder: VectorTileDecoder = VectorTileDecoder()) -> VectorTile? {
        let rules = schema.rules
        return try? decoder.decode(bytes, id: id) { _ in { rules[$0] } }
    }
}

extension VectorTile {
    /// The tile with its house numbers (``MapClass/houseNumber``): this tile if it has them, otherwise a tile with only the house numbers.
    ///
    /// Most schemas have them in a layer of their own. It is decoded anew on each access; a broken layer gives an empty tile.
    public var houses: VectorTile { deferred.map { $0.tile(id) ?? .empty(id) } ?? self }
}
