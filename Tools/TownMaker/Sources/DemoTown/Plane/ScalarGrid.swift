/// A function over the plane. Its values are stored on a square lattice and blended linearly between the lattice points.
struct ScalarGrid: Sendable {
    let box: PlaneBox
    /// Metres from one lattice point to the next.
    let spacing: Double
    let columns: Int
    let rows: Int
    /// The stored values. Single precision keeps a town's distances to the millimetre, in half the memory.
    private(set) var values: [Float]

    init(box: PlaneBox, spacing: Double, filledWith value: Double) {
        self.box = box
        self.spacing = spacing
        columns = Int((box.maximum.x - box.minimum.x) / spacing) + 2
        rows = Int((box.maximum.y - box.minimum.y) / spacing) + 2
        values = [Float](repeating: Float(value), count: columns * rows)
    }

    subscript(column: Int, row: Int) -> Double {
        get { Double(values[row * columns + column]) }
        set { values[row * columns + column] = Float(newValue) }
    }

    func position(column: Int, row: Int) -> Vector2 {
        box.minimum + Vector2(x: Double(column) * spacing, y: Double(row) * spacing)
    }

    /// Returns the blended value at a point; outside the lattice, the value at the nearest point of its edge.
    func value(at point: Vector2) -> Double {
        let x = min(max((point.x - box.minimum.x) / spacing, 0), Double(columns - 1) - 1e-9)
        let y = min(max((point.y - box.minimum.y) / spacing, 0), Double(rows - 1) - 1e-9)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Double(column), y - Double(row))
        let base = row * columns + column
        let low = Double(values[base]) * (1 - u) + Double(values[base + 1]) * u
        let high = Double(values[base + columns]) * (1 - u) + Double(values[base + columns + 1]) * u
        return low * (1 - v) + high * v
    }

    /// Lowers each value inside `area` to the result of `function`, if that is smaller.
    mutating func lower(in area: PlaneBox, to function: (Vector2) -> Double) {
        let firstColumn = max(0, Int(((area.minimum.x - box.minimum.x) / spacing).rounded(.down)))
        let firstRow = max(0, Int(((area.minimum.y - box.minimum.y) / spacing).rounded(.down)))
        let lastColumn = min(columns - 1, Int(((area.maximum.x - box.minimum.x) / spacing).rounded(.up)))
        let lastRow = min(rows - 1, Int(((area.maximum.y - box.minimum.y) / spacing).rounded(.up)))
        guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
        let (spacing, columns, corner) = (spacing, columns, box.minimum)
        // Writes go through a span, because an array checks at every write whether it is shared.
        var lowered = values.mutableSpan
        for row in firstRow...lastRow {
            for column in firstColumn...lastColumn {
                let position = corner + Vector2(x: Double(column) * spacing, y: Double(row) * spacing)
                let value = Float(function(position))
                if value < lowered[row * columns + column] { lowered[row * columns + column] = value }
            }
        }
    }

    /// Lowers each value near a capsule to its distance from the capsule, if that is smaller. A capsule is a segment whose half width
    /// changes linearly from one end to the other.
    /// - Parameter reach: values at points farther than this from the capsule, in metres, may stay unchanged.
    mutating func lowerToCapsule(
        from start: Vector2, to end: Vector2, startHalfWidth: Double, endHalfWidth: Double, reach: Double
    ) {
        let axis = end - start
        let inverse = 1 / max(axis.lengthSquared, 1e-9)
        let margin = max(startHalfWidth, endHalfWidth) + reach
        let area = PlaneBox(
            minimum: Vector2(x: min(start.x, end.x) - margin, y: min(start.y, end.y) - margin),
            maximum: Vector2(x: max(start.x, end.x) + margin, y: max(start.y, end.y) + margin))
        lower(in: area) { point in
            let along = min(max((point - start).dot(axis) * inverse, 0), 1)
            let halfWidth = startHalfWidth + (endHalfWidth - startHalfWidth) * along
            return point.distance(to: start + axis * along) - halfWidth
        }
    }
}
