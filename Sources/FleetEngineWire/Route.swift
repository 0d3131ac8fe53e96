package import FleetEngineAPI
package import Geo
import SwiftProtobuf

/// Reads paths. It can remember encoded paths, because every answer in a recording repeats the driver's route.
package struct PathReader: Sendable {
    /// The maximum number of points. A longer path is read as empty.
    package static let maximumPointCount = 200_000
    /// The maximum length of an encoded path, in characters. A point of a lossless path takes at most 32 characters.
    static let maximumTextLength = 40 * maximumPointCount

    /// Maximum number of remembered points. A path that would exceed it replaces all others.
    private static let maximumKnownPointCount = 1_000_000

    private var known: [String: Polyline]?
    private var knownPointCount = 0

    package init(isRemembering: Bool = false) { known = isRemembering ? [:] : nil }

    /// Reads a path in one of its two forms; if both are present, the list is used. Invalid coordinates in the list are left out. A path
    /// that is too long is read as empty. So is an encoded path that cannot be decoded, for example because of an invalid point.
    package mutating func line(encoded: String, list: [WireLatLng]) -> Polyline {
        if !list.isEmpty { return list.count <= Self.maximumPointCount ? Polyline(list.map(\.coordinate)) : Polyline([]) }
        guard !encoded.isEmpty, encoded.utf8.count <= Self.maximumTextLength else { return Polyline([]) }
        if let line = known?[encoded] { return line }
        let line = Polyline((try? S2Polyline.decode(encoded, maximumCount: Self.maximumPointCount)) ?? [])
        remember(line, encoded)
        return line
    }

    private mutating func remember(_ line: Polyline, _ encoded: String) {
        guard known != nil else { return }
        // A path with a broken encoding has no points, but its text needs memory, too.
        let pointCount = max(line.coordinates.count, encoded.utf8.count / 16)
        knownPointCount += pointCount
        if knownPointCount > Self.maximumKnownPointCount {
            known = [:]
            knownPointCount = pointCount
        }
        known?[encoded] = line
    }
}

extension TrafficSpeed {
    package init(_ wire: WireSpeedReadingInterval.Speed) {
        self =
            switch wire {
            case .normal: .normal
            case .slow: .slow
            case .trafficJam: .trafficJam
            default: .noData
            }
    }

    var wire: WireSpeedReadingInterval.Speed {
        switch self {
        case .noData: .unspecified
        case .normal: .normal
        case .slow: .slow
        case .trafficJam: .trafficJam
        }
    }
}

// MARK: - From indices to metres

extension RouteLine {
    /// Reads a path in one of its two forms, with its traffic.
    /// - Parameter knownRoute: the line to which the traffic refers if the message contains no line.
    init(
        encoded: String, list: [WireLatLng], traffic: WireConsumableTrafficPolyline?, knownRoute: Polyline? = nil,
        paths: inout PathReader
    ) {
        let line = paths.line(encoded: encoded, list: list)
        self.init(line, traffic: traffic?.stretches(on: line.isEmpty ? knownRoute ?? line : line, paths: &paths) ?? [])
    }
}

extension WireConsumableTrafficPolyline {
    /// The intervals, in metres along the message's own path, or along `route` if the message has no path.
    ///
    /// Intervals without length, and intervals that run backwards or start below 0, are dropped. An interval that ends beyond the message's
    /// own path is cut. Messages in many exported logs have no path. If an interval of such a message ends beyond `route`, all intervals of
    /// the message are dropped.
    func stretches(on route: Polyline, paths: inout PathReader) -> [TrafficStretch] {
        let own = paths.line(encoded: encodedPathToWaypoint, list: [])
        let meters = (own.isEmpty ? route : own).cumulativeMeters
        let runs = speedReadingInterval.filter { $0.startPolylinePointIndex >= 0 && $0.endPolylinePointIndex > $0.startPolylinePointIndex }
        guard let last = meters.indices.last, !own.isEmpty || runs.allSatisfy({ $0.endPolylinePointIndex <= last }) else { return [] }
        return runs.compactMap { run in
            let start = Int(run.startPolylinePointIndex), end = min(last, Int(run.endPolylinePointIndex))
            guard start < end else { return nil }
            return TrafficStretch(startMeters: meters[start], endMeters: meters[end], speed: TrafficSpeed(run.speed))
        }
    }
}

