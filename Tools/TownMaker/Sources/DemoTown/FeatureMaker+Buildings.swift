import Geo

extension FeatureMaker {
    /// Adds houses along the streets of most blocks in the old town and the inner town. If a block has room for a courtyard, the houses
    /// form a ring round the courtyard.
    mutating func addBuildings() {
        let grounds = draft.lands.map(\.outline)
        for face in draft.faces where face.area > 700 && face.area < 26_000 && face.centroid.length < 1250 {
            let zone = draft.zones.zone(at: face.centroid)
            guard zone == .oldTown || zone == .innerTown else { continue }
            guard !grounds.contains(where: { Line.contains($0, face.centroid) }) else { continue }
            let outline = Self.simplified(draft.graph.outline(of: face), tolerance: 1)
            guard let front = Self.inset(outline, by: zone == .oldTown ? 4.5 : 8) else { continue }
            let court = Self.inset(Self.simplified(front, tolerance: 6), by: zone == .oldTown ? 11 : 13)
            addPolygon(.building, [front] + (court.map { [$0] } ?? []))
        }
    }

    private static func simplified(_ ring: [Vector2], tolerance: Double) -> [Vector2] {
        guard let first = ring.first else { return ring }
        return Line.simplified(ring + [first], tolerance: tolerance).dropLast()
    }

    /// Returns a counterclockwise ring with every side moved inward by `distance` metres; nil if a corner is too sharp, a side would be
    /// reversed, or almost no area would be left.
    static func inset(_ ring: [Vector2], by distance: Double) -> [Vector2]? {
        let count = ring.count
        guard count > 2 else { return nil }
        var result: [Vector2] = []
        result.reserveCapacity(count)
        for (index, corner) in ring.enumerated() {
            let before = (corner - ring[(index + count - 1) % count]).normalized
            let after = (ring[(index + 1) % count] - corner).normalized
            let bisector = before.left + after.left
            // This is 1 plus the cosine of the turn. It is small where the ring turns back on itself, as at a dead end.
            let scale = 1 + before.dot(after)
            guard scale > 0.25 else { return nil }
            result.append(corner + bisector * (distance / scale))
        }
        for index in ring.indices {
            let next = (index + 1) % count
            if (result[next] - result[index]).dot(ring[next] - ring[index]) <= 0 { return nil }
        }
        return Line.signedArea(result) > 120 ? result : nil
    }
}
