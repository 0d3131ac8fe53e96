public import FoundationEssentials
public import Geo

/// What is known of a car by the fixes of the phone in it.
///
/// The newest fix is where the car is. An older one that comes late fills the way driven and nothing else: it is never live, and never
/// refused.
public struct PhoneCar: Sendable {
    /// A place of the way driven.
    public struct Trace: Hashable, Sendable {
        /// When the car was there.
        public let time: Date
        /// Where it was.
        public let coordinate: Coordinate
    }

    /// What a fix was for the car.
    public enum Outcome: Hashable, Sendable {
        /// It is where the car is now.
        case newest
        /// It is older than the newest, and fills the way driven.
        case late
        /// It is known already.
        case repeated
    }

    /// Places of the way driven that are kept at least; twice as many at most.
    public static let traceCount = 256
    /// A car whose newest fix is older gets no new trip, seconds.
    public static let freshSeconds = 300.0
    /// What the phone's navigation says holds for so long, seconds.
    public static let navigationSeconds = 60.0

    /// Where the car is; nil until the first fix.
    public private(set) var newest: PhoneFix?
    /// As the phone says, else by the way since the fix before; nil when neither is known. Metres per second.
    public private(set) var speedMetersPerSecond: Double?
    /// The way driven, in the order of time.
    public private(set) var driven: [Trace] = []

    /// A car without a fix.
    public init() {}

    /// Takes in a fix.
    public mutating func add(_ fix: PhoneFix) -> Outcome {
        guard let last = newest else {
            newest = fix
            speedMetersPerSecond = fix.speedMetersPerSecond
            driven.append(Trace(time: fix.time, coordinate: fix.coordinate))
            return .newest
        }
        let seconds = fix.time.timeIntervalSince(last.time)
        guard seconds > 0 else { return seconds == 0 ? .repeated : addLate(fix) }
        speedMetersPerSecond = fix.speedMetersPerSecond ?? last.coordinate.distanceMeters(to: fix.coordinate) / seconds
        newest = fix
        driven.append(Trace(time: fix.time, coordinate: fix.coordinate))
        forgetOldest()
        return .newest
    }

    private mutating func addLate(_ fix: PhoneFix) -> Outcome {
        var (low, high) = (0, driven.count)
        while low < high {
            let middle = (low + high) / 2
            if driven[middle].time < fix.time { low = middle + 1 } else { high = middle }
        }
        if low < driven.count, driven[low].time == fix.time { return .repeated }
        driven.insert(Trace(time: fix.time, coordinate: fix.coordinate), at: low)
        forgetOldest()
        return .late
    }

    private mutating func forgetOldest() {
        if driven.count > 2 * Self.traceCount { driven.removeFirst(Self.traceCount) }
    }

    /// Whether the car can get a new trip: its newest fix is no more than 5 min old.
    public func isFresh(now: Date) -> Bool { newest.map { now.timeIntervalSince($0.time) <= Self.freshSeconds } ?? false }

    /// What the phone's navigation says of the next stop, while it holds: until the next fix, or for a minute.
    public func navigation(now: Date) -> PhoneNavigation? {
        guard let newest, now.timeIntervalSince(newest.time) <= Self.navigationSeconds else { return nil }
        return newest.navigation
    }
}