extension [WireVisualTrafficReportPolylineRendering.RoadStretch] {
    /// The slow stretches that a driver reports. A style from a later API version is skipped.
    package var stretches: [TrafficStretch] {
        compactMap { stretch in
            let speed: TrafficSpeed
            switch stretch.style {
            case .slowerTraffic: speed = .slow
            case .trafficJam: speed = .trafficJam
            case .unspecified, .UNRECOGNIZED: return nil
            }
            let start = Double(stretch.offsetMeters)
            return TrafficStretch(startMeters: start, endMeters: start + Double(stretch.lengthMeters), speed: speed)
        }
    }
}

extension WireVisualTrafficReportPolylineRendering.RoadStretch {
    /// Creates the stretch; nil for traffic that is not slow, because drivers do not report such traffic.
    init?(_ stretch: TrafficStretch) {
        guard stretch.speed >= .slow else { return nil }
        self.init()
        style = stretch.speed == .trafficJam ? .trafficJam : .slowerTraffic
        offsetMeters = Int32(rounding: stretch.startMeters)
        lengthMeters = Int32(rounding: stretch.lengthMeters)
    }

    /// Creates the stretch in whole metres. Its end is rounded up, so that a stretch to the end of the line still reaches that end.
    package init?(whole stretch: TrafficStretch) {
        self.init(stretch)
        lengthMeters = Int32(rounding: stretch.endMeters.rounded(.up) - Double(offsetMeters))
    }
}

// MARK: - From metres to indices

extension WireConsumableTrafficPolyline {
    /// The maximum distance by which either end of a stretch is moved to reach a point of the line, in metres.
    private static let snapMeters = 0.5

    /// Creates the traffic of a route for a consumer. Both ends of each stretch become points of the line, so the line is sent
    /// together with the intervals.
    /// - Parameter encoded: the route's line in its encoded form, which is used if no point is added.
    package init(_ route: RouteLine, encoded: String) {
        self.init()
        let marked = Self.marked(route)
        encodedPathToWaypoint = marked.points.count == route.coordinates.count ? encoded : S2Polyline.encode(marked.points)
        for (stretch, points) in zip(route.traffic, marked.ends) where points.start < points.end {
            append(start: points.start, end: points.end, speed: stretch.speed.wire)
        }
    }

    /// Adds an interval. If the last interval has the same speed and ends where the new one starts, the last interval is extended instead.
    private mutating func append(start: Int, end: Int, speed: WireSpeedReadingInterval.Speed) {
        if let last = speedReadingInterval.indices.last, speedReadingInterval[last].speed == speed,
            Int(speedReadingInterval[last].endPolylinePointIndex) == start
        {
            speedReadingInterval[last].endPolylinePointIndex = Int32(clamping: end)
            return
        }
        speedReadingInterval.append(
            .with {
                $0.startPolylinePointIndex = Int32(clamping: start)
                $0.endPolylinePointIndex = Int32(clamping: end)
                $0.speed = speed
            })
    }

    /// Returns the line with a point at both ends of every stretch, and the indices of those points.
    private static func marked(_ route: RouteLine) -> (points: [Coordinate], ends: [(start: Int, end: Int)]) {
        let line = route.line
        guard !route.traffic.isEmpty, line.coordinates.count > 1 else { return (line.coordinates, []) }
        var cuts = route.traffic.flatMap { [$0.startMeters, $0.endMeters] }.filter { $0 > 0 && $0 < line.lengthMeters }[...]
        var points: [Coordinate] = []
        points.reserveCapacity(line.coordinates.count + cuts.count)
        var indices: [Double: Int] = [:]
        for (vertex, meters) in zip(line.coordinates, line.cumulativeMeters) {
            while let cut = cuts.first, cut < meters - snapMeters {
                if indices[cut] == nil, let place = line.coordinate(atMeters: cut) {
                    points.append(place)
                    indices[cut] = points.count - 1
                }
                cuts.removeFirst()
            }
            points.append(vertex)
            while let cut = cuts.first, cut <= meters + snapMeters {
                if indices[cut] == nil { indices[cut] = points.count - 1 }
                cuts.removeFirst()
            }
        }
        func index(_ meters: Double) -> Int { meters <= 0 ? 0 : indices[meters] ?? points.count - 1 }
        return (points, route.traffic.map { (start: index($0.startMeters), end: index($0.endMeters)) })
    }
}
