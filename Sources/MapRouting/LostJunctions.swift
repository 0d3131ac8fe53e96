import VectorTiles

/// Restores the vertices of junctions that the map's simplification has removed.
///
/// Maps leave out vertices on straight stretches, even at junctions. If a line ends on a stretch of another line, the two are joined there,
/// unless the other line is a bridge or tunnel on another level. If two lines on the ground cross, they are joined at the crossing.
struct LostJunctions {
    /// Edge length of a cell in the grid that finds neighbouring stretches, in tile units.
    private static let cell: Int32 = 128
    /// Largest distance between the end of a line and the line that it joins, in tile units.
    private static let reach = 1.5
    /// Maximum number of compared pairs. If there are more pairs, the tile is left unchanged.
    private static let maximumTests = 1_000_000
    /// Maximum number of grid entries, and of new vertices. If there are more, the tile is left unchanged.
    private static let maximumEntries = 400_000

    /// The segment between two consecutive vertices of a piece.
    private struct Stretch {
        var piece: Int32
        var index: Int32
        var start: TilePoint
        var end: TilePoint
        var level: Int8
        /// Whether the stretch's start (`isFirst`) or end (`isLast`) is also an end of the whole road.
        var isFirst: Bool
        var isLast: Bool
    }

    private struct Insertion {
        var index: Int32
        var share: Double
        var point: TilePoint
    }

    private let columns: Int
    private var stretches: [Stretch] = []
    /// The numbers of the stretches in each cell. The cells are ordered row by row.
    private var cells: [[Int32]]
    private var insertions: [Int32: [Insertion]] = [:]
    private var tests = 0
    private var entries = 0
    private var found = 0

    private var isTooMuch: Bool { tests >= Self.maximumTests || entries >= Self.maximumEntries || found >= Self.maximumEntries }

    static func restore(in pieces: inout [TileGraphBuilder.Piece], extent: Int32) {
        var finder = LostJunctions(columns: Int(extent / cell) + 1)
        finder.fill(pieces)
        for number in finder.cells.indices {
            finder.search(number)
            guard !finder.isTooMuch else { return }
        }
        finder.insert(into: &pieces)
    }

    private init(columns: Int) {
        self.columns = columns
        cells = Array(repeating: [], count: columns * columns)
    }

    private mutating func fill(_ pieces: [TileGraphBuilder.Piece]) {
        for (number, piece) in pieces.enumerated() {
            let points = piece.clipped.points
            for index in 0..<points.count - 1 {
                let stretch = Stretch(
                    piece: Int32(number), index: Int32(index), start: points[index], end: points[index + 1], level: piece.line.level,
                    isFirst: index == 0 && !piece.clipped.isCutAtStart,
                    isLast: index == points.count - 2 && !piece.clipped.isCutAtEnd)
                register(stretch)
                guard !isTooMuch else { return }
                stretches.append(stretch)
            }
        }
    }

    private mutating func register(_ stretch: Stretch) {
        let (columnRange, rows) = (cellRange(stretch.start.x, stretch.end.x), cellRange(stretch.start.y, stretch.end.y))
        entries += columnRange.count * rows.count
        guard !isTooMuch else { return }
        for column in columnRange {
            for row in rows { cells[row * columns + column].append(Int32(stretches.count)) }
        }
    }

    private func cellRange(_ first: Int32, _ second: Int32) -> ClosedRange<Int> {
        let last = columns - 1
        return min(max(Int((min(first, second) - 2) / Self.cell), 0), last)...min(max(Int((max(first, second) + 2) / Self.cell), 0), last)
    }

    private mutating func search(_ number: Int) {
        let numbers = cells[number]
        guard numbers.count > 1 else { return }
        tests += numbers.count * numbers.count / 2
        guard !isTooMuch else { return }
        let corner = TilePoint(x: Int32(number % columns) * Self.cell, y: Int32(number / columns) * Self.cell)
        for (index, first) in numbers.enumerated() {
            let one = stretches[Int(first)]
            for second in numbers[(index + 1)...] { compare(one, stretches[Int(second)], corner) }
        }
    }

