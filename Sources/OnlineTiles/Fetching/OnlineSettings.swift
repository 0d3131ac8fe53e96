public import FleetEngine

/// Settings of the requests to a map's servers.
public struct OnlineSettings: Sendable {
    /// User agent: the program and its version.
    public var userAgent: String
    /// File of PEM certificates that are trusted in addition to the system's.
    public var caFile: String?
    /// Language codes of names, in order of preference.
    public var languages: [String] = []
    /// Limits of the requests.
    public var limits = OnlineLimits()
    /// Store of earlier answers; nil stores nothing.
    public var store: TileStore?
    /// Whether to send no requests and use stored answers only.
    public var isOffline = false
    /// Called for each request that was answered or failed, but not for a cancelled one.
    public var onRequest: (@Sendable (TileRequest) -> Void)?
    /// The clock of limits and pauses. Only tests replace it.
    public var time: any TimeSource = SystemTimeSource()

    /// Creates settings with the standard limits, without a store.
    public init(userAgent: String) { self.userAgent = userAgent }
}

/// A request for a piece of a map, and its outcome.
public struct TileRequest: Sendable, Hashable {
    /// The server's host, with the port unless it is the default port. It never includes a path or a query.
    public var host: String
    /// HTTP status; nil without a usable answer.
    public var status: Int?
    /// Size of the answer's body as sent, bytes.
    public var byteCount = 0
    /// Seconds to the end of the answer or the failure.
    public var seconds: Double
    /// The failure, in words that continue a sentence about the server; nil after a success.
    public var failure: String?
}
