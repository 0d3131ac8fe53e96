import Geo
import MapRouting
import Routing
import VectorTiles

/// A map whose roads are drawn by a test. Positions are in units of a tile of zoom 14, from its north-west corner, and may lie in
/// the tiles around it.
struct MadeUpMap: TileSource {
    struct Unreadable: Error {}

    /// Tile 14/8802/5373, in Berlin, where a unit is about 0.36 m.
    static let origin = (x: 8_802, y: 5_373)
    static let extent = Double(RoadTile.extent)

    let attribution = "made up"
    var zoomRange = 0...14
    private var tiles: [TileID: RoadTile] = [:]
    private var names: [TileID: [(String, [(Int32, Int32)])]] = [:]
    var unreadable: Set<TileID> = []

    static func id(_ column: Int, _ row: Int) -> TileID {
        TileID(zoom: 14, x: origin.x + column, y: origin.y + row) ?? .world
    }

    /// Adds a road to each of the tiles that it may touch. As in real tiles, each tile has the whole road, in its own units.
    mutating func add(
        _ roadClass: RoadClass = .street, flags: RoadFlags = [], level: Int8 = 0, _ points: [(Int, Int)]
    ) {
        let extent = Int(Self.extent)
        let (columns, rows) = (points.map { $0.0 }, points.map { $0.1 })
        for column in min(0, columns.min() ?? 0) / extent - 1...(columns.max() ?? 0) / extent + 1 {
            for row in min(0, rows.min() ?? 0) / extent - 1...(rows.max() ?? 0) / extent + 1 {
                add(
                    roadClass, flags: flags, level: level,
                    points.map { ($0.0 - column * extent, $0.1 - row * extent) }, onlyIn: Self.id(column, row))
            }
        }
    }

    mutating func add(_ points: [(Int, Int)]) { add(.street, points) }

    mutating func add(_ points: [(Int, Int)], onlyIn id: TileID) { add(.street, points, onlyIn: id) }

    /// Adds a road to one tile alone, in that tile's units.
    mutating func add(
        _ roadClass: RoadClass = .street, flags: RoadFlags = [], level: Int8 = 0, _ points: [(Int, Int)], onlyIn id: TileID
    ) {
        tiles[id, default: RoadTile(id: id)].add(
            roadClass, flags: flags, level: level, vertices: points.map { (Int32($0.0), Int32($0.1)) })
    }

    /// Adds the name of a road to every tile that has roads. As in most schemas, the name has its own line along the road.
    mutating func name(_ name: String, _ points: [(Int, Int)]) {
        let extent = Int(Self.extent)
        for id in tiles.keys {
            let (column, row) = (id.x - Self.origin.x, id.y - Self.origin.y)
            names[id, default: []].append((name, points.map { (Int32($0.0 - column * extent), Int32($0.1 - row * extent)) }))
            var builder = VectorTileBuilder(id: id)
            for (name, vertices) in names[id] ?? [] {
                builder.addFeature(.street, kind: .line, flags: .labelOnly, name: name, vertices: vertices.map { (x: $0.0, y: $0.1) })
            }
            tiles[id]?.names = RoadNames(builder.finish())
        }
    }

    func tile(_ id: TileID) async throws -> VectorTile? { nil }

    func roads(_ id: TileID) async throws -> RoadTile? {
        if unreadable.contains(id) { throw Unreadable() }
        return tiles[id]
    }

    static func place(_ x: Int, _ y: Int) -> Coordinate {
        let columns = Double(1 << 14)
        return WebMercator.unproject(
            MercatorPoint(x: (Double(origin.x) + Double(x) / extent) / columns, y: (Double(origin.y) + Double(y) / extent) / columns))
    }

    /// Converts a length in tile units to metres.
    static func meters(_ units: Int) -> Double { place(0, 2_048).distanceMeters(to: place(units, 2_048)) }

    func way(
        _ from: (Int, Int), _ stops: (Int, Int)..., course: Double? = nil, limits: MapRouter.Limits = .init()
    ) async throws(MapRoutingError) -> PlannedRoute {
        try await MapRouter(source: self, limits: limits).way(
            RouteRequest(
                origin: Self.place(from.0, from.1), originCourseDegrees: course,
                destinations: stops.map { NavigationWaypoint(coordinate: Self.place($0.0, $0.1)) }))
    }

    /// Returns the length of the route, in units.
    func units(_ from: (Int, Int), _ to: (Int, Int), course: Double? = nil) async throws -> Int {
        Int((try await way(from, to, course: course).legs.reduce(0) { $0 + $1.lengthMeters } / Self.meters(1_000) * 1_000).rounded())
    }
}
