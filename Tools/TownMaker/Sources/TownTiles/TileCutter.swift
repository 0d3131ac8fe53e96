import Geo
import Glibc
import VectorTiles

/// Cuts shapes to one tile: clips them to the tile and a border around it, removes needless vertices, and converts them to tile units.
struct TileCutter {
    /// Width of the border in tile units: enough for the widest line, and for dashes that continue in the next tile.
    private static let border = 128.0

    private let left: Double
    private let top: Double
    private let unitsPerWorld: Double
    /// A vertex that changes a shape by less than this number of tile units is removed.
    private let tolerance: Double
    private static let low = -border
    private static let high = Double(TileLayerWriter.extent) + border
    /// The tile with its border, in tile units.
    private static let frame = PlaneBox(minX: low, minY: low, maxX: high, maxY: high)
    /// The range of the tile's coordinates along an axis, without the border.
    private let tile = 0.0..<Double(TileLayerWriter.extent)

    init(id: TileID) {
        let count = exp2(Double(id.zoom))
        left = Double(id.x) / count
        top = Double(id.y) / count
        unitsPerWorld = count * Double(TileLayerWriter.extent)
        // The deepest tiles are magnified, so they need more detail. For other tiles, a quarter of a Braille dot is enough.
        tolerance = id.zoom >= 14 ? 1 : 4
    }

    private func units(_ point: MercatorPoint) -> Spot {
        Spot(x: (point.x - left) * unitsPerWorld, y: (point.y - top) * unitsPerWorld)
    }

    /// Whether a shape with this bounding box can reach into the tile.
    func touches(_ box: PlaneBox) -> Bool {
        let first = units(MercatorPoint(x: box.minX, y: box.minY))
        let last = units(MercatorPoint(x: box.maxX, y: box.maxY))
        return first.x <= Self.high && last.x >= Self.low && first.y <= Self.high && last.y >= Self.low
    }

    /// Returns the pieces of a shape in this tile. A point is in one tile only.
    ///
    /// - Parameter keepsVertices: whether lines keep all their vertices, so that roads still meet at their junctions.
    func parts(of shape: TownShape, keepsVertices: Bool) -> [[TileVertex]] {
        shape.parts.flatMap { part -> [[TileVertex]] in
            let spots = part.map(units)
            switch shape.kind {
            case .point: return spots.filter { tile.contains($0.x) && tile.contains($0.y) }.map { [Self.vertex($0)] }
            case .line:
                return clippedLine(spots).map { piece in
                    (keepsVertices ? piece : Self.thinned(piece, tolerance: tolerance)).map(Self.vertex)
                }
            case .polygon: return [Self.thinnedRing(clippedRing(spots), tolerance: tolerance).map(Self.vertex)]
            }
        }
    }

    private static func vertex(_ spot: Spot) -> TileVertex { TileVertex(x: Int32(spot.x.rounded()), y: Int32(spot.y.rounded())) }
}

/// A point in a tile, in tile units.
struct Spot: Equatable {
    var x: Double
    var y: Double

    /// Returns the point at a fraction of the distance to another point.
    func moved(towards other: Spot, by fraction: Double) -> Spot {
        Spot(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
    }
}

// MARK: - Clipping

extension TileCutter {
    /// Returns the pieces of a line inside the tile and its border. Each segment is cut separately, so a line that leaves the tile and
    /// comes back becomes two pieces.
    func clippedLine(_ line: [Spot]) -> [[Spot]] {
        var pieces: [[Spot]] = []
        var open: [Spot] = []
        for (start, end) in zip(line, line.dropFirst()) {
            guard let (from, to) = clippedSegment(start, end) else {
                if open.count > 1 { pieces.append(open) }
                open = []
                continue
            }
            if open.last != from {
                if open.count > 1 { pieces.append(open) }
                open = [from]
            }
            open.append(to)
        }
        if open.count > 1 { pieces.append(open) }
        return pieces
    }

    private func clippedSegment(_ start: Spot, _ end: Spot) -> (Spot, Spot)? {
        guard let part = Self.frame.part(ofSegmentFromX: start.x, y: start.y, toX: end.x, y: end.y) else { return nil }
        let from = part.enter == 0 ? start : start.moved(towards: end, by: part.enter)
        let to = part.leave == 1 ? end : start.moved(towards: end, by: part.leave)
        return (from, to)
    }

    /// Returns the piece of a ring that lies inside the tile or the tile's border (Sutherland and Hodgman 1974). If the ring is cut in two,
    /// the two halves stay joined along the border's outer edge, outside the tile.
    func clippedRing(_ ring: [Spot]) -> [Spot] {
        var result = ring
        for side in 0..<4 {
            guard var previous = result.last else { return [] }
            var next: [Spot] = []
            for spot in result {
                let (depth, before) = (depth(spot, side), depth(previous, side))
                if (depth >= 0) != (before >= 0) {
                    let share = before / (before - depth)
                    next.append(previous.moved(towards: spot, by: share))
                }
                if depth >= 0 { next.append(spot) }
                previous = spot
            }
            result = next
        }
        return result
    }

    /// Returns the distance of a point from one side of `frame`, the tile with its border, in tile units. The distance is negative outside
    /// this side.
    private func depth(_ spot: Spot, _ side: Int) -> Double {
        switch side {
        case 0: spot.x - Self.low
        case 1: Self.high - spot.x
        case 2: spot.y - Self.low
        default: Self.high - spot.y
        }
    }
}

// MARK: - Thinning out

extension TileCutter {
    /// Returns the line without the vertices that change it by less than `tolerance` (Douglas and Peucker 1973).
    static func thinned(_ line: [Spot], tolerance: Double) -> [Spot] {
        guard line.count > 2 else { return line }
        var isKept = Array(repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var open = [(first: 0, last: line.count - 1)]
        while let (first, last) = open.popLast() {
            var farthest = (index: first, distance: tolerance * tolerance)
            for index in first..<last where index > first {
                let distance = distanceSquared(line[index], line[first], line[last])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index != first else { continue }
            isKept[farthest.index] = true
            open.append((first, farthest.index))
            open.append((farthest.index, last))
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }

    /// Returns the ring, thinned. It is treated as two lines: from its first vertex to the vertex farthest from it, and back.
    static func thinnedRing(_ ring: [Spot], tolerance: Double) -> [Spot] {
        guard ring.count > 4, let first = ring.first else { return ring }
        func away(_ spot: Spot) -> Double { (spot.x - first.x) * (spot.x - first.x) + (spot.y - first.y) * (spot.y - first.y) }
        guard let middle = ring.indices.max(by: { away(ring[$0]) < away(ring[$1]) }), middle > 0 else { return ring }
        let there = thinned(Array(ring[...middle]), tolerance: tolerance)
        let back = thinned(Array(ring[middle...]) + [first], tolerance: tolerance)
        return there + back.dropFirst().dropLast()
    }

    private static func distanceSquared(_ spot: Spot, _ start: Spot, _ end: Spot) -> Double {
        let (alongX, alongY) = (end.x - start.x, end.y - start.y)
        let lengthSquared = alongX * alongX + alongY * alongY
        let share =
            lengthSquared > 0 ? min(1, max(0, ((spot.x - start.x) * alongX + (spot.y - start.y) * alongY) / lengthSquared)) : 0
        let (x, y) = (spot.x - start.x - share * alongX, spot.y - start.y - share * alongY)
        return x * x + y * y
    }
}
