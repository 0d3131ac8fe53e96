/// Layers of a tile that are needed close by only, or for a few tiles, as they came: numbers of houses, of which a city's tile has thousands,
/// and names of roads.
struct DeferredLayers: Sendable, Equatable {
    /// Layers that take more than this are left out; real ones take a fifth of it.
    private static let maximumByteCount = 1 << 20

    /// A tile of these layers alone.
    private let bytes: [UInt8]
    private let schema: TileSchema

    /// Nil without any layer, and for too large ones.
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

    /// The memory that they take, in bytes.
    var byteCount: Int { bytes.count }

    /// What is in them; nil where they are broken.
    func tile(_ id: TileID, _ decoder: VectorTileDecoder = VectorTileDecoder()) -> VectorTile? {
        let rules = schema.rules
        return try? decoder.decode(bytes, id: id) { _ in { rules[$0] } }
    }
}

extension VectorTile {
    /// The tile with the numbers of its houses (``MapClass/houseNumber``): itself where it has them, else those alone.
    ///
    /// Most schemas have them in a layer of their own, which is read here, anew each time; a broken one is a tile with nothing in it.
    public var houses: VectorTile { deferred.map { $0.tile(id) ?? .empty(id) } ?? self }
}
