import FleetEngine
import Geo

/// Traffic as the server gives it to consumers: runs of points of a path.
struct TrafficReport: Hashable, Sendable {
    struct Interval: Hashable, Sendable {
        let startIndex: Int
        let endIndex: Int
        let speed: TrafficSpeed
    }

    var intervals: [Interval]
    /// The path that the indices count on.
    var path: RecordedPath?

    /// Nil where `value` has no list of intervals.
    init?(_ value: JSONValue?) {
        guard let value, let list = value["speedreadinginterval"]?.array else { return nil }
        path = value["encodedpathtowaypoint"]?.path
        intervals = list.compactMap { element in
            let start = element["startpolylinepointindex"]?.integer ?? 0
            guard let end = element["endpolylinepointindex"]?.integer, start >= 0, end > start else { return nil }
            return Interval(startIndex: start, endIndex: end, speed: element["speed"]?.trafficSpeed ?? .noData)
        }
    }

    /// The traffic, if its indices fit the path they count on: its own, else the trip's route.
    ///
    /// Exported logs often leave the path out while the indices count on it and not on the route; such traffic has no place.
    func stretches(on route: Polyline, paths: inout PathCache) -> [TrafficStretch]? {
        let own = path.map { paths.line(of: $0) } ?? Polyline([])
        let meters = (own.isEmpty ? route : own).cumulativeMeters
        guard !intervals.isEmpty, intervals.allSatisfy({ $0.endIndex < meters.count }) else { return nil }
        return intervals.map { TrafficStretch(startMeters: meters[$0.startIndex], endMeters: meters[$0.endIndex], speed: $0.speed) }
    }
}

extension TrafficStretch {
    /// The stretches of a driver's `current_route_segment_traffic`.
    static func list(_ value: JSONValue?) -> [TrafficStretch]? {
        guard let value else { return nil }
        let list = value["trafficrendering"]?["roadstretch"]?.array ?? []
        return list.prefix(JSONValue.maximumListCount).compactMap { element in
            guard let speed = element["style"]?.stretchSpeed, let length = element["lengthmeters"]?.meters else { return nil }
            let start = element["offsetmeters"]?.meters ?? 0
            return TrafficStretch(startMeters: start, endMeters: start + length, speed: speed)
        }
    }
}
