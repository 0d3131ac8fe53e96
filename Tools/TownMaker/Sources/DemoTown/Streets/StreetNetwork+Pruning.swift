extension StreetNetwork {
    /// Returns the segments of each road in the order in which they were added.
    func segmentsByRoad() -> [ArraySlice<Int>] {
        var starts = [Int](repeating: 0, count: roads.count + 1)
        for segment in segments where !segment.isRemoved { starts[segment.road + 1] += 1 }
        for road in roads.indices { starts[road + 1] += starts[road] }
        var sorted = [Int](repeating: 0, count: starts[roads.count])
        var place = starts
        for (number, segment) in segments.enumerated() where !segment.isRemoved {
            sorted[place[segment.road]] = number
            place[segment.road] += 1
        }
        return roads.indices.map { sorted[starts[$0]..<starts[$0 + 1]] }
    }

    /// Removes every dead end, from its tip to the nearest junction. If that leaves a new dead end, removes it too. Keeps avenues, and the
    /// dead ends that `keeps` accepts.
    ///
    /// - Parameter keeps: returns whether to keep a dead end, given its tip and its length in metres.
    mutating func pruneDeadEnds(keeps: (_ tip: Vector2, _ lengthMeters: Double) -> Bool) {
        var open = positions.indices.filter { degree(of: $0) == 1 }
        while let tip = open.popLast() {
            guard degree(of: tip) == 1, let chain = deadEnd(from: tip) else { continue }
            if keeps(positions[tip], chain.length) { continue }
            for segment in chain.segments { remove(segment) }
            if degree(of: chain.root) == 1 { open.append(chain.root) }
        }
    }

    /// Returns the segments from a tip to the first junction; nil for an avenue, which may end at a tip.
    private func deadEnd(from tip: Int) -> (segments: [Int], root: Int, length: Double)? {
        var (vertex, previous) = (tip, -1)
        var chain: [Int] = []
        var length = 0.0
        repeat {
            var next = (segment: -1, vertex: -1)
            forEachNeighbour(of: vertex) { segment, neighbour in if segment != previous { next = (segment, neighbour) } }
            guard next.segment >= 0 else { break }
            if case .avenue = roads[segments[next.segment].road].role { return nil }
            chain.append(next.segment)
            length += positions[vertex].distance(to: positions[next.vertex])
            (vertex, previous) = (next.vertex, next.segment)
        } while degree(of: vertex) == 2
        return (chain, vertex, length)
    }
}
