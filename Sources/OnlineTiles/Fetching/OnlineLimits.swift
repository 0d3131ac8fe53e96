/// Limits of requests to a map's server.
public struct OnlineLimits: Sendable {
    /// Size limit of an answer's body, bytes.
    public var bodyByteCount = 8 << 20
    /// Time limit to the first byte of an answer, seconds.
    public var firstByteSeconds = 10.0
    /// Time limit of a whole answer, redirects included, seconds.
    public var wholeSeconds = 30.0
    /// Number of connections to a host over HTTP/1. HTTP/2 uses a single connection.
    public var connectionsPerHost = 2
    /// Number of concurrent requests.
    public var requestsInFlight = 6
    /// Number of redirects that a request may follow.
    public var redirectCount = 5

    /// Creates the standard limits.
    public init() {}
}
