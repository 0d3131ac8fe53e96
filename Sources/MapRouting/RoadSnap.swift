import Geo
import VectorTiles

/// A place on a road near a requested place.
struct RoadSnap: Sendable {
    var tile: TileID
    var edge: Int
    /// The position on the edge, as a fraction of the edge's length from its first node, 0…1.
    var share: Double
    /// Distance from the requested place, in metres.
    var meters: Double
    var outlets: RoadOutlets
}

extension TileGraph {
    /// Returns the nearest place on each road within `reach` metres.
    func snaps(to place: Coordinate, reach: Double) -> [RoadSnap] {
        let (x, y) = scale.point(place)
        guard x.isFinite, y.isFinite else { return [] }
        var snaps: [RoadSnap] = []
        for (number, edge) in edges.enumerated() where edge.forward >= 0 || edge.backward >= 0 {
            if let snap = snap(edge, number, x: x, y: y, reach: reach) { snaps.append(snap) }
        }
        return snaps
    }

    /// Returns the coordinate of a snap in this tile.
    func coordinate(of snap: RoadSnap) -> Coordinate? {
        guard edges.indices.contains(snap.edge) else { return nil }
        let range = edges[snap.edge].points
        let line = Polyline(
            points[Int(range.lowerBound)..<Int(range.upperBound)].map { scale.coordinate(x: Double($0.x), y: Double($0.y)) })
        return line.coordinate(atMeters: snap.share * line.lengthMeters)
    }

    private func snap(_ edge: Edge, _ number: Int, x: Double, y: Double, reach: Double) -> RoadSnap? {
        var best = (squared: reach * reach, along: 0.0)
        var (isFound, along) = (false, 0.0)
        for index in Int(edge.points.lowerBound)..<Int(edge.points.upperBound) - 1 {
            let (start, end) = (points[index], points[index + 1])
            let alongX = Double(end.x - start.x) * scale.metersPerUnitX
            let alongY = Double(end.y - start.y) * scale.metersPerUnitY
            let (offX, offY) = ((x - Double(start.x)) * scale.metersPerUnitX, (y - Double(start.y)) * scale.metersPerUnitY)
            let squaredLength = alongX * alongX + alongY * alongY
            let share = squaredLength > 0 ? min(max((offX * alongX + offY * alongY) / squaredLength, 0), 1) : 0
            let (restX, restY) = (offX - share * alongX, offY - share * alongY)
            let squared = restX * restX + restY * restY
            let length = squaredLength.squareRoot()
            if squared <= best.squared {
                best = (squared, along + share * length)
                isFound = true
            }
            along += length
        }
        guard isFound else { return nil }
        return RoadSnap(
            tile: id, edge: number, share: along > 0 ? min(best.along / along, 1) : 0, meters: best.squared.squareRoot(),
            outlets: edge.outlets)
    }
}
