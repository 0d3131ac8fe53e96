/// Where the tiles of a base map come from: a file, a service, an invented town.
public protocol TileSource: Sendable {
    /// Whom the map is owed to, as it must be shown with it; plain text, one line.
    var attribution: String { get }
    /// The zooms there are tiles for.
    var zoomRange: ClosedRange<Int> { get }
    /// The tile with this address, nil if the source has none there.
    func tile(_ id: TileID) async throws -> VectorTile?
}
