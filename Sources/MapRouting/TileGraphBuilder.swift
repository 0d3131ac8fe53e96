import Glibc
import VectorTiles

/// Builds the graph of one tile from its lines.
struct TileGraphBuilder {
    /// The part of a line inside the tile, with the line's routing data.
    struct Piece {
        var line: RoadTile.Line
        var clipped: ClippedPiece
    }

    private let scale: TileScale
    private let id: TileID
    private var nodes: [TileGraph.Node] = []
    private var edges: [TileGraph.Edge] = []
    private var points: [TilePoint] = []
    private let speeds: RoadSpeeds
    private static let extent = RoadTile.extent

    static func graph(of tile: RoadTile, speeds: RoadSpeeds) -> TileGraph {
        var builder = TileGraphBuilder(tile.id, speeds: speeds)
        var pieces = builder.pieces(of: tile)
        LostJunctions.restore(in: &pieces, extent: extent)
        builder.addEdges(of: pieces)
        return builder.finish(tile.names)
    }

    private init(_ id: TileID, speeds: RoadSpeeds) {
        self.id = id
        self.speeds = speeds
        scale = TileScale(id, extent: Self.extent)
    }

    private func pieces(of tile: RoadTile) -> [Piece] {
        tile.lines.flatMap { line in
            let points = line.vertices.map { vertex in
                TilePoint(x: tile.coordinates[2 * Int(vertex)], y: tile.coordinates[2 * Int(vertex) + 1])
            }
            var line = line
            if isRoundabout(points) { line.flags.formUnion([.noBackward, .roundabout]) }
            return LineClipper.pieces(of: points, extent: Self.extent).map { Piece(line: line, clipped: $0) }
        }
    }

    /// Returns whether a line is a small and nearly round ring. Such a line counts as a roundabout, and as one-way in the direction in
    /// which it is drawn, as in OpenStreetMap.
    private func isRoundabout(_ points: [TilePoint]) -> Bool {
        guard points.count > 5, let first = points.first, points.last == first else { return false }
        var (perimeter, area) = (0.0, 0.0)
        for (start, end) in zip(points, points.dropFirst()) {
            perimeter += scale.meters(start, end)
            let (startX, startY) = (Double(start.x) - Double(first.x), Double(start.y) - Double(first.y))
            area += startX * (Double(end.y) - Double(first.y)) - startY * (Double(end.x) - Double(first.x))
        }
        area = abs(area) / 2 * scale.metersPerUnitX * scale.metersPerUnitY
        // In a circle, 4π times the area is the square of the perimeter.
        return (20...400).contains(perimeter) && 4 * Double.pi * area > 0.7 * perimeter * perimeter
    }

    private mutating func addEdges(of pieces: [Piece]) {
        let meetings = Meetings(pieces)
        for group in meetings.groups {
            nodes.append(TileGraph.Node(x: group.x, y: group.y, sides: TileSides(of: group, extent: Self.extent)))
        }
        var use = 0
        for piece in pieces {
            let path = piece.clipped.points
            var start: (index: Int, node: Int32)?
            for index in path.indices {
                let node = meetings.nodeOfUse[use + index]
                guard node >= 0 else { continue }
                if let start { addEdge(piece.line, path[start.index...index], from: start.node, to: node) }
                start = (index, node)
            }
            use += path.count
        }
    }

    private mutating func addEdge(_ line: RoadTile.Line, _ path: ArraySlice<TilePoint>, from: Int32, to: Int32) {
        var meters = 0.0
        for (start, end) in zip(path, path.dropFirst()) { meters += scale.meters(start, end) }
        let first = UInt32(points.count)
        points.append(contentsOf: path)
        let speed = speeds.metersPerSecond(line.roadClass, isLink: line.flags.contains(.link))
        edges.append(
            TileGraph.Edge(
                roadClass: line.roadClass, flags: line.flags, level: line.level, points: first..<UInt32(points.count),
                from: UInt32(from), to: UInt32(to), meters: Float(meters), seconds: Float(meters / speed)))
    }

    private mutating func finish(_ names: RoadNames) -> TileGraph {
        for edge in edges {
            for node in [edge.from, edge.to] where nodes[Int(node)].degree < .max { nodes[Int(node)].degree += 1 }
        }
        for (node, streets) in streetCounts().enumerated() { nodes[node].passSeconds = Float(RoadSpeeds.passSeconds(streets: streets)) }
        var arcs: [TileGraph.Arc] = []
        for index in edges.indices {
            if !edges[index].flags.contains(.noForward) { arcs.append(arc(index, isForward: true)) }
            if !edges[index].flags.contains(.noBackward) { arcs.append(arc(index, isForward: false)) }
        }
        let starts = sortByStart(&arcs)
        for node in nodes.indices { nodes[node].arcs = starts[node]..<starts[node + 1] }
        for (number, arc) in arcs.enumerated() {
            if arc.isForward { edges[Int(arc.edge)].forward = Int32(number) } else { edges[Int(arc.edge)].backward = Int32(number) }
        }
        markOutlets(arcs)
        return TileGraph(
            id: id, nodes: nodes, edges: edges, arcs: arcs, points: points, crossings: crossings(), scale: scale,
            names: names)
    }

