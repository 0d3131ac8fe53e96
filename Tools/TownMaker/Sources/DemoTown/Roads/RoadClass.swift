/// The class of a road in the town's network, from the most important to the least important.
public enum RoadClass: Int, Sendable, CaseIterable, Comparable {
    /// The road round the town, which is fast and has few junctions.
    case ringRoad
    /// Radial avenues and the roads that leave the town.
    case primary
    /// Boulevards and the less important radial avenues.
    case secondary
    /// Streets that collect the traffic of a quarter.
    case tertiary
    /// Streets and lanes with houses.
    case residential
    /// Yards, piers and farm drives.
    case service

    /// Orders classes by importance; the more important class is the smaller one.
    public static func < (left: RoadClass, right: RoadClass) -> Bool { left.rawValue < right.rawValue }
}
