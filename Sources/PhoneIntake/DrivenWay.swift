public import FoundationEssentials
public import Geo

/// The path that a car has driven, made from its phone's fixes. The points are sorted by the time of the fix, not by the time at which the
/// fix was received.
public struct DrivenWay: Hashable, Sendable {
    /// A point of the path, with the time at which the car was there.
    public struct Place: Hashable, Sendable {
        /// Coordinate of the point.
        public let coordinate: Coordinate
        /// Time of the fix.
        public let time: Date
    }

    /// Largest number of points. If there are more, the oldest are dropped.
    public static let largestCount = 4_000
    /// Least distance between two consecutive points, in metres. A shorter distance may be only a position error of a stationary car.
    static let stepMeters = 5.0
    /// If consecutive points are farther apart than this in both time and distance, the path between them is unknown.
    static let gap = (seconds: 300.0, meters: 250.0)
    /// Speed that no car exceeds, in metres per second.
    private static let fastestMetersPerSecond = 150.0

    /// The points, sorted by time.
    public private(set) var places: [Place] = []

    /// Creates an empty path.
    public init() {}

    /// Inserts a fix at its time, unless a point has the same time. Leaves out a fix that is too close to the point before or after
    /// it, or so far from one of these points that no car is fast enough.
    public mutating func add(_ fix: PhoneFix) {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle].time <= fix.time { low = middle + 1 } else { high = middle }
        }
        let place = Place(coordinate: fix.coordinate, time: fix.time)
        if low > 0 {
            let before = places[low - 1]
            guard before.time < place.time, Self.isStep(before, place) else { return }
        }
        guard low == places.count || Self.isStep(place, places[low]) else { return }
        places.insert(place, at: low)
        if places.count > Self.largestCount { places.removeFirst(places.count - Self.largestCount) }
    }

    private static func isStep(_ one: Place, _ next: Place) -> Bool {
        let meters = one.coordinate.distanceMeters(to: next.coordinate)
        return meters >= stepMeters && meters <= next.time.timeIntervalSince(one.time) * fastestMetersPerSecond
    }

    /// The parts of the path between gaps. Each part has at least two points.
    public var parts: [[Place]] {
        var parts: [[Place]] = []
        for place in places {
            if let last = parts.last?.last,
                place.time.timeIntervalSince(last.time) <= Self.gap.seconds
                    || last.coordinate.distanceMeters(to: place.coordinate) <= Self.gap.meters
            {
                parts[parts.count - 1].append(place)
            } else {
                parts.append([place])
            }
        }
        return parts.filter { $0.count > 1 }
    }
}
