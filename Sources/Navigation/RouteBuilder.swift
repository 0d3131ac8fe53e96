import Geo
import Routing

/// Joins the legs of a router's answer into one line. Places their times, steps and speed limits along this line.
struct RouteBuilder {
    /// The part of the joined line that belongs to one leg: the indexes of its first and last coordinate.
    private struct Span {
        var first: Int
        var last: Int
        /// 1 if a straight piece joins the end of the previous leg to this leg's own path, otherwise 0.
        var joins: Int
    }

    private(set) var marks = [Timetable.Mark(meters: 0, seconds: 0)]
    private(set) var speeds: [Double?] = []
    private(set) var limits: [SpeedLimitStretch] = []
    private(set) var legs: [RouteLeg] = []
    let line: Polyline

    init(_ route: PlannedRoute) {
        var coordinates: [Coordinate] = []
        var spans: [Span] = []
        for leg in route.legs { spans.append(Self.append(leg.path, to: &coordinates)) }
        line = Polyline(coordinates)
        for (leg, span) in zip(route.legs, spans) {
            appendSegments(of: leg, span)
            appendLeg(leg, span)
        }
    }

    private static func append(_ path: [Coordinate], to coordinates: inout [Coordinate]) -> Span {
        guard let end = coordinates.last else {
            coordinates = path
            return Span(first: 0, last: path.count - 1, joins: 0)
        }
        let first = coordinates.count - 1
        let meets = path.first == end
        coordinates += path.dropFirst(meets ? 1 : 0)
        return Span(first: first, last: coordinates.count - 1, joins: meets ? 0 : 1)
    }

    /// Appends the times of the leg's segments, scaled so that they add up to the router's duration for the leg. If the router gave
    /// no times, each segment's time is proportional to its length.
    private mutating func appendSegments(of leg: RouterLeg, _ span: Span) {
        let metres = line.cumulativeMeters[span.first...span.last]
        let lengths = zip(metres, metres.dropFirst()).map { $1 - $0 }
        let total = lengths.reduce(0, +)
        let pace = total > 0 ? leg.durationSeconds / total : 0
        let isTimed = leg.segmentSeconds.reduce(0, +) > 0
        let times = isTimed ? lengths.prefix(span.joins).map { $0 * pace } + leg.segmentSeconds : lengths.map { $0 * pace }
        let sum = times.reduce(0, +)
        let scale = sum > 0 ? leg.durationSeconds / sum : 0
        let start = marks.last?.seconds ?? 0
        var passed = 0.0
        for (position, (length, time)) in zip(lengths, times).enumerated() {
            passed += time * scale
            let isLast = position == lengths.count - 1 && sum > 0
            let seconds = start + (isLast ? leg.durationSeconds : min(passed, leg.durationSeconds))
            marks.append(Timetable.Mark(meters: metres[metres.startIndex + position + 1], seconds: seconds))
            let own = position - span.joins
            speeds.append(isTimed && own >= 0 && time * scale > 0 && length > 0 ? length / (time * scale) : nil)
        }
    }

    private mutating func appendLeg(_ leg: RouterLeg, _ span: Span) {
        let metres = line.cumulativeMeters
        let (start, end) = (metres[span.first], metres[span.last])
        let placing = Placing(leg, start: start, end: end)
        appendLimits(of: leg, placing)
        legs.append(
            RouteLeg(
                destination: leg.destination, startMeters: start, endMeters: end, distanceMeters: leg.distanceMeters ?? (end - start),
                startSeconds: marks[span.first].seconds, endSeconds: marks[span.last].seconds, freeFlowSeconds: leg.freeFlowSeconds,
                steps: Self.steps(of: leg, placing)))
    }

    /// Converts distances along the router's leg to distances along the joined line, in proportion to the two lengths.
    private struct Placing {
        var start: Double
        var end: Double
        var scale: Double

        init(_ leg: RouterLeg, start: Double, end: Double) {
            (self.start, self.end) = (start, end)
            scale = leg.lengthMeters > 0 ? (end - start) / leg.lengthMeters : 0
        }

        func meters(_ offset: Double) -> Double { min(end, start + offset * scale) }
    }

    private static func steps(of leg: RouterLeg, _ placing: Placing) -> [RouteStep] {
        leg.steps.sorted { $0.offsetMeters < $1.offsetMeters }.map { step in
            var placed = step
            placed.offsetMeters = placing.meters(step.offsetMeters)
            placed.lengthMeters = placing.meters(step.offsetMeters + step.lengthMeters) - placed.offsetMeters
            return placed
        }
    }

    /// Appends the leg's speed limits after those of the previous legs. If two stretches overlap, the one that begins earlier on the route
    /// applies to the common part.
    private mutating func appendLimits(of leg: RouterLeg, _ placing: Placing) {
        for stretch in leg.speedLimits.sorted(by: { $0.offsetMeters < $1.offsetMeters }) where stretch.limit != .unknown {
            let end = placing.meters(stretch.offsetMeters + stretch.lengthMeters)
            var start = placing.meters(stretch.offsetMeters)
            if let last = limits.last { start = max(start, last.offsetMeters + last.lengthMeters) }
            guard end > start else { continue }
            limits.append(SpeedLimitStretch(offsetMeters: start, lengthMeters: end - start, limit: stretch.limit))
        }
    }
}
