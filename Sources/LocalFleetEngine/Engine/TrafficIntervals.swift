import FleetEngineAPI
import Geo

/// A part of a route that is slower than normal, in metres from the route's start.
struct TrafficStretch: Hashable, Sendable {
    var startMeters: Double
    var endMeters: Double
    /// `.slow` or `.trafficJam`.
    var speed: WireSpeedReadingInterval.Speed
}

/// Turns a driver's traffic (metres along the route) into a consumer's (indices of a line).
///
/// The line gets a point where a stretch begins and ends, so it is a line of its own and travels with the intervals. What no
/// stretch covers is normal; where two overlap the worse one counts.
enum TrafficIntervals {
    /// A stretch that ends this near to a point of the line ends there, metres.
    private static let snapMeters = 0.5

    /// - Parameters:
    ///   - encoded: `line` in its encoded form, used where no point has to be added.
    static func consumable(line: Polyline, encoded: String, stretches: [TrafficStretch]) -> WireConsumableTrafficPolyline {
        var answer = WireConsumableTrafficPolyline()
        let runs = runs(of: stretches, lengthMeters: line.lengthMeters)
        let cuts = runs.dropFirst().map(\.startMeters)
        let marked = insert(cuts: cuts, into: line)
        answer.encodedPathToWaypoint = marked.points.count == line.coordinates.count ? encoded : S2Polyline.encode(marked.points)
        let borders = [0] + marked.indices + [max(0, marked.points.count - 1)]
        for (run, (start, end)) in zip(runs, zip(borders, borders.dropFirst())) where start < end {
            answer.speedReadingInterval.appendJoining(start: start, end: end, speed: run.speed)
        }
        return answer
    }

    private struct Run {
        var startMeters: Double
        var speed: WireSpeedReadingInterval.Speed
    }

    /// The whole line as runs of one speed each, without gaps or overlaps.
    private static func runs(of stretches: [TrafficStretch], lengthMeters: Double) -> [Run] {
        var changes: [(meters: Double, speed: WireSpeedReadingInterval.Speed, delta: Int)] = []
        for stretch in stretches {
            let start = min(max(stretch.startMeters, 0), lengthMeters)
            let end = min(max(stretch.endMeters, 0), lengthMeters)
            guard end > start else { continue }
            changes.append((start, stretch.speed, 1))
            changes.append((end, stretch.speed, -1))
        }
        changes.sort { ($0.meters, $0.speed.rawValue, $0.delta) < ($1.meters, $1.speed.rawValue, $1.delta) }
        var runs = [Run(startMeters: 0, speed: .normal)]
        var open: (slow: Int, jam: Int) = (0, 0)
        for (index, change) in changes.enumerated() {
            if change.speed == .trafficJam { open.jam += change.delta } else { open.slow += change.delta }
            if index + 1 < changes.count, changes[index + 1].meters == change.meters { continue }
            let speed: WireSpeedReadingInterval.Speed = open.jam > 0 ? .trafficJam : open.slow > 0 ? .slow : .normal
            guard let last = runs.last, last.speed != speed else { continue }
            if last.startMeters == change.meters { runs.removeLast() }
            if change.meters < lengthMeters { runs.append(Run(startMeters: change.meters, speed: speed)) }
        }
        return runs
    }

    /// The line with a point at each cut, and where in it the cuts are. `cuts` must rise.
    private static func insert(cuts: [Double], into line: Polyline) -> (points: [Coordinate], indices: [Int]) {
        guard !cuts.isEmpty, line.coordinates.count > 1 else { return (line.coordinates, cuts.map { _ in 0 }) }
        var points: [Coordinate] = []
        points.reserveCapacity(line.coordinates.count + cuts.count)
        var indices: [Int] = []
        var rest = cuts[...]
        for (vertex, meters) in zip(line.coordinates, line.cumulativeMeters) {
            while let cut = rest.first, cut < meters - snapMeters {
                if let place = line.coordinate(atMeters: cut) { points.append(place) }
                indices.append(max(0, points.count - 1))
                rest = rest.dropFirst()
            }
            points.append(vertex)
            while let cut = rest.first, cut <= meters + snapMeters {
                indices.append(points.count - 1)
                rest = rest.dropFirst()
            }
        }
        indices.append(contentsOf: rest.map { _ in max(0, points.count - 1) })
        return (points, indices)
    }
}

extension [WireSpeedReadingInterval] {
    /// Adds an interval, or lengthens the last one when it has the same speed.
    fileprivate mutating func appendJoining(start: Int, end: Int, speed: WireSpeedReadingInterval.Speed) {
        if let last = indices.last, self[last].speed == speed, Int(self[last].endPolylinePointIndex) == start {
            self[last].endPolylinePointIndex = Int32(clamping: end)
            return
        }
        var interval = WireSpeedReadingInterval()
        interval.startPolylinePointIndex = Int32(clamping: start)
        interval.endPolylinePointIndex = Int32(clamping: end)
        interval.speed = speed
        append(interval)
    }
}
