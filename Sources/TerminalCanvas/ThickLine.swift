/// The shape of a wide line with round ends: all points whose distance to the segment is at most half the width. Because of the round ends,
/// connected segments have no gaps and need no separate joins.
struct ThickLine {
    private let start: DotPoint
    private let dx: Double
    private let dy: Double
    private let lengthSquared: Double
    private let radius: Double
    /// The radius times the length of the line. Between the long sides, the cross product of the line and a point's offset from `start` has
    /// at most this size.
    private let reach: Double

    init(from start: DotPoint, to end: DotPoint, radius: Double) {
        self.start = start
        self.radius = radius
        dx = end.x - start.x
        dy = end.y - start.y
        lengthSquared = dx * dx + dy * dy
        reach = radius * lengthSquared.squareRoot()
    }

    /// Returns the half-open range of the shape at height y, from its left end to its right end; `nil` above and below the shape.
    func extent(at y: Double) -> (left: Double, right: Double)? {
        let py = y - start.y
        var left = Double.infinity
        var right = -Double.infinity
        for (centreX, distance) in [(start.x, py), (start.x + dx, py - dy)] where distance >= -radius && distance < radius {
            let half = (radius * radius - distance * distance).squareRoot()
            left = min(left, centreX - half)
            right = max(right, centreX + half)
        }
        // A line of length 0 consists only of its round ends.
        if lengthSquared > 0, let side = sides(py), let ends = ends(py) {
            let low = max(side.low, ends.low)
            let high = min(side.high, ends.high)
            if low <= high {
                left = min(left, start.x + low)
                right = max(right, start.x + high)
            }
        }
        return left <= right ? (left, right) : nil
    }

    /// Returns the part of a horizontal line that lies between the two long sides of the shape, as x offsets from `start`.
    private func sides(_ py: Double) -> (low: Double, high: Double)? {
        if dy == 0 { return py >= -radius && py < radius ? (-.infinity, .infinity) : nil }
        let one = (py * dx - reach) / dy
        let other = (py * dx + reach) / dy
        return (min(one, other), max(one, other))
    }

    /// Returns the part of a horizontal line between two perpendiculars to the segment, one at each end of the segment. The part is given
    /// as x offsets from `start`; nil if there is no such part.
    private func ends(_ py: Double) -> (low: Double, high: Double)? {
        if dx == 0 { return py * dy >= 0 && py * dy <= lengthSquared ? (-.infinity, .infinity) : nil }
        let one = -py * dy / dx
        let other = (lengthSquared - py * dy) / dx
        return (min(one, other), max(one, other))
    }
}

/// A rectangle of dots with a margin, to which segments are clipped.
struct ClipBox {
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double

    init(columns: Int, rows: Int, margin: Double) {
        left = -margin
        top = -margin
        right = Double(columns) + margin
        bottom = Double(rows) + margin
    }

    /// Returns the part of a segment that lies inside the rectangle, as fractions 0 ... 1 of its length (Liang and Barsky 1984); `nil` if
    /// the segment lies outside.
    func range(from start: DotPoint, to end: DotPoint) -> (enter: Double, leave: Double)? {
        let dx = end.x - start.x
        let dy = end.y - start.y
        var enter = 0.0
        var leave = 1.0
        for (slope, room) in [(-dx, start.x - left), (dx, right - start.x), (-dy, start.y - top), (dy, bottom - start.y)] {
            if slope == 0 {
                if room < 0 { return nil }
            } else if slope < 0 {
                enter = max(enter, room / slope)
            } else {
                leave = min(leave, room / slope)
            }
        }
        return enter <= leave ? (enter, leave) : nil
    }
}
