import TerminalCanvas
import VectorTiles

/// A tile as it lies in a view: how its units become dots, and which part of it counts.
struct TileView {
    let tile: VectorTile
    /// The dot at the tile's top left corner.
    let left: Double
    let top: Double
    /// Dots in one tile unit.
    let scaleX: Double
    let scaleY: Double
    /// The part of the tile that is on the screen, with some room around it, in tile units.
    let visible: TileBounds
    /// The part of the tile that it alone has to draw, in tile units: less than all of it where it stands in for a missing tile among others.
    let share: TileBounds?

    /// Whether a feature with this box can be seen.
    @inline(__always)
    func shows(_ bounds: TileBounds) -> Bool {
        bounds.minX <= visible.maxX && bounds.maxX >= visible.minX && bounds.minY <= visible.maxY && bounds.maxY >= visible.minY
    }

    /// Where a vertex lies in the view.
    @inline(__always)
    func dot(x: Int32, y: Int32) -> DotPoint {
        DotPoint(x: left + Double(x) * scaleX, y: top + Double(y) * scaleY)
    }

    /// Whether a point of the tile is in the part that it has to draw.
    func owns(x: Int32, y: Int32) -> Bool {
        guard let share else { return true }
        return x >= share.minX && x < share.maxX && y >= share.minY && y < share.maxY
    }
}

extension Viewport {
    /// The tiles that paint a view: each where it is, or its nearest ancestor in its place.
    ///
    /// - Returns: the tiles, each once, and whether every wanted one was there.
    func tileViews(of base: BaseMap) -> (views: [TileView], isComplete: Bool) {
        let wanted = tiles(zoomRange: base.zoomRange)
        var found: [(wanted: VisibleTile, tile: VectorTile)] = []
        var isComplete = true
        for tile in wanted {
            if !base.tiles.isKnown(tile.id) { isComplete = false }
            if let best = base.tiles.best(for: tile.id) { found.append((tile, best)) }
        }
        let isMixed = found.contains { $0.tile.id.zoom != $0.wanted.id.zoom } && Set(found.map(\.tile.id)).count > 1
        var seen: Set<VisibleTile> = []
        var views: [TileView] = []
        for (wanted, tile) in found {
            let place = VisibleTile(id: tile.id, world: wanted.world)
            let isStandIn = tile.id.zoom != wanted.id.zoom
            if isMixed && isStandIn {
                views.append(view(of: tile, at: place, for: wanted))
            } else if seen.insert(place).inserted {
                views.append(view(of: tile, at: place, for: nil))
            }
        }
        return (views, isComplete)
    }

    private func view(of tile: VectorTile, at place: VisibleTile, for wanted: VisibleTile?) -> TileView {
        let frame = frame(of: place)
        let scaleX = (frame.right - frame.left) / Double(tile.extent)
        let scaleY = (frame.bottom - frame.top) / Double(tile.extent)
        func units(_ dots: Double, _ start: Double, _ scale: Double) -> Int32 {
            let value = ((dots - start) / scale).rounded()
            return value.isFinite ? Int32(min(max(value, -1e9), 1e9)) : 0
        }
        // Room for the widest line and for half a cell.
        let margin = 32.0
        let visible = TileBounds(
            minX: units(-margin, frame.left, scaleX), minY: units(-margin, frame.top, scaleY),
            maxX: units(Double(dotColumns) + margin, frame.left, scaleX), maxY: units(Double(dotRows) + margin, frame.top, scaleY))
        var share: TileBounds?
        if let wanted {
            let part = self.frame(of: wanted)
            share = TileBounds(
                minX: units(part.left, frame.left, scaleX), minY: units(part.top, frame.top, scaleY),
                maxX: units(part.right, frame.left, scaleX), maxY: units(part.bottom, frame.top, scaleY))
        }
        return TileView(
            tile: tile, left: frame.left, top: frame.top, scaleX: scaleX, scaleY: scaleY, visible: visible, share: share)
    }
}
