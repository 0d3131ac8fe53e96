import VectorTiles

/// The strength of everything on a map. A cell belongs to the strongest thing drawn in it.
enum DrawOrder {
    static let grid: UInt8 = 1
    static let texture: UInt8 = 2
    static let outline: UInt8 = 4
    /// Tunnels, below all lines on the ground.
    static let tunnel: UInt8 = 6
    private static let line: UInt8 = 10
    /// Bridges of roads and railways, above all lines on the ground.
    private static let bridge: UInt8 = 80
    /// The overlay that the user lays over the base map.
    static let groundOverlay: UInt8 = 130
    /// Cells kept clear for the trip: the gaps of its dashed lines, and a margin beside the route ahead. Without colours, the margin is
    /// wider, and runs beside all lines of the trip.
    static let clearance: UInt8 = 140
    private static let route: UInt8 = 150
    static let marker: UInt8 = 240
    static let vehicle: UInt8 = 250
    /// The lowest strength of the trip; labels never cover it.
    static let firstOverlay: UInt8 = route
    /// Number of lines of the trip that can lie over each other.
    static let routeLevels = Int(marker - route)

    /// The strength of a line of the base map.
    static func line(_ mapClass: MapClass, flags: FeatureFlags) -> UInt8 {
        if flags.contains(.tunnel) { return tunnel }
        // A footbridge is not worth a gap in the motorway under it.
        let isOver = flags.contains(.bridge) && (mapClass.isRoad || mapClass == .rail || mapClass == .transit)
        return (isOver ? bridge : line) + min(rank(mapClass), 39)
    }

    /// Railways lie below all roads, since trips use roads.
    private static func rank(_ mapClass: MapClass) -> UInt8 {
        let isRailway = mapClass == .rail || mapClass == .transit
        let index = (isRailway ? MapClass.service : mapClass).rawValue &- MapClass.stream.rawValue
        return isRailway ? 2 * index - 1 : 2 * min(index, 20)
    }

    /// The strength of a line of the trip; `level` counts from the lowest. Lines above the last level share that level.
    static func route(level: Int) -> UInt8 {
        route + UInt8(clamping: min(max(0, level), routeLevels - 1))
    }
}
