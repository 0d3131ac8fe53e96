import FleetEngine
import FoundationEssentials
import VectorTiles

/// Decides when requests may be sent to a host. While the host answers, they may be sent at any time. After a failure and the usual pause
/// of a retry, a single request is sent first.
struct HostPace: Sendable {
    /// Pause after 429 and 503 if the server does not state one, seconds.
    static let busySeconds = 30.0
    /// Pause after a refusal, seconds.
    static let refusedSeconds = 120.0
    /// Number of zooms with refused tiles, or of refused tiles at the lowest zoom. A host that reaches this number without having given a
    /// tile counts as a host without tiles.
    static let refusalLimit = 3

    /// Seconds after a host's last good tile during which the failure of one tile does not count as a failure of the host.
    static let lateSeconds = 300.0
    /// Number of different tiles whose failures, without a good tile between them, count as a failure of the host.
    static let failedTileLimit = 3
    /// Pause before a request that has let others go first is repeated, seconds.
    static let yieldSeconds = 1.0

    /// Longest pause that a server may ask for, seconds.
    static let longestAskedSeconds = 3_600.0

    /// The reason for the last failure; nil while the host answers.
    private(set) var trouble: TileTrouble?
    /// Time before which the host is not asked.
    private(set) var pausedUntil = Date.distantPast
    /// Whether the host has ever given a readable tile.
    private(set) var hasGivenTiles = false
    /// Zooms of the tiles for which the host gave a refusal, a page or garbage.
    private var refusedZooms: Set<Int> = []
    /// Number of refused tiles at the map's lowest zoom.
    private var lowestRefusals = 0
    private var failures = 0
    private var isProbing = false
    private var lastTileAt: Date?
    /// Addresses of the tiles that failed since the last good tile, up to the limit.
    private var failedTiles: Set<String> = []
    /// Address of the request that failed last.
    private var lastFailed: String?
    /// Whether other requests wait for their turn.
    private var othersWait = false
    /// Whether the last request was turned away to let others go first.
    private(set) var hasYielded = false

    /// Whether the request may be sent now. If true, the caller must send it and report the result.
    ///
    /// The request that failed last is not sent first again while others wait, because it may be the only one that fails.
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

    /// Reports that a request was given up.
    /// - Returns: whether other requests waited for its result.
    mutating func giveUp() -> Bool {
        defer { isProbing = false }
        return isProbing
    }

    /// - Parameter isTile: whether the host gave a readable tile.
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

    /// Judges the failure of a tile.
    ///
    /// - Returns: whether the failure concerns that tile alone: the host gave other tiles recently, and has not failed for several
    ///   different tiles since then.
    mutating func isOneTile(_ address: String, at now: Date) -> Bool {
        guard failures == 0, let lastTileAt, now.timeIntervalSince(lastTileAt) <= Self.lateSeconds else { return false }
        failedTiles.insert(address)
        guard failedTiles.count >= Self.failedTileLimit else { return true }
        failedTiles = []
        return false
    }

    /// Judges an answer that is not a tile.
    ///
    /// - Parameter lowestZoom: lowest zoom of the map.
    /// - Returns: whether only that tile is missing; if false, the host gives no tiles and has failed.
    mutating func isMissing(zoom: Int, lowestZoom: Int) -> Bool {
        refusedZooms.insert(zoom)
        if zoom <= lowestZoom, lowestRefusals < Self.refusalLimit { lowestRefusals += 1 }
        // Zoom 0 is the whole world, so there is no lower zoom to try.
        let refusesAll = refusedZooms.count >= Self.refusalLimit || lowestRefusals >= Self.refusalLimit || refusedZooms.contains(0)
        return hasGivenTiles || !refusesAll
    }

    /// Counts a failure. Failures of concurrent requests count once.
    ///
    /// - Parameters:
    ///   - askedSeconds: pause that the server asks for; nil if it does not say.
    ///   - address: address of the requested tile.
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

    /// Ends the pause, so that the host may be asked now.
    mutating func askNow() {
        pausedUntil = .distantPast
        othersWait = false
    }
}
