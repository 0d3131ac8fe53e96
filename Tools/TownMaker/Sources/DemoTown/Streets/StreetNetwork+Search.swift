extension StreetNetwork {
    struct Hit {
        var segment: Int
        var point: Vector2
        /// Position on the tested line: 0 is its start, 1 its end.
        var fraction: Double
    }

    /// Returns the first segment that a straight line meets. Segments with either end at `vertex` are ignored.
    /// - Parameter slack: distance in metres by which a line may miss the end of a segment and still count as meeting it.
    func firstHit(from start: Vector2, to end: Vector2, except vertex: Int? = nil, slack: Double = 0) -> Hit? {
        let low = Vector2(x: min(start.x, end.x), y: min(start.y, end.y))
        let high = Vector2(x: max(start.x, end.x), y: max(start.y, end.y))
        let axis = end - start
        var best: Hit?
        index.forEach(from: low, to: high) { segment in
            let (a, b) = (segments[segment].start, segments[segment].end)
            if a == vertex || b == vertex || segments[segment].isRemoved { return true }
            let other = positions[b] - positions[a]
            let denominator = axis.cross(other)
            if abs(denominator) < 1e-9 { return true }
            let offset = positions[a] - start
            let along = offset.cross(other) / denominator
            let across = offset.cross(axis) / denominator
            let margin = slack > 0 ? slack / max(other.length, slack) : 0
            if along >= 0, along <= 1, across >= -margin, across <= 1 + margin, along < best?.fraction ?? 2 {
                best = Hit(segment: segment, point: start + axis * along, fraction: along)
            }
            return true
        }
        return best
    }

    /// Returns the nearest segment within `radius` metres of a point.
    func nearestSegment(to point: Vector2, within radius: Double) -> Hit? {
        let margin = Vector2(x: radius, y: radius)
        var best: Hit?
        var limit = radius
        index.forEach(from: point - margin, to: point + margin) { segment in
            if segments[segment].isRemoved { return true }
            let (a, b) = (positions[segments[segment].start], positions[segments[segment].end])
            let foot = Line.nearest(to: point, onSegment: a, b)
            let distance = foot.distance(to: point)
            if distance < limit {
                limit = distance
                best = Hit(segment: segment, point: foot, fraction: 0)
            }
            return true
        }
        return best
    }

    /// Whether another road runs beside a street, within `radius` metres of `point`, which is on the street. The street's own road, `road`,
    /// is ignored.
    /// - Parameter sine: the sine of the largest angle to the street at which a road still counts as beside it; 1 for any angle.
    func isCrowded(at point: Vector2, direction: Vector2, radius: Double, except road: Int, sine: Double) -> Bool {
        // The square that holds the point is searched first, because a road is most likely to be there.
        let beside = Beside(point: point, direction: direction, radius: radius, road: road, sine: sine)
        if isCrowded(beside, margin: 0) { return true }
        return isCrowded(beside, margin: radius)
    }

    /// The conditions under which a road runs beside a point, in single precision.
    private struct Beside {
        let point: Vector2
        let (x, y, reach): (Float, Float, Float)
        let (alongX, alongY, slantest): (Float, Float, Float)
        let except: Int32

        init(point: Vector2, direction: Vector2, radius: Double, road: Int, sine: Double) {
            self.point = point
            (x, y, reach) = (Float(point.x), Float(point.y), Float(radius * radius))
            (alongX, alongY, slantest) = (Float(direction.x), Float(direction.y), Float(sine * sine))
            except = Int32(truncatingIfNeeded: road)
        }

        func includes(_ entry: SegmentIndex.Entry) -> Bool {
            let (dx, dy) = (entry.width, entry.height)
            let slant = dx * alongY - dy * alongX
            let length = dx * dx + dy * dy
            if entry.road == except || slant * slant > slantest * length { return false }
            let (fromX, fromY) = (x - entry.x, y - entry.y)
            let along = min(max(fromX * dx + fromY * dy, 0), length)
            let share = length > 0 ? along / length : 0
            let (footX, footY) = (fromX - dx * share, fromY - dy * share)
            return footX * footX + footY * footY < reach
        }
    }

    private func isCrowded(_ beside: Beside, margin: Double) -> Bool {
        var crowded = false
        let corner = Vector2(x: margin, y: margin)
        index.forEachEntry(from: beside.point - corner, to: beside.point + corner) { entry in
            crowded = beside.includes(entry) && !segments[Int(entry.segment)].isRemoved
            return !crowded
        }
        return crowded
    }

    /// Returns the nearest junction or dead end on the road of `segment`, at most `radius` metres along the road from `point`.
    func junction(near point: Vector2, on segment: Int, within radius: Double) -> Int? {
        var best: (vertex: Int, distance: Double)?
        for (first, second) in [(segments[segment].start, segments[segment].end), (segments[segment].end, segments[segment].start)] {
            var (vertex, from) = (first, second)
            var passed = point.distance(to: positions[vertex])
            while passed < radius, passed < best?.distance ?? .infinity {
                if degree(of: vertex) != 2 {
                    best = (vertex, passed)
                    break
                }
                var next = -1
                forEachNeighbour(of: vertex) { _, neighbour in if neighbour != from { next = neighbour } }
                guard next >= 0 else { break }
                passed += positions[vertex].distance(to: positions[next])
                (vertex, from) = (next, vertex)
            }
        }
        return best?.vertex
    }
}

