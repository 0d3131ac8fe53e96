public import FoundationEssentials
public import Geo

/// The path that a car has driven, made from the fixes of the phone in it. Its places are in the order of their times, not of their
/// arrival.
public struct DrivenWay: Hashable, Sendable {
    /// A place with the time at which the car was there.
    public struct Place: Hashable, Sendable {
        /// Coordinate of the place.
        public let coordinate: Coordinate
        /// Time of the fix.
        public let time: Date
    }

    /// Largest number of places. Beyond it the oldest are dropped.
    public static let largestCount = 4_000
    /// Least distance between two consecutive places, metres. It leaves out the noise of a standing car.
    static let stepMeters = 5.0
    /// Limits of time (seconds) and distance (metres) between two places. The path between them is unknown if both limits are exceeded.
    static let gap = (seconds: 300.0, meters: 250.0)
    /// Speed that no car exceeds, metres per second.
    private static let fastestMetersPerSecond = 150.0

    /// The places in the order of their times.
    public private(set) var places: [Place] = []

    /// Creates an empty path.
    public init() {}

    /// Inserts a fix by its time. A fix is left out if a place with its time exists, if it is too near to the place before or after it, or
    /// if no car could be that fast between them.
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

    /// The known parts of the path, each of two places or more.
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
