extension StreetGraph {
    /// The minimum area and thickness of blocks in one part of the town.
    struct Measures: Sendable {
        var smallestBlock: Double
        var smallestThickness: Double
    }

    /// Removes all streets except those of the largest connected part.
    mutating func keepLargestPart() {
        var part = [Int](repeating: -1, count: nodes.count)
        var sizes: [Int] = []
        for node in nodes.indices where part[node] < 0 {
            var open = [node]
            part[node] = sizes.count
            var size = 0
            while let here = open.popLast() {
                size += 1
                for half in halves[here] where part[target(of: half)] < 0 {
                    part[target(of: half)] = sizes.count
                    open.append(target(of: half))
                }
            }
            sizes.append(size)
        }
        guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { return }
        for edge in edges.indices where part[edges[edge].from] != largest { remove(edge) }
    }

    /// Removes the shorter of two streets that leave a junction almost side by side. Also removes the longest removable street of each
    /// block that is too small or too thin, unless the block has already lost a street.
    ///
    /// - Parameter cosine: the cosine of the smallest allowed angle between two streets that leave a junction.
    mutating func removeUnsightly(cosine: Double, measures: (Vector2) -> Measures) {
        let (faces, faceOfHalf) = faces()
        var isTouched = [Bool](repeating: false, count: faces.count)
        func isRemovable(_ half: Int) -> Bool {
            let (one, other) = (faceOfHalf[half], faceOfHalf[half ^ 1])
            return one != other && one >= 0 && other >= 0 && !isTouched[one] && !isTouched[other] && edges[half / 2].isRemovable
        }
        for node in nodes.indices where halves[node].count > 2 {
            guard let gone = acuteStreet(at: node, cosine: cosine, isRemovable: isRemovable) else { continue }
            (isTouched[faceOfHalf[gone]], isTouched[faceOfHalf[gone ^ 1]]) = (true, true)
            remove(gone / 2)
        }
        let small = faces.indices.filter { faces[$0].area > 0 && (faces[$0].area < 6000 || faces[$0].thickness < 20) }
        for number in small.sorted(by: { (faces[$0].area, $0) < (faces[$1].area, $1) }) where !isTouched[number] {
            let face = faces[number]
            let measure = measures(face.centroid)
            guard face.area < measure.smallestBlock || face.thickness < measure.smallestThickness else { continue }
            let candidates = face.halves.filter { isRemovable($0) && faces[faceOfHalf[$0 ^ 1]].area > 0 }
            guard let half = candidates.max(by: { edges[$0 / 2].length < edges[$1 / 2].length }) else { continue }
            (isTouched[number], isTouched[faceOfHalf[half ^ 1]]) = (true, true)
            remove(half / 2)
        }
    }

    /// Returns a removable street that leaves a node nearly in the same direction as another street; the shorter one if both are
    /// removable. Returns nil if there is no such street.
    private func acuteStreet(at node: Int, cosine: Double, isRemovable: (Int) -> Bool) -> Int? {
        let around = halves[node]
        for (place, half) in around.enumerated() {
            let next = around[(place + 1) % around.count]
            guard departure(of: half).dot(departure(of: next)) > cosine else { continue }
            let weaker = [half, next].filter(isRemovable)
            if let gone = weaker.min(by: { edges[$0 / 2].length < edges[$1 / 2].length }) { return gone }
        }
        return nil
    }

    /// Removes dead ends until only permitted ones are left. A dead end is permitted if it begins at a junction, is not a main road, and
    /// `keeps` returns true. Main roads that end inside the town are removed, because they have lost their bridge. Avenues longer than 30 m
    /// that leave the map are permitted, too.
    mutating func removeDeadEnds(keeps: (_ tip: Vector2, _ length: Double) -> Bool) {
        var open = nodes.indices.filter { halves[$0].count == 1 }
        while let tip = open.popLast() {
            guard let half = halves[tip].first, halves[tip].count == 1 else { continue }
            let edge = edges[half / 2]
            if case .avenue = edge.role, edge.length > 30, nodes[tip].x.magnitude > 4700 || nodes[tip].y.magnitude > 4000 { continue }
            let root = target(of: half)
            if halves[root].count > 2, edge.roadClass >= .tertiary, keeps(nodes[tip], edge.length) { continue }
            remove(half / 2)
            if halves[root].count == 1 { open.append(root) }
        }
    }
}
