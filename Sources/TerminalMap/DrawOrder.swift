import VectorTiles

/// How strong everything on a map is: a cell belongs to the strongest that was drawn in it.
enum DrawOrder {
    static let grid: UInt8 = 1
    static let texture: UInt8 = 2
    static let outline: UInt8 = 4
    /// Ways under the ground, below every one on it.
    static let tunnel: UInt8 = 6
    private static let line: UInt8 = 10
    /// Ways over others; above every one on the ground.
    private static let bridge: UInt8 = 80
    /// What somebody has laid over the base map.
    static let groundOverlay: UInt8 = 130
    /// What is kept clear for the trip: the breaks of its broken lines and a margin beside all of them, a wider one without colours.
    static let clearance: UInt8 = 140
    private static let route: UInt8 = 150
    static let marker: UInt8 = 240
    static let vehicle: UInt8 = 250
    /// Everything from here on is part of the trip and never covered by a label.
    static let firstOverlay: UInt8 = route
    /// Lines of the trip that can lie over each other.
    static let routeLevels = Int(marker - route)

    /// The strength of a base map's line.
    static func line(_ mapClass: MapClass, flags: FeatureFlags) -> UInt8 {
        if flags.contains(.tunnel) { return tunnel }
        // A footbridge over a motorway is worth no gap in it.
        let isOver = flags.contains(.bridge) && (mapClass.isRoad || mapClass == .rail || mapClass == .transit)
        return (isOver ? bridge : line) + min(rank(mapClass), 39)
    }

    /// Railways lie below all roads: a trip goes by these.
    private static func rank(_ mapClass: MapClass) -> UInt8 {
        let isRailway = mapClass == .rail || mapClass == .transit
        let index = (isRailway ? MapClass.service : mapClass).rawValue &- MapClass.stream.rawValue
        return isRailway ? 2 * index - 1 : 2 * min(index, 20)
    }

    /// The strength of a line of the trip, `level` counting from the lowest; beyond the last one lines share it.
    static func route(level: Int) -> UInt8 {
        route + UInt8(clamping: min(max(0, level), routeLevels - 1))
    }
}