    /// Returns the number of streets at each node, without living streets, service roads and driveways.
    private func streetCounts() -> [Int] {
        var counts = [Int](repeating: 0, count: nodes.count)
        for edge in edges where edge.roadClass.rawValue <= RoadClass.street.rawValue {
            counts[Int(edge.from)] += 1
            counts[Int(edge.to)] += 1
        }
        return counts
    }

    /// Sorts the arcs by their first node. Returns the index of each node's first arc. One more element at the end is the number of all
    /// arcs.
    private func sortByStart(_ arcs: inout [TileGraph.Arc]) -> [UInt32] {
        let start = { (arc: TileGraph.Arc) in Int(arc.isForward ? edges[Int(arc.edge)].from : edges[Int(arc.edge)].to) }
        var starts = [UInt32](repeating: 0, count: nodes.count + 1)
        for arc in arcs { starts[start(arc) + 1] += 1 }
        for node in nodes.indices { starts[node + 1] += starts[node] }
        var next = starts
        var sorted = arcs
        for arc in arcs {
            let node = start(arc)
            sorted[Int(next[node])] = arc
            next[node] += 1
        }
        arcs = sorted
        return starts
    }

    /// Sets the `outlets` of each road.
    private mutating func markOutlets(_ arcs: [TileGraph.Arc]) {
        let (isReached, isLeft) = (reached(arcs, backwards: false), reached(arcs, backwards: true))
        for index in edges.indices {
            let (from, to) = (Int(edges[index].from), Int(edges[index].to))
            for (arc, start, end) in [(edges[index].forward, from, to), (edges[index].backward, to, from)] where arc >= 0 {
                if isReached[start] { edges[index].outlets.insert(.reached) }
                if isLeft[end] { edges[index].outlets.insert(.left) }
            }
        }
    }

    /// Returns for each node whether cars can reach it from the sides of the tile; with `backwards`, whether they can reach a side of the
    /// tile from it.
    private func reached(_ arcs: [TileGraph.Arc], backwards: Bool) -> [Bool] {
        var isReached = nodes.map { !$0.sides.isEmpty }
        // A few rounds in alternating order suffice, except for mazes of one-way streets.
        var isChanged = true
        var round = 0
        while isChanged, round < 64 {
            isChanged = false
            for step in arcs.indices {
                let arc = arcs[round % 2 == 0 ? step : arcs.count - 1 - step]
                let edge = edges[Int(arc.edge)]
                let (start, end) = arc.isForward ? (edge.from, edge.to) : (edge.to, edge.from)
                let (from, to) = backwards ? (Int(end), Int(start)) : (Int(start), Int(end))
                if isReached[from], !isReached[to] { (isReached[to], isChanged) = (true, true) }
            }
            round += 1
        }
        return isReached
    }

    private func arc(_ index: Int, isForward: Bool) -> TileGraph.Arc {
        let edge = edges[index]
        let (head, tail) = (bearing(edge, fromStart: true), bearing(edge, fromStart: false))
        return TileGraph.Arc(
            to: isForward ? edge.to : edge.from, edge: UInt32(index), isForward: isForward,
            isLocal: edge.roadClass.rawValue >= RoadClass.service.rawValue, startBearing: isForward ? head : tail,
            endBearing: (isForward ? tail : head) &+ 128, seconds: edge.seconds)
    }

    /// Returns the direction of an edge from one of its ends. It is measured over a few metres, because the first stretch may be one
    /// unit long.
    private func bearing(_ edge: TileGraph.Edge, fromStart: Bool) -> UInt8 {
        let path = points[Int(edge.points.lowerBound)..<Int(edge.points.upperBound)]
        guard let origin = fromStart ? path.first : path.last else { return 0 }
        var target = origin
        for step in 1..<max(2, path.count) {
            target = path[fromStart ? path.startIndex + step : path.endIndex - 1 - step]
            if scale.meters(origin, target) >= 8 { break }
        }
        return TurnAngle.bearing(
            east: Double(target.x - origin.x) * scale.metersPerUnitX, north: Double(origin.y - target.y) * scale.metersPerUnitY)
    }

    private func crossings() -> [[TileGraph.Crossing]] {
        var crossings = [[TileGraph.Crossing]](repeating: [], count: TileSides.all.count)
        for edge in edges {
            for (number, fromStart) in [(edge.from, true), (edge.to, false)] {
                let node = nodes[Int(number)]
                for (index, side) in TileSides.all.enumerated() where node.sides.contains(side.side) {
                    crossings[index].append(
                        TileGraph.Crossing(
                            position: side.stepX == 0 ? node.x : node.y, node: number, roadClass: edge.roadClass, level: edge.level,
                            bearing: bearing(edge, fromStart: fromStart)))
                }
            }
        }
        return crossings.map { $0.sorted { $0.position < $1.position } }
    }
}
