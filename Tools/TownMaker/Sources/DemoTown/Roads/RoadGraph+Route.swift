public import Geo

extension RoadGraph {
    /// Largest distance between a road and the start or end of a route, in metres.
    public static let snapRadiusMeters = 300.0

    /// Returns the fastest route by car between two places. Each place is first moved to the nearest road.
    ///
    /// The search is A* over the directed edges, so that the cost of a turn depends on both roads (``TurnTable``). A route never turns back
    /// between two nodes.
    /// - Returns: the route; nil if a place is more than 300 m from any road, or if no route leads to the destination.
    public func route(from start: Coordinate, to destination: Coordinate) -> RoadRoute? {
        guard let first = nearestRoad(to: start, withinMeters: Self.snapRadiusMeters),
            let last = nearestRoad(to: destination, withinMeters: Self.snapRadiusMeters)
        else { return nil }
        var search = RouteSearch(graph: self, goal: terminals(of: last), goalPlace: last.coordinate)
        guard let found = search.run(from: terminals(of: first)) else { return nil }
        return assemble(found, from: first, to: last)
    }

    /// Returns the edges on which a place lies, one for each direction in which the road may be driven.
    func terminals(of position: RoadPosition) -> [RouteTerminal] {
        let edge = edges[position.edge]
        let here = RouteTerminal(edge: position.edge, alongMeters: position.alongMeters)
        guard let reverse = edge.reverse else { return [here] }
        return [here, RouteTerminal(edge: reverse, alongMeters: edge.lengthMeters - position.alongMeters)]
    }
}

/// A point on an edge at which a route begins or ends.
struct RouteTerminal: Sendable {
    var edge: Int
    var alongMeters: Double
}

/// The result of a search: the edges of the fastest route and its duration.
struct RoutePath: Sendable {
    var edges: [Int]
    var seconds: Double
}

/// One search by A* (P. Hart, N. Nilsson, B. Raphael, 1968).
struct RouteSearch {
    private let graph: RoadGraph
    private let goal: [RouteTerminal]
    private let goalPoint: Vector2
    private let secondsPerMeter: Double
    /// For each edge: the shortest time found so far from the route's start to the end of the edge, in seconds, and the previous edge.
    private var seconds: [Double]
    private var previous: [Int32]
    private var isSettled: [Bool]
    private var heap = EdgeHeap()
    private var best: (seconds: Double, edge: Int, previous: Int)?

    init(graph: RoadGraph, goal: [RouteTerminal], goalPlace: Coordinate) {
        self.graph = graph
        self.goal = goal
        goalPoint = graph.index.point(of: goalPlace)
        // The estimate must never be too high. Lengths on the plane differ from those on the map by less than 0.2 %.
        secondsPerMeter = 0.997 / graph.topSpeed
        seconds = [Double](repeating: .infinity, count: graph.edges.count)
        previous = [Int32](repeating: -1, count: graph.edges.count)
        isSettled = [Bool](repeating: false, count: graph.edges.count)
    }

    mutating func run(from start: [RouteTerminal]) -> RoutePath? {
        for terminal in start {
            let speed = graph.edges[terminal.edge].speedMetersPerSecond
            for end in goal where end.edge == terminal.edge && end.alongMeters >= terminal.alongMeters {
                arrive(over: end.edge, after: -1, seconds: (end.alongMeters - terminal.alongMeters) / speed)
            }
            reach(terminal.edge, after: -1, seconds: (graph.edges[terminal.edge].lengthMeters - terminal.alongMeters) / speed)
        }
        while let (estimate, edge) = heap.pop() {
            if let best, best.seconds <= estimate { break }
            guard !isSettled[edge] else { continue }
            isSettled[edge] = true
            expand(edge)
        }
        return best.map { RoutePath(edges: path(to: $0.previous) + [$0.edge], seconds: $0.seconds) }
    }

    private mutating func expand(_ edge: Int) {
        let turns = graph.turns
        for next in graph.outgoing(from: Int(turns.targets[edge])) {
            let entered = seconds[edge] + turns.seconds(from: edge, to: next)
            for end in goal where end.edge == next {
                arrive(over: next, after: edge, seconds: entered + end.alongMeters / graph.edges[next].speedMetersPerSecond)
            }
            reach(next, after: edge, seconds: entered + turns.driveSeconds[next])
        }
    }

    private mutating func reach(_ edge: Int, after: Int, seconds time: Double) {
        guard time < seconds[edge] else { return }
        seconds[edge] = time
        previous[edge] = Int32(truncatingIfNeeded: after)
        let rest = graph.turns.positions[Int(graph.turns.targets[edge])].distance(to: goalPoint)
        heap.push(time + rest * secondsPerMeter, edge)
    }

    private mutating func arrive(over edge: Int, after: Int, seconds time: Double) {
        if time < best?.seconds ?? .infinity { best = (time, edge, after) }
    }

    private func path(to edge: Int) -> [Int] {
        var edges: [Int] = []
        var edge = edge
        while edge >= 0 {
            edges.append(edge)
            edge = Int(previous[edge])
        }
        return edges.reversed()
    }
}
