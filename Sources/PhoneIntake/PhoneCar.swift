public import FoundationEssentials
import Geo

/// State of a car, from the fixes of the phone in it.
///
/// The newest fix is the car's position. An older fix that arrives late is accepted, but does not change the position.
public struct PhoneCar: Hashable, Sendable {
    /// Largest age of the newest fix at which a car gets a new trip, seconds.
    public static let freshSeconds = 300.0
    /// Seconds for which the phone's navigation figures are valid.
    public static let navigationSeconds = 60.0

    /// Newest fix of the car; nil before the first.
    public private(set) var newest: PhoneFix?
    /// Speed, metres per second: the phone's figure, or else the average since the previous fix. Nil if neither is known or plausible.
    public private(set) var speedMetersPerSecond: Double?

    /// Creates a car without a fix.
    public init() {}

    /// Creates a car with a known state.
    public init(newest: PhoneFix?, speedMetersPerSecond: Double?) {
        (self.newest, self.speedMetersPerSecond) = (newest, speedMetersPerSecond)
    }

    /// Whether a fix is newer than the newest one. Other fixes are late or repeated.
    public func isNews(_ fix: PhoneFix) -> Bool { newest.map { fix.time > $0.time } ?? true }

    /// Adds a fix if it is newer than the newest one.
    public mutating func add(_ fix: PhoneFix) {
        guard isNews(fix) else { return }
        let way = newest.map { $0.coordinate.distanceMeters(to: fix.coordinate) / fix.time.timeIntervalSince($0.time) }
        speedMetersPerSecond = fix.speedMetersPerSecond ?? way.within(0...FixIntake.fastestMetersPerSecond)
        newest = fix
    }

    /// Whether the car can get a new trip: its newest fix is at most 5 min old.
    public func isFresh(now: Date) -> Bool { newest.map { now.timeIntervalSince($0.time) <= Self.freshSeconds } ?? false }

    /// The phone's navigation figures for the next stop. They are valid until the next fix, and for a minute at most. An arrival time in
    /// the past is left out.
    public func navigation(now: Date) -> PhoneNavigation? {
        guard let newest, now.timeIntervalSince(newest.time) <= Self.navigationSeconds, var navigation = newest.navigation
        else { return nil }
        if let arrival = navigation.arrival, arrival < now { navigation.arrival = nil }
        return navigation.arrival == nil && navigation.remainingMeters == nil ? nil : navigation
    }
}
