import Geo
import TerminalMap
import TripWatchScreen
import VectorTiles

/// Finds the street that a car is on. A car stays on a tile for a while, so the last one is kept.
@MainActor
final class StreetFinder {
    /// As far a report may lie beside its street, metres: half of a wide one, and what a receiver is off.
    private static let reachMeters = 25.0

    private let source: any TileSource
    private var last: (id: TileID, tile: VectorTile?)?

    init(_ source: any TileSource) { self.source = source }

    /// What is known of a street without waiting.
    enum Finding {
        case name(String?)
        /// A tile that nobody has read yet tells it.
        case unread
    }

    /// The street, where a tile that has been read tells it.
    /// - Parameter shown: the tiles that the screen has. A server is asked for no others.
    func find(of car: CarPlace, among shown: TileCache?) -> Finding {
        guard let id = TileID.streets(around: car.coordinate, zoomRange: source.zoomRange) else { return .name(nil) }
        if let tile = shown?.best(for: id), tile.hasStreets, tile.id.zoom >= min(id.zoom, 14) {
            return .name(Self.street(of: car, in: tile))
        }
        if let last, last.id == id { return .name(last.tile.flatMap { Self.street(of: car, in: $0) }) }
        return source is any RemoteTileSource ? .name(nil) : .unread
    }

    /// The same, where need be from a tile that is read for it.
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
