/// Functions for lines on the plane.
enum Line {
    /// Returns the line with points at equal distances of about `step` metres. Both ends are kept.
    static func resampled(_ points: [Vector2], step: Double) -> [Vector2] {
        guard let first = points.first, points.count > 1 else { return points }
        let total = length(points)
        let count = max(1, Int((total / step).rounded()))
        var result = [first]
        var index = 0
        var passed = 0.0
        for number in 1..<max(count, 2) where number < count {
            let wanted = total * Double(number) / Double(count)
            while index < points.count - 2, passed + points[index].distance(to: points[index + 1]) < wanted {
                passed += points[index].distance(to: points[index + 1])
                index += 1
            }
            let piece = points[index].distance(to: points[index + 1])
            result.append(points[index].interpolated(to: points[index + 1], fraction: piece > 0 ? (wanted - passed) / piece : 0))
        }
        result.append(points[points.count - 1])
        return result
    }

    static func length(_ points: [Vector2]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// Returns the line with each inner point moved to the weighted mean of the point (weight 2) and its two neighbours. In a closed line,
    /// all points are moved.
    static func smoothed(_ points: [Vector2], isClosed: Bool = false) -> [Vector2] {
        guard points.count > 2 else { return points }
        let count = points.count
        return points.indices.map { index in
            if !isClosed, index == 0 || index == count - 1 { return points[index] }
            let before = points[(index + count - 1) % count]
            let after = points[(index + 1) % count]
            return (before + points[index] * 2 + after) * 0.25
        }
    }

    /// Returns the line without the points that change it by at most `tolerance` metres (D. Douglas, T. Peucker, 1973).
    static func simplified(_ points: [Vector2], tolerance: Double) -> [Vector2] {
        guard let start = points.first, let end = points.last, points.count > 2 else { return points }
        if points.allSatisfy({ distance(from: $0, toSegment: start, end) <= tolerance }) { return [start, end] }
        var keep = [Bool](repeating: false, count: points.count)
        keep[0] = true
        keep[points.count - 1] = true
        var open = [(0, points.count - 1)]
        while let (first, last) = open.popLast() {
            var worst = (index: -1, distance: tolerance)
            for index in first + 1..<max(last, first + 1) {
                let distance = distance(from: points[index], toSegment: points[first], points[last])
                if distance > worst.distance { worst = (index, distance) }
            }
            guard worst.index > 0 else { continue }
            keep[worst.index] = true
            open.append((first, worst.index))
            open.append((worst.index, last))
        }
        return points.indices.filter { keep[$0] }.map { points[$0] }
    }

    /// Returns the line without spikes: points at which the line turns back, next to a short segment. They arise where bent streets
    /// are joined. Also removes points less than 1.5 m from the point before.
    static func withoutSpikes(_ points: [Vector2]) -> [Vector2] {
        guard let end = points.last, points.count > 2 else { return points }
        var kept: [Vector2] = []
        kept.reserveCapacity(points.count)
        for point in points.dropLast() {
            // A removed point may turn the point before it into a spike.
            while kept.count > 1, isSpike(kept[kept.count - 2], kept[kept.count - 1], point) { kept.removeLast() }
            if let last = kept.last, last.distance(to: point) < 1.5 { continue }
            kept.append(point)
        }
        while kept.count > 1, isSpike(kept[kept.count - 2], kept[kept.count - 1], end) { kept.removeLast() }
        return kept + [end]
    }

    private static func isSpike(_ before: Vector2, _ tip: Vector2, _ after: Vector2) -> Bool {
        let (arrival, departure) = (tip - before, after - tip)
        return arrival.dot(departure) < 0 && min(arrival.lengthSquared, departure.lengthSquared) < 30 * 30
    }

    static func distance(from point: Vector2, toSegment start: Vector2, _ end: Vector2) -> Double {
        point.distance(to: nearest(to: point, onSegment: start, end))
    }

    static func nearest(to point: Vector2, onSegment start: Vector2, _ end: Vector2) -> Vector2 {
        let axis = end - start
        let squared = axis.lengthSquared
        guard squared > 0 else { return start }
        return start + axis * min(max((point - start).dot(axis) / squared, 0), 1)
    }

    /// Returns the area of a ring in square metres, positive if the ring runs counterclockwise.
    static func signedArea(_ ring: [Vector2]) -> Double {
        guard var previous = ring.last else { return 0 }
        var sum = 0.0
        for point in ring {
            sum += previous.cross(point)
            previous = point
        }
        return sum / 2
    }

    /// Whether a point is inside a ring, by the even-odd rule.
    static func contains(_ ring: [Vector2], _ point: Vector2) -> Bool {
        guard var previous = ring.last else { return false }
        var inside = false
        for corner in ring {
            if (corner.y > point.y) != (previous.y > point.y) {
                let x = corner.x + (point.y - corner.y) / (previous.y - corner.y) * (previous.x - corner.x)
                if point.x < x { inside.toggle() }
            }
            previous = corner
        }
        return inside
    }
}