// MARK: - Laying roads

extension StreetNetwork {
    /// Largest distance by which a road is bent to meet another road at an existing junction, in metres.
    static let snapMeters = 19.0

    /// Adds a line to the network as a piece of `road`, and joins it to all roads that it meets.
    ///
    /// - Parameter isFree: whether each segment of the line is known to meet no other road; one value for each segment.
    mutating func lay(
        _ points: [Vector2], isBridge: [Bool]? = nil, isFree: [Bool]? = nil, road: Int, snap: Double = StreetNetwork.snapMeters
    ) {
        guard let first = points.first else { return }
        var here = vertex(at: first, snap: snap)
        var met: Vector2? = first
        for (number, target) in points.dropFirst().enumerated() {
            let isBridge = isBridge?[number] ?? false
            // Skips points close to the last meeting point, because the line may have been bent to a junction beyond them.
            if let met, !isBridge, target.distance(to: met) < 6 { continue }
            met = nil
            if isFree?[number] ?? false, positions[here] == points[number] {
                let next = addVertex(at: target)
                link(here, next, road: road, isBridge: isBridge)
                here = next
            } else {
                here = advance(from: here, to: target, road: road, isBridge: isBridge, snap: snap, met: &met)
            }
        }
    }

    private mutating func vertex(at point: Vector2, snap: Double) -> Int {
        guard let near = nearestSegment(to: point, within: 9) else { return addVertex(at: point) }
        return meetingPoint(at: near, snap: snap)
    }

    /// Returns the vertex at which a line meets a segment: a nearby junction, an end of the segment, or a new vertex.
    private mutating func meetingPoint(at hit: Hit, snap: Double) -> Int {
        if let junction = junction(near: hit.point, on: hit.segment, within: snap) { return junction }
        let segment = segments[hit.segment]
        if positions[segment.start].distance(to: hit.point) < 4 { return segment.start }
        if positions[segment.end].distance(to: hit.point) < 4 { return segment.end }
        return split(hit.segment, at: hit.point)
    }

    /// Adds one step of a line and returns the vertex at which it ends.
    /// - Parameter met: set to the point at which the line last met another road.
    private mutating func advance(
        from start: Int, to target: Vector2, road: Int, isBridge: Bool, snap: Double, met: inout Vector2?
    ) -> Int {
        let way = (target - positions[start]).normalized
        var here = start
        for _ in 0..<8 {
            let rest = target - positions[here]
            guard rest.dot(way) > 2.5 else { return here }
            // The search goes slightly farther than the step, so that ends that almost touch are joined.
            guard let hit = firstHit(from: positions[here], to: target + rest.normalized * 5, except: here, slack: 2) else {
                let end = touchingVertex(at: target, besides: here) ?? addVertex(at: target)
                if end != here, !isLinked(here, end) { link(here, end, road: road, isBridge: isBridge) }
                return end
            }
            let next = meetingPoint(at: hit, snap: snap)
            met = hit.point
            if next == here { return here }
            if !isLinked(here, next), !isBlocked(from: here, to: next) { link(here, next, road: road, isBridge: isBridge) }
            here = next
            if target.distance(to: hit.point) < 6 { return here }
        }
        return here
    }

    /// Returns an existing vertex within a few metres of a point.
    private func touchingVertex(at point: Vector2, besides vertex: Int) -> Int? {
        let reach = 4.5
        let margin = Vector2(x: reach, y: reach)
        var best: (vertex: Int, distance: Double)?
        index.forEach(from: point - margin, to: point + margin) { number in
            let segment = segments[number]
            guard !segment.isRemoved else { return true }
            let (first, second) = (positions[segment.start].distance(to: point), positions[segment.end].distance(to: point))
            if first < best?.distance ?? reach, segment.start != vertex { best = (segment.start, first) }
            if second < best?.distance ?? reach, segment.end != vertex { best = (segment.end, second) }
            return true
        }
        return best?.vertex
    }

    /// Whether a straight line between two vertices would cross a segment that ends at neither of them.
    private func isBlocked(from first: Int, to second: Int) -> Bool {
        let (start, end) = (positions[first], positions[second])
        guard let hit = firstHit(from: start, to: start.interpolated(to: end, fraction: 0.98), except: first) else { return false }
        let segment = segments[hit.segment]
        return segment.start != second && segment.end != second
    }
}
