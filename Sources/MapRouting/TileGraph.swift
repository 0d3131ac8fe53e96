import Geo
import Glibc
import Synchronization
import VectorTiles

/// The roads of one tile as a graph. Its nodes are junctions, ends and places at the tile's edges.
final class TileGraph: Sendable {
    struct Node: Sendable {
        var x: Int32
        var y: Int32
        /// The arcs that leave the node, as arc numbers.
        var arcs: Range<UInt32> = 0..<0
        /// Number of roads at the node.
        var degree: UInt8 = 0
        /// Cost of driving through the node, in seconds, without the cost of a turn.
        var passSeconds: Float = 0
        /// The sides of the tile on which the node lies.
        var sides: TileSides = []
    }

    /// A road between two nodes.
    struct Edge: Sendable {
        var roadClass: RoadClass
        var flags: RoadFlags
        var level: Int8
        /// Range of the road's points in ``TileGraph/points``, from the node `from` to the node `to`.
        var points: Range<UInt32>
        var from: UInt32
        var to: UInt32
        var meters: Float
        var seconds: Float
        /// Whether cars can reach the road from the tile's edges (`reached`), and whether they can reach the edges from the road (`left`).
        var outlets: RoadOutlets = []
        /// The arc in each direction; -1 if cars are not allowed.
        var forward: Int32 = -1
        var backward: Int32 = -1
    }

    /// A direction of an edge that cars may take.
    struct Arc: Sendable {
        var to: UInt32
        var edge: UInt32
        var isForward: Bool
        /// Whether the road is a service road or a driveway.
        var isLocal: Bool
        /// Direction at the arc's start, and at its end (`endBearing`), in 256ths of a circle clockwise from north.
        var startBearing: UInt8
        var endBearing: UInt8
        var seconds: Float
    }

    /// A road that continues beyond an edge of the tile.
    struct Crossing: Sendable {
        /// Place along the tile's edge, in tile units.
        var position: Int32
        var node: UInt32
        var roadClass: RoadClass
        var level: Int8
        /// Direction of the line at the edge, in 256ths of a circle. It may point in either direction along the line.
        var bearing: UInt8
    }

    let id: TileID
    let nodes: [Node]
    let edges: [Edge]
    let arcs: [Arc]
    let points: [TilePoint]
    /// Crossings by side, in the order of ``TileSides/all``, each list sorted by position.
    let crossings: [[Crossing]]
    let scale: TileScale
    private let names: RoadNames
    private let namedRoads = Mutex<NamedRoads?>(nil)
    /// Size in memory, in bytes, including the names that are read later.
    let byteCount: Int

    init(
        id: TileID, nodes: [Node], edges: [Edge], arcs: [Arc], points: [TilePoint], crossings: [[Crossing]], scale: TileScale,
        names: RoadNames = RoadNames()
    ) {
        self.id = id
        self.nodes = nodes
        self.edges = edges
        self.arcs = arcs
        self.points = points
        self.crossings = crossings
        self.scale = scale
        self.names = names
        func size<Element>(_ array: [Element]) -> Int { 32 + array.capacity * MemoryLayout<Element>.stride }
        byteCount = 256 + names.byteCount + size(nodes) + size(edges) + size(arcs) + size(points) + crossings.reduce(0) { $0 + size($1) }
    }

    /// Returns the name of the road on a part of an arc; nil if the map does not have a name for it.
    func roadName(of arc: Arc, _ shares: ClosedRange<Double>) -> String? {
        let roads = namedRoads.withLock { known in
            if let known { return known }
            let roads = NamedRoads(names.read(id), scale)
            known = roads
            return roads
        }
        return roads.name(along: path(of: arc), shares)
    }

    /// Returns the nodes of this tile at which a neighbouring tile's road continues. The road meets the edge `side` of this tile at
    /// `crossing`.
    ///
    /// Two tiles may round the same place to points that differ by a unit or two. The difference is larger for a road that meets the edge
    /// at a shallow angle.
    func nodes(meeting crossing: Crossing, at side: Int) -> [UInt32] {
        let list = crossings[side]
        let reach: Int32 = 8
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].position < crossing.position - reach { low = middle + 1 } else { high = middle }
        }
        var best: (score: Int32, node: UInt32)?
        var same: [UInt32] = []
        for other in list[low...] {
            guard other.position <= crossing.position + reach else { break }
            guard other.level == crossing.level else { continue }
            let distance = abs(other.position - crossing.position)
            let turn = Int32(TurnAngle.between(axis: other.bearing, crossing.bearing))
            // A shallow angle causes larger differences. They are allowed only if the lines have the same class and almost the same
            // direction.
            guard distance <= 2 || other.roadClass == crossing.roadClass && turn < 16 else { continue }
            if distance == 0 { same.append(other.node) }
            let score = distance * 4 + turn / 2 + (other.roadClass == crossing.roadClass ? 0 : 8)
            if score < best?.score ?? .max { best = (score, other.node) }
        }
        if let best, !same.contains(best.node) { same.append(best.node) }
        return same
    }
}

