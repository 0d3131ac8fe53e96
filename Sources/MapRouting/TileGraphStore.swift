import Synchronization
import VectorTiles

/// The graphs of the most recently used tiles, up to a limit in bytes.
final class TileGraphStore: Sendable {
    private struct Entry {
        /// The graph; nil for a tile that the source does not have.
        var graph: TileGraph?
        var lastUse: UInt64
    }

    private struct State {
        var entries: [TileID: Entry] = [:]
        var byteCount = 0
        var uses: UInt64 = 0
    }

    private let source: any TileSource
    private let speeds: RoadSpeeds
    private let maximumByteCount: Int
    private let state = Mutex(State())
    /// Size of an entry apart from its graph, in bytes.
    private static let entryBytes = 128

    init(source: any TileSource, speeds: RoadSpeeds, maximumByteCount: Int) {
        self.source = source
        self.speeds = speeds
        self.maximumByteCount = max(0, maximumByteCount)
    }

    /// Size of the kept graphs, in bytes.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns the graph of a tile; nil if the source does not have the tile. Two concurrent callers may both build the graph.
    func graph(_ id: TileID) async throws(MapRoutingError) -> TileGraph? {
        if let known = known(id) { return known.graph }
        let roads: RoadTile?
        do {
            roads = try await source.roads(id)
        } catch {
            guard !Task.isCancelled else { throw .cancelled }
            throw .unreadable(id, reason: "\(error)")
        }
        let graph = roads.map { TileGraphBuilder.graph(of: $0, speeds: speeds) }
        keep(graph, id)
        return graph
    }

    private func known(_ id: TileID) -> Entry? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: id) else { return nil }
            state.uses += 1
            state.entries.values[index].lastUse = state.uses
            return state.entries.values[index]
        }
    }

    private func keep(_ graph: TileGraph?, _ id: TileID) {
        state.withLock { state in
            guard state.entries[id] == nil else { return }
            state.uses += 1
            state.entries[id] = Entry(graph: graph, lastUse: state.uses)
            state.byteCount += (graph?.byteCount ?? 0) + Self.entryBytes
            guard state.byteCount > maximumByteCount else { return }
            // Removes a quarter at once, so that a full store is not sorted for every tile.
            for (id, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                guard state.byteCount > maximumByteCount / 4 * 3 else { break }
                state.entries[id] = nil
                state.byteCount -= (entry.graph?.byteCount ?? 0) + Self.entryBytes
            }
        }
    }
}
