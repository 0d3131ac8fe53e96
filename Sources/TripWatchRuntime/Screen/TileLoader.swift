import FoundationEssentials
import VectorTiles

/// Loads the tiles of a view side by side, the most wanted first. What is not wanted any more is given up.
@MainActor
final class TileLoader {
    private struct Running {
        let task: Task<Void, Never>
        /// How often all was asked again before it began.
        let round: Int
    }

    private let source: any TileSource
    private let deliver: (LoadedTiles) -> Void
    private let limit: Int
    private var wanted: [TileID] = []
    /// One that was given up keeps its place until it has noticed.
    private var running: [TileID: Running] = [:]
    /// Those among the wanted that cannot be had until the source says so.
    private var late: Set<TileID> = []
    private var round = 0
    /// Ancestors that were delivered for the present view.
    private var standIns: Set<TileID> = []

    /// - Parameters:
    ///   - limit: so many are under way at once; as many as there are processors unless told otherwise.
    ///   - deliver: what is done with each tile that is still wanted when it is there.
    init(source: any TileSource, limit: Int? = nil, deliver: @escaping (LoadedTiles) -> Void) {
        (self.source, self.deliver) = (source, deliver)
        self.limit = limit ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Loads these tiles and no others.
    func load(_ ids: [TileID]) {
        wanted = ids
        late.formIntersection(ids)
        standIns = []
        for (id, one) in running where !ids.contains(id) { one.task.cancel() }
        startNext()
    }

    /// Asks again for what could not be had.
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
                // Until it is there an ancestor that is at hand is seen in its place.
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

    /// - Parameter loaded: nil for one that was given up, which may be wanted again by now.
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
