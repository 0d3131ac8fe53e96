/// The streets while they grow: points joined by short segments. Two segments meet only at a common point.
///
/// A road that is added to the network is divided at each existing road that it meets.
struct StreetNetwork: Sendable {
    struct Road: Sendable {
        var roadClass: RoadClass
        var role: PlannedRoad.Role
        /// The family of the street, by its direction. Streets of one family are parallel and cross the streets of the other family.
        var family: Int
    }

    struct Segment: Sendable {
        var start: Int
        var end: Int
        var road: Int
        var isBridge: Bool
        /// Whether the segment is removed. Removed segments stay in the array, so that the numbers of the others do not change.
        var isRemoved = false
    }

    private(set) var positions: [Vector2] = []
    private(set) var segments: [Segment] = []
    private(set) var roads: [Road] = []
    private(set) var index: SegmentIndex
    /// The first half-edge at each vertex. A half-edge is one direction of a segment: `2 × segment` leaves its start, and `2 × segment + 1`
    /// leaves its end.
    private var firstHalf: [Int32] = []
    private var nextHalf: [Int32] = []

    /// The usual number of points, and of segments, in a town.
    private static let usualCount = 32_000

    init(box: PlaneBox) {
        index = SegmentIndex(box: box.padded(by: 500), cellMeters: 45)
        positions.reserveCapacity(Self.usualCount)
        segments.reserveCapacity(Self.usualCount)
        firstHalf.reserveCapacity(Self.usualCount)
        nextHalf.reserveCapacity(2 * Self.usualCount)
    }

    mutating func addRoad(_ road: Road) -> Int {
        roads.append(road)
        return roads.count - 1
    }

    mutating func addVertex(at position: Vector2) -> Int {
        positions.append(position)
        firstHalf.append(-1)
        return positions.count - 1
    }

    mutating func link(_ start: Int, _ end: Int, road: Int, isBridge: Bool) {
        let segment = segments.count
        segments.append(Segment(start: start, end: end, road: road, isBridge: isBridge))
        nextHalf.append(firstHalf[start])
        firstHalf[start] = Int32(truncatingIfNeeded: 2 * segment)
        nextHalf.append(firstHalf[end])
        firstHalf[end] = Int32(truncatingIfNeeded: 2 * segment + 1)
        index.insert(segment, of: road, from: positions[start], to: positions[end])
    }

    /// Divides a segment at a point on it and returns the new vertex.
    mutating func split(_ segment: Int, at position: Vector2) -> Int {
        let old = segments[segment]
        let middle = addVertex(at: position)
        detach(half: 2 * segment + 1, from: old.end)
        segments[segment].end = middle
        nextHalf[2 * segment + 1] = -1
        firstHalf[middle] = Int32(truncatingIfNeeded: 2 * segment + 1)
        link(middle, old.end, road: old.road, isBridge: old.isBridge)
        return middle
    }

    private mutating func detach(half: Int, from vertex: Int) {
        guard Int(firstHalf[vertex]) != half else {
            firstHalf[vertex] = nextHalf[half]
            return
        }
        var current = Int(firstHalf[vertex])
        while current >= 0, Int(nextHalf[current]) != half { current = Int(nextHalf[current]) }
        if current >= 0 { nextHalf[current] = nextHalf[half] }
    }

    mutating func remove(_ segment: Int) {
        detach(half: 2 * segment, from: segments[segment].start)
        detach(half: 2 * segment + 1, from: segments[segment].end)
        segments[segment].isRemoved = true
    }

    // MARK: Looking round a vertex

    func degree(of vertex: Int) -> Int {
        var count = 0
        var half = Int(firstHalf[vertex])
        while half >= 0 {
            count += 1
            half = Int(nextHalf[half])
        }
        return count
    }

    /// Calls `body` with every segment that ends at a vertex, and with the vertex at the other end of the segment.
    @inline(__always)
    func forEachNeighbour(of vertex: Int, _ body: (_ segment: Int, _ neighbour: Int) -> Void) {
        var half = Int(firstHalf[vertex])
        while half >= 0 {
            let segment = segments[half / 2]
            body(half / 2, half.isMultiple(of: 2) ? segment.end : segment.start)
            half = Int(nextHalf[half])
        }
    }

    func isLinked(_ first: Int, _ second: Int) -> Bool {
        var found = false
        forEachNeighbour(of: first) { _, neighbour in found = found || neighbour == second }
        return found
    }
}
