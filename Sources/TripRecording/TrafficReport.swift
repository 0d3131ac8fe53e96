import FleetEngine
import Geo

/// Traffic as the server gives it to consumers: runs of points of a path.
struct TrafficReport: Hashable, Sendable {
    var intervals: [SpeedReadingInterval]
    /// The path that the indices count on.
    var path: RecordedPath?

    /// Nil where `value` has no list of intervals.
    init?(_ value: JSONValue?) {
        guard let value, let list = value["speedreadinginterval"]?.array else { return nil }
        path = value["encodedpathtowaypoint"]?.path
        intervals = list.compactMap { element in
            let start = element["startpolylinepointindex"]?.integer ?? 0
            guard let end = element["endpolylinepointindex"]?.integer, start >= 0, end > start else { return nil }
            return SpeedReadingInterval(startIndex: start, endIndex: end, speed: element["speed"]?.trafficSpeed ?? .noData)
        }
    }

    /// The traffic, if its indices fit the path they count on: its own, else the trip's route.
    ///
    /// Exported logs often leave the path out while the indices count on it and not on the route; such traffic has no place.
    func traffic(route: [Coordinate], paths: inout PathCache) -> TrafficData? {
        let own = path.map { paths.coordinates(of: $0) } ?? []
        let count = own.isEmpty ? route.count : own.count
        guard !intervals.isEmpty, intervals.allSatisfy({ $0.endIndex < count }) else { return nil }
        return TrafficData(intervals: intervals, path: own)
    }
}

extension TrafficData {
    /// Stretches shorter than this are left out, metres.
    private static let shortestStretchMeters = 0.5

    /// What the server makes of the slow stretches that a driver reports along an uploaded route: a path with points where the
    /// traffic changes, and its intervals. All that is not slow is normal. Stretches that overlap give way to the earlier one.
    init(stretches: [RoadStretch], route: [Coordinate]) {
        self.init()
        let line = Polyline(route)
        var position = 0.0
        for stretch in stretches.sorted(by: { $0.offsetMeters < $1.offsetMeters }) {
            let start = max(position, min(stretch.offsetMeters, line.lengthMeters))
            let end = min(stretch.offsetMeters + stretch.lengthMeters, line.lengthMeters)
            guard end - start >= Self.shortestStretchMeters else { continue }
            append(line, from: position, to: start, speed: .normal)
            append(line, from: start, to: end, speed: stretch.style == .trafficJam ? .trafficJam : .slow)
            position = end
        }
        append(line, from: position, to: line.lengthMeters, speed: .normal)
    }

    private mutating func append(_ line: Polyline, from start: Double, to end: Double, speed: TrafficSpeed) {
        guard end > start else { return }
        let part = line.slice(fromMeters: start, toMeters: end).coordinates
        guard part.count > 1 else { return }
        let first = max(0, path.count - 1)
        path += path.isEmpty ? part[...] : part.dropFirst()
        if let last = intervals.last, last.speed == speed {
            intervals[intervals.count - 1].endIndex = path.count - 1
        } else {
            intervals.append(SpeedReadingInterval(startIndex: first, endIndex: path.count - 1, speed: speed))
        }
    }
}

extension RoadStretch {
    /// The stretches of a driver's `current_route_segment_traffic`.
    static func list(_ value: JSONValue?) -> [RoadStretch]? {
        guard let value else { return nil }
        let list = value["trafficrendering"]?["roadstretch"]?.array ?? []
        return list.prefix(JSONValue.maximumListCount).compactMap { element in
            guard let style = element["style"]?.stretchStyle, let length = element["lengthmeters"]?.meters else { return nil }
            return RoadStretch(style: style, offsetMeters: element["offsetmeters"]?.meters ?? 0, lengthMeters: length)
        }
    }
}
