import Geo
import Routing

/// Puts a router's legs together to one line and fits their figures to it.
struct RouteBuilder {
    /// Where a leg lies in the joined line, by coordinates.
    private struct Span {
        var first: Int
        var last: Int
        /// 1 if a straight piece was put before the leg's own path, because it does not begin where the leg before ended.
        var joins: Int
    }

    private(set) var timetable = [TimeMark(meters: 0, seconds: 0)]
    private(set) var speeds: [Double?] = []
    private(set) var limits: [SpeedLimit] = []
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

    /// Times are scaled so that the leg takes what the router says; without times they follow the metres.
    private mutating func appendSegments(of leg: RouterLeg, _ span: Span) {
        let metres = line.cumulativeMeters[span.first...span.last]
        let lengths = zip(metres, metres.dropFirst()).map { $1 - $0 }
        let total = lengths.reduce(0, +)
        let pace = total > 0 ? leg.durationSeconds / total : 0
        let isTimed = leg.segmentSeconds.reduce(0, +) > 0
        let times = isTimed ? lengths.prefix(span.joins).map { $0 * pace } + leg.segmentSeconds : lengths.map { $0 * pace }
        let sum = times.reduce(0, +)
        let scale = sum > 0 ? leg.durationSeconds / sum : 0
        let start = timetable.last?.seconds ?? 0
        var passed = 0.0
        for (position, (length, time)) in zip(lengths, times).enumerated() {
            passed += time * scale
            let isLast = position == lengths.count - 1 && sum > 0
            let seconds = start + (isLast ? leg.durationSeconds : min(passed, leg.durationSeconds))
            timetable.append(TimeMark(meters: metres[metres.startIndex + position + 1], seconds: seconds))
            let own = position - span.joins
            speeds.append(isTimed && own >= 0 && time * scale > 0 && length > 0 ? length / (time * scale) : nil)
            limits.append(leg.speedLimits.indices.contains(own) ? leg.speedLimits[own] : .unknown)
        }
    }

    private mutating func appendLeg(_ leg: RouterLeg, _ span: Span) {
        let metres = line.cumulativeMeters
        let (start, end) = (metres[span.first], metres[span.last])
        legs.append(
            RouteLeg(
                destination: leg.destination, startMeters: start, endMeters: end, distanceMeters: leg.distanceMeters ?? (end - start),
                startSeconds: timetable[span.first].seconds, endSeconds: timetable[span.last].seconds,
                steps: Self.steps(of: leg, fromMeters: start, toMeters: end)))
    }

    /// The router's steps, laid along the leg in proportion to their lengths.
    private static func steps(of leg: RouterLeg, fromMeters start: Double, toMeters end: Double) -> [RouteStep] {
        let lengths = leg.steps.map { $0.distanceMeters >= 0 && $0.distanceMeters.isFinite ? $0.distanceMeters : 0 }
        let total = lengths.reduce(0, +)
        guard total > 0, total.isFinite else { return [] }
        var position = 0.0
        return zip(leg.steps, lengths).map { step, length in
            let from = start + (end - start) * (position / total)
            position += length
            return RouteStep(
                streetName: step.streetName, instruction: step.instruction, startMeters: from,
                endMeters: start + (end - start) * min(1, position / total), durationSeconds: step.durationSeconds)
        }
    }
}
