/// What a driver does at a junction.
public enum Maneuver: String, Hashable, Sendable, CaseIterable {
    /// The router said nothing that is known here.
    case unknown
    /// The drive begins.
    case depart
    /// The leg's destination is here.
    case arrive
    /// Straight on, or on along a road that changes its name.
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
    /// Back, by a turn to the left.
    case uTurnLeft
    /// Back, by a turn to the right.
    case uTurnRight
    /// On the left side where the road divides.
    case keepLeft
    /// On the right side where the road divides.
    case keepRight
    /// Into the traffic of another road.
    case merge
    /// Onto a motorway or the like.
    case onRamp
    /// Off a motorway or the like.
    case offRamp
    /// Into a roundabout.
    case enterRoundabout
    /// Out of a roundabout.
    case exitRoundabout
    /// Onto a ferry.
    case ferry
}

/// A manoeuvre and the road after it.
public struct RouteStep: Hashable, Sendable {
    /// What to do at the step's beginning.
    public var maneuver: Maneuver
    /// The road after the manoeuvre; nil when it has no name.
    public var roadName: String?
    /// Where the manoeuvre is: metres from the leg's start, counted as the leg's `lengthMeters` is.
    public var offsetMeters: Double
    /// Metres to the next manoeuvre, or to the leg's end; 0 at the end.
    public var lengthMeters: Double

    /// A step with these figures, unchecked: `PlannedRoute` refuses impossible ones.
    public init(maneuver: Maneuver, roadName: String?, offsetMeters: Double, lengthMeters: Double) {
        self.maneuver = maneuver
        self.roadName = roadName
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
    }
}

/// How fast one may drive.
public enum SpeedLimit: Hashable, Sendable {
    /// Nothing is known of the limit.
    case unknown
    /// A road without a limit.
    case unlimited
    /// The limit, metres per second.
    case metersPerSecond(Double)

    /// The limit of `speed` kilometres per hour.
    public static func kilometersPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed / 3.6) }
    /// One international mile is 1,609.344 m.
    public static func milesPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed * 1_609.344 / 3_600) }
}

/// A part of a leg with one speed limit.
public struct SpeedLimitStretch: Hashable, Sendable {
    /// Where the part begins: metres from the leg's start, counted as the leg's `lengthMeters` is.
    public var offsetMeters: Double
    /// The part's length, metres.
    public var lengthMeters: Double
    /// The limit on all of it.
    public var limit: SpeedLimit

    /// A stretch with these figures, unchecked: `PlannedRoute` refuses impossible ones.
    public init(offsetMeters: Double, lengthMeters: Double, limit: SpeedLimit) {
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
        self.limit = limit
    }
}
