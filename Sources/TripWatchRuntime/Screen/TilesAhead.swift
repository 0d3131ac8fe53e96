import FoundationEssentials
import TerminalCanvas
import TerminalMap
import VectorTiles

/// Tiles that are read while the screen is set up that will show them. Of a server none are: what it is asked for is told.
struct TilesAhead {
    private var readings: [TileID: Task<LoadedTiles, Never>] = [:]

    /// None.
    init() {}

    /// Begins to read those in the middle of a view, as many as there are processors.
    init(_ camera: Camera, painter: Painter?, of map: BaseMapSupply) {
        guard map.host == nil, let source = map.tiles else { return }
        let tiles = Viewport(camera: camera, painter: painter ?? .braille).tiles(zoomRange: source.zoomRange)
        for id in tiles.prefix(ProcessInfo.processInfo.activeProcessorCount).map(\.id) where readings[id] == nil {
            readings[id] = Task.detached { await source.loaded(id) }
        }
    }

    /// The reading of a tile, once.
    mutating func take(_ id: TileID) -> Task<LoadedTiles, Never>? { readings.removeValue(forKey: id) }
}
