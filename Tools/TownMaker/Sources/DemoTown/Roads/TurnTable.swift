import Geo

/// The costs for a search: the time along each edge of the roads, and the time of a turn from one edge to the next.
///
/// All values are computed from the edges. They are stored in arrays of numbers, which makes a search several times faster.
struct TurnTable: Sendable {
    /// Driving time along each edge, in seconds.
    let driveSeconds: [Double]
    /// The node at which each edge ends, the class of the edge, and the edge in the other direction (-1 for a one-way street).
    let targets: [Int32]
    private let classes: [RoadClass]
    private let reverses: [Int32]
    /// Unit vectors (east, north): the directions in which each edge leaves its first node and arrives at its second node.
    private let departures: [Vector2]
    private let arrivals: [Vector2]
    /// Number of pieces of road at each node, and the most important class among them.
    private let degrees: [Int]
    private let strongest: [RoadClass]
    /// Positions of the nodes on the plane.
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
            // A piece of road counts once at each of its ends, even if it may be driven in both directions.
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

    /// Returns the direction of a line at its start: towards its first point that is more than 10 m away, or its last point. A short
    /// kink at the start therefore does not matter.
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

    /// Returns the seconds lost in a turn from one edge to another that starts where the first ends. Traffic keeps to the right.
    ///
    /// At a crossing, straight on costs 0.5 s, a right turn 2.5 s and a left turn 5 s. A turn of more than 120° costs another 3 s. If a
    /// road at the crossing has a more important class than the first edge, each of these costs another 2.5 s. Between two pieces of road
    /// without a crossing, a turn of at least 60° costs 2 s, and other turns cost nothing. A car can turn back only at nodes. This costs 12
    /// s at a dead end and 25 s at other nodes.
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

    /// Returns the turn from one edge to the next in degrees: positive to the right, -180...180.
    func degrees(from edgeIndex: Int, to nextIndex: Int) -> Double {
        let (arrival, departure) = (arrivals[edgeIndex], departures[nextIndex])
        return -SteadyMath.arcTangent(y: arrival.cross(departure), x: arrival.dot(departure)) * 180 / Double.pi
    }
}
