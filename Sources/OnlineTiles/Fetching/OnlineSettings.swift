public import FleetEngine

/// Settings for the requests to a map's servers.
public struct OnlineSettings: Sendable {
    /// The `User-Agent` header: the program and its version.
    public var userAgent: String
    /// Path of a file with PEM certificates that are trusted in addition to the system's certificates.
    public var caFile: String?
    /// Language codes for names, in order of preference.
    public var languages: [String] = []
    /// Limits of the requests.
    public var limits = OnlineLimits()
    /// The store for answers; nil if no answers are stored.
    public var store: TileStore?
    /// Whether to send no requests and use only stored answers.
    public var isOffline = false
    /// Called after each request that was answered or failed, but not after a cancelled one.
    public var onRequest: (@Sendable (TileRequest) -> Void)?
    /// The clock for time limits and pauses. Only tests replace it.
    public var time: any TimeSource = SystemTimeSource()

    /// Creates settings with the default limits and without a store.
    public init(userAgent: String) { self.userAgent = userAgent }
}

/// A request for a tile or another part of a map, and its outcome.
public struct TileRequest: Sendable, Hashable {
    /// The server's host, with the port unless it is the default port. It never includes a path or a query.
    public var host: String
    /// HTTP status; nil if there was no usable answer.
    public var status: Int?
    /// Number of bytes of the answer's body, as transmitted.
    public var byteCount = 0
    /// Time from the request to the end of the answer or to the failure, in seconds.
    public var seconds: Double
    /// The reason for the failure as a clause about the server, such as `it answered with HTTP 500`; nil after a success.
    public var failure: String?
}
