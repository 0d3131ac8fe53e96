/// What is taken from a map's server, how much at once and for how long.
public struct OnlineLimits: Sendable {
    /// The largest body of an answer, bytes.
    public var bodyByteCount = 8 << 20
    /// To the first byte of an answer, seconds.
    public var firstByteSeconds = 10.0
    /// For a whole answer, redirects included, seconds.
    public var wholeSeconds = 30.0
    /// Connections to a host; over HTTP/2 there is one.
    public var connectionsPerHost = 2
    /// Requests that are under way at once.
    public var requestsInFlight = 6
    /// How often a request is sent on.
    public var redirectCount = 5

    /// The standard limits.
    public init() {}
}
