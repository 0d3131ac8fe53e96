import FleetEngine
import FoundationEssentials
import VectorTiles

/// Tiles that are not requested for a while, because they fail on a server that gives other tiles. Their pauses are those of all retries.
struct TileRests: Sendable {
    /// Number of addresses that are remembered.
    static let limit = 4_096
    /// Seconds for which a tile's trouble is still reported after the tile's pause, because the next answer takes time.
    private static let graceSeconds = 10.0

    private struct Rest {
        var until: Date
        var failures: Int
        var trouble: TileTrouble
    }

    private var rests: [String: Rest] = [:]

    func isResting(_ address: String, at now: Date) -> Bool { rests[address].map { $0.until > now } ?? false }

    /// Counts a failure.
    mutating func fail(_ address: String, _ failure: WebFailure, host: String, at now: Date) {
        let failures = (rests[address]?.failures ?? 0) + 1
        let seconds = RetryPace.retryableSeconds(failures)
        guard rests[address] != nil || rests.count < Self.limit else { return }
        let trouble = TileTrouble(failure.kind, host: host, words: failure.words, retrySeconds: seconds)
        rests[address] = Rest(until: now.addingTimeInterval(seconds), failures: failures, trouble: trouble)
    }

    /// Ends a tile's pause, because the tile was fetched.
    /// - Returns: whether the tile had a pause.
    mutating func end(of address: String) -> Bool { rests.removeValue(forKey: address) != nil }

    /// Trouble of the tile whose pause ends last; nil if no tile has a pause.
    func trouble(at now: Date) -> TileTrouble? {
        let last = rests.values.max { $0.until < $1.until }
        return last.flatMap { $0.until.addingTimeInterval(Self.graceSeconds) > now ? $0.trouble : nil }
    }

    /// Time at which the next pause ends; nil if no tile has a pause.
    func next(after now: Date) -> Date? { rests.values.lazy.map(\.until).filter { $0 > now }.min() }
}
