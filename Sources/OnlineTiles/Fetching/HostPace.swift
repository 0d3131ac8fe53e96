import FleetEngine
import FoundationEssentials
import VectorTiles

/// Decides when requests may be sent to a host. While the host answers, requests may be sent at any time. After a failure there
/// is a pause, and the first request after the pause is sent alone.
struct HostPace: Sendable {
    /// Pause after a status 429 or 503 if the server sends no Retry-After, in seconds.
    static let busySeconds = 30.0
    /// Pause after the host has refused to send tiles, in seconds.
    static let refusedSeconds = 120.0
    /// A host that has sent no tile counts as failed after it has refused tiles at this many different zooms, or this many tiles at the
    /// map's lowest zoom. A single refusal at zoom 0 is enough, because that tile is the whole world.
    static let refusalLimit = 3

    /// For this many seconds after a good tile, the failure of one tile does not count as a failure of the host.
    static let lateSeconds = 300.0
    /// Number of different tiles whose failures count as a failure of the host, if no good tile came between them.
    static let failedTileLimit = 3
    /// Pause of a request that was held back so that others could go first, in seconds.
    static let yieldSeconds = 1.0

    /// Longest pause that a server can ask for, in seconds.
    static let longestAskedSeconds = 3_600.0

    /// The reason for the last failure; nil while the host answers.
    private(set) var trouble: TileTrouble?
    /// The time before which no request is sent to the host.
    private(set) var pausedUntil = Date.distantPast
    /// Whether the host has sent at least one readable tile.
    private(set) var hasGivenTiles = false
    /// The zooms at which the host refused a tile, or sent a web page or unreadable bytes instead.
    private var refusedZooms: Set<Int> = []
    /// Number of refused tiles at the map's lowest zoom.
    private var lowestRefusals = 0
    private var failures = 0
    private var isProbing = false
    private var lastTileAt: Date?
    /// Addresses of the tiles that have failed since the last good tile, at most `failedTileLimit`.
    private var failedTiles: Set<String> = []
    /// Address of the request that failed last.
    private var lastFailed: String?
    /// Whether other requests wait to be sent.
    private var othersWait = false
    /// Whether the last request was held back so that others could go first.
    private(set) var hasYielded = false

    /// Returns whether the request may be sent now. If true, the caller must send it and report the result.
    ///
    /// The request that failed last may be the only one that fails, so it is not sent first while others wait.
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

    /// Records that a request was cancelled before its result was known.
    /// - Returns: whether a request had been sent alone after a pause, so that others may wait for its result.
    mutating func giveUp() -> Bool {
        defer { isProbing = false }
        return isProbing
    }

    /// - Parameter isTile: whether the host has sent a readable tile.
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

    /// Returns whether a failure concerns only this tile, and not the host. The host must have no failure since its last answer, and must
    /// have sent a good tile in the last `lateSeconds`. Fewer than `failedTileLimit` different tiles, including this one, may have failed
    /// since that tile.
    mutating func isOneTile(_ address: String, at now: Date) -> Bool {
        guard failures == 0, let lastTileAt, now.timeIntervalSince(lastTileAt) <= Self.lateSeconds else { return false }
        failedTiles.insert(address)
        guard failedTiles.count >= Self.failedTileLimit else { return true }
        failedTiles = []
        return false
    }

    /// Records an answer that is not a tile.
    ///
    /// - Parameter lowestZoom: lowest zoom of the map.
    /// - Returns: whether only this tile is missing; false if the host sends no tiles, which is a failure of the host.
    mutating func isMissing(zoom: Int, lowestZoom: Int) -> Bool {
        refusedZooms.insert(zoom)
        if zoom <= lowestZoom, lowestRefusals < Self.refusalLimit { lowestRefusals += 1 }
        // At zoom 0 a tile shows the whole world, so there is no lower zoom to try.
        let refusesAll = refusedZooms.count >= Self.refusalLimit || lowestRefusals >= Self.refusalLimit || refusedZooms.contains(0)
        return hasGivenTiles || !refusesAll
    }

    /// Records a failure. Failures of requests that ran at the same time count as one.
    ///
    /// - Parameters:
    ///   - askedSeconds: the pause that the server asks for; nil if it asks for none.
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

    /// Ends the pause, so that a request may be sent now.
    mutating func askNow() {
        pausedUntil = .distantPast
        othersWait = false
    }
}
