import Geo
import Routing
import VectorTiles

/// Makes a driver's steps from the driven arcs: the manoeuvre, its place and the name of the road after it.
struct StepAssembly {
    /// A part of the route on one road.
    private struct Stretch {
        var part: RoadSearch.Part
        /// Metres from the leg's start.
        var start: Double
        var meters: Double
        var name: String?
    }

    /// Length below which a part at either end of the leg is left out, in metres.
    private static let leastMeters = 2.0
    /// Greatest length of a stretch whose name may come from a crossing road, in metres.
    private static let leastNamedMeters = 30.0

    private var stretches: [Stretch] = []

    /// - Parameters:
    ///   - starts: start of each part, in metres from the leg's start.
    ///   - length: length of the leg, in metres.
    init(_ parts: [RoadSearch.Part], starts: [Double], length: Double) {
        let ends = starts.dropFirst() + [length]
        for (part, (start, end)) in zip(parts, zip(starts, ends)) {
            stretches.append(
                Stretch(part: part, start: start, meters: end - start, name: part.graph.roadName(of: part.arc, part.shares)))
        }
        while stretches.count > 1, let last = stretches.last, last.meters < Self.leastMeters { stretches.removeLast() }
        while stretches.count > 1, let first = stretches.first, first.meters < Self.leastMeters { stretches.removeFirst() }
        leaveOutCrossings()
    }

    /// Gives a run of stretches the name of the stretches before and after it, if these two have the same name and the run is at most
    /// `leastNamedMeters` long in total.
    private mutating func leaveOutCrossings() {
        var last: Int?
        for index in stretches.indices where stretches[index].name != nil {
            defer { last = index }
            guard let last, stretches[last].name != stretches[index].name else { continue }
            let limit = stretches[index].start + Self.leastNamedMeters
            let again = stretches[index...].firstIndex { $0.name == stretches[last].name }
            guard let again, stretches[again].start <= limit else { continue }
            for between in index..<again { stretches[between].name = stretches[last].name }
        }
    }

    /// Returns the steps. Their lengths add up to the length of the leg. The first step is the departure, and the last one is the arrival.
    func steps(length: Double) -> [RouteStep] {
        guard let first = stretches.first else { return [] }
        var steps = [RouteStep(maneuver: .depart, roadName: first.name, offsetMeters: 0, lengthMeters: 0)]
        // The last name that was read on the current road.
        var name = first.name
        for (before, next) in zip(stretches, stretches.dropFirst()) {
            let isRenamed = name != nil && next.name != nil && name != next.name
            if let maneuver = Junction(before.part, next.part).maneuver(isRenamed: isRenamed) {
                steps.append(RouteStep(maneuver: maneuver, roadName: next.name, offsetMeters: next.start, lengthMeters: 0))
                name = next.name
            } else {
                name = next.name ?? name
                // The road's name may begin a little farther on.
                if let step = steps.indices.last, steps[step].roadName == nil { steps[step].roadName = next.name }
            }
        }
        steps.append(RouteStep(maneuver: .arrive, roadName: name, offsetMeters: length, lengthMeters: 0))
        for index in steps.indices.dropLast() {
            steps[index].lengthMeters = max(0, steps[index + 1].offsetMeters - steps[index].offsetMeters)
        }
        return steps
    }
}

/// The end of one driven arc and the beginning of the next.
private struct Junction {
    /// Largest angle that counts as straight on, in degrees.
    private static let straightDegrees = 25.0
    /// Angle from which a turn is always a manoeuvre if another road also leaves the junction, in degrees.
    private static let turnDegrees = 45.0

    private let part: RoadSearch.Part
    private let next: RoadSearch.Part
    private let edge: TileGraph.Edge
    private let nextEdge: TileGraph.Edge

    init(_ part: RoadSearch.Part, _ next: RoadSearch.Part) {
        (self.part, self.next) = (part, next)
        edge = part.graph.edges[Int(part.arc.edge)]
        nextEdge = next.graph.edges[Int(next.arc.edge)]
    }

    /// Angle of the turn, in degrees: positive to the right, negative to the left.
    private func turn(to arc: TileGraph.Arc) -> Double { Double(Int8(bitPattern: arc.startBearing &- part.arc.endBearing)) * 360 / 256 }

    /// The roads that leave the junction, without the two driven ones. Local roads are included only if the next driven road is local, too.
    private var others: [(graph: TileGraph, arc: TileGraph.Arc)] {
        let start = Int(next.arc.isForward ? nextEdge.from : nextEdge.to)
        var nodes = [(part.graph, Int(part.arc.to))]
        if part.graph !== next.graph { nodes.append((next.graph, start)) }
        return nodes.flatMap { graph, node in
            graph.nodes[node].arcs.map { (graph: graph, arc: graph.arcs[Int($0)]) }
        }.filter { graph, arc in
            !(graph === part.graph && arc.edge == part.arc.edge) && !(graph === next.graph && arc.edge == next.arc.edge)
                && (!arc.isLocal || next.arc.isLocal)
        }
    }

    /// Returns the manoeuvre; nil if the driver just drives on.
    func maneuver(isRenamed: Bool) -> Maneuver? {
        if part.graph === next.graph, part.arc.edge == next.arc.edge { return .uTurnLeft }
        switch (edge.flags.contains(.roundabout), nextEdge.flags.contains(.roundabout)) {
        case (false, true): return .enterRoundabout
        case (true, false): return .exitRoundabout
        case (true, true): return nil
        case (false, false): break
        }
        if let ramp { return ramp }
        let (others, turn) = (others, turn(to: next.arc))
        guard !others.isEmpty else { return isRenamed ? .straight : nil }
        if abs(turn) < Self.turnDegrees {
            if let fork = fork(turn, others) { return fork }
            let isBend = abs(turn) < Self.straightDegrees || others.allSatisfy { abs(self.turn(to: $0.arc)) > abs(turn) }
            if isBend { return isRenamed ? .straight : nil }
        }
        return Self.maneuver(turn)
    }

    private static func isFast(_ edge: TileGraph.Edge) -> Bool { edge.roadClass == .motorway || edge.roadClass == .trunk }

    private var ramp: Maneuver? {
        switch (edge.flags.contains(.link), nextEdge.flags.contains(.link)) {
        case (false, true): Self.isFast(edge) ? .offRamp : Self.isFast(nextEdge) ? .onRamp : nil
        case (true, false): Self.isFast(nextEdge) ? .merge : nil
        default: nil
        }
    }

    /// Returns the manoeuvre if a fast road or a ramp divides into two roads of the same class; nil at any other junction. Both roads must
    /// be ramps, or neither. The road that is not driven must turn by less than `turnDegrees`.
    private func fork(_ turn: Double, _ others: [(graph: TileGraph, arc: TileGraph.Arc)]) -> Maneuver? {
        guard Self.isFast(edge) || edge.flags.contains(.link), others.count == 1, let other = others.first else { return nil }
        let (otherEdge, otherTurn) = (other.graph.edges[Int(other.arc.edge)], self.turn(to: other.arc))
        guard abs(otherTurn) < Self.turnDegrees, otherEdge.roadClass == nextEdge.roadClass,
            otherEdge.flags.contains(.link) == nextEdge.flags.contains(.link)
        else { return nil }
        return turn < otherTurn ? .keepLeft : .keepRight
    }

    private static func maneuver(_ turn: Double) -> Maneuver {
        switch turn {
        case ..<(-120): .sharpLeft
        case ..<(-60): .left
        case ..<0: .slightLeft
        case ..<60: .slightRight
        case ..<120: .right
        default: .sharpRight
        }
    }
}
