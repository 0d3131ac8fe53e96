public import FoundationEssentials
import Geo

/// What is known of a car by the fixes of the phone in it.
///
/// The newest fix is where the car is. An older one that comes late is never live, and never refused.
public struct PhoneCar: Hashable, Sendable {
    /// A car whose newest fix is older gets no new trip, seconds.
    public static let freshSeconds = 300.0
    /// What the phone's navigation says holds for so long, seconds.
    public static let navigationSeconds = 60.0

    /// Where the car is; nil until the first fix.
    public private(set) var newest: PhoneFix?
    /// As the phone says, else by the way since the fix before; nil when neither is known, or no car is so fast. Metres per second.
    public private(set) var speedMetersPerSecond: Double?

    /// A car without a fix.
    public init() {}

    /// A car of which this is known.
    public init(newest: PhoneFix?, speedMetersPerSecond: Double?) {
        (self.newest, self.speedMetersPerSecond) = (newest, speedMetersPerSecond)
    }

    /// Whether a fix says where the car is now; others come late or again.
    public func isNews(_ fix: PhoneFix) -> Bool { newest.map { fix.time > $0.time } ?? true }

    /// Takes in a fix, unless it is no news.
    public mutating func add(_ fix: PhoneFix) {
        guard isNews(fix) else { return }
        let way = newest.map { $0.coordinate.distanceMeters(to: fix.coordinate) / fix.time.timeIntervalSince($0.time) }
        speedMetersPerSecond = fix.speedMetersPerSecond ?? way.within(0...FixIntake.fastestMetersPerSecond)
        newest = fix
    }

    /// Whether the car can get a new trip: its newest fix is no more than 5 min old.
    public func isFresh(now: Date) -> Bool { newest.map { now.timeIntervalSince($0.time) <= Self.freshSeconds } ?? false }

    /// What the phone's navigation says of the next stop, while it holds: until the next fix, or for a minute; no arrival that is over.
    public func navigation(now: Date) -> PhoneNavigation? {
        guard let newest, now.timeIntervalSince(newest.time) <= Self.navigationSeconds, var navigation = newest.navigation
        else { return nil }
        if let arrival = navigation.arrival, arrival < now { navigation.arrival = nil }
        return navigation.arrival == nil && navigation.remainingMeters == nil ? nil : navigation
    }
}
