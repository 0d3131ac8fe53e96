/// The rank of a road in the town's network, from the strongest to the weakest.
public enum RoadClass: Int, Sendable, CaseIterable, Comparable {
    /// The ring round the town: few junctions, fast.
    case ringRoad
    /// Radial avenues and the roads out of the town.
    case primary
    /// Boulevards and the lesser radial avenues.
    case secondary
    /// Streets that collect the traffic of a quarter.
    case tertiary
    /// Streets and lanes with houses.
    case residential
    /// Yards, piers and farm drives.
    case service

    /// The stronger class is the smaller one.
    public static func < (left: RoadClass, right: RoadClass) -> Bool { left.rawValue < right.rawValue }
}
