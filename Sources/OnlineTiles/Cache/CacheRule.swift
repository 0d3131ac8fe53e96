import FleetEngine
package import FoundationEssentials
package import NIOHTTP1

/// Whether and how long a private cache may keep an answer (RFC 9111).
package struct CacheRule: Hashable, Sendable {
    /// Time for which tiles and files are fresh if the server does not specify a time, in seconds.
    static let standardSeconds = 7.0 * 86_400
    /// Time for which a missing tile is not requested again, in seconds, if the server does not specify a time.
    static let standardGapSeconds = 86_400.0
    /// Longest time for which an answer is fresh, in seconds. A longer time from a server is reduced to this.
    package static let longestSeconds = 366.0 * 86_400

    /// Whether the answer may be stored.
    package let isStored: Bool
    /// Time for which the answer is fresh from now on, in seconds; 0 if it must be requested again each time.
    package let freshSeconds: Double

    /// - Parameter isGap: whether the answer says that a tile is missing.
    package init(_ headers: HTTPHeaders, isGap: Bool, now: Date) {
        let words = headers[canonicalForm: "cache-control"].map { $0.lowercased() }
        isStored = !words.contains("no-store")
        let age = headers.first(name: "age").flatMap(Double.init).map { $0.isFinite ? max(0, $0) : 0 } ?? 0
        let told: Double?
        if words.contains(where: { $0 == "no-cache" || $0.hasPrefix("no-cache=") }) {
            told = 0
        } else if let word = words.first(where: { $0.hasPrefix("max-age=") }) {
            // If max-age cannot be read, the answer counts as expired.
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
