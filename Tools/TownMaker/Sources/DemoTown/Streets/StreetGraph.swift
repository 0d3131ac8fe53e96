/// The streets as a plane graph: junctions and dead ends are nodes, and the pieces of street between them are edges that do not cross.
struct StreetGraph: Sendable {
    struct Edge: Sendable {
        var from: Int
        var to: Int
        /// The points from the first node to the second, both included.
        var points: [Vector2] {
            didSet { length = Line.length(points) }
        }
        private(set) var length: Double
        /// The index of the edge's road in the `StreetNetwork`; -1 for a service road into a block.
        var road: Int
        var roadClass: RoadClass
        var role: PlannedRoad.Role
        var isBridge: Bool
        var isRemoved = false

        init(from: Int, to: Int, points: [Vector2], road: Int, roadClass: RoadClass, role: PlannedRoad.Role, isBridge: Bool) {
            (self.from, self.to, self.points, self.road) = (from, to, points, road)
            (self.roadClass, self.role, self.isBridge) = (roadClass, role, isBridge)
            length = Line.length(points)
        }

        /// Whether the edge is an ordinary street, which may be removed to enlarge a block.
        var isRemovable: Bool { role == .street }
    }

    var nodes: [Vector2] = []
    var edges: [Edge] = []
    /// The half-edges that leave each node, counterclockwise: `2 × edge` from its first node, `2 × edge + 1` from its second.
    var halves: [[Int]] = []

    /// Creates a graph in which each chain of segments between two junctions of a network is one edge.
    init(network: StreetNetwork) {
        var nodeOfVertex = [Int](repeating: -1, count: network.positions.count)
        for vertex in network.positions.indices where Self.isNode(vertex, network) {
            nodeOfVertex[vertex] = nodes.count
            nodes.append(network.positions[vertex])
        }
        halves = nodes.map { _ in Self.emptyNode() }
        edges.reserveCapacity(nodes.count * 2)
        var isUsed = [Bool](repeating: false, count: network.segments.count)
        for vertex in network.positions.indices where nodeOfVertex[vertex] >= 0 {
            for (segment, neighbour) in network.neighbours(of: vertex) where !isUsed[segment] {
                let chain = Self.chain(from: vertex, over: segment, to: neighbour, network: network, nodes: nodeOfVertex, isUsed: &isUsed)
                guard let last = chain.last, nodeOfVertex[last] >= 0 else { continue }
                let piece = network.segments[segment]
                let road = network.roads[piece.road]
                append(
                    Edge(
                        from: nodeOfVertex[vertex], to: nodeOfVertex[last], points: chain.map { network.positions[$0] }, road: piece.road,
                        roadClass: road.roadClass, role: road.role, isBridge: piece.isBridge))
            }
        }
        sortHalves()
    }

    private init() {}

    /// Returns an empty list with space for the edges of a typical node.
    private static func emptyNode() -> [Int] {
        var halves: [Int] = []
        halves.reserveCapacity(5)
        return halves
    }

    mutating func append(_ edge: Edge) {
        halves[edge.from].append(2 * edges.count)
        halves[edge.to].append(2 * edges.count + 1)
        edges.append(edge)
    }

    private static func isNode(_ vertex: Int, _ network: StreetNetwork) -> Bool {
        var count = 0
        var first = -1
        var isJoint = false
        network.forEachNeighbour(of: vertex) { segment, _ in
            if count == 0 { first = segment }
            if count == 1 {
                let (one, other) = (network.segments[first], network.segments[segment])
                isJoint = one.road == other.road && !one.isBridge && !other.isBridge
            }
            count += 1
        }
        return count > 0 && !(count == 2 && isJoint)
    }

    private static func chain(
        from start: Int, over segment: Int, to neighbour: Int, network: StreetNetwork, nodes: [Int], isUsed: inout [Bool]
    ) -> [Int] {
        var chain = [start, neighbour]
        var segment = segment
        isUsed[segment] = true
        while nodes[chain[chain.count - 1]] < 0 {
            var next = (segment: -1, vertex: -1)
            network.forEachNeighbour(of: chain[chain.count - 1]) { if $0 != segment { next = ($0, $1) } }
            guard next.segment >= 0, !isUsed[next.segment] else { break }
            segment = next.segment
            isUsed[segment] = true
            chain.append(next.vertex)
        }
        return chain
    }

