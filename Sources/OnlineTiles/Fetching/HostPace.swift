import FleetEngine
import FoundationEssentials
import VectorTiles

/// When a host may be asked: at any time while it answers, and after a failure by one question at a time, at the pace of all repetition.
struct HostPace: Sendable {
    /// Where the server does not say how long it is to be left alone after 429 and 503, seconds.
    static let busySeconds = 30.0
    /// After the server has said no, seconds.
    static let refusedSeconds = 120.0
    /// A host that has refused tiles of this many zooms, or this many of the map's lowest, and has given none, gives none at all.
    static let refusalLimit = 3

    /// A host that has given a tile within this time is not judged by one tile, seconds.
    static let lateSeconds = 300.0
    /// A host that fails at this many different tiles, with no good one between them, fails as a whole.
    static let failedTileLimit = 3
    /// A question that has let others go first is asked again after this, seconds.
    static let yieldSeconds = 1.0

    /// A wait that the server asks for is honoured up to here, seconds.
    static let longestAskedSeconds = 3_600.0

    /// Why it was not answered last; nil while it answers.
    private(set) var trouble: TileTrouble?
    /// Before this the host is left alone.
    private(set) var pausedUntil = Date.distantPast
    /// Whether it has ever given a tile that can be read.
    private(set) var hasGivenTiles = false
    /// The zooms of tiles in whose place it gave a refusal, a page or garbage.
    private var refusedZooms: Set<Int> = []
    /// How many of the map's lowest zoom were among them.
    private var lowestRefusals = 0
    private var failures = 0
    private var isProbing = false
    private var lastTileAt: Date?
    /// Addresses of tiles at which it has failed since the last good one, no more than the limit.
    private var failedTiles: Set<String> = []
    /// The address of the question that failed last.
    private var lastFailed: String?
    /// Whether others wait for their turn meanwhile.
    private var othersWait = false
    /// Whether the last question that was turned away is to wait for others.
    private(set) var hasYielded = false

    /// Whether the host may be asked now. A caller that gets true asks, and reports the result.
    ///
    /// The question that failed last does not go first again while others wait: it may be the only one that fails.
    mutating func begin(_ address: String, at now: Date) -> Bool {
        hasYielded = false
        guard pausedUntil <= now, failures == 0 || !isProbing else {
            if address != lastFailed { othersWait = true }
            return false
        }
        guard failures > 0 else { return true }
        hasYielded = othersWait && address == lastFailed
        othersWait = false
        guard !hasYielded else { return false }
        isProbing = true
        return true
    }

    /// A question was given up.
    /// - Returns: whether others have waited for what came of it.
    mutating func giveUp() -> Bool {
        defer { isProbing = false }
        return isProbing
    }

    /// - Parameter isTile: whether it gave a tile that can be read.
    mutating func succeed(isTile: Bool, at now: Date) {
        trouble = nil
        pausedUntil = .distantPast
        failures = 0
        isProbing = false
        lastFailed = nil
        othersWait = false
        guard isTile else { return }
        hasGivenTiles = true
        lastTileAt = now
        failedTiles = []
    }

    /// Judges a failure at a tile.
    ///
    /// - Returns: whether it is that tile's alone: the host gave others lately, and has not failed at several different ones since.
    mutating func isOneTile(_ address: String, at now: Date) -> Bool {
        guard failures == 0, let lastTileAt, now.timeIntervalSince(lastTileAt) <= Self.lateSeconds else { return false }
        failedTiles.insert(address)
        guard failedTiles.count >= Self.failedTileLimit else { return true }
        failedTiles = []
        return false
    }

    /// Judges an answer that is no tile.
    ///
    /// - Parameter lowestZoom: of the map.
    /// - Returns: whether that tile alone is missing; otherwise the host gives no tiles, and has failed.
    mutating func isMissing(zoom: Int, lowestZoom: Int) -> Bool {
        refusedZooms.insert(zoom)
        if zoom <= lowestZoom, lowestRefusals < Self.refusalLimit { lowestRefusals += 1 }
        // Above the whole world there is nothing left to ask for.
        let refusesAll = refusedZooms.count >= Self.refusalLimit || lowestRefusals >= Self.refusalLimit || refusedZooms.contains(0)
        return hasGivenTiles || !refusesAll
    }

    /// Counts a failure. Those of questions that were under way together are one.
    ///
    /// - Parameters:
    ///   - askedSeconds: how long the server wants to be left alone; nil where it does not say.
    ///   - address: the address of the tile that was asked for.
    mutating func fail(
        _ kind: TileTrouble.Kind, host: String, words: String, askedSeconds: Double? = nil, of address: String = "", at now: Date
    ) {
        isProbing = false
        guard pausedUntil <= now else { return }
        failures += 1
        lastFailed = address
        othersWait = false
        let own = RetryPace.retryableSeconds(failures)
        let asked = askedSeconds.map { min($0, Self.longestAskedSeconds) }
        let seconds =
            switch kind {
            case .refused: max(Self.refusedSeconds, asked ?? 0)
            case .busy: asked ?? Self.busySeconds
            case .offline, .certificate, .failed, .noRanges, .notATileServer: max(own, asked ?? 0)
            }
        pausedUntil = now.addingTimeInterval(seconds)
        trouble = TileTrouble(kind, host: host, words: words, retrySeconds: seconds)
    }

    /// Lets it be asked now.
    mutating func askNow() {
        pausedUntil = .distantPast
        othersWait = false
    }
}
