import TerminalCanvas
import VectorTiles

/// The painted base map of a view, without names. It stays the same while a vehicle moves on it.
///
/// The layer is kept from frame to frame. If the view moves by whole cells, the painted cells move with it. If tiles are loaded or dropped,
/// only the cells that they affect are painted again.
struct BaseLayer {
    /// The look of each cell.
    var canvas = Canvas(size: .zero)
    /// The samples of the areas in each cell, row by row, as ``AreaPlane/samples(column:row:)`` returns them.
    private(set) var samples: [UInt64] = []
    /// Whether a line or a texture is drawn in a cell, row by row.
    private(set) var isDrawn: [Bool] = []
    private var look: Look?
    private var origin = (column: 0.0, row: 0.0)
    private var choice = TileChoice()

    /// The values on which the look of a layer depends, except its tiles and its position in the world.
    private struct Look: Equatable {
        let style: MapStyle
        let colorDepth: ColorDepth
        let fillsAreas: Bool
        let painter: Painter
        let size: Size
        let zoom: Double
        let worldHeight: Double
        /// Whether a grid is drawn instead of a base map.
        let isGrid: Bool
        let overlay: Overlay
    }

    /// Keeps the overlay in memory. If it were released, another overlay could get its address and seem equal to it.
    private struct Overlay: Equatable {
        let image: GroundOverlay?

        static func == (one: Self, other: Self) -> Bool { one.image === other.image }
    }

    /// Memory for one cell of a layer and for the data needed to paint it, in bytes.
    private static let bytesPerCell = MemoryLayout<Cell>.stride + 8 + 1 + AreaPlane.bytesPerCell + 2 * DotRaster.bytesPerCell
    /// Largest amount of memory for the layer of a view, in bytes. A layer that would need more is not kept, but painted again in
    /// every frame.
    static let maximumByteCount = 4 << 20

    /// Whether the layer is kept for a view of this size.
    static func isKept(_ size: Size) -> Bool { size.columns * size.rows * bytesPerCell <= maximumByteCount }

    /// Returns the area samples of a cell. The cell must be inside the layer.
    func ground(column: Int, row: Int) -> UInt64 { samples[row * canvas.size.columns + column] }

    /// Whether a line or a texture is drawn in a cell. The cell must be inside the layer.
    func isDrawn(column: Int, row: Int) -> Bool { isDrawn[row * canvas.size.columns + column] }

    /// Stores the area samples of a cell, and whether a line or a texture is drawn in it. Does not change the canvas.
    @inline(__always)
    mutating func set(column: Int, row: Int, samples: UInt64, isDrawn: Bool) {
        let index = row * canvas.size.columns + column
        self.samples[index] = samples
        self.isDrawn[index] = isDrawn
    }

    /// Moves the layer to another view, and returns the blocks of cells that must be painted.
    mutating func move(to choice: TileChoice, _ pass: MapPass) -> [Rectangle] {
        let view = pass.viewport
        let look = Look(
            style: pass.style, colorDepth: pass.scene.colorDepth, fillsAreas: pass.scene.fillsAreas, painter: view.painter, size: view.size,
            zoom: view.zoom, worldHeight: view.worldHeight, isGrid: choice.placed.isEmpty,
            overlay: Overlay(image: pass.scene.ground))
        let before = (choice: self.choice, origin: origin)
        let whole = Rectangle(view.size)
        let isSame = look == self.look
        self.look = look
        self.choice = choice
        origin = view.origin
        guard isSame, !choice.hasStandIns, !before.choice.hasStandIns,
            let right = Int(exactly: origin.column - before.origin.column), abs(right) < whole.columns,
            let down = Int(exactly: origin.row - before.origin.row), abs(down) < whole.rows
        else {
            prepare(view.size)
            return [whole]
        }
        var parts = Parts(whole: whole)
        if right != 0 || down != 0 {
            canvas.scroll(columns: -right, rows: -down)
            samples.move(by: down * whole.columns + right)
            isDrawn.move(by: down * whole.columns + right)
            parts.add(Rectangle(column: right > 0 ? whole.columns - right : 0, row: 0, columns: abs(right), rows: whole.rows))
            parts.add(Rectangle(column: 0, row: down > 0 ? whole.rows - down : 0, columns: whole.columns, rows: abs(down)))
        }
        let changed =
            choice.placed.filter { tile in !before.choice.placed.contains { $0.isSame(as: tile) } }
            + before.choice.placed.filter { tile in !choice.placed.contains { $0.isSame(as: tile) } }
        for tile in changed { parts.add(view.reach(of: tile, widestMeters: pass.widestMeters)) }
        return parts.all
    }

