package import VectorTiles

/// The result of loading a tile.
package struct LoadedTiles: Sendable {
    /// The tiles to keep. If the source has only an ancestor of the requested tile, there are two entries: the ancestor with its tile, and
    /// the requested tile with nil.
    package var tiles: [(id: TileID, tile: VectorTile?)]
    /// The reason why the tile cannot be read, as a sentence; nil if it was read or does not exist.
    var problem: String?
    /// The requested tile, if it is not available now. It is requested again when the source reports new tiles.
    var late: TileID?
}

extension TileSource {
    package func loaded(_ id: TileID) async -> LoadedTiles {
        switch await nearest(to: id) {
        case .tile(let tile) where tile.id != id: LoadedTiles(tiles: [(tile.id, tile), (id, nil)])
        case .tile(let tile): LoadedTiles(tiles: [(id, tile)])
        case .unreadable(let reason): LoadedTiles(tiles: [(id, .empty(id))], problem: reason)
        case .absent: LoadedTiles(tiles: [(id, .empty(id))])
        case .notYet: LoadedTiles(tiles: [], late: id)
        }
    }
}
