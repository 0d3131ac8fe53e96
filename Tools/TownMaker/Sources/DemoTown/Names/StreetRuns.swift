/// The edges of the street graph, grouped into streets. A run is a group of edges that share one name.
struct StreetRuns: Sendable {
    struct Run: Sendable {
        var edges: [Int]
        /// The half-edges of the street in driving order. There is more than one path if the street forks.
        var paths: [[Int]]
        var role: PlannedRoad.Role
        var roadClass: RoadClass
        var length: Double
        /// A point on the street, near its middle.
        var middle: Vector2
        /// The absolute value of the sum of the sines of all turns along the street's edges. Turns to the left and to the right cancel out.
        /// A turn of 90° at one point has the value 1.
        var bend: Double
        var isDeadEnd: Bool
    }

    let runs: [Run]
    /// For each edge of the graph, the index of its run.
    let runOfEdge: [Int]

    init(graph: StreetGraph) {
        var joiner = Joiner(count: graph.edges.count)
        Self.joinPlannedRoads(graph, &joiner)
        for node in graph.nodes.indices { Self.joinStraightOn(at: node, graph, &joiner) }
        Self.joinScraps(graph, &joiner)
        var number = [Int](repeating: -1, count: graph.edges.count)
        var groups: [[Int]] = []
        for edge in graph.edges.indices {
            let root = joiner.root(of: edge)
            if number[root] < 0 {
                number[root] = groups.count
                groups.append([])
            }
            groups[number[root]].append(edge)
        }
        let runOfEdge = graph.edges.indices.map { number[joiner.root(of: $0)] }
        var isUsed = [Bool](repeating: false, count: graph.edges.count)
        runs = groups.map { Self.describe($0, Self.paths(over: $0, runOfEdge: runOfEdge, graph: graph, isUsed: &isUsed), graph) }
        self.runOfEdge = runOfEdge
    }

    // MARK: Joining

    /// Joins two edges that meet at a node into one street if both have the same role, and it is one whose roads keep their name, such as
    /// the market or an avenue.
    private static func joinPlannedRoads(_ graph: StreetGraph, _ joiner: inout Joiner) {
        for halves in graph.halves {
            for (place, first) in halves.enumerated() where keepsItsName(graph.edges[first / 2].role) {
                for second in halves[(place + 1)...] where graph.edges[first / 2].role == graph.edges[second / 2].role {
                    joiner.join(first / 2, second / 2)
                }
            }
        }
    }

    private static func keepsItsName(_ role: PlannedRoad.Role) -> Bool {
        switch role {
        case .market, .gateStreet, .avenue, .ringRoad, .stationRoad, .stationFront: true
        default: false
        }
    }

    /// Joins the edges of a street across a junction: a street continues along the edge that lies straightest ahead.
    private static func joinStraightOn(at node: Int, _ graph: StreetGraph, _ joiner: inout Joiner) {
        let halves = graph.halves[node]
        var pairs: [(score: Double, first: Int, second: Int)] = []
        for (place, first) in halves.enumerated() {
            for second in halves[(place + 1)...] {
                let (one, other) = (graph.edges[first / 2], graph.edges[second / 2])
                guard family(one.role) == family(other.role), !keepsItsName(one.role) else { continue }
                guard !isBreak(at: node, for: one.role, graph) else { continue }
                let isSame = one.road == other.road
                let straightness = -graph.departure(of: first).dot(graph.departure(of: second))
                guard straightness > (isSame || halves.count == 2 ? 0.2 : 0.87) else { continue }
                guard one.roadClass == other.roadClass || isSame && one.roadClass != .service && other.roadClass != .service else {
                    continue
                }
                pairs.append((straightness + (isSame ? 0.6 : 0), first, second))
            }
        }
        pairs.sort { ($1.score, $0.first, $0.second) < ($0.score, $1.first, $1.second) }
        var used: [Int] = []
        for pair in pairs where !used.contains(pair.first) && !used.contains(pair.second) {
            used += [pair.first, pair.second]
            joiner.join(pair.first / 2, pair.second / 2)
        }
    }

    /// Returns a number for the family of a road. Roads of one family can share a name.
    private static func family(_ role: PlannedRoad.Role) -> Int {
        switch role {
        case .street, .villageStreet, .harbourRoad: 0
        case .collector: 1
        case .lane: 2
        case .quay: 3
        case .wall: 4
        case .boulevard: 5
        case .innerRing: 6
        default: 7
        }
    }

