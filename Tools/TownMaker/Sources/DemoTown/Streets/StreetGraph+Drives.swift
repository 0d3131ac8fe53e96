extension StreetGraph {
    /// Adds a service road from the street into each of these blocks, if there is enough space.
    mutating func addDrives(into outlines: [[Vector2]], obstacles: ObstacleMap) {
        for outline in outlines { addDrive(into: outline, obstacles: obstacles) }
        sortHalves()
    }

    private mutating func addDrive(into outline: [Vector2], obstacles: ObstacleMap) {
        let ring = outline + [outline[0]]
        // The gate is on the longest straight side.
        guard let side = zip(ring, ring.dropFirst()).max(by: { $0.0.distance(to: $0.1) < $1.0.distance(to: $1.1) }) else { return }
        let gate = side.0.interpolated(to: side.1, fraction: 0.5)
        let inward = (side.1 - side.0).normalized.left
        guard side.0.distance(to: side.1) > 44 else { return }
        guard let depth = depth(from: gate, along: inward, in: ring, obstacles: obstacles), depth > 34 else { return }
        guard let (edge, segment) = edge(along: side) else { return }
        let node = split(edge, segment: segment, at: gate)
        let tip = gate + inward * min(depth, 110)
        nodes.append(tip)
        halves.append([])
        append(Edge(from: node, to: nodes.count - 1, points: [gate, tip], road: -1, roadClass: .service, role: .street, isBridge: false))
    }

    /// Returns the greatest length in metres of a service road into a block; nil if no road fits. The road must keep 22 m away from the
    /// block's sides, less near its beginning, and 14 m away from obstacles.
    private func depth(from gate: Vector2, along inward: Vector2, in ring: [Vector2], obstacles: ObstacleMap) -> Double? {
        var reached: Double?
        for step in stride(from: 12.0, through: 120, by: 6) {
            let point = gate + inward * step
            let clear = zip(ring, ring.dropFirst()).allSatisfy { start, end in
                Line.distance(from: point, toSegment: start, end) > min(22, step * 0.9)
            }
            guard clear, Line.contains(ring, point), obstacles.distance.value(at: point) > 14 else { break }
            reached = step
        }
        return reached
    }

    private func edge(along side: (Vector2, Vector2)) -> (edge: Int, segment: Int)? {
        for (number, edge) in edges.enumerated() where !edge.isRemoved && !edge.isBridge && edge.role != .ringRoad {
            for segment in 0..<edge.points.count - 1 {
                let (start, end) = (edge.points[segment], edge.points[segment + 1])
                if start == side.0 && end == side.1 || start == side.1 && end == side.0 { return (number, segment) }
            }
        }
        return nil
    }

    /// Divides an edge at a point on one of its segments and returns the new node.
    private mutating func split(_ number: Int, segment: Int, at point: Vector2) -> Int {
        let old = edges[number]
        nodes.append(point)
        halves.append([])
        let node = nodes.count - 1
        halves[old.to].removeAll { $0 == 2 * number + 1 }
        halves[node].append(2 * number + 1)
        edges[number].points = Array(old.points[...segment]) + [point]
        edges[number].to = node
        append(
            Edge(
                from: node, to: old.to, points: [point] + old.points[(segment + 1)...], road: old.road, roadClass: old.roadClass,
                role: old.role, isBridge: old.isBridge))
        return node
    }
}
