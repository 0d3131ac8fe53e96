import VectorTiles

/// The places where lines of a tile meet. These places become nodes of the graph.
///
/// Lines on the same level meet at every common vertex. A bridge or a tunnel meets lines of another level only at its own ends.
struct Meetings {
    /// Position of each node.
    private(set) var groups: [TilePoint] = []
    /// Node of each vertex, or -1 for a vertex within a road. The array has the vertices of all pieces, one piece after the other.
    private(set) var nodeOfUse: [Int32]

    /// A vertex of a piece.
    private struct Use {
        var point: TilePoint
        var level: Int8
        var isEnd: Bool
        /// Whether the road itself ends here, not only its part in this tile.
        var isRealEnd: Bool
    }

    /// All vertices of the pieces, one piece after the other.
    private var uses: [Use] = []

    init(_ pieces: [TileGraphBuilder.Piece]) {
        nodeOfUse = []
        var order: [UInt64] = []
        for piece in pieces {
            let points = piece.clipped.points
            for (index, point) in points.enumerated() {
                let (isFirst, isLast) = (index == 0, index == points.count - 1)
                order.append(Self.place(point) | UInt64(uses.count) & 0x1f_ffff | UInt64(UInt8(bitPattern: piece.line.level ^ -128)) << 21)
                uses.append(
                    Use(
                        point: point, level: piece.line.level, isEnd: isFirst || isLast,
                        isRealEnd: isFirst && !piece.clipped.isCutAtStart || isLast && !piece.clipped.isCutAtEnd))
            }
        }
        nodeOfUse = Array(repeating: -1, count: uses.count)
        // Sorting integers is several times as fast as sorting records. The bits hold the place, then the level, then the vertex's number.
        order.sort()
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, order[end] >> 29 == order[start] >> 29 { end += 1 }
            if end > start + 1 || uses[Int(order[start] & 0x1f_ffff)].isEnd { join(order[start..<end].map { Int($0 & 0x1f_ffff) }[...]) }
            start = end
        }
    }

    /// Packs the coordinates of a point, which must be inside the tile, into the highest bits of an integer.
    private static func place(_ point: TilePoint) -> UInt64 {
        UInt64(UInt32(bitPattern: point.x)) << 47 | UInt64(UInt32(bitPattern: point.y)) << 29
    }

    /// Creates nodes from the vertices at one place, sorted by level.
    private mutating func join(_ numbers: ArraySlice<Int>) {
        guard let first = numbers.first else { return }
        if numbers.allSatisfy({ uses[$0].level == uses[first].level }) { return addNode(numbers) }
        var joined: ArraySlice<Int> = []
        let groundHasEnd = numbers.contains { uses[$0].level == 0 && uses[$0].isRealEnd }
        var rest = numbers
        while let level = rest.first.map({ uses[$0].level }) {
            let group = rest.prefix { uses[$0].level == level }
            rest = rest.dropFirst(group.count)
            let ends = group.count { uses[$0].isRealEnd }
            // A bridge or tunnel that ends here joins the road on the ground. If two ends on one level meet here, they are usually two
            // parts of a bridge that only crosses the road. These parts join the road only if a road on the ground also ends here.
            if level == 0 || ends == 1 || ends > 0 && groundHasEnd {
                joined += group
            } else if group.count > 1 || group.contains(where: { uses[$0].isEnd }) {
                addNode(group)
            }
        }
        if joined.count > 1 || joined.contains(where: { uses[$0].isEnd }) { addNode(joined) }
    }

    private mutating func addNode(_ numbers: ArraySlice<Int>) {
        guard let first = numbers.first else { return }
        for number in numbers { nodeOfUse[number] = Int32(groups.count) }
        groups.append(uses[first].point)
    }
}
