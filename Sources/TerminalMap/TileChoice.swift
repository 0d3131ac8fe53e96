import Geo
import Glibc
import TerminalCanvas
public import VectorTiles

/// A tile of a view, and the copy of the world in which it is visible.
public struct VisibleTile: Sendable, Hashable {
    /// The address of the tile.
    public var id: TileID
    /// Number of the copy of the world. It is 0 for the copy from 180° W to 180° E, and increases to the east.
    public var world: Int

    /// Creates a tile in one copy of the world.
    public init(id: TileID, world: Int) {
        self.id = id
        self.world = world
    }
}

extension Viewport {
    /// Returns the tiles that cover the view, from its middle outwards.
    ///
    /// At the view's zoom a tile is about 256 Braille dots wide. If the source has no tiles at this zoom, the nearest zoom is used.
    /// Returns no tiles if there would be more than `maximumTileCount`.
    public func tiles(zoomRange: ClosedRange<Int>) -> [VisibleTile] {
        guard size.columns > 0, size.rows > 0 else { return [] }
        let level = min(max(Int(zoom.rounded()), max(0, zoomRange.lowerBound)), min(zoomRange.upperBound, TileID.zoomRange.upperBound))
        guard TileID.zoomRange.contains(level) else { return [] }
        let count = exp2(Double(level))
        func range(_ origin: Double, _ dots: Int, _ world: Double) -> ClosedRange<Int> {
            let first = (origin / world * count).rounded(.down)
            let last = ((origin + Double(dots) - 1) / world * count).rounded(.down)
            return Int(first)...max(Int(first), Int(last))
        }
        let columns = range(originX, dotColumns, worldWidth)
        let rows = range(originY, dotRows, worldHeight).clamped(to: 0...Int(count) - 1)
        guard columns.count <= 1024, rows.count <= 1024, columns.count * rows.count <= Self.maximumTileCount else { return [] }
        var found: [(tile: VisibleTile, distance: Int)] = []
        for y in rows {
            for x in columns {
                let world = Int((Double(x) / count).rounded(.down))
                guard let id = TileID(zoom: level, x: x - world * Int(count), y: y) else { continue }
                let right = 2 * x - columns.lowerBound - columns.upperBound
                let down = 2 * y - rows.lowerBound - rows.upperBound
                found.append((VisibleTile(id: id, world: world), right * right + down * down))
            }
        }
        return found.sorted { $0.distance < $1.distance }.map(\.tile)
    }

    /// Returns the tiles that would come into view if the view moved by half its size: at most one ring around the visible tiles. The tiles
    /// nearest to the middle come first. A standard cache can hold them together with the visible tiles.
    public func tilesAround(zoomRange: ClosedRange<Int>) -> [VisibleTile] {
        let visible = tiles(zoomRange: zoomRange)
        guard let first = visible.first else { return [] }
        let wider = Rectangle(
            column: -(size.columns / 2), row: -(size.rows / 2), columns: size.columns * 2, rows: size.rows * 2)
        let count = 1 << first.id.zoom
        func column(_ tile: VisibleTile) -> Int { tile.id.x + tile.world * count }
        let (columns, rows) = (visible.map(column), visible.map(\.id.y))
        let around = (columns.min() ?? 0) - 1...(columns.max() ?? 0) + 1
        let down = (rows.min() ?? 0) - 1...(rows.max() ?? 0) + 1
        let seen = Set(visible.map(\.id))
        let ring = Viewport(wider, of: self).tiles(zoomRange: zoomRange).filter {
            around.contains(column($0)) && down.contains($0.id.y) && !seen.contains($0.id)
        }
        return Array(ring.prefix(max(0, Self.maximumTileCount - visible.count)))
    }

    /// Largest number of tiles in a view. A standard cache can hold them all. A source is not drawn if its lowest zoom is so
    /// far above the view's zoom that the view would need more tiles.
    static let maximumTileCount = 112

    /// Returns the part of the view that a tile covers: its left, top, right and bottom edges in dots.
    func frame(of tile: VisibleTile) -> (left: Double, top: Double, right: Double, bottom: Double) {
        let count = exp2(Double(tile.id.zoom))
        let width = worldWidth / count
        let height = worldHeight / count
        let left = Double(tile.world) * worldWidth + Double(tile.id.x) * width - originX
        let top = Double(tile.id.y) * height - originY
        return (left, top, left + width, top + height)
    }
}
