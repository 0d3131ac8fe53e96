extension StreetGraph {
    /// Removes faults from the finished streets. If two streets cross, almost touch, or leave a node on almost the same line, the less
    /// important one is removed. Also removes streets that touch water or rails without a bridge, and tiny or narrow loops. If it has
    /// removed a street, it then also removes dead ends of at most 30 m, and all parts except the largest. Few of the generated towns have
    /// such faults.
    mutating func removeFaults(obstacles: ObstacleMap) {
        remove(faults: wetEdges(obstacles: obstacles) + crossingEdges() + twins())
        remove(faults: edges.indices.filter { isKnot(edges[$0]) })
    }

    private mutating func remove(faults: [Int]) {
        guard !faults.isEmpty else { return }
        for edge in faults { remove(edge) }
        removeDeadEnds { _, length in length > 30 }
        keepLargestPart()
        self = compacted()
    }

    /// Turns bridges into streets if they only pass close to water or rails.
    mutating func lowerDryBridges(obstacles: ObstacleMap) {
        for number in edges.indices where edges[number].isBridge && !isWet(edges[number], obstacles: obstacles) {
            edges[number].isBridge = false
        }
    }

    /// Returns the less important edge of each pair of edges that leave a node on almost the same line.
    private func twins() -> [Int] {
        nodes.indices.flatMap { node -> [Int] in
            let around = halves[node]
            guard around.count > 1 else { return [] }
            return around.indices.compactMap { place in
                let (half, next) = (around[place], around[(place + 1) % around.count])
                return half != next && departure(of: half).dot(departure(of: next)) > 0.985 ? lesser(half / 2, next / 2) : nil
            }
        }
    }

    /// Whether an edge is a small or narrow loop from a node to itself.
    private func isKnot(_ edge: Edge) -> Bool {
        guard edge.from == edge.to, !edge.isRemoved else { return false }
        return edge.length < 80 || edge.isRemovable && abs(Line.signedArea(edge.points)) < edge.length * 8
    }

    private func wetEdges(obstacles: ObstacleMap) -> [Int] {
        edges.indices.filter { !edges[$0].isBridge && !edges[$0].isRemoved && isWet(edges[$0], obstacles: obstacles) }
    }

    /// Whether an edge is closer to water or rails than a street may be.
    private func isWet(_ edge: Edge, obstacles: ObstacleMap) -> Bool {
        zip(edge.points, edge.points.dropFirst()).contains { start, end in
            let length = start.distance(to: end)
            if obstacles.distance.value(at: start) > length + 30 { return false }
            let count = Int(length / 8) + 1
            return (0...count).contains {
                obstacles.distance.value(at: start.interpolated(to: end, fraction: Double($0) / Double(count))) < 3
            }
        }
    }

    /// Returns the less important edge of each pair of edges that cross or almost touch. Near a common node, edges may touch.
    private func crossingEdges() -> [Int] {
        var index = SegmentIndex(box: Self.box(of: nodes), cellMeters: 60)
        var owners: [(edge: Int, segment: Int)] = []
        owners.reserveCapacity(edges.count * 5)
        var faults: [Int] = []
        for (number, edge) in edges.enumerated() where !edge.isRemoved {
            for segment in 0..<edge.points.count - 1 {
                let (start, end) = (edge.points[segment], edge.points[segment + 1])
                let low = Vector2(x: min(start.x, end.x), y: min(start.y, end.y))
                let high = Vector2(x: max(start.x, end.x), y: max(start.y, end.y))
                index.forEach(from: low, to: high) { other in
                    if crosses((number, segment), owners[other]) { faults.append(lesser(number, owners[other].edge)) }
                    return true
                }
                index.insert(owners.count, of: number, from: start, to: end)
                owners.append((number, segment))
            }
        }
        return faults
    }

    private func crosses(_ owner: (edge: Int, segment: Int), _ other: (edge: Int, segment: Int)) -> Bool {
        let (start, end) = (edges[owner.edge].points[owner.segment], edges[owner.edge].points[owner.segment + 1])
        let (first, last) = (edges[other.edge].points[other.segment], edges[other.edge].points[other.segment + 1])
        if first == start || first == end || last == start || last == end { return false }
        let (axis, way) = (end - start, last - first)
        let denominator = axis.cross(way)
        guard abs(denominator) > 1e-9 else { return false }
        let along = (first - start).cross(way) / denominator
        let across = (first - start).cross(axis) / denominator
        if along >= 0, along <= 1, across >= 0, across <= 1 { return true }
        // Streets that come within half a metre of each other could cross after rounding, so they count as crossing. This does not apply
        // within 6 m of a common node, where streets are always close.
        let (margin, otherMargin) = (0.5 / max(axis.length, 0.5), 0.5 / max(way.length, 0.5))
        guard along > -margin, along < 1 + margin, across > -otherMargin, across < 1 + otherMargin else { return false }
        let point = start + axis * along
        return !commonNodes(owner.edge, other.edge).contains { nodes[$0].distance(to: point) < 6 }
    }

    private func commonNodes(_ first: Int, _ second: Int) -> [Int] {
        [edges[first].from, edges[first].to].filter { $0 == edges[second].from || $0 == edges[second].to }
    }

    private func lesser(_ first: Int, _ second: Int) -> Int {
        let key = { (edge: Int) in (edges[edge].isRemovable ? 1 : 0, edges[edge].roadClass.rawValue, -edges[edge].length) }
        return key(first) > key(second) ? first : second
    }

    private static func box(of points: [Vector2]) -> PlaneBox {
        PlaneBox(
            minimum: points.reduce(.zero) { Vector2(x: min($0.x, $1.x), y: min($0.y, $1.y)) },
            maximum: points.reduce(.zero) { Vector2(x: max($0.x, $1.x), y: max($0.y, $1.y)) })
    }
}