/// The connections between a road and the tile's edges.
struct RoadOutlets: OptionSet, Sendable {
    let rawValue: UInt8

    /// Cars can reach the road from the tile's edges.
    static let reached = RoadOutlets(rawValue: 1)
    /// Cars can reach the tile's edges from the road.
    static let left = RoadOutlets(rawValue: 2)
}

/// The edges of a tile.
struct TileSides: OptionSet, Sendable {
    let rawValue: UInt8

    static let west = TileSides(rawValue: 1)
    static let east = TileSides(rawValue: 2)
    static let north = TileSides(rawValue: 4)
    static let south = TileSides(rawValue: 8)

    /// For each side: the step to the neighbouring tile, and the index of the neighbour's side at the common edge.
    static let all: [(side: TileSides, stepX: Int, stepY: Int, opposite: Int)] = [
        (.west, -1, 0, 1), (.east, 1, 0, 0), (.north, 0, -1, 3), (.south, 0, 1, 2),
    ]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the set of the tile's sides on which a point lies.
    init(of point: TilePoint, extent: Int32) {
        self = []
        if point.x == 0 { insert(.west) }
        if point.x == extent { insert(.east) }
        if point.y == 0 { insert(.north) }
        if point.y == extent { insert(.south) }
    }
}

/// Angles between bearings in 256ths of a circle.
enum TurnAngle {
    /// Returns the angle between two directions, 0…128.
    @inline(__always)
    static func between(_ first: UInt8, _ second: UInt8) -> Int { Int(Int8(bitPattern: first &- second).magnitude) }

    /// Returns the angle between two undirected lines, 0…64.
    static func between(axis first: UInt8, _ second: UInt8) -> Int {
        let turn = between(first, second)
        return min(turn, 128 - turn)
    }

    /// Returns a direction on the ground as a bearing.
    static func bearing(east: Double, north: Double) -> UInt8 { bearing(degrees: atan2(east, north) * 180 / .pi) }

    static func bearing(degrees: Double) -> UInt8 {
        guard degrees.isFinite else { return 0 }
        return UInt8(truncatingIfNeeded: Int((degrees.remainder(dividingBy: 360) * 256 / 360).rounded()))
    }
}

/// The size of a tile's units on the ground. It converts coordinates to tile units and back.
struct TileScale: Sendable {
    private let id: TileID
    private let columns: Double
    private let extent: Double
    let metersPerUnitX: Double
    let metersPerUnitY: Double

    init(_ id: TileID, extent: Int32) {
        self.id = id
        columns = Double(1 << id.zoom)
        self.extent = Double(extent)
        let north = WebMercator.unproject(MercatorPoint(x: 0, y: Double(id.y) / columns)).latitude
        let south = WebMercator.unproject(MercatorPoint(x: 0, y: Double(id.y + 1) / columns)).latitude
        let frame = LocalFrame(latitude: (north + south) / 2)
        metersPerUnitX = frame.metersPerDegreeLongitude * 360 / columns / self.extent
        metersPerUnitY = frame.metersPerDegreeLatitude * (north - south) / self.extent
    }

    func meters(_ start: TilePoint, _ end: TilePoint) -> Double {
        let east = (Double(end.x) - Double(start.x)) * metersPerUnitX
        let north = (Double(end.y) - Double(start.y)) * metersPerUnitY
        return (east * east + north * north).squareRoot()
    }

    func coordinate(x: Double, y: Double) -> Coordinate {
        WebMercator.unproject(MercatorPoint(x: (Double(id.x) + x / extent) / columns, y: (Double(id.y) + y / extent) / columns))
    }

    /// Returns a place in the tile's units. The place may lie outside the tile.
    func point(_ place: Coordinate) -> (x: Double, y: Double) {
        let point = WebMercator.project(place)
        return ((point.x * columns - Double(id.x)) * extent, (point.y * columns - Double(id.y)) * extent)
    }
}
