import FleetEngine
import FoundationEssentials
import NIOHTTP1

/// How long an answer may be kept and used without asking again (RFC 9111), for a cache of one user.
struct CacheRule: Hashable, Sendable {
    /// Where the server does not say, seconds: tiles and files.
    static let standardSeconds = 7.0 * 86_400
    /// Where the server does not say, seconds: that there is none.
    static let standardGapSeconds = 86_400.0
    /// No answer is fresh for longer, seconds: a server may have meant well.
    static let longestSeconds = 366.0 * 86_400

    /// Whether it may be written down at all.
    let isStored: Bool
    /// From now on, seconds; 0 for an answer that is asked for again each time.
    let freshSeconds: Double

    /// - Parameter isGap: whether the answer is that there is nothing.
    init(_ headers: HTTPHeaders, isGap: Bool, now: Date) {
        let words = headers[canonicalForm: "cache-control"].map { $0.lowercased() }
        isStored = !words.contains("no-store")
        let age = headers.first(name: "age").flatMap(Double.init).map { $0.isFinite ? max(0, $0) : 0 } ?? 0
        let told: Double?
        if words.contains(where: { $0 == "no-cache" || $0.hasPrefix("no-cache=") }) {
            told = 0
        } else if let word = words.first(where: { $0.hasPrefix("max-age=") }) {
            // What cannot be read counts as over.
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
