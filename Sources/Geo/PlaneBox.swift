/// A rectangle on a plane, including its edges. Its numbers may have any unit, such as Mercator units, tile units or dots.
@frozen
public struct PlaneBox: Hashable, Sendable {
    /// The smallest `x` inside; +∞ in `empty`.
    public var minX: Double
    /// The smallest `y` inside; +∞ in `empty`.
    public var minY: Double
    /// The largest `x` inside; -∞ in `empty`.
    public var maxX: Double
    /// The largest `y` inside; -∞ in `empty`.
    public var maxY: Double

    /// Creates the box with these edges, without checks. If a minimum is above its maximum, the box is empty.
    @inlinable
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The empty box. After one point has been added, the box contains only that point.
    public static let empty = PlaneBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)

    /// Extends the box to include the point.
    @inlinable
    public mutating func include(x: Double, y: Double) {
        minX = min(minX, x)
        minY = min(minY, y)
        maxX = max(maxX, x)
        maxY = max(maxY, y)
    }

    /// Returns the part of a segment that is inside the box: its start and end as fractions 0...1 of the segment's length. Nil if the
    /// segment is outside. All numbers must be finite. Source: Y.-D. Liang, B. A. Barsky, "A new concept and method for line clipping", ACM
    /// Transactions on Graphics 3, 1984.
    @inlinable
    public func part(ofSegmentFromX startX: Double, y startY: Double, toX endX: Double, y endY: Double) -> (enter: Double, leave: Double)? {
        let (deltaX, deltaY) = (endX - startX, endY - startY)
        var (enter, leave) = (0.0, 1.0)
        // For each edge: how far the segment moves towards the edge, and how far inside the edge the segment starts (negative if it starts
        // outside).
        for (slope, room) in [(-deltaX, startX - minX), (deltaX, maxX - startX), (-deltaY, startY - minY), (deltaY, maxY - startY)] {
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
