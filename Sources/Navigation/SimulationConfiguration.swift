public import Geo

/// A stretch of the simulated route on which traffic barely moves.
public struct SimulatedJam: Hashable, Sendable {
    /// Start of the jam, metres along the route.
    public var offsetMeters: Double
    /// Length of the jam, metres; 0 or less means no jam.
    public var lengthMeters: Double
    /// Speed inside the jam, metres per second, 0.5 to 70.
    public var speedMetersPerSecond: Double

    /// Creates a jam that begins `offsetMeters` along the route, at 2.5 m/s unless another speed is given.
    public init(offsetMeters: Double, lengthMeters: Double, speedMetersPerSecond: Double = 2.5) {
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
        self.speedMetersPerSecond = speedMetersPerSecond
    }

    /// The jam as a stretch of the route's traffic data.
    var stretch: TrafficStretch { TrafficStretch(startMeters: offsetMeters, endMeters: offsetMeters + lengthMeters, speed: .trafficJam) }
}

/// A place at which the simulated driver leaves the route. The driver follows the detour to its end and stands there until another route is
/// set.
public struct SimulatedWrongTurn: Hashable, Sendable {
    /// Detour that the driver takes.
    public enum Detour: Hashable, Sendable {
        /// Straight on for `lengthMeters`, in a direction that differs from the route's by `turnDegrees`, clockwise.
        case straight(turnDegrees: Double, lengthMeters: Double)
        /// Along another path.
        case path([Coordinate])
    }

    /// Place of the wrong turn, metres along the route.
    public var offsetMeters: Double
    /// Detour that the driver takes.
    public var detour: Detour

    /// Creates a wrong turn `offsetMeters` along the route.
    public init(offsetMeters: Double, detour: Detour) {
        self.offsetMeters = offsetMeters
        self.detour = detour
    }
}

/// Errors of a simulated receiver, correlated in time like those of a real one. The next error is the last one times
/// `exp(-t / correlation)`, plus a random part.
public struct SimulatedNoise: Hashable, Sendable {
    /// Radius of 68 % certainty, metres; reported with each fix.
    public var accuracyMeters: Double
    /// Time after which exp(-1) of an error is left, seconds. With 0 or less each error is independent of the last.
    public var correlationSeconds: Double

    /// Creates errors of this size that last about 30 s, unless another time is given.
    public init(accuracyMeters: Double, correlationSeconds: Double = 30) {
        self.accuracyMeters = accuracyMeters
        self.correlationSeconds = correlationSeconds
    }
}

/// A time without fixes, in seconds since the simulation began.
public struct SimulatedGap: Hashable, Sendable {
    /// Start of the gap, seconds since the simulation began.
    public var afterSeconds: Double
    /// Length of the gap, seconds.
    public var durationSeconds: Double

    /// Creates a gap of `durationSeconds`, `afterSeconds` after the start.
    public init(afterSeconds: Double, durationSeconds: Double) {
        self.afterSeconds = afterSeconds
        self.durationSeconds = durationSeconds
    }
}

/// Driving style of a simulated vehicle and errors of its receiver. Figures outside the stated ranges are clamped.
public struct SimulationConfiguration: Hashable, Sendable {
    /// Speed in turns of 90° and more, metres per second, 1 to 60.
    public var turnSpeedMetersPerSecond = 6.0
    /// Speed straight on if the route states none, metres per second, 1 to 70.
    public var straightSpeedMetersPerSecond = 30.0
    /// Acceleration, metres per second squared, 0.1 to 10.
    public var acceleration = 1.8
    /// Braking, metres per second squared, 0.1 to 10.
    public var braking = 2.2
    /// Factor on the speed of the profile, 0.01 to 1,000. Reported speeds are multiplied too.
    public var speedMultiplier = 1.0
    /// Accuracy reported with each fix if there is no noise, metres.
    public var accuracyMeters = 5.0
    /// Traffic jams. The route shows them as traffic.
    public var jams: [SimulatedJam] = []
    /// The receiver's errors; nil gives the true position.
    public var noise: SimulatedNoise?
    /// Times without fixes.
    public var gaps: [SimulatedGap] = []
    /// Place at which the driver leaves the route; nil keeps to the route.
    public var wrongTurn: SimulatedWrongTurn?

    /// Creates a careful driver without jams, and a receiver without errors or gaps.
    public init() {}

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>, _ other: Double) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : other
    }

    var limits: SpeedProfile.Limits {
        let straight = Self.clamp(straightSpeedMetersPerSecond, 1...70, 30)
        return SpeedProfile.Limits(
            turnSpeed: min(straight, Self.clamp(turnSpeedMetersPerSecond, 1...60, 6)), straightSpeed: straight,
            acceleration: Self.clamp(acceleration, 0.1...10, 1.8), braking: Self.clamp(braking, 0.1...10, 2.2))
    }

    var multiplier: Double { Self.clamp(speedMultiplier, 0.01...1_000, 1) }

    /// The jams inside a part of the route, in metres from the part's start.
    func slowParts(fromMeters start: Double, toMeters end: Double) -> [SpeedProfile.SlowPart] {
        jams.compactMap { jam in
            guard jam.offsetMeters.isFinite, jam.lengthMeters.isFinite, jam.lengthMeters > 0 else { return nil }
            return SpeedProfile.SlowPart(
                startMeters: jam.offsetMeters - start, endMeters: min(end, jam.offsetMeters + jam.lengthMeters) - start,
                speed: Self.clamp(jam.speedMetersPerSecond, SpeedProfile.leastSpeed...70, 2.5))
        }
    }
}
