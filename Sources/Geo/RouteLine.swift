/// A route with its traffic and driving times. All distances are in metres from its start.
public struct RouteLine: Hashable, Sendable {
    /// The line of the route; empty if only its traffic is known.
    public let line: Polyline
    /// Stretches of traffic in order, without overlaps, inside the line. Between them, the traffic is unknown. If the line is empty because
    /// only the traffic is known, all stretches are kept.
    public let traffic: [TrafficStretch]
    /// The driving times along the line; nil if they are not known. A server's answers to a rider never contain them.
    public let times: Timetable?

    /// - Parameters:
    ///   - traffic: stretches in any order; if they overlap, the worse speed applies.
    ///   - times: the driving times along `line`, with distances in metres and times in seconds.
    public init(_ line: Polyline = Polyline([]), traffic: [TrafficStretch] = [], times: Timetable? = nil) {
        self.line = line
        self.times = times
        self.traffic = traffic.isEmpty ? [] : traffic.swept(withinMeters: line.isEmpty ? .greatestFiniteMagnitude : line.lengthMeters)
    }

    /// Creates the route through `coordinates`. Invalid coordinates are left out.
    public init(_ coordinates: [Coordinate], traffic: [TrafficStretch] = []) { self.init(Polyline(coordinates), traffic: traffic) }

    /// Creates a route with normal traffic, except on `stretches`.
    public init(_ line: Polyline, slower stretches: [TrafficStretch], times: Timetable? = nil) {
        let normal = TrafficStretch(startMeters: 0, endMeters: line.lengthMeters, speed: .normal)
        self.init(line, traffic: [normal] + stretches, times: times)
    }

    /// The coordinates of the line in driving order; empty if only the traffic is known.
    public var coordinates: [Coordinate] { line.coordinates }

    /// Length of the line, in metres.
    public var lengthMeters: Double { line.lengthMeters }

    /// Whether the line has no coordinates; it may still have traffic.
    public var isEmpty: Bool { line.isEmpty }

    /// Returns the part between two distances, as cut by ``Polyline/slice(fromMeters:toMeters:)``, with its traffic and times.
    public func slice(fromMeters start: Double, toMeters end: Double) -> RouteLine {
        let part = line.slice(fromMeters: start, toMeters: end)
        guard !part.isEmpty else { return RouteLine(part) }
        let (first, last) = (line.clampedMeters(start), line.clampedMeters(end))
        return RouteLine(
            part, traffic: traffic.map { $0.moved(byMeters: -first) }, times: times?.slice(fromMeters: first, toMeters: last))
    }

    /// Returns one route from three parts: this route, a straight segment to the start of `other`, and `other`. Both routes keep their
    /// traffic.
    ///
    /// Times are kept only if both routes have them and the routes meet.
    public func appending(_ other: RouteLine) -> RouteLine {
        guard !isEmpty || !traffic.isEmpty else { return other }
        guard !other.isEmpty else { return self }
        let whole = line.appending(other.line)
        let start = whole.lengthMeters - other.lengthMeters
        let moved = other.traffic.map { $0.moved(byMeters: start) }
        return RouteLine(
            whole, traffic: traffic + moved,
            times: line.coordinates.last == other.coordinates.first ? times(with: other, atMeters: start) : nil)
    }

    private func times(with other: RouteLine, atMeters start: Double) -> Timetable? {
        guard let times, let later = other.times else { return nil }
        return times.appending(later, atMeters: start)
    }

    /// Returns the stretches between two distances, without gaps, and split where the traffic changes. A stretch with unknown traffic is
    /// `.noData`.
    public func runs(fromMeters start: Double, toMeters end: Double) -> [TrafficStretch] {
        var runs: [TrafficStretch] = []
        var next = start
        func gap(to meters: Double) -> TrafficStretch { TrafficStretch(startMeters: next, endMeters: meters, speed: .noData) }
        for stretch in traffic where stretch.endMeters > start && stretch.startMeters < end {
            if stretch.startMeters > next { runs.append(gap(to: stretch.startMeters)) }
            runs.append(
                TrafficStretch(startMeters: max(stretch.startMeters, start), endMeters: min(stretch.endMeters, end), speed: stretch.speed))
            next = min(stretch.endMeters, end)
        }
        if next < end { runs.append(gap(to: end)) }
        return runs
    }
}
