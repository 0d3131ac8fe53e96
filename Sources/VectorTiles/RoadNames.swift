/// The names of a tile's roads: most schemas have them on lines of their own, which lie on those of the roads but begin and end elsewhere.
///
/// They are read when somebody asks for them: a router needs those of the tiles through which its way leads.
public struct RoadNames: Sendable, Equatable {
    private enum Place: Equatable {
        case nowhere
        case tile(VectorTile)
        case layers(DeferredLayers, VectorTileDecoder)
    }

    /// Decoded lines take about so many times the bytes of their layer.
    private static let growth = 3

    private let place: Place

    /// No names.
    public init() { place = .nowhere }

    /// Those of a tile that is decoded already.
    public init(_ tile: VectorTile) { place = .tile(tile) }

    init(_ layers: [Range<Int>], of bytes: [UInt8], schema: TileSchema, _ decoder: VectorTileDecoder) {
        place = DeferredLayers(layers, of: bytes, schema: schema).map { .layers($0, decoder) } ?? .nowhere
    }

    /// The memory that they take when they are read, about, in bytes.
    public var byteCount: Int {
        switch place {
        case .nowhere: 0
        case .tile(let tile): tile.byteCount
        case .layers(let layers, _): layers.byteCount * (1 + Self.growth)
        }
    }

    /// A tile with the named roads; nil where there are none, and where they cannot be read.
    public func read(_ id: TileID) -> VectorTile? {
        switch place {
        case .nowhere: nil
        case .tile(let tile): tile
        case .layers(let layers, let decoder): layers.tile(id, decoder)
        }
    }
}
