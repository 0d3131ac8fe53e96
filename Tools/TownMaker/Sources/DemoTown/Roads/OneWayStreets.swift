import Geo

/// Chooses one-way streets in the old town. A choice is undone if it would cut off a part of the town.
struct OneWayStreets {
    private let graph: StreetGraph
    private(set) var directions: [RoadGraph.Piece.Direction]

    init(graph: StreetGraph, runs: StreetRuns, zones: StreetZones, random: SeededRandom) {
        self.graph = graph
        directions = [RoadGraph.Piece.Direction](repeating: .both, count: graph.edges.count)
        var random = random
        for run in runs.runs where run.role == .street && !run.isDeadEnd && run.length > 70 {
            guard zones.zone(at: run.middle) == .oldTown, random.chance(0.5) else { continue }
            let isReversed = random.chance(0.5)
            for half in run.paths.flatMap({ $0 }) {
                directions[half / 2] = half.isMultiple(of: 2) != isReversed ? .forward : .backward
            }
        }
        while openCutOffStreets() {}
    }

    /// Makes one-way streets two-way if no route leads back to their start. Returns false if there is no such street.
    private mutating func openCutOffStreets() -> Bool {
        let part = parts()
        var isChanged = false
        for edge in graph.edges.indices where directions[edge] != .both {
            guard part[graph.edges[edge].from] != part[graph.edges[edge].to] else { continue }
            directions[edge] = .both
            isChanged = true
        }
        return isChanged
    }

    /// Returns the node at the end of a half-edge; nil if traffic may not use the half-edge. `backwards` reverses the directions of
    /// traffic.
    private func successor(over half: Int, backwards: Bool) -> Int? {
        let isForward = half.isMultiple(of: 2) != backwards
        let wanted: RoadGraph.Piece.Direction = isForward ? .forward : .backward
        return directions[half / 2] == .both || directions[half / 2] == wanted ? graph.target(of: half) : nil
    }

    /// Returns, for each node, the number of the strongly connected part to which it belongs (S. Kosaraju's two passes).
    private func parts() -> [Int] {
        var part = [Int](repeating: -1, count: graph.nodes.count)
        for root in nodesByDeparture().reversed() where part[root] < 0 {
            var open = [root]
            part[root] = root
            while let node = open.popLast() {
                for half in graph.halves[node] {
                    guard let next = successor(over: half, backwards: true), part[next] < 0 else { continue }
                    part[next] = root
                    open.append(next)
                }
            }
        }
        return part
    }

    /// Returns all nodes in the order in which a depth-first search leaves them.
    private func nodesByDeparture() -> [Int] {
        var order: [Int] = []
        var isSeen = [Bool](repeating: false, count: graph.nodes.count)
        for root in graph.nodes.indices where !isSeen[root] {
            isSeen[root] = true
            var stack = [(node: root, tried: 0)]
            while let (node, tried) = stack.last {
                guard tried < graph.halves[node].count else {
                    order.append(node)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].tried += 1
                guard let next = successor(over: graph.halves[node][tried], backwards: false), !isSeen[next] else { continue }
                isSeen[next] = true
                stack.append((next, 0))
            }
        }
        return order
    }
}
