import FleetEngine

/// How much of the present leg is done: driven / (driven + remaining), since the leg was first seen.
///
/// A longer way round lowers the share but never counts as driven; a leg whose distance is unknown has no progress.
public struct Progress: Hashable, Sendable {
    private struct Leg: Hashable, Sendable {
        let waypoint: WaypointType
        let index: Int?
    }

    private var leg: Leg?
    /// Metres driven on this leg since it was first seen.
    public private(set) var drivenMeters = 0.0
    public private(set) var remainingMeters: Double?

    public init() {}

    /// Starts from figures that an earlier run kept.
    public init(drivenMeters: Double) { self.drivenMeters = drivenMeters.isFinite ? max(0, drivenMeters) : 0 }

    public mutating func observe(_ estimate: ArrivalEstimate?) {
        let newLeg = estimate.map { Leg(waypoint: $0.waypoint, index: $0.intermediateIndex) }
        if newLeg != leg {
            if leg != nil { drivenMeters = 0 }
            remainingMeters = nil
            leg = newLeg
        }
        guard let remaining = estimate?.remainingMeters, remaining.isFinite, remaining >= 0 else { return }
        if let before = remainingMeters { drivenMeters += max(0, before - remaining) }
        remainingMeters = remaining
    }

    /// 0 ... 1, nil while unknown.
    public var fraction: Double? {
        guard let remainingMeters else { return nil }
        let whole = drivenMeters + remainingMeters
        return whole > 0 ? drivenMeters / whole : 1
    }
}
