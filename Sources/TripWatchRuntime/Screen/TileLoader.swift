import FoundationEssentials
import VectorTiles

/// Loads the tiles of a view in parallel, the most important ones first. Cancels tiles that are no longer needed.
@MainActor
final class TileLoader {
    private struct Running {
        let task: Task<Void, Never>
        /// The value of the loader's `round` when the request started.
        let round: Int
    }

    private let source: any TileSource
    private let deliver: (LoadedTiles) -> Void
    private let limit: Int
    private var wanted: [TileID] = []
    /// The active requests. A cancelled request counts as active until it has ended.
    private var running: [TileID: Running] = [:]
    /// The requested tiles that were not available yet. They are not requested again until the source reports new tiles.
    private var late: Set<TileID> = []
    private var round = 0
    /// The ancestors that were delivered in place of tiles missing from the current view.
    private var standIns: Set<TileID> = []

    /// - Parameters:
    ///   - limit: the maximum number of simultaneous requests; nil for the number of processors.
    ///   - deliver: receives each loaded tile that is still needed.
    init(source: any TileSource, limit: Int? = nil, deliver: @escaping (LoadedTiles) -> Void) {
        (self.source, self.deliver) = (source, deliver)
        self.limit = limit ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Loads these tiles, and cancels requests for all others.
    func load(_ ids: [TileID]) {
        wanted = ids
        late.formIntersection(ids)
        standIns = []
        for (id, one) in running where !ids.contains(id) { one.task.cancel() }
        startNext()
    }

    /// Retries each tile that was not available.
    func retry() {
        round += 1
        late = []
        startNext()
    }

    private func startNext() {
        for id in wanted where running[id] == nil && !late.contains(id) {
            guard running.count < limit else { return }
            let source = source
            let task = Task.detached {
                // An available ancestor is shown until the tile is loaded.
                if let standIn = await (source as? any RemoteTileSource)?.standIn(for: id) { await self.show(standIn, for: id) }
                let loaded = await source.loaded(id)
                await self.finish(id, Task.isCancelled ? nil : loaded)
            }
            running[id] = Running(task: task, round: round)
        }
    }

    private func show(_ standIn: VectorTile, for id: TileID) {
        guard wanted.contains(id), standIns.insert(standIn.id).inserted else { return }
        deliver(LoadedTiles(tiles: [(standIn.id, standIn)]))
    }

    /// Ends a request and starts the next one.
    /// - Parameter loaded: the result; nil if the request was cancelled.
    private func finish(_ id: TileID, _ loaded: LoadedTiles?) {
        let begun = running.removeValue(forKey: id)?.round
        if let loaded {
            if loaded.late == nil {
                wanted.removeAll { $0 == id }
            } else if begun == round, wanted.contains(id) {
                late.insert(id)
            }
            deliver(loaded)
        }
        startNext()
    }
}
