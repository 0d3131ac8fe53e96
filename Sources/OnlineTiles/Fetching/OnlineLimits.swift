/// Limits for requests to a map's server.
public struct OnlineLimits: Sendable {
    /// Largest size of an answer's body, in bytes.
    public var bodyByteCount = 8 << 20
    /// Time limit for the first byte of an answer, in seconds.
    public var firstByteSeconds = 10.0
    /// Time limit for the whole answer, including redirects, in seconds.
    public var wholeSeconds = 30.0
    /// Number of connections to one host over HTTP/1. Over HTTP/2 there is a single connection.
    public var connectionsPerHost = 2
    /// Largest number of requests on one connection. If answers have at most 1 MiB on average, a connection reaches this limit before
    /// ``receivedBytesPerConnection``.
    public var requestsPerConnection = 64
    /// Largest number of bytes that may arrive on one HTTP/2 connection after the server's SETTINGS frame.
    public var receivedBytesPerConnection = 64 << 20
    /// Number of requests that may run at the same time.
    public var requestsInFlight = 6
    /// Number of redirects that a request follows.
    public var redirectCount = 5

    /// Creates the default limits.
    public init() {}
}
