public import Geo

/// A stretch of the simulated route on which traffic barely moves.
public struct SimulatedJam: Hashable, Sendable {
    /// Start of the jam, metres along the route.
    public var offsetMeters: Double
    /// Length of the jam, in metres; 0 or less means no jam.
    public var lengthMeters: Double
    /// Speed inside the jam, metres per second, 0.5 to 70.
    public var speedMetersPerSecond: Double

    /// Creates a jam that begins `offsetMeters` along the route. The default speed is 2.5 m/s.
    public init(offsetMeters: Double, lengthMeters: Double, speedMetersPerSecond: Double = 2.5) {
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
        self.speedMetersPerSecond = speedMetersPerSecond
    }

    /// The jam as a stretch of the route's traffic data.
    var stretch: TrafficStretch { TrafficStretch(startMeters: offsetMeters, endMeters: offsetMeters + lengthMeters, speed: .trafficJam) }
}

/// A wrong turn: the point at which the simulated driver leaves the route. The driver follows a detour to its end and waits there until
/// another route is set.
public struct SimulatedWrongTurn: Hashable, Sendable {
    /// The path on which the driver leaves the route.
    public enum Detour: Hashable, Sendable {
        /// A straight line of `lengthMeters`. It points `turnDegrees` clockwise from the direction of the route.
        case straight(turnDegrees: Double, lengthMeters: Double)
        /// A path through the coordinates.
        case path([Coordinate])
    }

    /// Point of the wrong turn, metres along the route.
    public var offsetMeters: Double
    /// The path on which the driver leaves the route.
    public var detour: Detour

    /// Creates a wrong turn `offsetMeters` along the route.
    public init(offsetMeters: Double, detour: Detour) {
        self.offsetMeters = offsetMeters
        self.detour = detour
    }
}

/// The position errors of a simulated receiver. They change slowly: after t seconds, the next error is `exp(-t / correlationSeconds)` times
/// the last one, plus a random part.
public struct SimulatedNoise: Hashable, Sendable {
    /// 68 % confidence radius, in metres; reported with each fix.
    public var accuracyMeters: Double
    /// Time after which an error has decayed to exp(-1) of its size, in seconds. With 0 or less, each error is independent of the last.
    public var correlationSeconds: Double

    /// Creates errors for a receiver of this accuracy. The default correlation time is 30 s.
    public init(accuracyMeters: Double, correlationSeconds: Double = 30) {
        self.accuracyMeters = accuracyMeters
        self.correlationSeconds = correlationSeconds
    }
}

/// A period without fixes.
public struct SimulatedGap: Hashable, Sendable {
    /// Start of the gap, seconds since the simulation began.
    public var afterSeconds: Double
    /// Length of the gap, in seconds.
    public var durationSeconds: Double

    /// Creates a gap of `durationSeconds` that begins `afterSeconds` after the start of the simulation.
    public init(afterSeconds: Double, durationSeconds: Double) {
        self.afterSeconds = afterSeconds
        self.durationSeconds = durationSeconds
    }
}

/// The driving style of a simulated vehicle, and the errors of its receiver. Values outside the stated ranges are clamped.
public struct SimulationConfiguration: Hashable, Sendable {
    /// Speed in turns of 90° or more, metres per second, 1 to 60.
    public var turnSpeedMetersPerSecond = 6.0
    /// Speed on straight stretches for which the route has no speed, metres per second, 1 to 70.
    public var straightSpeedMetersPerSecond = 30.0
    /// Acceleration, metres per second squared, 0.1 to 10.
    public var acceleration = 1.8
    /// Braking, metres per second squared, 0.1 to 10.
    public var braking = 2.2
    /// Factor by which the vehicle's speed is multiplied, 0.01 to 1,000. Reported speeds include it.
    public var speedMultiplier = 1.0
    /// Accuracy that each fix reports if there is no noise, in metres.
    public var accuracyMeters = 5.0
    /// Traffic jams. The route shows them as traffic.
    public var jams: [SimulatedJam] = []
    /// The receiver's errors; with nil, every fix is at the true position.
    public var noise: SimulatedNoise?
    /// The periods without fixes.
    public var gaps: [SimulatedGap] = []
    /// The point at which the driver leaves the route; with nil the driver stays on it.
    public var wrongTurn: SimulatedWrongTurn?

    /// Creates a configuration with a careful driver, no jams, and a receiver without errors or gaps.
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

    /// Returns the valid jams of the route, in metres from `start` and cut at `end`. Jams before `start` or after `end` are not left out,
    /// but have no effect.
    func slowParts(fromMeters start: Double, toMeters end: Double) -> [SpeedProfile.SlowPart] {
        jams.compactMap { jam in
            guard jam.offsetMeters.isFinite, jam.lengthMeters.isFinite, jam.lengthMeters > 0 else { return nil }
            return SpeedProfile.SlowPart(
                startMeters: jam.offsetMeters - start, endMeters: min(end, jam.offsetMeters + jam.lengthMeters) - start,
                speed: Self.clamp(jam.speedMetersPerSecond, SpeedProfile.leastSpeed...70, 2.5))
        }
    }
}