    @inline(__always)
    private mutating func compare(_ one: Stretch, _ other: Stretch, _ corner: TilePoint) {
        // Most pairs are far apart.
        if max(one.start.x, one.end.x) + 2 < min(other.start.x, other.end.x)
            || max(other.start.x, other.end.x) + 2 < min(one.start.x, one.end.x)
            || max(one.start.y, one.end.y) + 2 < min(other.start.y, other.end.y)
            || max(other.start.y, other.end.y) + 2 < min(one.start.y, one.end.y)
        {
            return
        }
        meet(one, other, corner)
    }

    private mutating func meet(_ one: Stretch, _ other: Stretch, _ corner: TilePoint) {
        guard one.piece != other.piece, one.start != other.start, one.start != other.end, one.end != other.start, one.end != other.end
        else { return }
        if one.level == 0 || one.level == other.level { offerEnds(of: other, to: one) }
        if other.level == 0 || one.level == other.level { offerEnds(of: one, to: other) }
        if one.level == 0, other.level == 0 { cross(one, other, corner) }
    }

    /// Adds a vertex to `other` where the road of `stretch` ends on `other`.
    private mutating func offerEnds(of stretch: Stretch, to other: Stretch) {
        if stretch.isFirst { touch(stretch.start, other) }
        if stretch.isLast { touch(stretch.end, other) }
    }

    private mutating func touch(_ end: TilePoint, _ stretch: Stretch) {
        let (a, b) = (stretch.start, stretch.end)
        let (alongX, alongY) = (Double(b.x - a.x), Double(b.y - a.y))
        let (offX, offY) = (Double(end.x - a.x), Double(end.y - a.y))
        let length = alongX * alongX + alongY * alongY
        let share = (offX * alongX + offY * alongY) / length
        let off = abs(offX * alongY - offY * alongX)
        guard share > 0, share < 1, off * off <= Self.reach * Self.reach * length else { return }
        found += 1
        insertions[stretch.piece, default: []].append(Insertion(index: stretch.index, share: share, point: end))
    }

    private mutating func cross(_ first: Stretch, _ second: Stretch, _ corner: TilePoint) {
        let (start, otherStart) = (first.start, second.start)
        let (oneX, oneY) = (Double(first.end.x - start.x), Double(first.end.y - start.y))
        let (otherX, otherY) = (Double(second.end.x - otherStart.x), Double(second.end.y - otherStart.y))
        let determinant = oneX * otherY - oneY * otherX
        guard abs(determinant) > 1e-9 else { return }
        let (offX, offY) = (Double(otherStart.x - start.x), Double(otherStart.y - start.y))
        let share = (offX * otherY - offY * otherX) / determinant
        let otherShare = (offX * oneY - offY * oneX) / determinant
        guard share > 0, share < 1, otherShare > 0, otherShare < 1 else { return }
        let point = TilePoint(
            x: Int32((Double(start.x) + share * oneX).rounded()), y: Int32((Double(start.y) + share * oneY).rounded()))
        // Two long stretches can both pass through several cells. Only the cell with their crossing adds the vertex.
        guard point.x >= corner.x, point.y >= corner.y, point.x < corner.x + Self.cell, point.y < corner.y + Self.cell else { return }
        found += 2
        insertions[first.piece, default: []].append(Insertion(index: first.index, share: share, point: point))
        insertions[second.piece, default: []].append(Insertion(index: second.index, share: otherShare, point: point))
    }

    private func insert(into pieces: inout [TileGraphBuilder.Piece]) {
        for (number, list) in insertions {
            let sorted = list.sorted { ($0.index, $0.share) < ($1.index, $1.share) }
            let old = pieces[Int(number)].clipped.points
            var points: [TilePoint] = []
            points.reserveCapacity(old.count + sorted.count)
            var next = 0
            for (index, point) in old.enumerated() {
                if points.last != point { points.append(point) }
                while next < sorted.count, Int(sorted[next].index) == index {
                    if points.last != sorted[next].point { points.append(sorted[next].point) }
                    next += 1
                }
            }
            pieces[Int(number)].clipped.points = points
        }
    }
}
