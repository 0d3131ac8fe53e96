public import FoundationEssentials
import Geo

/// The state of a car, according to the fixes of the phone in it.
///
/// The newest fix is the car's position. An older fix that arrives late is accepted, but does not change the position.
public struct PhoneCar: Hashable, Sendable {
    /// Maximum age of a car's newest fix, in seconds. If the fix is older, the car gets no new trip.
    public static let freshSeconds = 300.0
    /// Time for which the phone's navigation data is valid, in seconds.
    public static let navigationSeconds = 60.0

    /// Newest fix of the car; nil before the first.
    public private(set) var newest: PhoneFix?
    /// Speed, in metres per second. It is the speed that the phone reports, or else the average speed since the previous fix. Nil
    /// if both are missing or implausible.
    public private(set) var speedMetersPerSecond: Double?

    /// Creates a car without a fix.
    public init() {}

    /// Creates a car with a known state.
    public init(newest: PhoneFix?, speedMetersPerSecond: Double?) {
        (self.newest, self.speedMetersPerSecond) = (newest, speedMetersPerSecond)
    }

    /// Whether a fix is newer than the car's newest fix. A fix that is not newer has arrived late, or was sent twice.
    public func isNews(_ fix: PhoneFix) -> Bool { newest.map { fix.time > $0.time } ?? true }

    /// Adds a fix if it is newer than the car's newest fix.
    public mutating func add(_ fix: PhoneFix) {
        guard isNews(fix) else { return }
        let way = newest.map { $0.coordinate.distanceMeters(to: fix.coordinate) / fix.time.timeIntervalSince($0.time) }
        speedMetersPerSecond = fix.speedMetersPerSecond ?? way.within(0...FixIntake.fastestMetersPerSecond)
        newest = fix
    }

    /// Whether the car can get a new trip: its newest fix is at most 5 min old.
    public func isFresh(now: Date) -> Bool { newest.map { now.timeIntervalSince($0.time) <= Self.freshSeconds } ?? false }

    /// The phone's navigation data for the next stop. It is valid until the next fix, but for at most a minute. An arrival time
    /// in the past becomes nil.
    public func navigation(now: Date) -> PhoneNavigation? {
        guard let newest, now.timeIntervalSince(newest.time) <= Self.navigationSeconds, var navigation = newest.navigation
        else { return nil }
        if let arrival = navigation.arrival, arrival < now { navigation.arrival = nil }
        return navigation.arrival == nil && navigation.remainingMeters == nil ? nil : navigation
    }
}
