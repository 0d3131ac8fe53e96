public import FleetEngine

/// How a map's servers are asked.
public struct OnlineSettings: Sendable {
    /// Who asks: the program and its version.
    public var userAgent: String
    /// Certificates in PEM that are trusted besides the system's.
    public var caFile: String?
    /// Codes of the languages of names, the first choice first.
    public var languages: [String] = []
    /// What is taken from a server, how much at once and for how long.
    public var limits = OnlineLimits()
    /// What was fetched before; nil keeps nothing.
    public var store: TileStore?
    /// Nothing is asked over the network: what is in the store is all there is.
    public var isOffline = false
    /// Told of each request that had an answer or failed; those that were given up are no matter.
    public var onRequest: (@Sendable (TileRequest) -> Void)?
    /// The clock of limits and pauses; the real one unless a test drives it.
    public var time: any TimeSource = SystemTimeSource()

    /// Settings with the standard limits, without a store.
    public init(userAgent: String) { self.userAgent = userAgent }
}

/// A request for a piece of a map, and what came of it.
public struct TileRequest: Sendable, Hashable {
    /// The server's host, with its port where that is not the usual one; never a path or a query.
    public var host: String
    /// The HTTP status; nil where there was no answer that could be used.
    public var status: Int?
    /// Bytes of the answer's body, as they were sent.
    public var byteCount = 0
    /// To the end of the answer or the failure, seconds.
    public var seconds: Double
    /// What went wrong, in words that continue a sentence about the server; nil for nothing.
    public var failure: String?
}
