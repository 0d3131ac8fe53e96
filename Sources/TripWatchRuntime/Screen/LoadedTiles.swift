import VectorTiles

/// What came of asking for a tile.
package struct LoadedTiles: Sendable {
    /// The tiles to keep: the one asked for, or the gap there and what stands in for it.
    var tiles: [(id: TileID, tile: VectorTile?)]
    /// Why there is a blank one, in a sentence.
    var problem: String?
    /// The one that cannot be had now, and is worth asking again when the source says so.
    var late: TileID?
}

extension TileSource {
    func loaded(_ id: TileID) async -> LoadedTiles {
        switch await nearest(to: id) {
        case .tile(let tile) where tile.id != id: LoadedTiles(tiles: [(tile.id, tile), (id, nil)])
        case .tile(let tile): LoadedTiles(tiles: [(id, tile)])
        case .unreadable(let reason): LoadedTiles(tiles: [(id, .empty(id))], problem: reason)
        case .absent: LoadedTiles(tiles: [(id, .empty(id))])
        case .notYet: LoadedTiles(tiles: [], late: id)
        }
    }
}