    /// Forgets the layer, so that the next view is painted in full.
    mutating func forget() { look = nil }

    private mutating func prepare(_ size: Size) {
        if canvas.size == size { return }
        canvas = Canvas(size: size)
        samples = Array(repeating: 0, count: size.columns * size.rows)
        isDrawn = Array(repeating: false, count: size.columns * size.rows)
    }
}

/// The blocks of a view that must be painted.
private struct Parts {
    let whole: Rectangle
    private(set) var all: [Rectangle] = []

    init(whole: Rectangle) { self.whole = whole }

    /// Adds the part of a block that lies in the view. Two blocks are merged if painting them together hardly takes longer. More than
    /// four blocks, or blocks that cover more than three quarters of the view, become the whole view.
    mutating func add(_ block: Rectangle) {
        var block = block.intersection(whole)
        guard !block.isEmpty else { return }
        while let other = all.firstIndex(where: { $0.overlapsMuch(of: block) }) { block = block.union(all.remove(at: other)) }
        all.append(block)
        let cells = all.reduce(0) { $0 + $1.columns * $1.rows }
        if all.count > 4 || cells * 4 > whole.columns * whole.rows * 3 { all = [whole] }
    }
}

extension Rectangle {
    /// Whether painting both blocks as one hardly takes longer than painting them separately.
    fileprivate func overlapsMuch(of other: Rectangle) -> Bool {
        let both = union(other)
        return both.columns * both.rows * 4 <= (columns * rows + other.columns * other.rows) * 5
    }

    /// Returns the smallest block that contains both blocks.
    fileprivate func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(column, other.column), min(row, other.row))
        return Rectangle(
            column: left, row: top, columns: max(endColumn, other.endColumn) - left, rows: max(endRow, other.endRow) - top)
    }
}

extension Array {
    /// Moves all elements by `places` positions towards the front, or towards the back if `places` is negative. Positions that get no
    /// new element keep the old one.
    fileprivate mutating func move(by places: Int) {
        guard abs(places) < count else { return }
        let kept = count - abs(places)
        withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return }
            if places > 0 {
                first.update(from: first + places, count: kept)
            } else if places < 0 {
                (first - places).update(from: first, count: kept)
            }
        }
    }
}

extension Viewport {
    /// Returns the block of cells that a tile can affect.
    fileprivate func reach(of placed: PlacedTile, widestMeters: Double) -> Rectangle {
        var bounds = TileBounds.empty
        for feature in placed.tile.bounds {
            bounds.include(x: feature.minX, y: feature.minY)
            bounds.include(x: feature.maxX, y: feature.maxY)
        }
        guard bounds.minX <= bounds.maxX else { return .zero }
        let view = view(of: placed, widestMeters: widestMeters)
        let dots = painter.dotsPerCell
        // Wide lines reach beyond the tile. The look of a cell also depends on the areas in neighbouring cells.
        let (across, down) = (widestMeters / view.metersPerColumn + 3, widestMeters / view.metersPerColumn + 2)
        let (first, last) = (view.dot(x: bounds.minX, y: bounds.minY), view.dot(x: bounds.maxX, y: bounds.maxY))
        func cells(_ low: Double, _ high: Double, _ dots: Int, _ margin: Double, _ limit: Int) -> (first: Int, count: Int) {
            let end = min(max((high / Double(dots) + margin).rounded(.up), 0), Double(limit))
            let first = min(max((low / Double(dots) - margin).rounded(.down), 0), end)
            return (Int(first), Int(end - first))
        }
        let columns = cells(first.x, last.x, dots.columns, across, size.columns)
        let rows = cells(first.y, last.y, dots.rows, down, size.rows)
        return Rectangle(column: columns.first, row: rows.first, columns: columns.count, rows: rows.count)
    }
}
