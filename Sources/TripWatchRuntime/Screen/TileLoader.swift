import FoundationEssentials
import VectorTiles

/// Loads the tiles of a view side by side, the most wanted first. What is not wanted any more is given up.
@MainActor
final class TileLoader {
    private let source: any TileSource
    private let deliver: (LoadedTiles) -> Void
    private var wanted: [TileID] = []
    /// At most as many as there are processors. One that was given up keeps its place until it has noticed.
    private var running: [TileID: Task<Void, Never>] = [:]

    /// - Parameter deliver: what is done with each tile that is still wanted when it is there.
    init(source: any TileSource, deliver: @escaping (LoadedTiles) -> Void) {
        (self.source, self.deliver) = (source, deliver)
    }

    /// Loads these tiles and no others.
    func load(_ ids: [TileID]) {
        wanted = ids
        for (id, task) in running where !ids.contains(id) { task.cancel() }
        startNext()
    }

    private func startNext() {
        for id in wanted where running[id] == nil {
            guard running.count < max(1, ProcessInfo.processInfo.activeProcessorCount) else { return }
            let source = source
            running[id] = Task.detached {
                let loaded = await source.loaded(id)
                await self.finish(id, Task.isCancelled ? nil : loaded)
            }
        }
    }

    /// - Parameter loaded: nil for one that was given up, which may be wanted again by now.
    private func finish(_ id: TileID, _ loaded: LoadedTiles?) {
        running[id] = nil
        if let loaded {
            wanted.removeAll { $0 == id }
            deliver(loaded)
        }
        startNext()
    }
}
