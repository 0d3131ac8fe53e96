import FoundationEssentials
import OnlineTiles
package import ProgramSurroundings

/// Shows statistics of the map tile cache, or clears the cache.
package struct MapCacheRun: Sendable {
    package var map: BaseMapSettings

    package init(map: BaseMapSettings) { self.map = map }

    /// Prints the size of the cache, and the numbers of tiles, hits and misses.
    package func tell(asJSON: Bool, in surroundings: Surroundings) async -> ProgramEnd {
        let figures = await map.tileStore(in: surroundings)?.figures() ?? TileStore.Figures()
        let rows = [
            ("bytes", figures.byteCount), ("tiles", figures.tileCount), ("hits", figures.hits), ("misses", figures.misses),
        ]
        if asJSON {
            surroundings.streams.print("{" + rows.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
        } else {
            for row in rows { surroundings.streams.print("\(row.0)\(String(repeating: " ", count: 8 - row.0.count))\(row.1)") }
        }
        return .success
    }

    /// Deletes all cached tiles.
    package func clear(in surroundings: Surroundings) async -> ProgramEnd {
        await map.tileStore(in: surroundings)?.clear()
        return .success
    }
}
