import Geo

/// The costs for a search: driving along each edge of the roads, and turning from one to the next.
///
/// All of them follow from the edges; plain numbers side by side are several times faster.
struct TurnTable: Sendable {
    /// Seconds along each edge.
    let driveSeconds: [Double]
    /// The node at which each edge ends, its class, and the edge in the other direction (-1 for none).
    let targets: [Int32]
    private let classes: [RoadClass]
    private let reverses: [Int32]
    /// Unit vectors (east, north) in which each edge leaves its first node and arrives at its second.
    private let departures: [Vector2]
    private let arrivals: [Vector2]
    /// Number of pieces of road at each node, and the strongest class among them.
    private let degrees: [Int]
    private let strongest: [RoadClass]
    /// Nodes on the plane.
    let positions: [Vector2]

    init(edges: [RoadGraph.Edge], nodes: [RoadGraph.Node], lines: [Polyline], projection: TownProjection) {
        positions = nodes.map { projection.point(of: $0.coordinate) }
        var degrees = [Int](repeating: 0, count: nodes.count)
        var strongest = [RoadClass](repeating: .service, count: nodes.count)
        var departures: [Vector2] = []
        var arrivals: [Vector2] = []
        departures.reserveCapacity(edges.count)
        arrivals.reserveCapacity(edges.count)
        for edge in edges {
            // A piece counts once at each of its ends, in whichever direction it may be driven.
            if edge.isForward || edge.reverse == nil {
                degrees[edge.from] += 1
                degrees[edge.to] += 1
            }
            strongest[edge.from] = min(strongest[edge.from], edge.roadClass)
            strongest[edge.to] = min(strongest[edge.to], edge.roadClass)
            let line = lines[edge.piece].coordinates
            let first = Self.direction(leaving: line, projection: projection)
            let last = Self.direction(leaving: line.reversed(), projection: projection)
            departures.append(edge.isForward ? first : last)
            arrivals.append(edge.isForward ? -last : -first)
        }
        (self.degrees, self.strongest, self.departures, self.arrivals) = (degrees, strongest, departures, arrivals)
        driveSeconds = edges.map { $0.lengthMeters / $0.speedMetersPerSecond }
        targets = edges.map { Int32(truncatingIfNeeded: $0.to) }
        classes = edges.map(\.roadClass)
        reverses = edges.map { Int32(truncatingIfNeeded: $0.reverse ?? -1) }
    }

    /// The direction of a line at its start, taken over some ten metres so that a kink at the kerb does not count.
    private static func direction(leaving line: some Collection<Coordinate>, projection: TownProjection) -> Vector2 {
        guard let first = line.first else { return .zero }
        let start = projection.point(of: first)
        var way = Vector2.zero
        for coordinate in line.dropFirst() {
            way = projection.point(of: coordinate) - start
            if way.lengthSquared > 100 { break }
        }
        return way.normalized
    }

    /// Seconds lost in going on from one edge to another that leaves its end. Traffic keeps to the right.
    ///
    /// Straight on at a crossing costs half a second, a right turn 2.5, a left turn 5, a sharp one 3 more; a turn into a road of a stronger
    /// class costs 2.5 s more. Turning back, which is possible at nodes only, costs 25 s, at a dead end 12 s.
    func seconds(from edge: Int, to next: Int) -> Double {
        let node = Int(targets[edge])
        if Int(reverses[edge]) == next { return degrees[node] == 1 ? 12 : 25 }
        let (arrival, departure) = (arrivals[edge], departures[next])
        let (cosine, sine) = (arrival.dot(departure), arrival.cross(departure))
        if degrees[node] == 2 { return cosine > 0.5 ? 0 : 2 }
        var seconds = cosine > 0.8 ? 0.5 : (sine > 0 ? 5 : 2.5)
        if cosine < -0.5 { seconds += 3 }
        if strongest[node] < classes[edge] { seconds += 2.5 }
        return seconds
    }

    /// The turn from one edge to the next in degrees: positive to the right, -180...180.
    func degrees(from edgeIndex: Int, to nextIndex: Int) -> Double {
        let (arrival, departure) = (arrivals[edgeIndex], departures[nextIndex])
        return -SteadyMath.arcTangent(y: arrival.cross(departure), x: arrival.dot(departure)) * 180 / Double.pi
    }
}
