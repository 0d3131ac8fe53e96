extension StreetGraph {
    /// What is too small to be a block, or a street, at a place.
    struct Measures: Sendable {
        var smallestBlock: Double
        var smallestThickness: Double
    }

    /// Keeps the largest connected part only.
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

    /// Removes streets that make slivers: blocks too small or too thin.
    mutating func removeSlivers(measures: (Vector2) -> Measures) {
        let (faces, faceOfHalf) = self.faces()
        var isTouched = [Bool](repeating: false, count: faces.count)
        let order = faces.indices.filter { faces[$0].area > 0 }.sorted { (faces[$0].area, $0) < (faces[$1].area, $1) }
        for number in order where !isTouched[number] {
            let face = faces[number]
            guard face.area < 6000 || face.thickness < 20 else { continue }
            let measure = measures(face.halves.first.map { nodes[origin(of: $0)] } ?? .zero)
            guard face.area < measure.smallestBlock || face.thickness < measure.smallestThickness else { continue }
            let candidates = face.halves.filter { half in
                let other = faceOfHalf[half ^ 1]
                return other != number && other >= 0 && !isTouched[other] && edges[half / 2].isRemovable && faces[other].area > 0
            }
            guard let half = candidates.max(by: { edges[$0 / 2].length < edges[$1 / 2].length }) else { continue }
            isTouched[number] = true
            isTouched[faceOfHalf[half ^ 1]] = true
            remove(half / 2)
        }
    }

    /// Removes the weaker one of two streets that leave a junction almost side by side.
    mutating func removeAcuteStreets(cosine: Double) {
        let (_, faceOfHalf) = faces()
        var isTouched = [Bool](repeating: false, count: (faceOfHalf.max() ?? 0) + 1)
        for node in nodes.indices where halves[node].count > 2 {
            let around = halves[node]
            for (place, half) in around.enumerated() {
                let next = around[(place + 1) % around.count]
                guard departure(of: half).dot(departure(of: next)) > cosine else { continue }
                let weaker = [half, next].filter { edges[$0 / 2].isRemovable && faceOfHalf[$0] != faceOfHalf[$0 ^ 1] }
                guard let gone = weaker.min(by: { edges[$0 / 2].length < edges[$1 / 2].length }) else { continue }
                guard !isTouched[faceOfHalf[gone]], !isTouched[faceOfHalf[gone ^ 1]], !edges[gone / 2].isRemoved else { continue }
                isTouched[faceOfHalf[gone]] = true
                isTouched[faceOfHalf[gone ^ 1]] = true
                remove(gone / 2)
                break
            }
        }
    }

    /// Removes dead ends that are too short or that `keeps` refuses, again and again until none is left. Roads that leave the map stay.
    mutating func removeDeadEnds(keeps: (_ tip: Vector2, _ length: Double) -> Bool) {
        var open = nodes.indices.filter { halves[$0].count == 1 }
        while let tip = open.popLast() {
            guard let half = halves[tip].first, halves[tip].count == 1 else { continue }
            let edge = edges[half / 2]
            if case .avenue = edge.role, nodes[tip].x.magnitude > 4700 || nodes[tip].y.magnitude > 4000 { continue }
            let root = target(of: half)
            if halves[root].count > 2, keeps(nodes[tip], edge.length) { continue }
            remove(half / 2)
            if halves[root].count == 1 { open.append(root) }
        }
    }
}
