/// A block: an area enclosed by streets.
struct StreetFace: Sendable {
    /// The half-edges round the block, which lies on their left.
    var halves: ArraySlice<Int>
    /// Area in square metres; negative for the outer side of a connected part of the network.
    var area: Double
    var perimeter: Double
    var centroid = Vector2.zero
    var box: PlaneBox

    /// Rough width of the block in metres: twice its area divided by its perimeter.
    var thickness: Double { perimeter > 0 ? 2 * area / perimeter : 0 }
}

extension StreetGraph {
    /// Returns all faces, and the face on the left of each half-edge; -1 for half-edges of removed edges.
    func faces() -> (faces: [StreetFace], faceOfHalf: [Int]) {
        var following = [Int](repeating: -1, count: edges.count * 2)
        for around in halves {
            for (place, half) in around.enumerated() {
                // For a walk that arrives on the twin of `half`, the leftmost turn is the next half-edge clockwise.
                following[half ^ 1] = around[(place + around.count - 1) % around.count]
            }
        }
        var faceOfHalf = [Int](repeating: -1, count: edges.count * 2)
        var order: [Int] = []
        order.reserveCapacity(edges.count * 2)
        var starts: [Int] = []
        for start in following.indices where following[start] >= 0 && faceOfHalf[start] < 0 {
            starts.append(order.count)
            var half = start
            while faceOfHalf[half] < 0 {
                faceOfHalf[half] = starts.count - 1
                order.append(half)
                half = following[half]
            }
        }
        starts.append(order.count)
        let faces = zip(starts, starts.dropFirst()).map { start, end -> StreetFace in
            var face = StreetFace(halves: order[start..<end], area: 0, perimeter: 0, box: PlaneBox(minimum: .zero, maximum: .zero))
            measure(&face)
            return face
        }
        return (faces, faceOfHalf)
    }

    private func measure(_ face: inout StreetFace) {
        guard let first = face.halves.first else { return }
        let anchor = nodes[origin(of: first)]
        var (twice, length, sum) = (0.0, 0.0, Vector2.zero)
        var (low, high) = (anchor, anchor)
        for half in face.halves {
            let points = edges[half / 2].points
            let sign = half.isMultiple(of: 2) ? 1.0 : -1.0
            length += edges[half / 2].length
            var previous = points[0] - anchor
            for point in points.dropFirst() {
                let here = point - anchor
                let cross = sign * previous.cross(here)
                twice += cross
                sum += (previous + here) * cross
                low = Vector2(x: min(low.x, point.x), y: min(low.y, point.y))
                high = Vector2(x: max(high.x, point.x), y: max(high.y, point.y))
                previous = here
            }
        }
        face.area = twice / 2
        face.perimeter = length
        face.centroid = abs(twice) > 1 ? anchor + sum * (1 / (3 * twice)) : anchor
        face.box = PlaneBox(minimum: low, maximum: high)
    }

    /// Returns the outline of a face. The first point is not repeated.
    func outline(of face: StreetFace) -> [Vector2] {
        face.halves.flatMap { points(of: $0).dropLast() }
    }
}
