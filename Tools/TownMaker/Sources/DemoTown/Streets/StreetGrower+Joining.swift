extension StreetGrower {
    /// Extends dead ends to the next road if it is near.
    mutating func joinDeadEnds() {
        let tips = network.positions.indices.filter { network.degree(of: $0) == 1 }
        for tip in tips where network.degree(of: tip) == 1 {
            guard let (segment, neighbour) = network.neighbours(of: tip).first else { continue }
            let road = network.segments[segment].road
            if case .avenue = network.roads[road].role { continue }
            let heading = (network.positions[tip] - network.positions[neighbour]).normalized
            guard let points = lead(from: network.positions[tip], heading: heading, tip: tip, road: road) else { continue }
            network.lay(points, road: road)
        }
    }

    /// Returns a line from a dead end to the road ahead; nil if it meets no road within 14 steps. Also nil if an obstacle, open land, a
    /// parallel street or a sharp bend of the direction field is in its way. Also nil if the line meets the road at too small an angle or
    /// on a bridge, or if the road is the ring road.
    private mutating func lead(from start: Vector2, heading: Vector2, tip: Int, road: Int) -> [Vector2]? {
        var points = [start]
        var heading = heading
        for _ in 0..<14 {
            let here = points[points.count - 1]
            let first = field.direction(at: here, near: heading)
            guard first.dot(heading) > 0.8 else { return nil }
            heading = (first + heading).normalized
            let next = here + heading * Self.stepMeters
            if let hit = network.firstHit(from: here, to: next + heading * 3, except: tip) {
                let segment = network.segments[hit.segment]
                let way = (network.positions[segment.end] - network.positions[segment.start]).normalized
                guard abs(way.cross(heading)) > 0.5, !segment.isBridge, network.roads[segment.road].role != .ringRoad else { return nil }
                return points + [hit.point]
            }
            let square = square(at: next)
            let spacing = zones.spacing(square.zone, family: 0, at: next)
            guard spacing > 0, !isBlocked(next, square, within: 15) else { return nil }
            guard !network.isCrowded(at: next, direction: heading, radius: spacing * 0.42, except: road, sine: 0.5) else { return nil }
            points.append(next)
        }
        return nil
    }
}

extension StreetNetwork {
    func neighbours(of vertex: Int) -> [(segment: Int, vertex: Int)] {
        var found: [(segment: Int, vertex: Int)] = []
        forEachNeighbour(of: vertex) { found.append(($0, $1)) }
        return found
    }
}
