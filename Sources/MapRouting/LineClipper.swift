import Geo

/// A point in tile units. Inside the tile, `x` and `y` are 0 to 4096.
struct TilePoint: Hashable {
    var x: Int32
    var y: Int32
}

/// A part of a line inside its tile.
struct ClippedPiece {
    var points: [TilePoint]
    /// Whether the line continues beyond the start of the piece, outside the tile. `isCutAtEnd` says the same about the end.
    var isCutAtStart: Bool
    var isCutAtEnd: Bool
}

/// Cuts lines at the tile's edges, because the buffer beyond them repeats roads of the neighbouring tiles.
enum LineClipper {
    /// - Parameter extent: length of the tile's edges, in tile units. The edges belong to the tile.
    static func pieces(of points: [TilePoint], extent: Int32) -> [ClippedPiece] {
        let inside = { (point: TilePoint) in point.x >= 0 && point.y >= 0 && point.x <= extent && point.y <= extent }
        if points.allSatisfy(inside) {
            return points.count > 1 ? [ClippedPiece(points: points, isCutAtStart: false, isCutAtEnd: false)] : []
        }
        var pieces: [ClippedPiece] = []
        var open: ClippedPiece?
        for (start, end) in zip(points, points.dropFirst()) {
            guard let (enter, leave) = part(from: start, to: end, extent: Double(extent)) else { continue }
            let first = enter > 0 ? between(start, end, enter, extent) : start
            let last = leave < 1 ? between(start, end, leave, extent) : end
            if open == nil || enter > 0 {
                if let open, open.points.count > 1 { pieces.append(open) }
                open = ClippedPiece(points: [first], isCutAtStart: enter > 0 || start != points.first, isCutAtEnd: false)
            }
            if open?.points.last != last { open?.points.append(last) }
            if leave < 1 {
                open?.isCutAtEnd = true
                if let open, open.points.count > 1 { pieces.append(open) }
                open = nil
            }
        }
        if let open, open.points.count > 1 { pieces.append(open) }
        return pieces
    }

    private static func between(_ start: TilePoint, _ end: TilePoint, _ share: Double, _ extent: Int32) -> TilePoint {
        let mix = { (from: Int32, to: Int32) in
            Int32(min(max((Double(from) + (Double(to) - Double(from)) * share).rounded(), 0), Double(extent)))
        }
        return TilePoint(x: mix(start.x, end.x), y: mix(start.y, end.y))
    }

    /// Returns the part of a segment inside the square, as fractions of the segment's length; nil if the segment is outside.
    private static func part(from start: TilePoint, to end: TilePoint, extent: Double) -> (enter: Double, leave: Double)? {
        PlaneBox(minX: 0, minY: 0, maxX: extent, maxY: extent).part(
            ofSegmentFromX: Double(start.x), y: Double(start.y), toX: Double(end.x), y: Double(end.y))
    }
}
