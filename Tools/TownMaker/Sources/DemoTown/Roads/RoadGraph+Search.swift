public import Geo

extension RoadGraph {
    /// Returns the point on a road that is nearest to `place`.
    ///
    /// - Parameter withinMeters: the largest allowed distance from the road to the place; for 0, a negative number or NaN, no road
    ///   is found.
    /// - Returns: the point; nil if no road is that near.
    public func nearestRoad(to place: Coordinate, withinMeters: Double) -> RoadPosition? {
        nearestRoad(to: place, withinMeters: withinMeters) { _ in true }
    }

    /// Returns the nearest point on an accepted road; nil if no accepted road is that near.
    func nearestRoad(to place: Coordinate, withinMeters: Double, accepts: (Edge) -> Bool) -> RoadPosition? {
        let found = index.nearest(to: place, within: withinMeters) { accepts(edges[edgeOfPiece[$0]]) }
        return found.map { position($0, from: place) }
    }

    private func position(_ found: RoadIndex.Found, from place: Coordinate) -> RoadPosition {
        let line = pieces[found.piece]
        let (start, end) = (line.coordinates[found.segment], line.coordinates[found.segment + 1])
        let coordinate = start.interpolated(to: end, fraction: found.fraction)
        let (first, last) = (line.cumulativeMeters[found.segment], line.cumulativeMeters[found.segment + 1])
        let along = first + (last - first) * found.fraction
        let edge = edges[edgeOfPiece[found.piece]]
        return RoadPosition(
            coordinate: coordinate, edge: edgeOfPiece[found.piece],
            alongMeters: edge.isForward ? along : line.lengthMeters - along,
            distanceMeters: place.distanceMeters(to: coordinate), name: edge.name, roadClass: edge.roadClass)
    }
}
