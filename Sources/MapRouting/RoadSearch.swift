import Geo
import VectorTiles

/// An A* search over the arcs of the tiles that it was given. If a road leads into another tile, the search asks for that tile.
///
/// The search visits arcs instead of nodes, because the cost of a turn depends on the road before it.
struct RoadSearch {
    enum Step {
        /// A road leads into this tile. Call `provide`, then continue.
        case needs(TileID)
        /// The permitted number of steps is used up. Continue after other tasks have run.
        case paused
        /// The route is found.
        case found
        /// All reachable roads have been visited, and no route was found.
        case exhausted
    }

    /// A part of an arc that the route uses, between two fractions of the arc's length.
    struct Part {
        var graph: TileGraph
        var arc: TileGraph.Arc
        var shares: ClosedRange<Double>
        /// Time lost at the junction after the part, in seconds.
        var turnSeconds: Double
    }

    private struct Slot {
        var graph: TileGraph
        /// Index of the tile's first arc in the arrays that have one entry for each arc of every tile.
        var firstArc: UInt32
        var nodeOffset: (x: Double, y: Double)
    }

    /// A node at a tile's edge.
    private struct EdgeNode: Hashable {
        var slot: Int
        var node: UInt32
    }

    private struct Goal {
        var share: Double
        /// Extra cost of ending on this road instead of the road nearest to the destination, in seconds.
        var extra: Float
    }

    private struct Finish {
        /// The arc before `arc`; nil if the route begins and ends on `arc`.
        var previous: UInt32?
        var arc: UInt32
        var seconds: Float
    }

    private static let none = UInt32.max

    private var slots: [Slot] = []
    /// For each node at a tile's edge: the nodes where its roads continue in other tiles.
    private var knownLinks: [EdgeNode: [EdgeNode]] = [:]
    /// Index of each tile in `slots`, or -1 for a missing tile.
    private var slotOfTile: [TileID: Int] = [:]
    // The next four arrays have one entry for each arc of every tile.
    private var seconds: [Float] = []
    private var previous: [UInt32] = []
    private var slotOfArc: [UInt16] = []
    private var isSettled: [Bool] = []
    private var heap = RoadHeap()
    private var goals: [UInt32: Goal] = [:]
    private var starts: [UInt32: Double] = [:]
    private var finish: Finish?
    private let target: (x: Double, y: Double)
    private let home: TileScale
    private let homeID: TileID
    private let avoidsLocal: Bool
    /// Number of known tiles, including those without roads.
    var tileCount: Int { slotOfTile.count }
    /// Number of arcs whose least cost has been found.
    private(set) var steps = 0

    /// - Parameters:
    ///   - target: end of the route.
    ///   - avoidsLocal: whether to leave out service roads that are far from both ends of the route.
    init(target place: Coordinate, tile: TileID, avoidsLocal: Bool) {
        self.avoidsLocal = avoidsLocal
        homeID = tile
        home = TileScale(tile, extent: RoadTile.extent)
        target = home.point(place)
    }

    /// Adds a tile; nil means that the tile does not exist.
    mutating func provide(_ id: TileID, _ graph: TileGraph?) {
        guard slotOfTile[id] == nil else { return }
        guard let graph, slots.count < Int(UInt16.max) else {
            slotOfTile[id] = -1
            return
        }
        slotOfTile[id] = slots.count
        let extent = Double(RoadTile.extent)
        let columns = 1 << homeID.zoom
        // The offset is measured in the shorter direction around the earth.
        var stepX = id.x - homeID.x
        if stepX > columns / 2 { stepX -= columns } else if stepX < -columns / 2 { stepX += columns }
        let slot = Slot(
            graph: graph, firstArc: UInt32(seconds.count), nodeOffset: (Double(stepX) * extent, Double(id.y - homeID.y) * extent))
        let count = graph.arcs.count
        seconds.append(contentsOf: repeatElement(.infinity, count: count))
        previous.append(contentsOf: repeatElement(Self.none, count: count))
        slotOfArc.append(contentsOf: repeatElement(UInt16(slots.count), count: count))
        isSettled.append(contentsOf: repeatElement(false, count: count))
        slots.append(slot)
    }

    func has(_ id: TileID) -> Bool { slotOfTile[id] != nil }

    /// Adds an end of the route. All goals must be added before the first start.
    mutating func addGoal(_ snap: RoadSnap, extraSeconds: Double) {
        guard let (slot, edge) = edge(of: snap) else { return }
        for (arc, share) in [(edge.forward, snap.share), (edge.backward, 1 - snap.share)] where arc >= 0 {
            let number = slot.firstArc + UInt32(arc)
            if let known = goals[number], known.extra <= Float(extraSeconds) { continue }
            goals[number] = Goal(share: share, extra: Float(extraSeconds))
        }
    }

