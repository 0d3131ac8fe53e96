/// The names of a tile's roads. Most schemas put the names on separate line features, which overlap the roads but begin and end at
/// other points.
///
/// Names are decoded on request, because a router needs them only for the tiles on its route.
public struct RoadNames: Sendable, Equatable {
    private enum Place: Equatable {
        case nowhere
        case tile(VectorTile)
        case layers(DeferredLayers, VectorTileDecoder)
    }

    /// Approximate memory used by decoded lines, as a multiple of the size of their layer.
    private static let growth = 3

    private let place: Place

    /// Creates the names of a tile without named roads.
    public init() { place = .nowhere }

    /// Creates the names of a tile that is already decoded.
    public init(_ tile: VectorTile) { place = .tile(tile) }

    init(_ layers: [Range<Int>], of bytes: [UInt8], schema: TileSchema, _ decoder: VectorTileDecoder) {
        place = DeferredLayers(layers, of: bytes, schema: schema).map { .layers($0, decoder) } ?? .nowhere
    }

    /// Approximate memory used by the decoded names, in bytes.
    public var byteCount: Int {
        switch place {
        case .nowhere: 0
        case .tile(let tile): tile.byteCount
        case .layers(let layers, _): layers.byteCount * (1 + Self.growth)
        }
    }

    /// Reads the named roads as a tile; nil if there are no names, or if they cannot be read.
    public func read(_ id: TileID) -> VectorTile? {
        switch place {
        case .nowhere: nil
        case .tile(let tile): tile
        case .layers(let layers, let decoder): layers.tile(id, decoder)
        }
    }
}
