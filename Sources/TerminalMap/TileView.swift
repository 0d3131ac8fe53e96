import Geo
import Glibc
import TerminalCanvas
import VectorTiles

/// Converts positions in a tile's units to dots or samples of a view.
///
/// Positions are multiples of 2⁻²⁰ of a dot, so a `Double` holds their sums exactly. If the view moves by whole cells, every
/// position moves by exactly the same distance, and the cells painted before can be kept.
struct TilePlacement {
    /// Position of the tile's top left corner.
    let left: Double
    let top: Double
    /// Number of dots or samples per tile unit.
    let scaleX: Double
    let scaleY: Double

    /// Rounds a number below 2³¹ to the nearest multiple of 2⁻²⁰. A `Double` as large as `magnet` has no bits for smaller
    /// fractions.
    @inline(__always)
    static func gridded(_ value: Double) -> Double {
        let magnet = 0x1.8p32
        return (value + magnet) - magnet
    }

    /// Returns the position of a vertex in the view.
    @inline(__always)
    func point(x: Int32, y: Int32) -> DotPoint {
        DotPoint(x: left + Self.gridded(Double(x) * scaleX), y: top + Self.gridded(Double(y) * scaleY))
    }
}

/// A tile in a view: its position, the conversions of its units, and the part of the tile to draw.
struct TileView {
    let tile: VectorTile
    /// The conversion to the painter's dots.
    let dots: TilePlacement
    /// The conversion to samples of an ``AreaPlane``.
    let samples: TilePlacement
    /// The conversion to cells.
    let cells: TilePlacement
    /// Metres on the ground from one column of the view to the next, in the middle of the tile.
    let metersPerColumn: Double
    /// The visible part of the tile plus a margin, in tile units.
    let visible: TileBounds
    /// The visible part of the tile, in tile units.
    let inside: TileBounds
    /// The part of the tile to draw, in tile units; nil for the whole tile. A tile that replaces a missing one may be drawn only in
    /// part.
    let share: TileBounds?

    /// Whether a line or a point with this box may be visible.
    @inline(__always)
    func shows(_ bounds: TileBounds) -> Bool { bounds.touches(visible) }

    /// Whether an area with this box may be visible. Unlike a line, an area does not extend beyond its box.
    @inline(__always)
    func showsArea(_ bounds: TileBounds) -> Bool { bounds.touches(inside) }

    /// Returns the position of a vertex in the view.
    @inline(__always)
    func dot(x: Int32, y: Int32) -> DotPoint { dots.point(x: x, y: y) }

    /// Whether a point of the tile is in the part that is drawn.
    func owns(x: Int32, y: Int32) -> Bool {
        guard let share else { return true }
        return x >= share.minX && x < share.maxX && y >= share.minY && y < share.maxY
    }
}

extension TileBounds {
    @inline(__always)
    fileprivate func touches(_ other: TileBounds) -> Bool {
        minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
    }
}

/// A tile, and the position in the world at which it is painted.
struct PlacedTile {
    let tile: VectorTile
    let place: VisibleTile
    /// The missing tile that this tile replaces; only the part inside the missing tile is drawn. Nil to draw the whole tile.
    let share: VisibleTile?

    /// Whether this and `other` refer to the same tile in memory, painted at the same position.
    func isSame(as other: PlacedTile) -> Bool {
        place == other.place && share == other.share && tile.isIdentical(to: other.tile)
    }
}

/// The tiles chosen to paint a view.
struct TileChoice {
    /// Whether the view has anything to paint. Tiles outside the area of the map have no features.
    var showsAnything: Bool { placed.contains { $0.tile.featureCount > 0 } }

    /// The tiles to paint, without repetition.
    var placed: [PlacedTile] = []
    /// Whether all tiles of the view are loaded.
    var isComplete = true
    /// Whether some tiles are ancestors or descendants that replace missing tiles.
    var hasStandIns = false
}

