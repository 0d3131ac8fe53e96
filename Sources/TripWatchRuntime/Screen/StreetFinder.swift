import Geo
import TerminalMap
import TripWatchApp
import VectorTiles

/// Finds the street that a car is on. A car stays on a tile for a while, so the last one is kept.
actor StreetFinder {
    /// As far a report may lie beside its street, metres: half of a wide one, and what a receiver is off.
    private static let reachMeters = 25.0

    private let source: any TileSource
    private var last: (id: TileID, tile: VectorTile?)?

    init(_ source: any TileSource) { self.source = source }

    /// - Parameter shown: the tiles that the screen has. A server is asked for no others.
    func street(of car: CarPlace, among shown: TileCache?) async -> String? {
        guard let id = TileID.streets(around: car.coordinate, zoomRange: source.zoomRange) else { return nil }
        return await tile(id, among: shown)?.streetName(
            drivenAt: car.coordinate, headingDegrees: car.headingDegrees, withinMeters: Self.reachMeters)
    }

    private func tile(_ id: TileID, among shown: TileCache?) async -> VectorTile? {
        if let tile = shown?.best(for: id), tile.hasStreets, tile.id.zoom >= min(id.zoom, 14) { return tile }
        guard !(source is any RemoteTileSource) else { return nil }
        if let last, last.id == id { return last.tile }
        let tile = await source.streets(id)
        last = (id, tile)
        return tile
    }
}
