extension Polyline {
    /// Returns the point `meters` along the line, clamped to its ends. Nil for an empty line or a distance that is not a number.
    public func coordinate(atMeters meters: Double) -> Coordinate? {
        guard !meters.isNaN, let last = coordinates.last else { return nil }
        guard coordinates.count > 1, meters < lengthMeters else { return meters > 0 ? last : coordinates.first }
        let index = segmentIndex(atMeters: meters)
        return coordinates[index].interpolated(to: coordinates[index + 1], fraction: fraction(ofSegment: index, atMeters: meters))
    }

    /// Returns the part between two distances along the line, both clamped to its ends. Its end points are interpolated.
    ///
    /// Equal distances give one coordinate. A `fromMeters` beyond `toMeters`, or a distance that is not a number, gives an empty line.
    public func slice(fromMeters: Double, toMeters: Double) -> Polyline {
        let start = clampedMeters(fromMeters)
        let end = clampedMeters(toMeters)
        guard start <= end, let first = coordinate(atMeters: start), let last = coordinate(atMeters: end) else { return Polyline([]) }
        guard start < end else { return Polyline(coordinates: [first], cumulativeMeters: [0]) }
        let inside = firstIndex(beyondMeters: start)..<firstIndex(atOrBeyondMeters: end)
        return Polyline(
            coordinates: [first] + coordinates[inside] + [last],
            cumulativeMeters: [0] + cumulativeMeters[inside].map { $0 - start } + [end - start])
    }

    /// Returns the direction of the line at a distance along it, degrees clockwise from north in [0, 360).
    ///
    /// - Parameters:
    ///   - meters: the distance along the line, clamped to its ends.
    ///   - averagingOverMeters: length over which the direction is averaged, half of it behind the point and half ahead (less at the ends).
    ///     If the line turns back on itself within that length, only the half ahead is used; if it turns back there too, only the segment
    ///     at the point. 0 or less means no averaging.
    /// - Returns: nil for a line without length or a distance that is not a number.
    public func bearingDegrees(atMeters meters: Double, averagingOverMeters: Double = 15) -> Double? {
        let position = clampedMeters(meters)
        guard lengthMeters > 0, !position.isNaN else { return nil }
        let half = averagingOverMeters > 0 ? averagingOverMeters / 2 : 0
        let behind = max(0, position - half)
        let ahead = min(lengthMeters, position + half)
        return chordBearing(from: behind, to: ahead) ?? chordBearing(from: position, to: ahead) ?? segmentBearing(atMeters: position)
    }

    /// Returns the direction from one point of the line to a later one; nil if the points are the same, or if the line turns back between
    /// them. It turns back if their straight distance is at most a tenth of their distance along the line.
    private func chordBearing(from start: Double, to end: Double) -> Double? {
        guard end > start, let first = coordinate(atMeters: start), let last = coordinate(atMeters: end) else { return nil }
        return first.distanceMeters(to: last) > 0.1 * (end - start) ? first.bearingDegrees(to: last) : nil
    }

    /// Returns the direction of the segment at a distance. If that segment has no length, the next segment with a length is used, or else
    /// the previous one.
    private func segmentBearing(atMeters meters: Double) -> Double? {
        let index = segmentIndex(atMeters: meters)
        let hasLength = { (segment: Int) in coordinates[segment] != coordinates[segment + 1] }
        let found = (index..<coordinates.count - 1).first(where: hasLength) ?? (0..<index).last(where: hasLength)
        guard let found else { return nil }
        return coordinates[found].bearingDegrees(to: coordinates[found + 1])
    }
}

// MARK: - Finding points on the line

extension Polyline {
    /// Returns a distance clamped to the ends of the line; NaN stays NaN.
    func clampedMeters(_ meters: Double) -> Double {
        meters.isNaN ? meters : min(lengthMeters, max(0, meters))
    }

    /// Returns the index of the first coordinate beyond `meters`; the number of coordinates if there is no such coordinate.
    func firstIndex(beyondMeters meters: Double) -> Int {
        firstIndex { $0 > meters }
    }

    /// Returns the index of the first coordinate at or beyond `meters`; the number of coordinates if there is no such coordinate.
    func firstIndex(atOrBeyondMeters meters: Double) -> Int {
        firstIndex { $0 >= meters }
    }

    /// Returns the index of the first cumulative distance that meets a condition, by binary search. All later distances must meet it too.
    private func firstIndex(where isReached: (Double) -> Bool) -> Int {
        var low = 0
        var high = cumulativeMeters.count
        while low < high {
            let middle = low + (high - low) / 2
            if isReached(cumulativeMeters[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the index of the first coordinate of the segment at a distance. The line needs at least two coordinates.
    func segmentIndex(atMeters meters: Double) -> Int {
        max(0, min(firstIndex(beyondMeters: meters) - 1, coordinates.count - 2))
    }

    /// Returns the position of a distance within a segment, as a fraction 0...1 of the segment's length.
    func fraction(ofSegment index: Int, atMeters meters: Double) -> Double {
        let length = cumulativeMeters[index + 1] - cumulativeMeters[index]
        return length > 0 ? min(1, max(0, (meters - cumulativeMeters[index]) / length)) : 0
    }
}
