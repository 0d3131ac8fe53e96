import FoundationEssentials

/// The clock of the server behind a link, as the link's `eta` events tell it: the arrival minus the remaining time. Arrivals and the times of
/// positions refer to this clock.
struct ToldServerClock: Sendable {
    /// Smallest change that counts, in seconds. Events round the remaining time to whole seconds.
    private static let leastSeconds = 2.0
    /// Smallest change that also applies to a position that was told before, in seconds.
    private static let jumpSeconds = 30.0
    /// Longest remaining time that is believed, in seconds: 400 days.
    private static let mostSeconds = 34_560_000.0

    private var known: Double?
    /// The server's clock minus the clock of the program that serves the link, in seconds; 0 until it is known.
    var aheadSeconds: Double { known ?? 0 }

    /// Adds an `eta` event that was made at `moment`.
    /// - Returns: the seconds to add to the server's time of the last position.
    mutating func note(_ told: LinkEventBody, at moment: Date) -> Double {
        guard let arrival = Date.read(told.eta, near: moment), let left = told.remainingS, left > 0, left <= Self.mostSeconds else {
            return 0
        }
        let isFirst = known == nil
        let change = arrival.timeIntervalSince(moment) - left - aheadSeconds
        known = aheadSeconds + (abs(change) > Self.leastSeconds ? change : 0)
        return abs(change) > (isFirst ? Self.leastSeconds : Self.jumpSeconds) ? change : 0
    }
}
