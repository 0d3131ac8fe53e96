/// A driver's manoeuvre at a junction.
public enum Maneuver: String, Hashable, Sendable, CaseIterable {
    /// The router gave no manoeuvre, or one that this program does not know.
    case unknown
    /// The drive begins.
    case depart
    /// The destination of the leg is reached.
    case arrive
    /// The driver continues straight on, or follows a road whose name changes.
    case straight
    /// A turn to the left, of less than about 60°.
    case slightLeft
    /// A turn to the left.
    case left
    /// A turn to the left, of more than about 120°.
    case sharpLeft
    /// A turn to the right, of less than about 60°.
    case slightRight
    /// A turn to the right.
    case right
    /// A turn to the right, of more than about 120°.
    case sharpRight
    /// A U-turn to the left.
    case uTurnLeft
    /// A U-turn to the right.
    case uTurnRight
    /// The road divides, and the driver takes the left branch.
    case keepLeft
    /// The road divides, and the driver takes the right branch.
    case keepRight
    /// The driver joins the traffic of another road.
    case merge
    /// The driver enters a motorway or a similar road.
    case onRamp
    /// The driver leaves a motorway or a similar road.
    case offRamp
    /// The driver enters a roundabout.
    case enterRoundabout
    /// The driver leaves a roundabout.
    case exitRoundabout
    /// The driver boards a ferry.
    case ferry
}

/// A manoeuvre, and the road that follows it.
public struct RouteStep: Hashable, Sendable {
    /// Manoeuvre at the start of the step.
    public var maneuver: Maneuver
    /// Name of the road that follows the manoeuvre; nil if the road has no name.
    public var roadName: String?
    /// Distance of the manoeuvre from the start of the leg, in metres. The leg ends at `RouterLeg.lengthMeters`.
    public var offsetMeters: Double
    /// Distance to the next manoeuvre, or to the end of the leg, in metres; 0 at the end.
    public var lengthMeters: Double

    /// Creates a step without checks. `PlannedRoute` refuses impossible values.
    public init(maneuver: Maneuver, roadName: String?, offsetMeters: Double, lengthMeters: Double) {
        self.maneuver = maneuver
        self.roadName = roadName
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
    }
}

/// Speed limit of a road.
public enum SpeedLimit: Hashable, Sendable {
    /// The limit is unknown.
    case unknown
    /// The road has no limit.
    case unlimited
    /// The limit, in metres per second.
    case metersPerSecond(Double)

    /// Creates a limit of `speed` kilometres per hour.
    public static func kilometersPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed / 3.6) }
    /// Creates a limit of `speed` miles per hour. One international mile is 1,609.344 m.
    public static func milesPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed * 1_609.344 / 3_600) }
}

/// A part of a leg that has one speed limit.
public struct SpeedLimitStretch: Hashable, Sendable {
    /// Distance from the start of the leg to the start of the part, in metres. The leg ends at `RouterLeg.lengthMeters`.
    public var offsetMeters: Double
    /// Length of the part, in metres.
    public var lengthMeters: Double
    /// Speed limit on the whole part.
    public var limit: SpeedLimit

    /// Creates a stretch without checks. `PlannedRoute` refuses impossible values.
    public init(offsetMeters: Double, lengthMeters: Double, limit: SpeedLimit) {
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
        self.limit = limit
    }
}
