public import VectorTiles

/// The tiles of a base map that are at hand, at most `capacity` and `byteLimit`; the least recently used go first, and none that was in view
/// when the tiles in use were told last, or came since then for the view.
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
    /// - Parameter isInView: false for one that may be wanted later: it goes as soon as there is no room.
    public mutating func insert(_ tile: VectorTile?, for id: TileID, isInView: Bool = true) {
        clock += 1
        let entry = Entry(tile: tile, byteCount: tile?.byteCount ?? 0, lastUse: isInView || viewClock == 0 ? clock : viewClock - 1)
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
            guard entries[tile.id]?.tile == nil else { continue }
            for standIn in standIns(for: tile.id) { entries[standIn.tile.id]?.lastUse = clock }
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

    /// What is drawn for a tile, part by part: the tile itself; while it is on its way those below it that are there, which show more than is
    /// needed, and in the place of those that are not the nearest of its ancestors, which shows less.
    func standIns(for id: TileID) -> [(tile: VectorTile, part: TileID)] {
        if let tile = entries[id]?.tile { return [(tile, id)] }
        let ancestor = best(for: id)
        // Where it is known that there is none, what is below it is no stand-in.
        return isKnown(id) ? ancestor.map { [($0, id)] } ?? [] : cover(id, levels: Self.levelsBelow, ancestor)
    }

    /// How many zooms below a tile stand-ins are looked for.
    private static let levelsBelow = 2

    private func cover(_ part: TileID, levels: Int, _ ancestor: VectorTile?) -> [(tile: VectorTile, part: TileID)] {
        if let tile = entries[part]?.tile { return [(tile, part)] }
        guard hasTiles(below: part, levels: levels) else { return ancestor.map { [($0, part)] } ?? [] }
        return part.children.flatMap { cover($0, levels: levels - 1, ancestor) }
    }

    private func hasTiles(below id: TileID, levels: Int) -> Bool {
        levels > 0 && id.children.contains { entries[$0]?.tile != nil || hasTiles(below: $0, levels: levels - 1) }
    }

    /// Forgets everything, for another source.
    public mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
    }
}
