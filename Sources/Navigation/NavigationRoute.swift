public import Geo
public import Routing

/// A route through one or more destinations. It has one line, and the distance and time from its start to each point on the line.
///
/// The times are scaled to the router's duration of each leg, because a router's times for individual segments may leave out turns. The
/// remaining distance is scaled to the router's length of each leg.
public struct NavigationRoute: Hashable, Sendable {
    /// The line, its slow stretches, and the times at which the vehicle reaches the points on it.
    public let route: RouteLine
    /// The legs, at least one.
    public let legs: [RouteLeg]
    /// Speed on each segment, in metres per second; nil if the router gave none. One entry per segment.
    public let segmentSpeeds: [Double?]
    /// Stretches with a known speed limit, in metres along the whole line, in order and without overlaps. Between them the limit is
    /// unknown.
    public let speedLimits: [SpeedLimitStretch]
    private var delays: RouteDelays

    /// - Parameter traffic: slow stretches, in metres along the whole route.
    public init(_ route: PlannedRoute, traffic: [TrafficStretch] = []) {
        let builder = RouteBuilder(route)
        self.init(
            line: builder.line, times: Timetable(builder.marks), legs: builder.legs, segmentSpeeds: builder.speeds,
            speedLimits: builder.limits, traffic: traffic)
    }

    /// - Throws: `RouteError` for legs that `PlannedRoute` refuses, for example if a leg has no coordinates or a value is negative.
    public init(legs: [RouterLeg], traffic: [TrafficStretch] = []) throws(RouteError) {
        self.init(try PlannedRoute(planner: "", legs: legs), traffic: traffic)
    }

    /// Creates a route of one leg along a line at one speed.
    public init(line: Polyline, durationSeconds: Double, destination: NavigationWaypoint? = nil) throws(RouteError) {
        guard let last = line.coordinates.last else { throw .emptyPath(leg: 0) }
        let waypoint = destination ?? NavigationWaypoint(coordinate: last)
        try self.init(legs: [RouterLeg(path: line.coordinates, destination: waypoint, durationSeconds: durationSeconds)])
    }

    /// Creates a route from parts that match each other. Sorts the traffic.
    init(
        line: Polyline, times: Timetable, legs: [RouteLeg], segmentSpeeds: [Double?], speedLimits: [SpeedLimitStretch],
        traffic: [TrafficStretch]
    ) {
        route = RouteLine(line, traffic: traffic, times: times)
        self.legs = legs
        self.segmentSpeeds = segmentSpeeds
        self.speedLimits = speedLimits
        delays = RouteDelays()
        delays = RouteDelays(route, legs: legs, seconds: seconds)
    }

    /// Returns the same route with new traffic. The traffic stretches are in metres along the route. The times stay the same.
    public func with(traffic: [TrafficStretch]) -> NavigationRoute {
        NavigationRoute(
            line: line, times: times, legs: legs, segmentSpeeds: segmentSpeeds, speedLimits: speedLimits, traffic: traffic)
    }

    /// The line of the whole route, through all legs.
    public var line: Polyline { route.line }

    /// The slow stretches, in metres along `line`, in order and without overlaps.
    public var traffic: [TrafficStretch] { route.traffic }

    /// The times at which the vehicle reaches the points on the line.
    var times: Timetable { route.times ?? Timetable([]) }

    /// Duration of the whole route, in seconds.
    public var durationSeconds: Double { times.durationSeconds }

    /// Seconds from the start to each coordinate of `line`. The list has one entry per coordinate, and its values never decrease.
    public var cumulativeSeconds: [Double] { line.cumulativeMeters.map(seconds) }
}

// MARK: - Values along the route

extension NavigationRoute {
    /// Returns the index of the segment at a point on the line; 0 for a line of one coordinate. A point beyond an end counts as that
    /// end.
    func segmentIndex(atMeters meters: Double) -> Int {
        let metres = line.cumulativeMeters
        var low = 0
        var high = metres.count
        while low < high {
            let middle = low + (high - low) / 2
            if metres[middle] > meters { high = middle } else { low = middle + 1 }
        }
        return max(0, min(low - 1, metres.count - 2))
    }

    /// Returns the seconds from the start of the route to a point on its line. A point beyond an end counts as that end.
    public func seconds(atMeters meters: Double) -> Double { times.seconds(atMeters: meters) }

    /// Returns the remaining distance and time from a point on the line to a leg's destination.
    public func remaining(ofLeg leg: RouteLeg, fromMeters meters: Double) -> RemainingFigures {
        guard meters < leg.endMeters, leg.lineLengthMeters > 0 else { return RemainingFigures(distanceMeters: 0, timeSeconds: 0) }
        let share = min(1, (leg.endMeters - meters) / leg.lineLengthMeters)
        return RemainingFigures(
            distanceMeters: leg.distanceMeters * share,
            timeSeconds: min(leg.durationSeconds, max(0, leg.endSeconds - seconds(atMeters: meters))))
    }

    /// Returns the traffic delay between a point on the line and the end of a leg. Nil if the point is at or beyond that end, or if
    /// traffic is unknown on over half of the part between them.
    public func delay(ofLeg index: Int, fromMeters meters: Double) -> RouteDelay? {
        guard legs.indices.contains(index) else { return nil }
        let remaining = remaining(ofLeg: legs[index], fromMeters: meters)
        return delays.delay(ofLeg: index, legs[index], fromMeters: meters, remainingSeconds: remaining.timeSeconds)
    }

    /// Returns the line of one leg with its traffic, in metres from the leg's start; an empty line if there is no such leg.
    public func route(ofLeg index: Int) -> RouteLine {
        guard legs.indices.contains(index) else { return RouteLine() }
        return route.slice(fromMeters: legs[index].startMeters, toMeters: legs[index].endMeters)
    }

    /// Returns the step of `leg` at a point on the line: the last step that begins at or before the point, or else the first step. Nil if
    /// the leg has no steps.
    func step(ofLeg leg: RouteLeg, atMeters meters: Double) -> RouteStep? {
        let next = leg.firstStep(beyondMeters: meters)
        return next > 0 ? leg.steps[next - 1] : leg.steps.first
    }

    /// Returns the speed limit at a point on the line.
    public func speedLimit(atMeters meters: Double) -> SpeedLimit {
        var low = 0
        var high = speedLimits.count
        while low < high {
            let middle = low + (high - low) / 2
            if speedLimits[middle].offsetMeters > meters { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return .unknown }
        let stretch = speedLimits[low - 1]
        return meters <= stretch.offsetMeters + stretch.lengthMeters ? stretch.limit : .unknown
    }
}

/// The remaining distance and time to the next destination.
public struct RemainingFigures: Hashable, Sendable {
    /// Remaining distance along the route, in metres, scaled to the length that the router gave; 0 at the destination.
    public let distanceMeters: Double
    /// Remaining time, in seconds, scaled to the duration that the router gave; 0 at the destination.
    public let timeSeconds: Double

    /// Creates a value with the remaining distance and time.
    public init(distanceMeters: Double, timeSeconds: Double) {
        self.distanceMeters = distanceMeters
        self.timeSeconds = timeSeconds
    }
}
