public import DemoTown
import Geo
import Synchronization
public import VectorTiles

/// The invented town as a base map: its features cut into tiles when they are asked for.
///
/// Tiles are made in memory, without any file or network, and kept: all tiles of a town's own zooms fit.
public final class DemoTownTileSource: TileSource {
    public let attribution = "© nobody: an invented town"
    public let zoomRange = 9...14
    public let details: TileSourceDetails

    /// More tiles than this are not kept; the whole town has fewer.
    private static let keptTileCount = 512

    private let features: [TownShape]
    private let tiles = Mutex<[TileID: VectorTile]>([:])

    /// The tiles of a town. Its features are projected once, here.
    public init(town: DemoTown) {
        features = town.features.compactMap(TownShape.init)
        details = TileSourceDetails(
            name: "the demo town", attribution: attribution, zoomRange: zoomRange, bounds: town.bounds, center: town.center,
            centerZoom: 14)
    }

    public func tile(_ id: TileID) async throws -> VectorTile? { tileNow(id) }

    /// The tile, made at once; nil for a zoom without tiles.
    public func tileNow(_ id: TileID) -> VectorTile? {
        guard zoomRange.contains(id.zoom) else { return nil }
        if let known = tiles.withLock({ $0[id] }) { return known }
        let tile = make(id)
        tiles.withLock { kept in
            if kept.count < Self.keptTileCount { kept[id] = tile }
        }
        return tile
    }

    private func make(_ id: TileID) -> VectorTile {
        var builder = VectorTileBuilder(id: id)
        let cutter = TileCutter(id: id)
        for feature in features where feature.minimumZoom <= id.zoom && cutter.touches(feature.box) {
            cutter.add(feature, to: &builder)
        }
        return builder.finish()
    }
}
