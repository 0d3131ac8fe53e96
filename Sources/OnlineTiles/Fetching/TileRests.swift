import FleetEngine
import FoundationEssentials
import VectorTiles

/// Tiles that are left alone for a while, each at the pace of all repetition: a server that gives others fails at them.
struct TileRests: Sendable {
    /// More addresses than this are not remembered.
    static let limit = 4_096
    /// So long after its rest a tile's trouble stays: the next answer takes its time, seconds.
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

    /// It came.
    /// - Returns: whether it had rested.
    mutating func end(of address: String) -> Bool { rests.removeValue(forKey: address) != nil }

    /// Why a tile rests, of several the one that rests longest; nil where none does.
    func trouble(at now: Date) -> TileTrouble? {
        let last = rests.values.max { $0.until < $1.until }
        return last.flatMap { $0.until.addingTimeInterval(Self.graceSeconds) > now ? $0.trouble : nil }
    }

    /// When the next one may be asked for; nil where none rests.
    func next(after now: Date) -> Date? { rests.values.lazy.map(\.until).filter { $0 > now }.min() }
}
