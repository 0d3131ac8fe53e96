/// The speed of traffic on a part of a road, from unknown to worst. If two speeds apply to the same part, the worse speed applies.
public enum TrafficSpeed: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The speed is not known.
    case noData = "NO_DATA"
    /// Traffic moves freely.
    case normal = "NORMAL"
    /// Traffic moves more slowly than on a clear road.
    case slow = "SLOW"
    /// Traffic is jammed.
    case trafficJam = "TRAFFIC_JAM"

    /// Severity of the traffic, from 0 (unknown) to the worst.
    var severity: Int {
        switch self {
        case .noData: 0
        case .normal: 1
        case .slow: 2
        case .trafficJam: 3
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.severity < right.severity }
}

/// A part of a line with one speed of traffic.
public struct TrafficStretch: Hashable, Sendable {
    /// Start of the stretch, metres from the start of the line.
    public var startMeters: Double
    /// End of the stretch, metres from the start of the line.
    public var endMeters: Double
    /// Speed of the traffic on the stretch.
    public var speed: TrafficSpeed

    /// Creates a stretch with given values, without checks. `swept(withinMeters:)` drops invalid stretches.
    public init(startMeters: Double, endMeters: Double, speed: TrafficSpeed) {
        self.startMeters = startMeters
        self.endMeters = endMeters
        self.speed = speed
    }

    /// Length of the stretch, in metres.
    public var lengthMeters: Double { endMeters - startMeters }

    /// Returns the stretch moved along the route by `meters`.
    public func moved(byMeters meters: Double) -> TrafficStretch {
        TrafficStretch(startMeters: startMeters + meters, endMeters: endMeters + meters, speed: speed)
    }
}

extension [TrafficStretch] {
    /// Returns the stretches cut to 0...`length` metres, in order and without overlaps (the worse speed applies). Adjacent stretches with
    /// the same speed are joined. Empty stretches, and stretches with a value that is not a number, are dropped.
    public func swept(withinMeters length: Double) -> [TrafficStretch] {
        var edges: [(meters: Double, severity: Int, change: Int)] = []
        edges.reserveCapacity(2 * count)
        for stretch in self {
            let start = Swift.max(0, stretch.startMeters), end = Swift.min(length, stretch.endMeters)
            // Comparisons with NaN are false, so stretches with NaN are dropped, too.
            guard stretch.startMeters < stretch.endMeters, start < end, end.isFinite else { continue }
            edges.append((start, stretch.speed.severity, 1))
            edges.append((end, stretch.speed.severity, -1))
        }
        edges.sort { $0.meters < $1.meters }
        let speeds = TrafficSpeed.allCases.sorted()
        var open = speeds.map { _ in 0 }
        var result: [TrafficStretch] = []
        var position = 0.0
        for edge in edges {
            if edge.meters > position, let worst = open.lastIndex(where: { $0 > 0 }) {
                result.appendJoining(TrafficStretch(startMeters: position, endMeters: edge.meters, speed: speeds[worst]))
            }
            position = edge.meters
            open[edge.severity] += edge.change
        }
        return result
    }

    private mutating func appendJoining(_ next: TrafficStretch) {
        guard let last, last.speed == next.speed, last.endMeters == next.startMeters else { return append(next) }
        self[count - 1].endMeters = next.endMeters
    }
}
