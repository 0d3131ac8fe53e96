public import FoundationEssentials
public import Geo

/// The way that a car has driven, by the fixes of the phone in it: in the order of their times, whenever they came.
public struct DrivenWay: Hashable, Sendable {
    /// A place and when the car was there.
    public struct Place: Hashable, Sendable {
        /// Where.
        public let coordinate: Coordinate
        /// When.
        public let time: Date
    }

    /// More places are not kept; the oldest go first.
    public static let largestCount = 4_000
    /// Places are that far from the one before them, metres: a car that stands makes no way.
    static let stepMeters = 5.0
    /// Nothing is known of the way between two places that are farther apart than this in time, seconds, and in metres.
    static let gap = (seconds: 300.0, meters: 250.0)
    /// No car is faster, metres per second.
    private static let fastestMetersPerSecond = 150.0

    /// In the order of their times.
    public private(set) var places: [Place] = []

    /// No way yet.
    public init() {}

    /// Puts a fix where it belongs by its time. Left out are one of a time that is there already, one as good as at the place before or after
    /// it, and one from which the car could not have got to the next place, or to it from the one before.
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

    /// The parts of the way that are known, each of two places or more.
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
