import FoundationEssentials

/// Rules for the polls of many trips: the number of polls that may be in progress at once, and whether the interval can be kept.
struct PollPlaces: Sendable {
    /// Lower bound of the limit on polls in progress.
    static let least = 64
    /// Upper bound of the limit on polls in progress: about the number of calls that servers allow on a connection.
    static let most = 1_000
    /// Number of late polls in a row after which lateness is reported.
    static let missesToTell = 32
    /// Number of intervals during which polls must be late before lateness is reported. It is large enough to ignore the late polls after a
    /// pause of the program.
    static let intervalsToTell = 2.0
    /// Delay above which an answer is late, as a fraction of the interval.
    static let latePart = 0.25

    private(set) var inFlight = 0
    /// Number of polls per second for all followed trips together.
    var pollsPerSecond = 0.0
    /// Smoothed time from a request to its answer, in seconds; 0 before the first answer.
    private(set) var roundTripSeconds = 0.0
    private var missesInARow = 0
    /// Time of the first poll in the current run of late polls; nil if the last poll was not late.
    private var missingSince: Date?
    private var isTold = false

    /// Limit on polls in progress. It is one and a half times the average number that must be in progress to keep every interval, but
    /// within `least` and `most`.
    var limit: Int {
        let wanted = 1.5 * max(0, pollsPerSecond) * roundTripSeconds
        return wanted.isFinite ? max(Self.least, Int(min(wanted.rounded(.up), Double(Self.most)))) : Self.least
    }

    var isFree: Bool { inFlight < limit }

    mutating func enter() { inFlight += 1 }

    /// - Parameter seconds: seconds from the request to its answer; nil if no answer came.
    mutating func leave(after seconds: Double?) {
        inFlight = max(0, inFlight - 1)
        guard let seconds, seconds.isFinite, seconds >= 0 else { return }
        roundTripSeconds += (seconds - roundTripSeconds) * (roundTripSeconds == 0 ? 1 : 0.1)
    }

    /// Records the delay of an answer.
    /// - Parameter seconds: seconds from the due time of the poll to its answer.
    /// - Returns: true once, when it is time to report that the interval cannot be kept.
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
