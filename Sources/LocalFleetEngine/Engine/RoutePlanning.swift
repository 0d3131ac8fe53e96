public import Geo

/// A way from one place to another, with what it takes to drive it.
public struct PlannedRoute: Hashable, Sendable {
    /// What the way was made from.
    public enum Origin: String, Hashable, Sendable {
        /// A road network.
        case roads
        /// Nothing but the two ends: the straight line, driven at a town's average speed.
        case straightLine = "straight line"
    }

    /// At least two places, from the start to the end.
    public var points: [Coordinate]
    public var lengthMeters: Double
    public var durationSeconds: Double
    /// Seconds from the start to each point, never falling; empty where the speed is the same all the way.
    public var cumulativeSeconds: [Double]
    public var origin: Origin

    public init(
        points: [Coordinate], lengthMeters: Double, durationSeconds: Double, cumulativeSeconds: [Double] = [], origin: Origin
    ) {
        self.points = points
        self.lengthMeters = lengthMeters
        self.durationSeconds = durationSeconds
        self.cumulativeSeconds = cumulativeSeconds
        self.origin = origin
    }
}

/// Where the engine takes ways from when no driver has uploaded one. The same question must always get the same answer.
public protocol RoutePlanning: Sendable {
    /// The way between two places; nil where this planner knows none.
    func route(from start: Coordinate, to end: Coordinate) -> PlannedRoute?
}

/// The last resort: the straight line at an average speed. It is an estimate and says so in `origin`.
public struct StraightLineRoutePlanning: RoutePlanning {
    /// 30 km/h, about what cars reach in towns with lights and turns counted in.
    public static let townSpeedMetersPerSecond = 30 / 3.6

    public let speedMetersPerSecond: Double

    /// - Parameter speedMetersPerSecond: at least 0.1; a smaller one is raised to that.
    public init(speedMetersPerSecond: Double = Self.townSpeedMetersPerSecond) {
        self.speedMetersPerSecond = max(0.1, speedMetersPerSecond.isFinite ? speedMetersPerSecond : 0.1)
    }

    public func route(from start: Coordinate, to end: Coordinate) -> PlannedRoute? {
        guard start.isValid, end.isValid else { return nil }
        let length = start.distanceMeters(to: end)
        guard length.isFinite else { return nil }
        return PlannedRoute(
            points: [start, end], lengthMeters: length, durationSeconds: length / speedMetersPerSecond, origin: .straightLine)
    }
}

/// Several planners, asked in order until one knows a way.
public struct FallbackRoutePlanning: RoutePlanning {
    public let planners: [any RoutePlanning]

    public init(_ planners: [any RoutePlanning]) { self.planners = planners }

    public func route(from start: Coordinate, to end: Coordinate) -> PlannedRoute? {
        for planner in planners {
            if let found = planner.route(from: start, to: end) { return found }
        }
        return nil
    }
}
