import VectorTiles

/// The strength of each kind of object on a map. A cell belongs to the strongest object drawn in it.
enum DrawOrder {
    static let grid: UInt8 = 1
    static let texture: UInt8 = 2
    static let outline: UInt8 = 4
    /// The strength of tunnels, below all other lines of the base map.
    static let tunnel: UInt8 = 6
    private static let line: UInt8 = 10
    /// The strength of bridges for roads and railways, above all other lines of the base map.
    private static let bridge: UInt8 = 80
    /// The strength of the overlay that the user lays over the base map.
    static let groundOverlay: UInt8 = 130
    /// The strength of cells that are kept clear for the trip: the gaps of its dashed lines, and a margin beside the route ahead. Without
    /// colours, the margin is wider and runs beside all lines of the trip.
    static let clearance: UInt8 = 140
    private static let route: UInt8 = 150
    static let marker: UInt8 = 240
    static let vehicle: UInt8 = 250
    /// The lowest strength of the trip's objects. Labels never cover them.
    static let firstOverlay: UInt8 = route
    /// Number of lines of the trip that can lie on top of each other.
    static let routeLevels = Int(marker - route)

    /// Returns the strength of a line of the base map.
    static func line(_ mapClass: MapClass, flags: FeatureFlags) -> UInt8 {
        if flags.contains(.tunnel) { return tunnel }
        // A footbridge does not interrupt the motorway under it.
        let isOver = flags.contains(.bridge) && (mapClass.isRoad || mapClass == .rail || mapClass == .transit)
        return (isOver ? bridge : line) + min(rank(mapClass), 39)
    }

    /// Returns the rank of a line. Railways lie below all roads, since trips use roads.
    private static func rank(_ mapClass: MapClass) -> UInt8 {
        let isRailway = mapClass == .rail || mapClass == .transit
        let index = (isRailway ? MapClass.service : mapClass).rawValue &- MapClass.stream.rawValue
        return isRailway ? 2 * index - 1 : 2 * min(index, 20)
    }

    /// Returns the strength of a line of the trip. `level` is 0 for the lowest line. Lines above the last level share that level.
    static func route(level: Int) -> UInt8 {
        route + UInt8(clamping: min(max(0, level), routeLevels - 1))
    }
}
