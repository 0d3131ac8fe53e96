import Geo

extension RoadGraph {
    /// Returns the driving times from one place to several others, in one search. Each place is first moved to the nearest road.
    ///
    /// - Parameter limit: the longest driving time to search for, in seconds.
    /// - Returns: for each destination, the duration of ``route(from:to:)`` in seconds; nil if the duration is above `limit`, if no route
    ///   leads to the destination, or if no road is near the start or the destination.
    func durations(from start: Coordinate, to destinations: [Coordinate], withinSeconds limit: Double) -> [Double?] {
        guard let first = nearestRoad(to: start, withinMeters: Self.snapRadiusMeters) else { return destinations.map { _ in nil } }
        let goals = destinations.map { nearestRoad(to: $0, withinMeters: Self.snapRadiusMeters).map { terminals(of: $0) } ?? [] }
        var search = DurationSearch(graph: self, goals: goals)
        return search.run(from: terminals(of: first), limit: limit).map { $0.isFinite && $0 <= limit ? $0 : nil }
    }
}

/// One search from a place in all directions (E. Dijkstra, 1959).
private struct DurationSearch {
    private let graph: RoadGraph
    /// The destinations on each edge, for the edges that have destinations.
    private var goals: [Int: [(number: Int, alongMeters: Double)]] = [:]
    private var found: [Double]
    private var seconds: [Double]
    private var heap = EdgeHeap()

    init(graph: RoadGraph, goals: [[RouteTerminal]]) {
        self.graph = graph
        found = [Double](repeating: .infinity, count: goals.count)
        seconds = [Double](repeating: .infinity, count: graph.edges.count)
        for (number, terminals) in goals.enumerated() {
            for terminal in terminals { self.goals[terminal.edge, default: []].append((number, terminal.alongMeters)) }
        }
    }

    mutating func run(from start: [RouteTerminal], limit: Double) -> [Double] {
        for terminal in start {
            let edge = graph.edges[terminal.edge]
            for goal in goals[terminal.edge] ?? [] where goal.alongMeters >= terminal.alongMeters {
                found[goal.number] = min(found[goal.number], (goal.alongMeters - terminal.alongMeters) / edge.speedMetersPerSecond)
            }
            reach(terminal.edge, seconds: (edge.lengthMeters - terminal.alongMeters) / edge.speedMetersPerSecond)
        }
        while let (time, edge) = heap.pop(), time <= limit {
            if time > seconds[edge] { continue }
            expand(edge)
        }
        return found
    }

    private mutating func expand(_ edge: Int) {
        let turns = graph.turns
        for next in graph.outgoing(from: Int(turns.targets[edge])) {
            let entered = seconds[edge] + turns.seconds(from: edge, to: next)
            for goal in goals[next] ?? [] {
                found[goal.number] = min(found[goal.number], entered + goal.alongMeters / graph.edges[next].speedMetersPerSecond)
            }
            reach(next, seconds: entered + turns.driveSeconds[next])
        }
    }

    private mutating func reach(_ edge: Int, seconds time: Double) {
        guard time < seconds[edge] else { return }
        seconds[edge] = time
        heap.push(time, edge)
    }
}
