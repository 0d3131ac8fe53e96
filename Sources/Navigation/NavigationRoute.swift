public import Geo
public import Routing

/// A moment on a route: metres and seconds from its start.
struct TimeMark: Hashable, Sendable {
    var meters: Double
    var seconds: Double
}

/// A way through one or more destinations: one line, with the metres and seconds from its start to each place on it.
///
/// Seconds are fitted to the router's leg durations (per-segment times leave out turns and do not add up to them), and metres left are
/// scaled to the router's leg distances, so that every figure ends at exactly 0.
public struct NavigationRoute: Hashable, Sendable {
    public let line: Polyline
    /// When the places on the line are reached: in order, from the line's start to its end. Between two of them time runs evenly.
    let timetable: [TimeMark]
    /// At least one.
    public let legs: [RouteLeg]
    /// Metres per second on each segment, nil where the router did not say; as many as segments.
    public let segmentSpeeds: [Double?]
    /// One for each segment.
    public let speedLimits: [SpeedLimit]
    /// Slower parts in metres along `line`, in order, without overlaps.
    public let traffic: [TrafficStretch]

    /// - Parameter traffic: slower parts in metres along the whole route.
    public init(_ route: PlannedRoute, traffic: [TrafficStretch] = []) {
        let builder = RouteBuilder(route)
        self.init(
            line: builder.line, timetable: builder.timetable, legs: builder.legs, segmentSpeeds: builder.speeds,
            speedLimits: builder.limits, traffic: traffic)
    }

    /// - Throws: `RouteError` for what cannot be driven: no coordinates, figures that are negative or not numbers, lists that do not fit.
    public init(legs: [RouterLeg], traffic: [TrafficStretch] = []) throws(RouteError) {
        self.init(try PlannedRoute(planner: "", legs: legs), traffic: traffic)
    }

    /// A route of one leg along a line at one speed.
    public init(line: Polyline, durationSeconds: Double, destination: NavigationWaypoint? = nil) throws(RouteError) {
        guard let last = line.coordinates.last else { throw .emptyPath(leg: 0) }
        let waypoint = destination ?? NavigationWaypoint(coordinate: last)
        try self.init(legs: [RouterLeg(path: line.coordinates, destination: waypoint, durationSeconds: durationSeconds)])
    }

    /// Parts that belong together; traffic is put in order.
    init(
        line: Polyline, timetable: [TimeMark], legs: [RouteLeg], segmentSpeeds: [Double?], speedLimits: [SpeedLimit],
        traffic: [TrafficStretch]
    ) {
        self.line = line
        self.timetable = timetable
        self.legs = legs
        self.segmentSpeeds = segmentSpeeds
        self.speedLimits = speedLimits
        self.traffic = TrafficStretch.ordered(traffic, withinMeters: line.lengthMeters)
    }

    /// The whole route's duration, seconds.
    public var durationSeconds: Double { timetable.last?.seconds ?? 0 }

    /// Seconds from the start to each coordinate of `line`; as many, never falling.
    public var cumulativeSeconds: [Double] { line.cumulativeMeters.map(seconds) }
}

// MARK: - Figures along the route

extension NavigationRoute {
    /// The segment (by its first coordinate) that holds a place on the line, clamped to its ends; 0 for a line of one coordinate.
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
    public func seconds(atMeters meters: Double) -> Double {
        guard meters < line.lengthMeters else { return meters.isNaN ? 0 : durationSeconds }
        var low = 0
        var high = timetable.count
        while low < high {
            let middle = low + (high - low) / 2
            if timetable[middle].meters > meters { high = middle } else { low = middle + 1 }
        }
        guard low > 0, low < timetable.count else { return low > 0 ? durationSeconds : 0 }
        let (before, after) = (timetable[low - 1], timetable[low])
        return before.seconds + (after.seconds - before.seconds) * (meters - before.meters) / (after.meters - before.meters)
    }

    /// What is left to a leg's destination from a place on the line.
    public func remaining(ofLeg leg: RouteLeg, fromMeters meters: Double) -> RemainingFigures {
        guard meters < leg.endMeters, leg.lineLengthMeters > 0 else { return RemainingFigures(distanceMeters: 0, timeSeconds: 0) }
        let share = min(1, (leg.endMeters - meters) / leg.lineLengthMeters)
        return RemainingFigures(
            distanceMeters: leg.distanceMeters * share,
            timeSeconds: min(leg.durationSeconds, max(0, leg.endSeconds - seconds(atMeters: meters))))
    }

    /// The line of one leg; empty for a leg that does not exist.
    public func line(ofLeg index: Int) -> Polyline {
        guard legs.indices.contains(index) else { return Polyline([]) }
        return line.slice(fromMeters: legs[index].startMeters, toMeters: legs[index].endMeters)
    }

    /// The traffic of one leg, in metres from the leg's start.
    public func traffic(ofLeg index: Int) -> [TrafficStretch] {
        guard legs.indices.contains(index) else { return [] }
        let moved = traffic.map {
            TrafficStretch(style: $0.style, offsetMeters: $0.offsetMeters - legs[index].startMeters, lengthMeters: $0.lengthMeters)
        }
        return TrafficStretch.ordered(moved, withinMeters: legs[index].lineLengthMeters)
    }

    /// The step of a leg that holds a place on the line.
    func step(ofLeg leg: RouteLeg, atMeters meters: Double) -> RouteStep? {
        leg.steps.last { $0.startMeters <= meters } ?? leg.steps.first
    }
}

/// What is left to the next destination.
public struct RemainingFigures: Hashable, Sendable {
    public let distanceMeters: Double
    public let timeSeconds: Double

    public init(distanceMeters: Double, timeSeconds: Double) {
        self.distanceMeters = distanceMeters
        self.timeSeconds = timeSeconds
    }
}

extension TrafficStretch {
    /// Stretches cut to 0...`length` metres, sorted, without overlaps (the worse one wins) and with touching ones of a style joined.
    /// Figures that are not finite and empty stretches are dropped.
    static func ordered(_ stretches: [TrafficStretch], withinMeters length: Double) -> [TrafficStretch] {
        var edges: [(meters: Double, style: Style, change: Int)] = []
        for stretch in stretches where stretch.offsetMeters.isFinite && stretch.lengthMeters.isFinite {
            let start = max(0, stretch.offsetMeters)
            let end = min(length, stretch.endMeters)
            guard end > start else { continue }
            edges.append((start, stretch.style, 1))
            edges.append((end, stretch.style, -1))
        }
        edges.sort { ($0.meters, $0.change, $0.style) < ($1.meters, $1.change, $1.style) }
        var result: [TrafficStretch] = []
        var open: [Style: Int] = [:]
        var position = 0.0
        for edge in edges {
            if edge.meters > position {
                if let worst = Style.allCases.last(where: { open[$0, default: 0] > 0 }) {
                    result.appendJoining(TrafficStretch(style: worst, offsetMeters: position, lengthMeters: edge.meters - position))
                }
                position = edge.meters
            }
            open[edge.style, default: 0] += edge.change
        }
        return result
    }
}

extension [TrafficStretch] {
    fileprivate mutating func appendJoining(_ next: TrafficStretch) {
        guard let last, last.style == next.style, last.endMeters >= next.offsetMeters else { return append(next) }
        self[count - 1].lengthMeters = next.endMeters - last.offsetMeters
    }
}
