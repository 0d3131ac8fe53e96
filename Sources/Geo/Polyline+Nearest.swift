extension Polyline {
    /// The point of a line that is nearest to a location.
    public struct Projection: Hashable, Sendable {
        /// Distance of the point from the start of the line, along the line, in metres.
        public var alongMeters: Double
        /// Distance between the location and the line, in metres.
        public var distanceMeters: Double
        /// The point on the line.
        public var coordinate: Coordinate
        /// Index of the first coordinate of the segment that contains the point; 0 for a line of one coordinate.
        public var segmentIndex: Int

        /// Creates a projection with given values. ``Polyline/nearest(to:alongMeters:)`` computes a projection.
        public init(alongMeters: Double, distanceMeters: Double, coordinate: Coordinate, segmentIndex: Int) {
            self.alongMeters = alongMeters
            self.distanceMeters = distanceMeters
            self.coordinate = coordinate
            self.segmentIndex = segmentIndex
        }
    }

    /// Returns the point of the line that is nearest to `point`.
    ///
    /// Distances are compared on the tangent plane at `point`. They are exact near `point`, and within a fraction of a percent at some tens
    /// of kilometres.
    ///
    /// - Parameters:
    ///   - window: the part of the line that is searched, in metres along it, clamped to the ends of the line. The cost depends only
    ///     on the number of segments inside it.
    /// - Returns: the nearest point; if several are equally near (within a micrometre), the one with the smallest `alongMeters`. Nil for an
    ///   empty line or an invalid point.
    public func nearest(to point: Coordinate, alongMeters window: ClosedRange<Double>? = nil) -> Projection? {
        guard point.isValid, let first = coordinates.first else { return nil }
        guard coordinates.count > 1 else {
            return Projection(alongMeters: 0, distanceMeters: point.distanceMeters(to: first), coordinate: first, segmentIndex: 0)
        }
        let lower = clampedMeters(window?.lowerBound ?? 0)
        let upper = clampedMeters(window?.upperBound ?? lengthMeters)
        let found = nearestSegment(to: point, fromMeters: lower, toMeters: upper)
        let place = coordinates[found.index].interpolated(to: coordinates[found.index + 1], fraction: found.fraction)
        let start = cumulativeMeters[found.index]
        let along = start + (cumulativeMeters[found.index + 1] - start) * found.fraction
        return Projection(
            alongMeters: min(upper, max(lower, along)), distanceMeters: point.distanceMeters(to: place),
            coordinate: place, segmentIndex: found.index)
    }

    /// Finds the nearest point in a single pass over the segments between two distances along the line. Computes on a plane, in metres east
    /// and north of `point`. Returns the index of the segment with the nearest point, and the position of the nearest point on it as a
    /// fraction of the segment, 0...1.
    private func nearestSegment(
        to point: Coordinate, fromMeters lower: Double, toMeters upper: Double
    ) -> (index: Int, fraction: Double) {
        let frame = LocalFrame(latitude: point.latitude)
        let firstSegment = segmentIndex(atMeters: lower)
        let lastSegment = max(firstSegment, segmentIndex(atMeters: upper))
        let firstFraction = fraction(ofSegment: firstSegment, atMeters: lower)
        let lastFraction = fraction(ofSegment: lastSegment, atMeters: upper)
        var start = frame.offsetMeters(from: point, to: coordinates[firstSegment])
        var best = (index: firstSegment, fraction: firstFraction)
        var limit = Double.infinity
        for index in firstSegment...lastSegment {
            let end = frame.offsetMeters(from: point, to: coordinates[index + 1])
            let (east, north) = (end.east - start.east, end.north - start.north)
            let lengthSquared = east * east + north * north
            let cross = start.east * north - start.north * east
            // A segment is skipped if the infinite line through it is not nearer than the best point so far. This saves most divisions.
            if index == firstSegment || cross * cross < limit * lengthSquared {
                var fraction = lengthSquared > 0 ? -(start.east * east + start.north * north) / lengthSquared : 0
                fraction = max(fraction, index == firstSegment ? firstFraction : 0)
                fraction = min(fraction, index == lastSegment ? lastFraction : 1)
                let (footEast, footNorth) = (start.east + fraction * east, start.north + fraction * north)
                let distanceSquared = footEast * footEast + footNorth * footNorth
                if distanceSquared < limit {
                    best = (index, fraction)
                    // A later point must be nearer by more than the rounding error, because a route that is driven out and back passes each
                    // point twice.
                    limit = max(0, distanceSquared * (1 - 1e-9) - 1e-12)
                }
            }
            start = end
        }
        return best
    }
}
