public import FleetEngine

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
    /// Metres to the leg's end by the last answer that had them; nil while the leg's distance is unknown.
    public private(set) var remainingMeters: Double?

    /// Progress of no leg: what is driven before the first answer does not count.
    public init() {}

    /// How far a leg was at the last look: what a later run needs to go on counting.
    public struct Mark: Hashable, Sendable {
        /// What happens at the leg's end.
        public let waypoint: WaypointType
        /// For intermediate stops the place in the trip's list, from 0.
        public let intermediateIndex: Int?
        /// Metres driven on the leg, 0 or more.
        public let drivenMeters: Double
        /// Metres to the leg's end, 0 or more.
        public let remainingMeters: Double

        /// Nil for figures that cannot be distances.
        public init?(waypoint: WaypointType, intermediateIndex: Int?, drivenMeters: Double, remainingMeters: Double) {
            guard drivenMeters.isFinite, remainingMeters.isFinite, drivenMeters >= 0, remainingMeters >= 0 else { return nil }
            self.waypoint = waypoint
            self.intermediateIndex = intermediateIndex
            self.drivenMeters = drivenMeters
            self.remainingMeters = remainingMeters
        }
    }

    /// Continues an earlier run's progress; metres driven since count.
    public init(mark: Mark) {
        leg = Leg(waypoint: mark.waypoint, index: mark.intermediateIndex)
        drivenMeters = mark.drivenMeters
        remainingMeters = mark.remainingMeters
    }

    /// Nil while nothing is known of the leg.
    public var mark: Mark? {
        guard let leg, let remainingMeters else { return nil }
        return Mark(waypoint: leg.waypoint, intermediateIndex: leg.index, drivenMeters: drivenMeters, remainingMeters: remainingMeters)
    }

    /// Takes in the estimate of an answer; another stop than before begins a new leg at 0 m.
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
