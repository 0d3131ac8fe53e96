import Geo
import TerminalMap
import TripWatchScreen
import TripWatchWords
import VectorTiles

/// Finds the street of a car. A car stays on a tile for a while, so the last tile is kept.
@MainActor
final class StreetFinder {
    /// Maximum distance of a position from its street, metres: half a wide street, plus the receiver's error.
    private static let reachMeters = 25.0

    private let source: any TileSource
    private var last: (id: TileID, tile: VectorTile?)?

    init(_ source: any TileSource) { self.source = source }

    /// Result of a lookup without waiting.
    enum Finding {
        case name(String?)
        /// The required tile has not been read yet.
        case unread
    }

    /// The street from tiles that are already read.
    /// - Parameter shown: tiles on the screen. No others are requested from a server.
    func find(of car: CarPlace, among shown: TileCache?) -> Finding {
        guard let id = TileID.streets(around: car.coordinate, zoomRange: source.zoomRange) else { return .name(nil) }
        if let tile = shown?.best(for: id), tile.hasStreets, tile.id.zoom >= min(id.zoom, 14) {
            return .name(Self.street(of: car, in: tile))
        }
        if let last, last.id == id { return .name(last.tile.flatMap { Self.street(of: car, in: $0) }) }
        return source is any RemoteTileSource ? .name(nil) : .unread
    }

    /// The street of a car, after reading a tile if necessary.
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
