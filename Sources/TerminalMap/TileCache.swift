public import VectorTiles

/// The tiles of a base map that are at hand, at most `capacity`; the least recently used go first.
public struct TileCache: Sendable {
    /// How many tiles are kept.
    public let capacity: Int

    private struct Entry: Sendable {
        /// Nil when the source has no such tile.
        var tile: VectorTile?
        var lastUse: UInt64
    }

    private var entries: [TileID: Entry] = [:]
    private var clock: UInt64 = 0

    /// An empty cache; at least one tile is kept.
    public init(capacity: Int = 128) {
        self.capacity = max(1, capacity)
    }

    /// How many tiles there are, known gaps included.
    public var count: Int { entries.count }

    /// Keeps a tile, or that the source has none there.
    public mutating func insert(_ tile: VectorTile?, for id: TileID) {
        clock += 1
        entries[id] = Entry(tile: tile, lastUse: clock)
        guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
    }

    /// Whether it is known what the source has under this address.
    public func isKnown(_ id: TileID) -> Bool { entries[id] != nil }

    /// The addresses among `tiles` that are not known yet, in their order, each once.
    public func missing(_ tiles: [VisibleTile]) -> [TileID] {
        var seen: Set<TileID> = []
        return tiles.map(\.id).filter { !isKnown($0) && seen.insert($0).inserted }
    }

    /// Remembers that these tiles are in use.
    public mutating func touch(_ tiles: [VisibleTile]) {
        clock += 1
        for tile in tiles {
            entries[tile.id]?.lastUse = clock
            if entries[tile.id]?.tile == nil, let standIn = best(for: tile.id) { entries[standIn.id]?.lastUse = clock }
        }
    }

    /// The tile itself, or else the nearest of its ancestors that is there.
    public func best(for id: TileID) -> VectorTile? {
        var candidate: TileID? = id
        for _ in 0...TileSearch.ancestorLevels {
            guard let current = candidate else { return nil }
            if let tile = entries[current]?.tile { return tile }
            candidate = current.parent
        }
        return nil
    }

    /// Forgets everything, for another source.
    public mutating func removeAll() { entries.removeAll() }
}
