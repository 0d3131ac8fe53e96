import Geo
import TerminalMap
import TripWatchScreen
import TripWatchWords
import VectorTiles

/// Finds the street of a car. Keeps the last tile, because a car stays on the same tile for a while.
@MainActor
final class StreetFinder {
    /// The maximum distance of a position from its street, in metres. It is half the width of a wide street plus the error of a receiver.
    private static let reachMeters = 25.0

    private let source: any TileSource
    private var last: (id: TileID, tile: VectorTile?)?

    init(_ source: any TileSource) { self.source = source }

    /// The result of a look-up that does not wait.
    enum Finding {
        case name(String?)
        /// The required tile has not been read yet.
        case unread
    }

    /// Returns the street of a car from tiles that have already been read.
    /// - Parameter shown: the tiles on the screen; for a map server, no other tiles are used.
    func find(of car: CarPlace, among shown: TileCache?) -> Finding {
        guard let id = TileID.streets(around: car.coordinate, zoomRange: source.zoomRange) else { return .name(nil) }
        if let tile = shown?.best(for: id), tile.hasStreets, tile.id.zoom >= min(id.zoom, 14) {
            return .name(Self.street(of: car, in: tile))
        }
        if let last, last.id == id { return .name(last.tile.flatMap { Self.street(of: car, in: $0) }) }
        return source is any RemoteTileSource ? .name(nil) : .unread
    }

    /// Returns the street of a car. Reads a tile first if necessary.
    func street(of car: CarPlace, among shown: TileCache?) async -> String? {
        if case .name(let name) = find(of: car, among: shown) { return name }
        guard let id = TileID.streets(around: car.coordinate, zoomRange: source.zoomRange) else { return nil }
        let tile = await source.streets(id)
        last = (id, tile)
        return tile.flatMap { Self.street(of: car, in: $0) }
    }

    private static func street(of car: CarPlace, in tile: VectorTile) -> String? {
        tile.streetName(drivenAt: car.coordinate, headingDegrees: car.headingDegrees, withinMeters: reachMeters)
    }
}
