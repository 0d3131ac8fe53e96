public import VectorTiles

/// The loaded tiles of a base map: at most `capacity` tiles and `byteLimit` bytes. The least recently used tiles are dropped first.
///
/// Tiles in view are never dropped. These are the tiles of the last call of ``touch(_:)``, and tiles inserted since then for the same view.
public struct TileCache: Sendable {
    /// Default limit on the memory for tiles, in bytes.
    public static let standardByteLimit = 32 << 20

    /// Largest number of tiles.
    public let capacity: Int
    /// Limit on the memory for tiles, in bytes. The tiles in view may exceed it.
    public let byteLimit: Int
    /// Memory used by the tiles, in bytes.
    public private(set) var byteCount = 0

    private struct Entry: Sendable {
        /// Nil if the source has no such tile.
        var tile: VectorTile?
        var byteCount: Int
        var lastUse: UInt64
    }

    private var entries: [TileID: Entry] = [:]
    private var clock: UInt64 = 0
    /// Value of `clock` at the last call of ``touch(_:)``; 0 before the first call.
    private var viewClock: UInt64 = 0

    /// Creates an empty cache. A cache keeps at least one tile.
    public init(capacity: Int = 128, byteLimit: Int = TileCache.standardByteLimit) {
        self.capacity = max(1, capacity)
        self.byteLimit = max(0, byteLimit)
    }

    /// Number of addresses whose tile is loaded or known to be missing in the source.
    public var count: Int { entries.count }

    /// Inserts a tile, or records with nil that the source has no tile at this address.
    /// - Parameter isInView: false for a tile that may be needed later; it is dropped before the tiles in view.
    public mutating func insert(_ tile: VectorTile?, for id: TileID, isInView: Bool = true) {
        clock += 1
        let entry = Entry(tile: tile, byteCount: tile?.byteCount ?? 0, lastUse: isInView || viewClock == 0 ? clock : viewClock - 1)
        byteCount += entry.byteCount
        byteCount -= entries.updateValue(entry, forKey: id)?.byteCount ?? 0
        evict()
    }

    /// Drops tiles until the limits are met or only tiles in view are left. Before the first call of ``touch(_:)``, only the number of
    /// tiles is limited.
    private mutating func evict() {
        while entries.count > capacity || byteCount > byteLimit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            let isInView = viewClock == 0 ? entries.count <= capacity : oldest.value.lastUse >= viewClock
            if isInView { return }
            byteCount -= oldest.value.byteCount
            entries[oldest.key] = nil
        }
    }

    /// Whether the tile at this address is loaded or known to be missing in the source.
    public func isKnown(_ id: TileID) -> Bool { entries[id] != nil }

    /// Returns the addresses among `tiles` for which ``isKnown(_:)`` is false. They are in the given order, without repetition.
    public func missing(_ tiles: [VisibleTile]) -> [TileID] {
        var seen: Set<TileID> = []
        return tiles.map(\.id).filter { !isKnown($0) && seen.insert($0).inserted }
    }

    /// Marks these tiles as in view, and also the loaded tiles that are drawn instead of missing ones.
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

    /// Returns the tile at an address. If it is not loaded, returns its nearest loaded ancestor.
    public func best(for id: TileID) -> VectorTile? {
        var candidate: TileID? = id
        for _ in 0...TileSearch.ancestorLevels {
            guard let current = candidate else { return nil }
            if let tile = entries[current]?.tile { return tile }
            candidate = current.parent
        }
        return nil
    }

    /// Returns the tiles to draw for an address, each with the part that it covers. While the tile is loading, its loaded descendants
    /// replace it. A part without loaded descendants shows the nearest loaded ancestor, which has less detail.
    func standIns(for id: TileID) -> [(tile: VectorTile, part: TileID)] {
        if let tile = entries[id]?.tile { return [(tile, id)] }
        let ancestor = best(for: id)
        // If the source does not have the tile, it is replaced only by an ancestor, not by descendants.
        return isKnown(id) ? ancestor.map { [($0, id)] } ?? [] : cover(id, levels: Self.levelsBelow, ancestor)
    }

    /// Number of zooms above a tile's own zoom that are searched for its descendants.
    private static let levelsBelow = 2

    private func cover(_ part: TileID, levels: Int, _ ancestor: VectorTile?) -> [(tile: VectorTile, part: TileID)] {
        if let tile = entries[part]?.tile { return [(tile, part)] }
        guard hasTiles(below: part, levels: levels) else { return ancestor.map { [($0, part)] } ?? [] }
        return part.children.flatMap { cover($0, levels: levels - 1, ancestor) }
    }

    private func hasTiles(below id: TileID, levels: Int) -> Bool {
        levels > 0 && id.children.contains { entries[$0]?.tile != nil || hasTiles(below: $0, levels: levels - 1) }
    }

    /// Removes all tiles, because another source will be used.
    public mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
    }
}
