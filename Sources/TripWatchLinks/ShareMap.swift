import ConsumerMap
import TerminalMap
import TripWatchRuntime
import TripWatchScreen
import VectorTiles

/// The base map for all pictures in links, with the tiles that the pictures have used so far.
@MainActor
final class ShareMap {
    private let supply: BaseMapSupply
    /// Longest time for which a picture waits for tiles from a server, in seconds.
    private let patienceSeconds: Double
    private var base: BaseMap
    /// The tiles that are being loaded, so that two pictures do not request the same tile.
    private var loads: [TileID: Task<Void, Never>] = [:]

    init(_ supply: BaseMapSupply, patienceSeconds: Double = 3) {
        self.supply = supply
        self.patienceSeconds = patienceSeconds
        let zooms = supply.tiles?.zoomRange ?? 0...0
        base = BaseMap(tiles: TileCache(capacity: 512), zoomRange: zooms, attribution: supply.tiles?.attribution ?? "")
    }

    /// The map as a source of street names, if it is a local file; otherwise nil.
    var streets: (any TileSource)? { supply.host == nil ? supply.tiles : nil }

    /// Adds the tiles of the visible part of the map to a frame. Tiles that arrive after `patienceSeconds` are in a later frame.
    func furnish(_ state: inout AppState) async {
        guard let source = supply.tiles else { return }
        (base.zoomRange, base.attribution) = (source.zoomRange, source.attribution)
        let missing = base.missingTiles(for: state.map.camera)
        if !missing.isEmpty {
            let tasks = missing.map { load($0, from: source) }
            let loading = Task { for task in tasks { await task.value } }
            if supply.host == nil { await loading.value } else { _ = await loading.value(within: patienceSeconds) }
        }
        _ = state.update(.baseMap(base))
    }

    private func load(_ id: TileID, from source: any TileSource) -> Task<Void, Never> {
        if let running = loads[id] { return running }
        let task = Task {
            add(await source.loaded(id))
            loads[id] = nil
        }
        loads[id] = task
        return task
    }

    private func add(_ loaded: LoadedTiles) { for (id, tile) in loaded.tiles { base.tiles.insert(tile, for: id) } }
}
