import Geo

/// An index for finding roads near a place. It stores the segments of all pieces of road by squares of 120 m.
struct RoadIndex: Sendable {
    struct Found: Sendable {
        var piece: Int
        var segment: Int
        /// Position of the nearest point on the segment: 0 is its start, 1 its end.
        var fraction: Double
        var distance: Double
    }

    private let projection: TownProjection
    private let origin: Vector2
    private let columns: Int
    private let rows: Int
    /// The index of the first entry of each square, and at the end the total number of entries.
    private let starts: [Int32]
    private let entries: [(piece: Int32, segment: Int32)]
    /// The points of all pieces of road on the plane, piece after piece. `firstPoint` has the index of each piece's first point, and at the
    /// end the total number of points.
    private let points: [Vector2]
    private let firstPoint: [Int]

    private static let cellMeters = 120.0

    init(lines: [Polyline], projection: TownProjection) {
        self.projection = projection
        var points: [Vector2] = []
        var firstPoint: [Int] = []
        for line in lines {
            firstPoint.append(points.count)
            for coordinate in line.coordinates { points.append(projection.point(of: coordinate)) }
        }
        firstPoint.append(points.count)
        let low = points.reduce(Vector2.zero) { Vector2(x: min($0.x, $1.x), y: min($0.y, $1.y)) }
        let high = points.reduce(Vector2.zero) { Vector2(x: max($0.x, $1.x), y: max($0.y, $1.y)) }
        let grid = Grid(origin: low, high: high, cell: Self.cellMeters)
        (origin, columns, rows) = (low, grid.columns, grid.rows)
        (starts, entries) = grid.sorted(points: points, firstPoint: firstPoint)
        (self.points, self.firstPoint) = (points, firstPoint)
    }

    /// Returns the point on the plane that belongs to a coordinate.
    func point(of coordinate: Coordinate) -> Vector2 { projection.point(of: coordinate) }

    /// Returns the nearest segment within `radius` metres for which `accepts` returns true.
    func nearest(to coordinate: Coordinate, within radius: Double, accepts: (_ piece: Int) -> Bool = { _ in true }) -> Found? {
        guard coordinate.isValid, radius > 0, columns > 0 else { return nil }
        let place = projection.point(of: coordinate)
        let cell = Self.cellMeters
        // A larger radius cannot find more roads.
        let reach = min(radius, 1e6)
        let (left, right) = ((place.x - origin.x) / cell, (place.y - origin.y) / cell)
        guard abs(left) < 1e6, abs(right) < 1e6 else { return nil }
        let (column, row) = (Int(left.rounded(.down)), Int(right.rounded(.down)))
        var best: Found?
        let outermost = max(max(abs(column), abs(columns - column)), max(abs(row), abs(rows - row))) + 1
        for ring in 0...outermost {
            let limit = min(best?.distance ?? .infinity, reach)
            if Double(ring - 1) * cell > limit { break }
            scan(ring: ring, column: column, row: row, place: place, reach: reach, accepts: accepts, best: &best)
        }
        return best
    }

    /// Searches the squares that are `ring` squares away.
    private func scan(
        ring: Int, column: Int, row: Int, place: Vector2, reach: Double, accepts: (Int) -> Bool, best: inout Found?
    ) {
        let (firstRow, lastRow) = (max(0, row - ring), min(rows - 1, row + ring))
        guard firstRow <= lastRow else { return }
        for y in firstRow...lastRow {
            let isEdge = abs(y - row) == ring
            let step = isEdge || ring == 0 ? 1 : 2 * ring
            for x in stride(from: column - ring, through: column + ring, by: step) where x >= 0 && x < columns {
                scan(cell: y * columns + x, place: place, reach: reach, accepts: accepts, best: &best)
            }
        }
    }

    private func scan(cell: Int, place: Vector2, reach: Double, accepts: (Int) -> Bool, best: inout Found?) {
        for slot in Int(starts[cell])..<Int(starts[cell + 1]) {
            let (piece, segment) = (Int(entries[slot].piece), Int(entries[slot].segment))
            let start = points[firstPoint[piece] + segment]
            let axis = points[firstPoint[piece] + segment + 1] - start
            let squared = axis.lengthSquared
            let fraction = squared > 0 ? min(max((place - start).dot(axis) / squared, 0), 1) : 0
            let distance = (start + axis * fraction).distance(to: place)
            guard distance <= reach, distance < best?.distance ?? .infinity, accepts(piece) else { continue }
            best = Found(piece: piece, segment: segment, fraction: fraction, distance: distance)
        }
    }
}

/// The squares that cover the roads, while segments are added to them.
private struct Grid {
    let origin: Vector2
    let cell: Double
    let columns: Int
    let rows: Int

    init(origin: Vector2, high: Vector2, cell: Double) {
        self.origin = origin
        self.cell = cell
        columns = Int((high.x - origin.x) / cell) + 1
        rows = Int((high.y - origin.y) / cell) + 1
    }

    /// Sorts all segments by the squares that their bounding boxes touch (counting sort).
    func sorted(points: [Vector2], firstPoint: [Int]) -> (starts: [Int32], entries: [(piece: Int32, segment: Int32)]) {
        var starts = [Int32](repeating: 0, count: columns * rows + 1)
        forEach(points, firstPoint) { cell, _, _ in starts[cell + 1] += 1 }
        for cell in 0..<columns * rows { starts[cell + 1] += starts[cell] }
        var place = starts
        var entries = [(piece: Int32, segment: Int32)](repeating: (0, 0), count: Int(starts[columns * rows]))
        forEach(points, firstPoint) { cell, piece, segment in
            entries[Int(place[cell])] = (Int32(truncatingIfNeeded: piece), Int32(truncatingIfNeeded: segment))
            place[cell] += 1
        }
        return (starts, entries)
    }

    private func forEach(_ points: [Vector2], _ firstPoint: [Int], _ body: (_ cell: Int, _ piece: Int, _ segment: Int) -> Void) {
        for piece in 0..<firstPoint.count - 1 {
            for segment in 0..<max(firstPoint[piece + 1] - firstPoint[piece] - 1, 0) {
                let (start, end) = (points[firstPoint[piece] + segment], points[firstPoint[piece] + segment + 1])
                let columnRange = span(start.x - origin.x, end.x - origin.x, count: columns)
                for row in span(start.y - origin.y, end.y - origin.y, count: rows) {
                    for column in columnRange { body(row * columns + column, piece, segment) }
                }
            }
        }
    }

    private func span(_ first: Double, _ second: Double, count: Int) -> ClosedRange<Int> {
        let low = min(max(Int(min(first, second) / cell), 0), count - 1)
        return low...min(max(Int(max(first, second) / cell), low), count - 1)
    }
}
