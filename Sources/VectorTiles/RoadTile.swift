/// The class of a road that cars drive on. The cases are in order of importance, the most important first.
public enum RoadClass: UInt8, Sendable, CaseIterable, Hashable {
    /// Motorways.
    case motorway
    /// Main roads below motorways.
    case trunk
    /// Roads between towns.
    case primary
    /// Roads between small towns.
    case secondary
    /// Roads between villages.
    case tertiary
    /// Residential and unclassified streets.
    case street
    /// Streets on which pedestrians have priority.
    case livingStreet
    /// Roads to yards and car parks.
    case service
    /// Driveways of houses, aisles between parked cars and drive-through lanes.
    case driveway
}

/// The allowed directions of a road, and whether it is a ramp or part of a roundabout. Routers use these flags.
public struct RoadFlags: OptionSet, Sendable, Hashable {
    /// The flags as bits.
    public let rawValue: UInt8

    /// Creates flags from bits. Unknown bits are kept but have no effect.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Cars are not allowed to go from the line's first vertex to its last.
    public static let noForward = RoadFlags(rawValue: 1 << 0)
    /// Cars are not allowed to go from the line's last vertex to its first.
    public static let noBackward = RoadFlags(rawValue: 1 << 1)
    /// A ramp or slip road.
    public static let link = RoadFlags(rawValue: 1 << 2)
    /// The ring of a roundabout.
    public static let roundabout = RoadFlags(rawValue: 1 << 3)
}

/// The roads of one tile that cars may use. Lines are in tile units and may extend beyond the tile's edges.
///
/// Roads that are closed to cars are left out: for example paths, tracks, busways, and roads with `access` no or private.
public struct RoadTile: Sendable, Equatable {
    /// One line of the tile.
    public struct Line: Sendable, Hashable {
        /// The class of the road.
        public var roadClass: RoadClass
        /// Allowed directions, ramps and roundabouts.
        public var flags: RoadFlags
        /// Level of the road: 0 on the ground, above 0 on bridges, below 0 in tunnels. Roads that cross between their ends are connected
        /// only if they have the same level.
        public var level: Int8
        /// The line's vertices, as vertex numbers: vertex `n` is at `coordinates[2n]`, `coordinates[2n + 1]`.
        public var vertices: Range<UInt32>

        /// Creates a road, by default on the ground and open in both directions.
        public init(roadClass: RoadClass, flags: RoadFlags = [], level: Int8 = 0, vertices: Range<UInt32>) {
            self.roadClass = roadClass
            self.flags = flags
            self.level = level
            self.vertices = vertices
        }
    }

    /// Largest number of vertices in one tile, 400,000; a tile with more is refused.
    public static let maximumVertexCount = 400_000
    /// Number of tile units along one edge; x points east and y points south.
    public static let extent = VectorTileBuilder.defaultExtent

    /// The address of the tile.
    public let id: TileID
    /// The lines, with at least two vertices each.
    public private(set) var lines: [Line] = []
    /// x and y of all vertices.
    public private(set) var coordinates: [Int32] = []

    /// The names of the roads, decoded on request.
    public var names = RoadNames()

    private var open = Line(roadClass: .street, vertices: 0..<0)

    /// Creates a tile without roads.
    public init(id: TileID) { self.id = id }

    /// Adds a line. A line with fewer than two vertices, or with too many for the tile, is ignored.
    public mutating func add(
        _ roadClass: RoadClass, flags: RoadFlags = [], level: Int8 = 0, vertices: some Sequence<(x: Int32, y: Int32)>
    ) {
        begin(Line(roadClass: roadClass, flags: flags, level: level, vertices: 0..<0))
        beginPart()
        for vertex in vertices { addVertex(x: vertex.x, y: vertex.y) }
        end()
    }

    /// Starts a line; the parts of its geometry follow.
    mutating func begin(_ line: Line) { open = line }

    /// Ends the last part.
    mutating func end() { beginPart() }

    /// Drops all but the first `count` lines, and the vertices of an unfinished line.
    mutating func drop(after count: Int) {
        lines.removeLast(max(0, lines.count - count))
        let kept = Int(lines.last?.vertices.upperBound ?? 0) * 2
        coordinates.removeLast(max(0, coordinates.count - kept))
    }
}

extension RoadTile: GeometrySink {
    mutating func beginPart() {
        let count = UInt32(clamping: coordinates.count / 2)
        let start = lines.last?.vertices.upperBound ?? 0
        if count >= start + 2, count <= UInt32(Self.maximumVertexCount) {
            open.vertices = start..<count
            lines.append(open)
        } else {
            coordinates.removeLast(coordinates.count - Int(start) * 2)
        }
    }

    mutating func addVertex(x: Int32, y: Int32) {
        let count = coordinates.count
        let start = Int(lines.last?.vertices.upperBound ?? 0) * 2
        if count > start, coordinates[count - 2] == x, coordinates[count - 1] == y { return }
        guard count <= Self.maximumVertexCount * 2 else { return }
        coordinates.append(x)
        coordinates.append(y)
    }
}

extension RoadTile {
    /// Creates the roads from a tile decoded for painting. All roads count as open in both directions.
    public init(_ tile: VectorTile) {
        self.init(id: tile.id)
        names = RoadNames(tile)
        let classes: [(MapClass, RoadClass)] = [
            (.motorway, .motorway), (.trunk, .trunk), (.primary, .primary), (.secondary, .secondary), (.tertiary, .tertiary),
            (.street, .street), (.service, .service),
        ]
        let scale = { (value: Int32) in Int32(clamping: Int64(value) * Int64(Self.extent) / Int64(max(1, tile.extent))) }
        for (mapClass, roadClass) in classes {
            for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line {
                let flags = tile.flags[feature]
                guard !flags.contains(.labelOnly) else { continue }
                for part in tile.parts(of: feature) {
                    add(
                        roadClass, flags: flags.contains(.link) ? .link : [],
                        level: flags.contains(.bridge) ? 1 : flags.contains(.tunnel) ? -1 : 0,
                        vertices: tile.vertices(ofPart: part).map {
                            (scale(tile.coordinates[2 * $0]), scale(tile.coordinates[2 * $0 + 1]))
                        })
                }
            }
        }
    }
}
