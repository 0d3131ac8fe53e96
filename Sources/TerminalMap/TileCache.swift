public import VectorTiles

/// The tiles of a base map that are at hand, at most `capacity` and `byteLimit`; the least recently used go first, and none that was in view
/// when the tiles in use were told last, or came since then.
public struct TileCache: Sendable {
    /// The memory that tiles may take unless told otherwise, in bytes.
    public static let standardByteLimit = 32 << 20

    /// How many tiles are kept.
    public let capacity: Int
    /// The memory that tiles may take, in bytes; those in view may take more.
    public let byteLimit: Int
    /// The memory that they take, in bytes.
    public private(set) var byteCount = 0

    private struct Entry: Sendable {
        /// Nil when the source has no such tile.
        var tile: VectorTile?
        var byteCount: Int
        var lastUse: UInt64
    }

    private var entries: [TileID: Entry] = [:]
    private var clock: UInt64 = 0
    /// When the tiles in use were told last; 0 for never.
    private var viewClock: UInt64 = 0

    /// An empty cache; at least one tile is kept.
    public init(capacity: Int = 128, byteLimit: Int = TileCache.standardByteLimit) {
        self.capacity = max(1, capacity)
        self.byteLimit = max(0, byteLimit)
    }

    /// How many tiles there are, known gaps included.
    public var count: Int { entries.count }

    /// Keeps a tile, or that the source has none there.
    public mutating func insert(_ tile: VectorTile?, for id: TileID) {
        clock += 1
        let entry = Entry(tile: tile, byteCount: tile?.byteCount ?? 0, lastUse: clock)
        byteCount += entry.byteCount
        byteCount -= entries.updateValue(entry, forKey: id)?.byteCount ?? 0
        evict()
    }

    /// Forgets what is too much. A cache that was never told of a view knows by their number alone what is too much.
    private mutating func evict() {
        while entries.count > capacity || byteCount > byteLimit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            let isInView = viewClock == 0 ? entries.count <= capacity : oldest.value.lastUse >= viewClock
            if isInView { return }
            byteCount -= oldest.value.byteCount
            entries[oldest.key] = nil
        }
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
        viewClock = clock
        for tile in tiles {
            entries[tile.id]?.lastUse = clock
            if entries[tile.id]?.tile == nil, let standIn = best(for: tile.id) { entries[standIn.id]?.lastUse = clock }
        }
        evict()
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
    public mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
    }
}
