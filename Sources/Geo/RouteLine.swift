/// A route with the traffic on it, both in metres from its start.
public struct RouteLine: Hashable, Sendable {
    /// The way itself; empty when only its traffic is known.
    public let line: Polyline
    /// In order, without overlaps, and inside the line; between the stretches nothing is known. An empty line, of which only the traffic is
    /// known, keeps all of it.
    public let traffic: [TrafficStretch]

    /// - Parameter traffic: in any order; of stretches that overlap the worse speed wins.
    public init(_ line: Polyline = Polyline([]), traffic: [TrafficStretch] = []) {
        self.line = line
        self.traffic = traffic.isEmpty ? [] : traffic.swept(withinMeters: line.isEmpty ? .greatestFiniteMagnitude : line.lengthMeters)
    }

    /// The route through `coordinates`; invalid ones are left out.
    public init(_ coordinates: [Coordinate], traffic: [TrafficStretch] = []) { self.init(Polyline(coordinates), traffic: traffic) }

    /// A line on which traffic is normal except on `stretches`.
    public init(_ line: Polyline, slower stretches: [TrafficStretch]) {
        let normal = TrafficStretch(startMeters: 0, endMeters: line.lengthMeters, speed: .normal)
        self.init(line, traffic: [normal] + stretches)
    }

    /// The places of the line in driving order; empty when only the traffic is known.
    public var coordinates: [Coordinate] { line.coordinates }

    /// Metres from the start of the line to its end, along it.
    public var lengthMeters: Double { line.lengthMeters }

    /// Whether the line has no coordinate; it may have traffic all the same.
    public var isEmpty: Bool { line.isEmpty }

    /// The part between two distances, as ``Polyline/slice(fromMeters:toMeters:)`` cuts it, with its traffic.
    public func slice(fromMeters start: Double, toMeters end: Double) -> RouteLine {
        let part = line.slice(fromMeters: start, toMeters: end)
        return RouteLine(part, traffic: part.isEmpty ? [] : traffic.map { $0.moved(byMeters: -line.clampedMeters(start)) })
    }

    /// This route, a straight piece from its end to the start of `other`, and `other`, each with its traffic.
    public func appending(_ other: RouteLine) -> RouteLine {
        let whole = line.appending(other.line)
        let moved = other.traffic.map { $0.moved(byMeters: whole.lengthMeters - other.lengthMeters) }
        return RouteLine(whole, traffic: traffic + moved)
    }

    /// The part between two distances, cut where the traffic changes, without gaps: unknown parts are `.noData`.
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