extension Viewport {
    /// Returns the tiles to paint in the view: each tile of the view, or loaded tiles that replace it.
    func choice(of base: BaseMap) -> TileChoice {
        let wanted = tiles(zoomRange: base.zoomRange)
        var found: [(wanted: VisibleTile, tile: VectorTile)] = []
        var choice = TileChoice()
        for wanted in wanted {
            if !base.tiles.isKnown(wanted.id) { choice.isComplete = false }
            let standIns = base.tiles.standIns(for: wanted.id)
            found += standIns.map { (VisibleTile(id: $0.part, world: wanted.world), $0.tile) }
            if standIns.contains(where: { $0.tile.id != wanted.id }) { choice.hasStandIns = true }
        }
        let isMixed = choice.hasStandIns && Set(found.map(\.tile.id)).count > 1
        var seen: Set<VisibleTile> = []
        for (wanted, tile) in found {
            let place = VisibleTile(id: tile.id, world: wanted.world)
            if isMixed && tile.id.zoom != wanted.id.zoom {
                choice.placed.append(PlacedTile(tile: tile, place: place, share: wanted))
            } else if seen.insert(place).inserted {
                choice.placed.append(PlacedTile(tile: tile, place: place, share: nil))
            }
        }
        return choice
    }

    /// Returns the position of a tile in this view.
    ///
    /// - Parameter widestMeters: the width of the widest line that is drawn to scale.
    func view(of placed: PlacedTile, widestMeters: Double) -> TileView {
        let tile = placed.tile
        let dots = painter.dotsPerCell
        let middle = MercatorPoint(x: 0.5, y: (Double(tile.id.y) + 0.5) / exp2(Double(tile.id.zoom)))
        let metersPerColumn =
            WebMercator.metersPerUnit(atLatitude: WebMercator.unproject(middle).latitude) * Double(dots.columns) / worldWidth
        let placement = placement(of: placed.place, extent: tile.extent, perCell: (dots.columns, dots.rows))
        func units(_ dots: Double, _ start: Double, _ scale: Double) -> Int32 {
            let value = ((dots - start) / scale).rounded()
            return value.isFinite ? Int32(min(max(value, -1e9), 1e9)) : 0
        }
        // The margin leaves room for the widest line that is drawn to scale, and for 32 more dots.
        let margin = 32 + widestMeters / metersPerColumn * Double(max(dots.columns, dots.rows))
        let (left, top, scaleX, scaleY) = (placement.left, placement.top, placement.scaleX, placement.scaleY)
        let visible = TileBounds(
            minX: units(-margin, left, scaleX), minY: units(-margin, top, scaleY),
            maxX: units(Double(dotColumns) + margin, left, scaleX), maxY: units(Double(dotRows) + margin, top, scaleY))
        // A tile unit can be larger than a dot, so each side is extended by one unit.
        let inside = TileBounds(
            minX: units(-1, left, scaleX) - 1, minY: units(-1, top, scaleY) - 1, maxX: units(Double(dotColumns) + 1, left, scaleX) + 1,
            maxY: units(Double(dotRows) + 1, top, scaleY) + 1)
        var share: TileBounds?
        if let wanted = placed.share {
            let part = frame(of: wanted)
            share = TileBounds(
                minX: units(part.left, left, scaleX), minY: units(part.top, top, scaleY), maxX: units(part.right, left, scaleX),
                maxY: units(part.bottom, top, scaleY))
        }
        return TileView(
            tile: tile, dots: placement,
            samples: self.placement(of: placed.place, extent: tile.extent, perCell: (AreaPlane.samplesAcross, AreaPlane.samplesDown)),
            cells: self.placement(of: placed.place, extent: tile.extent, perCell: (1, 1)),
            metersPerColumn: metersPerColumn, visible: visible, inside: inside, share: share)
    }

    /// Returns the position of a tile if a cell has `perCell` dots or samples.
    private func placement(of place: VisibleTile, extent: Int32, perCell: (across: Int, down: Int)) -> TilePlacement {
        let dots = painter.dotsPerCell
        let (across, down) = (Double(perCell.across) / Double(dots.columns), Double(perCell.down) / Double(dots.rows))
        let count = exp2(Double(place.id.zoom))
        let (width, height) = (worldWidth * across / count, worldHeight * down / count)
        let left = TilePlacement.gridded(Double(place.world) * worldWidth * across + Double(place.id.x) * width)
        let top = TilePlacement.gridded(Double(place.id.y) * height)
        return TilePlacement(
            left: left - origin.column * Double(perCell.across), top: top - origin.row * Double(perCell.down),
            scaleX: width / Double(extent), scaleY: height / Double(extent))
    }
}
