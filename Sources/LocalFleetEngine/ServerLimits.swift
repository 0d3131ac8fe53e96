public import FleetEngineCore
public import HTTPServing
/// What a server takes from the network, in one place.
///
/// | what | limit | beyond it |
/// |---|---|---|
/// | connections of one port | 1,000 | accepted, closed at once, counted |
/// | connections of one port from one address, or one IPv6 network of 64 bits | a quarter of them; this machine's own: all | as above |
/// | HTTP: header, its path, names and values | 16 KiB | 431 |
/// | HTTP: from accept or the last answer to a complete header | 30 s | closed |
/// | HTTP: between two parts of a body | 30 s | closed |
/// | HTTP: body | 1 MiB | 413 |
/// | gRPC: TLS handshake | 30 s | closed |
/// | gRPC: header, as HTTP/2 counts it: names, values and 32 bytes for each | 16 KiB | GOAWAY, closed |
/// | gRPC: message, also after decompression | 4 MiB | RESOURCE_EXHAUSTED, as soon as it says so |
/// | gRPC: message of a health check, which needs no token | 4 KiB | RESOURCE_EXHAUSTED |
/// | gRPC: messages of calls under way, also after decompression, and unread answers, of all connections together | 64 MiB, and 64 KiB of each connection | RESOURCE_EXHAUSTED |
/// | gRPC: unread answers of one connection | 8 MiB, or one answer | RESOURCE_EXHAUSTED |
/// | gRPC: a client reads nothing of its answers | 60 s | closed |
/// | gRPC: a call without a valid token | its header | UNAUTHENTICATED, before its message comes |
/// | gRPC: health watches of one connection | 16 | RESOURCE_EXHAUSTED |
/// | gRPC: from a call's header to the end of its message | 60 s | DEADLINE_EXCEEDED |
/// | gRPC: calls under way on one connection, as its settings say | 1,000 | REFUSED_STREAM |
/// | gRPC: connection that never had a call, or only refused ones | 30 s | GOAWAY, closed |
/// | gRPC: connection without a call that was not refused | 5 min | GOAWAY, closed |
/// | calls a second of one token's account and ids, else of one address: gRPC calls and HTTP requests | none; `serve --rate-limit` | RESOURCE_EXHAUSTED or 429, with the time to wait |
/// | callers whose pace is remembered | `CallRate.remembered` | all begin anew |
/// | calls of one token's account and ids, else of one address but this machine's own, under way at the same time | 16 | wait |
/// | calls of one such caller that wait | 1,000 | RESOURCE_EXHAUSTED |
/// | loads of the whole state for tests that go on at the same time | `TestHooks.mostLoads`, 4 | 503 with Retry-After |
/// | a search for vehicles waits for the router | 2 s | straight lines |
/// | calls under way when the server is told to end | 10 s | cut off |
/// | verified tokens that are remembered | `AccessGate.remembered` | verified again |
/// | trips, vehicles of one account | none unless said | RESOURCE_EXHAUSTED |
/// | trips, vehicles and what is in them | `engine` | RESOURCE_EXHAUSTED |
public struct ServerLimits: Hashable, Sendable {
    /// What each port takes; its `headerBytes` are a gRPC call's too.
    public var port = PortLimits()
    /// An HTTP request's body, bytes.
    public var bodyBytes = 1 << 20
    /// A gRPC message, also after decompression, bytes.
    public var messageBytes = 4 << 20
    /// Of all gRPC connections together: messages until their calls are answered, also after decompression, and unread answers. Bytes.
    public var waitingBytes = 64 << 20
    /// What each gRPC connection may take of these besides, bytes.
    public var ownBytes = 64 << 10
    /// The unread answers of one gRPC connection, bytes. One answer may be larger.
    public var unreadBytes = 8 << 20
    /// How long a gRPC client may read nothing of its answers, seconds.
    public var unreadSeconds = 60.0
    /// Calls that one gRPC connection may have under way.
    public var callsPerConnection = 1_000
    /// Health watches of one gRPC connection.
    public var watchesPerConnection = 16
    /// From a gRPC call's header to the end of its message, seconds.
    public var requestSeconds = 60.0
    /// For the TLS handshake of a gRPC connection, seconds. That of an HTTP connection counts to `PortLimits.headerSeconds`.
    public var handshakeSeconds = 30.0
    /// Until the first call on a gRPC connection, seconds.
    public var firstCallSeconds = 30.0
    /// Between two calls on a gRPC connection, seconds.
    public var idleSeconds = 300.0
    /// How long a gRPC client that was told to go may take to answer before its connection is closed, seconds.
    public var goodbyeSeconds = 3.0
    /// How long calls may go on when the server is told to end, seconds.
    public var drainSeconds = 10.0
    /// How long a search for vehicles waits for a router.
    public static let searchPatience = Duration.seconds(2)
    /// What the engine behind the ports holds: 100,000 trips, 20,000 vehicles, and so on.
    public var engine = EngineLimits()

    /// The figures of the table.
    public init() {}
}