    // MARK: Half-edges

    func origin(of half: Int) -> Int { half.isMultiple(of: 2) ? edges[half / 2].from : edges[half / 2].to }
    func target(of half: Int) -> Int { half.isMultiple(of: 2) ? edges[half / 2].to : edges[half / 2].from }

    /// Returns the points of an edge in the direction of one of its half-edges.
    func points(of half: Int) -> [Vector2] {
        half.isMultiple(of: 2) ? edges[half / 2].points : edges[half / 2].points.reversed()
    }

    /// Returns the direction in which a half-edge leaves its node: towards its first point that is more than 8 m away, or its last point.
    func departure(of half: Int) -> Vector2 {
        let points = edges[half / 2].points
        let start = nodes[origin(of: half)]
        let isForward = half.isMultiple(of: 2)
        for step in 1..<points.count {
            let point = isForward ? points[step] : points[points.count - 1 - step]
            if point.distance(to: start) > 8 || step == points.count - 1 { return (point - start).normalized }
        }
        return .zero
    }

    func degree(of node: Int) -> Int { halves[node].count }

    mutating func remove(_ edge: Int) {
        guard !edges[edge].isRemoved else { return }
        edges[edge].isRemoved = true
        halves[edges[edge].from].removeAll { $0 == 2 * edge }
        halves[edges[edge].to].removeAll { $0 == 2 * edge + 1 }
    }

    mutating func sortHalves() {
        var around: [(turn: Double, half: Int)] = []
        for node in nodes.indices where halves[node].count > 1 {
            around.removeAll(keepingCapacity: true)
            for half in halves[node] {
                let turn = Self.turn(of: departure(of: half))
                // An insertion is fast enough, because a node has only a few edges.
                let place = around.firstIndex { (turn, half) < ($0.turn, $0.half) } ?? around.count
                around.insert((turn, half), at: place)
            }
            for place in around.indices { halves[node][place] = around[place].half }
        }
    }

    /// Returns a number in 0..<4 that grows with the angle of a unit vector.
    private static func turn(of direction: Vector2) -> Double {
        direction.y >= 0 ? 1 - direction.x : 3 + direction.x
    }

    /// Returns the graph without the removed edges. Two similar edges that meet at a node with no other edge become one; see `isSeam`.
    func compacted() -> StreetGraph {
        var result = StreetGraph()
        result.edges.reserveCapacity(edges.count)
        var isJoint = nodes.indices.map { isSeam($0) }
        var newNode = [Int](repeating: -1, count: nodes.count)
        for node in nodes.indices where !halves[node].isEmpty && !isJoint[node] {
            newNode[node] = result.nodes.count
            result.nodes.append(nodes[node])
            result.halves.append(Self.emptyNode())
        }
        var isUsed = [Bool](repeating: false, count: edges.count)
        for node in nodes.indices where newNode[node] >= 0 {
            for half in halves[node] where !isUsed[half / 2] {
                let chain = chain(from: half, isJoint: &isJoint, isUsed: &isUsed)
                var edge = edges[half / 2]
                edge.points = chain.points
                edge.from = newNode[node]
                edge.to = newNode[chain.end]
                if edge.to >= 0 { result.append(edge) }
            }
        }
        result.sortHalves()
        return result
    }

    /// Whether exactly two edges meet at a node and are similar: neither is a bridge, their class is the same, and they belong to one road
    /// or are both ordinary streets.
    private func isSeam(_ node: Int) -> Bool {
        guard halves[node].count == 2 else { return false }
        let (first, second) = (edges[halves[node][0] / 2], edges[halves[node][1] / 2])
        return halves[node][0] / 2 != halves[node][1] / 2 && !first.isBridge && !second.isBridge && first.roadClass == second.roadClass
            && (first.road == second.road || first.isRemovable && second.isRemovable)
    }

    private func chain(from half: Int, isJoint: inout [Bool], isUsed: inout [Bool]) -> (points: [Vector2], end: Int) {
        var half = half
        isUsed[half / 2] = true
        var line = points(of: half)
        while isJoint[target(of: half)] {
            let joint = target(of: half)
            guard let next = halves[joint].first(where: { $0 / 2 != half / 2 }), !isUsed[next / 2] else { break }
            isUsed[next / 2] = true
            line += points(of: next).dropFirst()
            half = next
        }
        return (line, target(of: half))
    }
}
