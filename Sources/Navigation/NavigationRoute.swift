public import Geo
public import Routing

/// A route through one or more destinations: one line, with the metres and seconds from its start to each place on it.
///
/// Seconds are fitted to the router's leg durations, because per-segment times leave out turns and do not add up to them. Remaining metres
/// are scaled to the router's leg distances. So the remaining time and distance end at exactly 0.
public struct NavigationRoute: Hashable, Sendable {
    /// The line, its slow parts, and the times at which its places are reached.
    public let route: RouteLine
    /// The legs, at least one.
    public let legs: [RouteLeg]
    /// Speed on each segment, metres per second; nil if the router gave none. One entry per segment.
    public let segmentSpeeds: [Double?]
    /// Speed limits, in metres along the whole line, in order and without overlaps. Elsewhere the limit is unknown.
    public let speedLimits: [SpeedLimitStretch]
    private var delays: RouteDelays

    /// - Parameter traffic: slower parts in metres along the whole route.
    public init(_ route: PlannedRoute, traffic: [TrafficStretch] = []) {
        let builder = RouteBuilder(route)
        self.init(
            line: builder.line, times: Timetable(builder.marks), legs: builder.legs, segmentSpeeds: builder.speeds,
            speedLimits: builder.limits, traffic: traffic)
    }

    /// - Throws: `RouteError` for a route that cannot be driven: no coordinates, figures that are negative or not numbers, lists of
    ///   different lengths.
    public init(legs: [RouterLeg], traffic: [TrafficStretch] = []) throws(RouteError) {
        self.init(try PlannedRoute(planner: "", legs: legs), traffic: traffic)
    }

    /// Creates a route of one leg along a line at one speed.
    public init(line: Polyline, durationSeconds: Double, destination: NavigationWaypoint? = nil) throws(RouteError) {
        guard let last = line.coordinates.last else { throw .emptyPath(leg: 0) }
        let waypoint = destination ?? NavigationWaypoint(coordinate: last)
        try self.init(legs: [RouterLeg(path: line.coordinates, destination: waypoint, durationSeconds: durationSeconds)])
    }

    /// Creates a route from matching parts, and sorts the traffic.
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

    /// The same route and times with other traffic, in metres along the route.
    public func with(traffic: [TrafficStretch]) -> NavigationRoute {
        NavigationRoute(
            line: line, times: times, legs: legs, segmentSpeeds: segmentSpeeds, speedLimits: speedLimits, traffic: traffic)
    }

    /// The line of the whole route, through all legs.
    public var line: Polyline { route.line }

    /// Slower parts in metres along `line`, in order, without overlaps.
    public var traffic: [TrafficStretch] { route.traffic }

    /// The times at which the places of the line are reached.
    var times: Timetable { route.times ?? Timetable([]) }

    /// The whole route's duration, seconds.
    public var durationSeconds: Double { times.durationSeconds }

    /// Seconds from the start to each coordinate of `line`. One entry per coordinate, never falling.
    public var cumulativeSeconds: [Double] { line.cumulativeMeters.map(seconds) }
}

// MARK: - Figures along the route

extension NavigationRoute {
    /// Index of the segment that contains a place on the line; the first or last segment for a place beyond the line's ends. 0 for a line
    /// of one coordinate.
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

    /// Seconds from the start of the route to a place on its line, clamped to its ends.
    public func seconds(atMeters meters: Double) -> Double { times.seconds(atMeters: meters) }

    /// The remaining distance and time to a leg's destination from a place on the line.
    public func remaining(ofLeg leg: RouteLeg, fromMeters meters: Double) -> RemainingFigures {
        guard meters < leg.endMeters, leg.lineLengthMeters > 0 else { return RemainingFigures(distanceMeters: 0, timeSeconds: 0) }
        let share = min(1, (leg.endMeters - meters) / leg.lineLengthMeters)
        return RemainingFigures(
            distanceMeters: leg.distanceMeters * share,
            timeSeconds: min(leg.durationSeconds, max(0, leg.endSeconds - seconds(atMeters: meters))))
    }

    /// Traffic delay between a place on the line and the end of a leg; nil if too little is known.
    public func delay(ofLeg index: Int, fromMeters meters: Double) -> RouteDelay? {
        guard legs.indices.contains(index) else { return nil }
        let remaining = remaining(ofLeg: legs[index], fromMeters: meters)
        return delays.delay(ofLeg: index, legs[index], fromMeters: meters, remainingSeconds: remaining.timeSeconds)
    }

    /// The line of one leg with its traffic, in metres from the leg's start; empty for a leg that does not exist.
    public func route(ofLeg index: Int) -> RouteLine {
        guard legs.indices.contains(index) else { return RouteLine() }
        return route.slice(fromMeters: legs[index].startMeters, toMeters: legs[index].endMeters)
    }

    /// The step of a leg that contains a place on the line; the leg's first step for a place before it.
    func step(ofLeg leg: RouteLeg, atMeters meters: Double) -> RouteStep? {
        let next = leg.firstStep(beyondMeters: meters)
        return next > 0 ? leg.steps[next - 1] : leg.steps.first
    }

    /// Speed limit at a place on the line.
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
    /// Metres along the route, scaled to the router's figure; 0 at the destination.
    public let distanceMeters: Double
    /// Seconds along the route, fitted to the router's duration; 0 at the destination.
    public let timeSeconds: Double

    /// Creates figures from a distance and a time.
    public init(distanceMeters: Double, timeSeconds: Double) {
        self.distanceMeters = distanceMeters
        self.timeSeconds = timeSeconds
    }
}