    /// Adds a start of the route.
    mutating func addStart(_ snap: RoadSnap, extraSeconds: Double, courseDegrees: Double?) {
        guard let (slot, edge) = edge(of: snap) else { return }
        for (local, share) in [(edge.forward, snap.share), (edge.backward, 1 - snap.share)] where local >= 0 {
            let arc = slot.graph.arcs[Int(local)]
            let number = slot.firstArc + UInt32(local)
            var extra = Float(extraSeconds)
            if let courseDegrees, slot.graph.leads(arc, atShare: share, against: courseDegrees) {
                extra += Float(RoadSpeeds.wrongWaySeconds)
            }
            if let goal = goals[number], goal.share >= share {
                let seconds = extra + arc.seconds * Float(goal.share - share) + goal.extra
                offer(Finish(previous: nil, arc: number, seconds: seconds), start: share)
            }
            let cost = extra + arc.seconds * Float(1 - share)
            guard cost < seconds[Int(number)] else { continue }
            starts[number] = share
            reach(number, seconds: cost, from: Self.none, in: slot)
        }
    }

    private func edge(of snap: RoadSnap) -> (slot: Slot, edge: TileGraph.Edge)? {
        guard let index = slotOfTile[snap.tile], index >= 0, slots[index].graph.edges.indices.contains(snap.edge) else { return nil }
        return (slots[index], slots[index].graph.edges[snap.edge])
    }

    private mutating func offer(_ candidate: Finish, start: Double? = nil) {
        guard candidate.seconds < finish?.seconds ?? .infinity else { return }
        finish = candidate
        if let start { directStart = start }
    }

    /// Start of a route that begins and ends on one arc, as a fraction of the arc's length.
    private var directStart = 0.0

    @inline(__always)
    private mutating func reach(_ arc: UInt32, seconds cost: Float, from: UInt32, in slot: Slot) {
        seconds[Int(arc)] = cost
        previous[Int(arc)] = from
        let node = slot.graph.nodes[Int(slot.graph.arcs[Int(arc - slot.firstArc)].to)]
        let east = (slot.nodeOffset.x + Double(node.x) - target.x) * home.metersPerUnitX
        let south = (slot.nodeOffset.y + Double(node.y) - target.y) * home.metersPerUnitY
        let hope = (east * east + south * south).squareRoot() / RoadSpeeds.hopefulMetersPerSecond
        heap.insert(arc, key: cost + Float(hope))
    }

    /// Continues the search for at most `maximumSteps` arcs.
    mutating func advance(maximumSteps: Int) -> Step {
        var left = maximumSteps
        while let (arc, key) = heap.popLeast() {
            if isSettled[Int(arc)] { continue }
            if let finish, key >= finish.seconds { return .found }
            let slotNumber = Int(slotOfArc[Int(arc)])
            let local = slots[slotNumber].graph.arcs[Int(arc - slots[slotNumber].firstArc)]
            if let missing = missingTile(slotNumber, node: local.to) {
                heap.insert(arc, key: key)
                return .needs(missing)
            }
            isSettled[Int(arc)] = true
            steps += 1
            expand(arc, local, slotNumber, hope: key - seconds[Int(arc)])
            left -= 1
            if left <= 0 { return .paused }
        }
        return finish == nil ? .exhausted : .found
    }

    /// Returns the first tile that lies beyond an edge node and has not been provided yet; nil if all tiles beyond the node have been
    /// provided.
    private func missingTile(_ slot: Int, node: UInt32) -> TileID? {
        let graph = slots[slot].graph
        let sides = graph.nodes[Int(node)].sides
        guard !sides.isEmpty, knownLinks[EdgeNode(slot: slot, node: node)] == nil else { return nil }
        for side in TileSides.all where sides.contains(side.side) {
            if let id = graph.id.neighbour(x: side.stepX, y: side.stepY), slotOfTile[id] == nil { return id }
        }
        return nil
    }

    private mutating func expand(_ arc: UInt32, _ local: TileGraph.Arc, _ slotNumber: Int, hope: Float) {
        let slot = slots[slotNumber]
        let node = slot.graph.nodes[Int(local.to)]
        let links = node.sides.isEmpty ? [] : self.links(slotNumber, local.to)
        let base = seconds[Int(arc)]
        let isJunction = node.degree > 2
        let isFar = avoidsLocal && base > RoadSpeeds.localSeconds && hope > RoadSpeeds.localSeconds
        for next in node.arcs {
            let candidate = slot.graph.arcs[Int(next)]
            if isFar, candidate.isLocal { continue }
            var cost = base
            if candidate.edge == local.edge {
                guard node.degree == 1, links.isEmpty else { continue }
                cost += Float(RoadSpeeds.turnRoundSeconds)
            } else if isJunction {
                cost += node.passSeconds
                cost += Float(RoadSpeeds.junctionSeconds(turn: TurnAngle.between(local.endBearing, candidate.startBearing)))
            }
            relax(slot.firstArc + next, candidate, cost, from: arc, in: slot)
        }
        for link in links {
            let other = slots[link.slot]
            for next in other.graph.nodes[Int(link.node)].arcs {
                relax(other.firstArc + next, other.graph.arcs[Int(next)], base, from: arc, in: other)
            }
        }
    }

