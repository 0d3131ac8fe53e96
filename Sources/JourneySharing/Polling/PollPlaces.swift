import FoundationEssentials

/// How many polls of many trips may be under way, and whether their interval can be kept: the rules without the polls.
struct PollPlaces: Sendable {
    /// So many may always be under way.
    static let least = 64
    /// More are never under way: where this program or the server has no more to give, others only wait the longer. Servers allow a
    /// connection about as many.
    static let most = 1_000
    /// So many polls in a row that came too late make an interval that cannot be kept.
    static let missesToTell = 32
    /// So many intervals they have to go on: after a time in which the program stood still many come late at once.
    static let intervalsToTell = 2.0
    /// Too late is an answer that makes the time between two polls longer by more than this part of the interval.
    static let latePart = 0.25

    private(set) var inFlight = 0
    /// Of all trips that are followed.
    var pollsPerSecond = 0.0
    /// Smoothed; 0 before the first answer.
    private(set) var roundTripSeconds = 0.0
    private var missesInARow = 0
    /// When the first of them came.
    private var missingSince: Date?
    private var isTold = false

    /// Half as many again as are under way on average when each is asked at its interval.
    var limit: Int {
        let wanted = 1.5 * max(0, pollsPerSecond) * roundTripSeconds
        return wanted.isFinite ? max(Self.least, Int(min(wanted.rounded(.up), Double(Self.most)))) : Self.least
    }

    var isFree: Bool { inFlight < limit }

    mutating func enter() { inFlight += 1 }

    /// - Parameter seconds: from the request to its answer; nil where none came.
    mutating func leave(after seconds: Double?) {
        inFlight = max(0, inFlight - 1)
        guard let seconds, seconds.isFinite, seconds >= 0 else { return }
        roundTripSeconds += (seconds - roundTripSeconds) * (roundTripSeconds == 0 ? 1 : 0.1)
    }

    /// Takes in how late an answer came.
    /// - Parameter seconds: from when the trip was to be asked to the answer, from which on the interval is counted.
    /// - Returns: whether it is to be told now, which happens once, that the interval cannot be kept.
    mutating func isMissed(_ interval: Double, by seconds: Double, at now: Date) -> Bool {
        guard seconds > interval * Self.latePart else {
            (missesInARow, missingSince) = (0, nil)
            return false
        }
        missesInARow += 1
        let since = missingSince ?? now
        missingSince = since
        guard !isTold, missesInARow >= Self.missesToTell, now.timeIntervalSince(since) >= Self.intervalsToTell * interval else {
            return false
        }
        isTold = true
        return true
    }
}
