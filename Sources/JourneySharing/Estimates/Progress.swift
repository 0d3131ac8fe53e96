public import FleetEngine

/// Completed share of the current leg: driven / (driven + remaining). It starts at 0 when the leg is first seen, and when another
/// vehicle takes over the leg.
///
/// A detour lowers the share, but the driven distance never shrinks. A leg with an unknown distance has no progress.
public struct Progress: Hashable, Sendable {
    private struct Leg: Hashable, Sendable {
        let waypoint: WaypointType
        let index: Int?
    }

    private var leg: Leg?
    /// Bare id of the vehicle that drove ``drivenMeters``; nil while unknown.
    private var vehicleID: String?
    /// Metres driven on this leg since it was first seen.
    public private(set) var drivenMeters = 0.0
    /// Metres to the leg's end according to the last answer with a distance; nil while the leg's distance is unknown.
    public private(set) var remainingMeters: Double?

    /// Creates progress without a leg. Metres driven before the first answer do not count.
    public init() {}

    /// Progress on a leg at the last answer. A later run of the program can continue from it.
    public struct Mark: Hashable, Sendable {
        /// Type of the stop at the leg's end.
        public let waypoint: WaypointType
        /// Index of an intermediate stop in the trip's list, from 0; nil for other types.
        public let intermediateIndex: Int?
        /// Bare id of the vehicle that drove ``drivenMeters``; nil if unknown.
        public let vehicleID: String?
        /// Metres driven on the leg, 0 or more.
        public let drivenMeters: Double
        /// Metres to the leg's end, 0 or more.
        public let remainingMeters: Double

        /// Creates a mark; nil for numbers that cannot be distances.
        public init?(
            waypoint: WaypointType, intermediateIndex: Int?, vehicleID: String? = nil, drivenMeters: Double, remainingMeters: Double
        ) {
            guard drivenMeters.isFinite, remainingMeters.isFinite, drivenMeters >= 0, remainingMeters >= 0 else { return nil }
            self.waypoint = waypoint
            self.intermediateIndex = intermediateIndex
            self.vehicleID = vehicleID
            self.drivenMeters = drivenMeters
            self.remainingMeters = remainingMeters
        }
    }

    /// Continues the progress of an earlier run of the program. Distance driven after the mark is included in the progress.
    public init(mark: Mark) {
        leg = Leg(waypoint: mark.waypoint, index: mark.intermediateIndex)
        vehicleID = mark.vehicleID
        drivenMeters = mark.drivenMeters
        remainingMeters = mark.remainingMeters
    }

    /// Mark of the current leg; nil while the leg is unknown.
    public var mark: Mark? {
        guard let leg, let remainingMeters else { return nil }
        return Mark(
            waypoint: leg.waypoint, intermediateIndex: leg.index, vehicleID: vehicleID, drivenMeters: drivenMeters,
            remainingMeters: remainingMeters)
    }

    /// Adds the estimate from an answer. A different stop starts a new leg at 0 m, and so does a different vehicle.
    /// - Parameter vehicleID: bare id of the trip's vehicle; nil without a vehicle.
    public mutating func observe(_ estimate: ArrivalEstimate?, vehicleID newVehicle: String? = nil) {
        if let newVehicle {
            if let vehicleID, vehicleID != newVehicle { (drivenMeters, remainingMeters) = (0, nil) }
            vehicleID = newVehicle
        }
        let newLeg = estimate.map { Leg(waypoint: $0.waypoint, index: $0.intermediateIndex) }
        if newLeg != leg {
            if leg != nil { drivenMeters = 0 }
            remainingMeters = nil
            leg = newLeg
        }
        if let remaining = estimate?.remainingMeters { observe(remainingMeters: remaining) }
    }

    /// Records the remaining distance, in metres, from an answer about the current leg. If it is shorter than the last known one, the
    /// difference counts as driven.
    mutating func observe(remainingMeters remaining: Double) {
        guard remaining.isFinite, remaining >= 0 else { return }
        if let before = remainingMeters { drivenMeters += max(0, before - remaining) }
        remainingMeters = remaining
    }

    /// Completed share, 0 ... 1; nil while it is unknown.
    public var fraction: Double? {
        guard let remainingMeters else { return nil }
        let whole = drivenMeters + remainingMeters
        return whole > 0 ? drivenMeters / whole : 1
    }
}
