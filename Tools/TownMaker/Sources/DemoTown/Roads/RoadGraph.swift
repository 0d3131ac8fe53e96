public import Geo

/// The roads of a town that are open to cars, as a graph. The nodes are mostly junctions. Each piece of road between two nodes has one edge
/// for each direction in which cars may drive.
///
/// Every place can be reached from every other place. Two roads cross only at a node, or on different levels.
public struct RoadGraph: Sendable {
    /// A junction, a dead end, or a point where a road changes, such as the start of a bridge.
    public struct Node: Sendable, Hashable {
        public let coordinate: Coordinate
        /// The edges that start at this node, as a range of indexes into ``RoadGraph/edges``.
        public let outgoing: Range<Int>
    }

    /// A piece of road from one node to the next, in one direction.
    public struct Edge: Sendable, Hashable {
        /// Indexes into ``RoadGraph/nodes``.
        public let from: Int
        public let to: Int
        public let roadClass: RoadClass
        /// The name of the street; nil for minor roads such as service roads.
        public let name: String?
        /// Speed of cars in free flow, metres a second.
        public let speedMetersPerSecond: Double
        public let lengthMeters: Double
        public let isBridge: Bool
        /// The index of the edge in the other direction on the same piece of road; nil for a one-way street.
        public let reverse: Int?
        /// The index of the piece of road, which both directions share.
        let piece: Int
        let isForward: Bool
    }

    public let nodes: [Node]
    /// All edges, sorted by the node at which they start.
    public let edges: [Edge]
    /// The line of each piece of road, in the direction of its forward edge.
    let pieces: [Polyline]
    let index: RoadIndex
    let turns: TurnTable
    /// The index of one edge of each piece: the forward edge, or the backward edge if there is no forward edge.
    let edgeOfPiece: [Int]
    /// The highest speed on any edge, metres a second.
    let topSpeed: Double

    func outgoing(from node: Int) -> Range<Int> { nodes[node].outgoing }

    /// Returns the line of an edge from its first node to its second; empty for an index out of range.
    public func geometry(ofEdge edge: Int) -> [Coordinate] {
        guard edges.indices.contains(edge) else { return [] }
        let coordinates = pieces[edges[edge].piece].coordinates
        return edges[edge].isForward ? coordinates : coordinates.reversed()
    }
}

/// A point on a road.
public struct RoadPosition: Sendable, Hashable {
    /// The coordinate of the point, on the line of the road.
    public let coordinate: Coordinate
    /// The index in ``RoadGraph/edges`` of an edge on which the point lies. Its `reverse`, if any, is the edge in the other direction.
    public let edge: Int
    /// Distance from the start of the edge, in metres.
    public let alongMeters: Double
    /// Distance from the place for which the nearest road was requested, in metres.
    public let distanceMeters: Double
    public let name: String?
    public let roadClass: RoadClass
}

// MARK: - Building

extension RoadGraph {
    /// A piece of road, in the form that the initializer takes.
    struct Piece {
        enum Direction {
            case both, forward, backward
        }

        var from: Int
        var to: Int
        var points: [Coordinate]
        var roadClass: RoadClass
        var name: String?
        var speed: Double
        var isBridge: Bool
        var direction: Direction
    }

    init(nodes places: [Coordinate], pieces: [Piece], projection: TownProjection) {
        self.pieces = pieces.map { Polyline($0.points) }
        var drafts: [(from: Int, piece: Int, isForward: Bool)] = []
        for (number, piece) in pieces.enumerated() {
            if piece.direction != .backward { drafts.append((piece.from, number, true)) }
            if piece.direction != .forward { drafts.append((piece.to, number, false)) }
        }
        var starts = [Int](repeating: 0, count: places.count + 1)
        for draft in drafts { starts[draft.from + 1] += 1 }
        for node in places.indices { starts[node + 1] += starts[node] }
        nodes = places.indices.map { Node(coordinate: places[$0], outgoing: starts[$0]..<starts[$0 + 1]) }
        var place = starts
        var slots = [[Int?]](repeating: [nil, nil], count: pieces.count)
        var order = [Int](repeating: 0, count: drafts.count)
        for (number, draft) in drafts.enumerated() {
            order[place[draft.from]] = number
            slots[draft.piece][draft.isForward ? 0 : 1] = place[draft.from]
            place[draft.from] += 1
        }
        let lines = self.pieces
        edges = order.map { number in
            let draft = drafts[number]
            let piece = pieces[draft.piece]
            return Edge(
                from: draft.from, to: draft.isForward ? piece.to : piece.from, roadClass: piece.roadClass, name: piece.name,
                speedMetersPerSecond: piece.speed, lengthMeters: lines[draft.piece].lengthMeters, isBridge: piece.isBridge,
                reverse: slots[draft.piece][draft.isForward ? 1 : 0], piece: draft.piece, isForward: draft.isForward)
        }
        edgeOfPiece = slots.map { $0[0] ?? $0[1] ?? 0 }
        topSpeed = edges.reduce(1) { max($0, $1.speedMetersPerSecond) }
        index = RoadIndex(lines: lines, projection: projection)
        turns = TurnTable(edges: edges, nodes: nodes, lines: lines, projection: projection)
    }
}