    /// Whether a road changes its name at a node. Quays, and rings inside the ring road, change their names at avenues and gate streets.
    private static func isBreak(at node: Int, for role: PlannedRoad.Role, _ graph: StreetGraph) -> Bool {
        switch role {
        case .wall, .boulevard, .innerRing, .quay:
            graph.halves[node].contains { half in
                switch graph.edges[half / 2].role {
                case .avenue, .gateStreet: true
                default: false
                }
            }
        default: false
        }
    }

    /// Joins very short edges between two junctions to the street that continues most directly.
    private static func joinScraps(_ graph: StreetGraph, _ joiner: inout Joiner) {
        for (number, edge) in graph.edges.enumerated() where edge.length < 34 && edge.isRemovable && joiner.isAlone(number) {
            var best: (straightness: Double, edge: Int)?
            for half in [2 * number, 2 * number + 1] {
                for other in graph.halves[graph.origin(of: half)] where other / 2 != number && graph.edges[other / 2].isRemovable {
                    let straightness = -graph.departure(of: half).dot(graph.departure(of: other))
                    if straightness > best?.straightness ?? 0.1 { best = (straightness, other / 2) }
                }
            }
            if let best { joiner.join(number, best.edge) }
        }
    }

    private static func paths(over edges: [Int], runOfEdge: [Int], graph: StreetGraph, isUsed: inout [Bool]) -> [[Int]] {
        let run = runOfEdge[edges[0]]
        let ends = edges.flatMap { [2 * $0, 2 * $0 + 1] }.filter { half in
            graph.halves[graph.origin(of: half)].reduce(0) { $0 + (runOfEdge[$1 / 2] == run ? 1 : 0) } != 2
        }
        var paths: [[Int]] = []
        for start in ends + edges.map({ 2 * $0 }) where !isUsed[start / 2] {
            var path = [start]
            isUsed[start / 2] = true
            while let next = straightest(after: path[path.count - 1], run: run, runOfEdge: runOfEdge, graph: graph, isUsed: isUsed) {
                isUsed[next / 2] = true
                path.append(next)
            }
            paths.append(path)
        }
        return paths
    }

    private static func straightest(after half: Int, run: Int, runOfEdge: [Int], graph: StreetGraph, isUsed: [Bool]) -> Int? {
        let candidates = graph.halves[graph.target(of: half)].filter { runOfEdge[$0 / 2] == run && !isUsed[$0 / 2] }
        guard candidates.count > 1 else { return candidates.first }
        let arrival = -graph.departure(of: half ^ 1)
        return candidates.max { arrival.dot(graph.departure(of: $0)) < arrival.dot(graph.departure(of: $1)) }
    }

    private static func describe(_ edges: [Int], _ paths: [[Int]], _ graph: StreetGraph) -> Run {
        let first = graph.edges[edges[0]]
        let longest = edges.max { graph.edges[$0].length < graph.edges[$1].length } ?? edges[0]
        let points = graph.edges[longest].points
        var bend = 0.0
        for edge in edges {
            let line = graph.edges[edge].points
            for index in 1..<max(line.count - 1, 1) {
                bend += (line[index] - line[index - 1]).normalized.cross((line[index + 1] - line[index]).normalized)
            }
        }
        let isDeadEnd = edges.contains { graph.degree(of: graph.edges[$0].from) == 1 || graph.degree(of: graph.edges[$0].to) == 1 }
        return Run(
            edges: edges, paths: paths, role: first.role, roadClass: first.roadClass,
            length: edges.reduce(0) { $0 + graph.edges[$1].length },
            middle: points[points.count / 2], bend: abs(bend), isDeadEnd: isDeadEnd)
    }
}

/// Sets of edges that are joined until each set is a whole street (union-find with path halving).
private struct Joiner {
    private var parent: [Int]
    private var size: [Int]

    init(count: Int) {
        parent = Array(0..<count)
        size = [Int](repeating: 1, count: count)
    }

    mutating func root(of item: Int) -> Int {
        var item = item
        while parent[item] != item {
            parent[item] = parent[parent[item]]
            item = parent[item]
        }
        return item
    }

    mutating func join(_ first: Int, _ second: Int) {
        let (a, b) = (root(of: first), root(of: second))
        guard a != b else { return }
        let (low, high) = a < b ? (a, b) : (b, a)
        parent[high] = low
        size[low] += size[high]
    }

    mutating func isAlone(_ item: Int) -> Bool { size[root(of: item)] == 1 }
}
