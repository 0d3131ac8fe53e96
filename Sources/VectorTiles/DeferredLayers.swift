/// The layers of a tile that are decoded only on request, because few callers need them: house numbers, or road names (``RoadNames``).
struct DeferredLayers: Sendable, Equatable {
    /// Maximum total size of these layers, in bytes. If they are larger, all of them are left out. Real tiles need a fifth of this size.
    private static let maximumByteCount = 1 << 20

    /// The bytes of a tile with only these layers.
    private let bytes: [UInt8]
    private let schema: TileSchema

    /// Nil if there are no layers, or if they are too large.
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

    /// Memory used by the layers, in bytes.
    var byteCount: Int { bytes.count }

    /// Returns a tile decoded from these layers; nil if they cannot be decoded.
    func tile(_ id: TileID, _ decoder: VectorTileDecoder = VectorTileDecoder()) -> VectorTile? {
        let rules = schema.rules
        return try? decoder.decode(bytes, id: id) { _ in { rules[$0] } }
    }
}

extension VectorTile {
    /// The tile from which to take the house numbers (``MapClass/houseNumber``). If the house numbers are in a separate layer, this is a
    /// tile that contains only them. If they are not in a separate layer, this is the original tile. If the separate layer is too large,
    /// this is also the original tile, which then has no house numbers.
    ///
    /// Each access decodes the separate layer again; a broken layer gives an empty tile.
    public var houses: VectorTile { deferred.map { $0.tile(id) ?? .empty(id) } ?? self }
}
