import FleetEngine
import FoundationEssentials
import VectorTiles

/// The pauses of single tiles that failed although their server has sent other tiles. After its pause, a tile is requested again.
struct TileRests: Sendable {
    /// Largest number of tiles.
    static let limit = 4_096
    /// Time for which a tile's problem is still reported after the tile's pause, in seconds. This gives the next answer time to arrive.
    private static let graceSeconds = 10.0

    private struct Rest {
        var until: Date
        var failures: Int
        var trouble: TileTrouble
    }

    private var rests: [String: Rest] = [:]

    func isResting(_ address: String, at now: Date) -> Bool { rests[address].map { $0.until > now } ?? false }

    /// Records the failure of a tile.
    mutating func fail(_ address: String, _ failure: WebFailure, host: String, at now: Date) {
        let failures = (rests[address]?.failures ?? 0) + 1
        let seconds = RetryPace.retryableSeconds(failures)
        guard rests[address] != nil || rests.count < Self.limit else { return }
        let trouble = TileTrouble(failure.kind, host: host, words: failure.words, retrySeconds: seconds)
        rests[address] = Rest(until: now.addingTimeInterval(seconds), failures: failures, trouble: trouble)
    }

    /// Ends the pause of a tile, because the tile was fetched.
    /// - Returns: whether the tile had a pause.
    mutating func end(of address: String) -> Bool { rests.removeValue(forKey: address) != nil }

    /// Returns the problem of the tile whose pause ends last; nil if no tile has a pause, or if that pause ended
    /// more than `graceSeconds` ago.
    func trouble(at now: Date) -> TileTrouble? {
        let last = rests.values.max { $0.until < $1.until }
        return last.flatMap { $0.until.addingTimeInterval(Self.graceSeconds) > now ? $0.trouble : nil }
    }

    /// Returns the time at which the next pause ends; nil if no tile is paused.
    func next(after now: Date) -> Date? { rests.values.lazy.map(\.until).filter { $0 > now }.min() }
}
