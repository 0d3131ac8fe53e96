import FleetEngine
import FoundationEssentials
import NIOHTTP1

/// Storage and freshness of an answer in a private cache (RFC 9111).
struct CacheRule: Hashable, Sendable {
    /// Freshness of tiles and files if the server does not state it, seconds.
    static let standardSeconds = 7.0 * 86_400
    /// Freshness of a missing tile if the server does not state it, seconds.
    static let standardGapSeconds = 86_400.0
    /// Longest freshness of any answer, seconds. It bounds what servers state.
    static let longestSeconds = 366.0 * 86_400

    /// Whether the answer may be stored at all.
    let isStored: Bool
    /// Freshness from now on, seconds; 0 for an answer that is requested again each time.
    let freshSeconds: Double

    /// - Parameter isGap: whether the answer reports a missing tile.
    init(_ headers: HTTPHeaders, isGap: Bool, now: Date) {
        let words = headers[canonicalForm: "cache-control"].map { $0.lowercased() }
        isStored = !words.contains("no-store")
        let age = headers.first(name: "age").flatMap(Double.init).map { $0.isFinite ? max(0, $0) : 0 } ?? 0
        let told: Double?
        if words.contains(where: { $0 == "no-cache" || $0.hasPrefix("no-cache=") }) {
            told = 0
        } else if let word = words.first(where: { $0.hasPrefix("max-age=") }) {
            // An unreadable value counts as expired.
            told = (Double(word.dropFirst(8).filter { $0 != "\"" }) ?? 0) - age
        } else if let expires = headers.first(name: "expires") {
            let sent = headers.first(name: "date").flatMap(HTTPDate.parse) ?? now
            told = (HTTPDate.parse(expires)?.timeIntervalSince(sent) ?? 0) - age
        } else {
            told = nil
        }
        let seconds = told ?? (isGap ? Self.standardGapSeconds : Self.standardSeconds)
        freshSeconds = seconds.isFinite ? min(max(0, seconds), Self.longestSeconds) : 0
    }
}