    @inline(__always)
    private mutating func relax(_ number: UInt32, _ arc: TileGraph.Arc, _ cost: Float, from: UInt32, in slot: Slot) {
        if let goal = goals[number] {
            offer(Finish(previous: from, arc: number, seconds: cost + arc.seconds * Float(goal.share) + goal.extra))
        }
        let cost = cost + arc.seconds
        guard cost < seconds[Int(number)], !isSettled[Int(number)] else { return }
        reach(number, seconds: cost, from: from, in: slot)
    }

    /// Returns the nodes where the roads of an edge node continue in neighbouring tiles.
    private mutating func links(_ slotNumber: Int, _ node: UInt32) -> [EdgeNode] {
        if let known = knownLinks[EdgeNode(slot: slotNumber, node: node)] { return known }
        let graph = slots[slotNumber].graph
        var links: [EdgeNode] = []
        for (index, side) in TileSides.all.enumerated() where graph.nodes[Int(node)].sides.contains(side.side) {
            guard let id = graph.id.neighbour(x: side.stepX, y: side.stepY), let other = slotOfTile[id], other >= 0 else { continue }
            for crossing in graph.crossings[index] where crossing.node == node {
                for found in slots[other].graph.nodes(meeting: crossing, at: side.opposite)
                where !links.contains(EdgeNode(slot: other, node: found)) {
                    links.append(EdgeNode(slot: other, node: found))
                }
            }
        }
        knownLinks[EdgeNode(slot: slotNumber, node: node)] = links
        return links
    }

    /// Returns the route that was found, in driving order.
    func parts() -> [Part] {
        guard let finish else { return [] }
        var numbers = [finish.arc]
        var next = finish.previous ?? Self.none
        while next != Self.none, numbers.count <= seconds.count {
            numbers.append(next)
            next = previous[Int(next)]
        }
        numbers.reverse()
        var parts: [Part] = []
        for (index, number) in numbers.enumerated() {
            let slot = slots[Int(slotOfArc[Int(number)])]
            let start = finish.previous == nil ? directStart : index == 0 ? starts[number] ?? 0 : 0
            let end = index == numbers.count - 1 ? goals[number]?.share ?? 1 : 1
            parts.append(
                Part(graph: slot.graph, arc: slot.graph.arcs[Int(number - slot.firstArc)], shares: min(start, end)...end, turnSeconds: 0))
        }
        for index in parts.indices.dropLast() { parts[index].turnSeconds = Self.turnSeconds(from: parts[index], to: parts[index + 1]) }
        return parts
    }

    private static func turnSeconds(from part: Part, to next: Part) -> Double {
        guard part.graph === next.graph else { return 0 }
        if part.arc.edge == next.arc.edge { return RoadSpeeds.turnRoundSeconds }
        let node = part.graph.nodes[Int(part.arc.to)]
        guard node.degree > 2 else { return 0 }
        return Double(node.passSeconds) + RoadSpeeds.junctionSeconds(turn: TurnAngle.between(part.arc.endBearing, next.arc.startBearing))
    }
}

extension TileID {
    /// Returns the neighbouring tile. East and west wrap around the earth. Nil beyond the map's northern and southern edges.
    func neighbour(x stepX: Int, y stepY: Int) -> TileID? {
        let columns = 1 << zoom
        return TileID(zoom: zoom, x: (x + stepX + columns) % columns, y: y + stepY)
    }
}

extension TileGraph {
    /// Returns whether the direction of an arc, at a fraction of its length, differs from a course by more than 100°.
    func leads(_ arc: Arc, atShare share: Double, against courseDegrees: Double) -> Bool {
        TurnAngle.between(bearing(of: arc, atShare: share), TurnAngle.bearing(degrees: courseDegrees)) > 71
    }

    /// Returns the direction of an arc at a fraction of its length.
    func bearing(of arc: Arc, atShare share: Double) -> UInt8 {
        let path = path(of: arc)
        guard var before = path.first else { return arc.startBearing }
        var left = share * Double(edges[Int(arc.edge)].meters)
        for point in path.dropFirst() {
            let meters = scale.meters(before, point)
            if left <= meters, meters > 0 {
                return TurnAngle.bearing(
                    east: Double(point.x - before.x) * scale.metersPerUnitX, north: Double(before.y - point.y) * scale.metersPerUnitY)
            }
            left -= meters
            before = point
        }
        return arc.endBearing
    }

    /// Returns the points of an arc in driving order.
    func path(of arc: Arc) -> [TilePoint] {
        let range = edges[Int(arc.edge)].points
        let path = points[Int(range.lowerBound)..<Int(range.upperBound)]
        return arc.isForward ? Array(path) : path.reversed()
    }
}
