public import VectorTiles

/// The reason why one tile of a file cannot be drawn. The rest of the map is not affected.
public struct UnreadableTileError: Error, Sendable, Hashable {
    /// The address of the tile.
    public var id: TileID
    /// The reason, as a phrase for the user, without a full stop.
    public var reason: String

    /// Creates an error for one tile.
    /// - Parameter reason: a phrase for the user, without a full stop.
    public init(_ id: TileID, _ reason: String) {
        self.id = id
        self.reason = reason
    }
}

extension UnreadableTileError: CustomStringConvertible {
    /// One sentence for the user.
    public var description: String { "Tile \(id) is left blank: \(reason)." }
}
