public import FleetEngineCore
public import HTTPServing

/// A server's limits on the work that its clients can cause. For each limit: its value, and the result beyond it.
///
/// Connections:
/// - Connections of one port: 1,000. Beyond it, a connection is accepted, closed at once, and counted.
/// - Connections of one port from one address, or from one IPv6 /64 network: a quarter of that number. Beyond it, closed and
///   counted as above. There is no such limit for this machine's own addresses.
///
/// HTTP:
/// - Header, with its path, names and values: 64 KiB. Beyond it, 431.
/// - Time from accepting the connection, or from the last answer, to a complete header: 30 s. Beyond it, the connection is closed.
/// - Time between two parts of a body: 30 s. Beyond it, the connection is closed.
/// - Body: 1 MiB. Beyond it, 413.
///
/// HTTP and gRPC:
/// - Body or message that is decoded immediately: `DecodingThread.smallBytes`, 64 KiB. Larger bodies and messages are decoded on a separate
///   thread, one at a time.
/// - A call that the caller's role may never make: only the header is read. PERMISSION_DENIED or 403.
///
/// gRPC:
/// - TLS handshake: 30 s. Beyond it, the connection is closed.
/// - Header, counted as in HTTP/2 (names, values, and 32 bytes for each field): 64 KiB. Beyond it, RESOURCE_EXHAUSTED. Beyond
///   twice that size, the connection is closed after GOAWAY.
/// - Message, before and after decompression: 4 MiB. Beyond it, RESOURCE_EXHAUSTED, as soon as the message declares its size.
/// - Messages and texts in one message: `MessageParts.most`. Beyond it, INVALID_ARGUMENT.
/// - Message of a health check, which needs no token: 4 KiB. Beyond it, RESOURCE_EXHAUSTED.
/// - Tokens and messages (also after decompression) of calls under way, and unread answers, for all connections together: 64 MiB, plus
///   64 KiB for each connection. Beyond it, RESOURCE_EXHAUSTED.
/// - Unread answers of one connection: 8 MiB, or one larger answer. Beyond it, RESOURCE_EXHAUSTED.
/// - Time for which a client reads none of its answers: 60 s. Beyond it, the connection is closed.
/// - A call without a valid token: only its header is read. UNAUTHENTICATED before its message arrives.
/// - Health watches of one connection: 16. Beyond it, RESOURCE_EXHAUSTED.
/// - Time from a call's header to the end of its message: 60 s. Beyond it, DEADLINE_EXCEEDED.
/// - Calls under way on one connection, as announced in the HTTP/2 settings: 1,000. Beyond it, REFUSED_STREAM.
/// - GOAWAYs of a client on one connection: 99. With the next one, the connection is closed.
/// - Time until the first accepted call of a connection: 30 s. Beyond it, the connection is closed after GOAWAY.
/// - Time after the last accepted call of a connection: 5 min. Beyond it, the connection is closed after GOAWAY.
///
/// Callers, identified by a token's account and ids or, without a token, by their address:
/// - Calls per second, gRPC calls and HTTP requests together: no limit by default. With `serve`: the value of `--rate-limit`; without this
///   option, 100 if other machines can reach the port. Beyond it, RESOURCE_EXHAUSTED or 429, with the time to wait. Health checks are not
///   counted.
/// - Wrong keys from one address, for the provider API and for phones together: `WrongSecrets.burst`, and one more each second.
///   Beyond it, 429 with Retry-After.
/// - Forged tokens from one address, over gRPC and REST together: as for wrong keys. Beyond it, RESOURCE_EXHAUSTED or 429.
/// - Callers whose rate is remembered: `CallRate.remembered`. Beyond it, callers start with a full allowance again.
/// - Calls under way at the same time: 16; this machine's own address has no limit. Further calls wait.
/// - Calls that wait: 1,000. Beyond it, RESOURCE_EXHAUSTED.
/// - Bodies and messages over 64 KiB that wait to be decoded, from all callers: `DecodingThread.mostWaiting`. Beyond it, RESOURCE_EXHAUSTED
///   or 429.
///
/// Engine:
/// - Simultaneous loads of the whole state for tests: `TestHooks.mostLoads`, 4. Beyond it, 503 with Retry-After.
/// - Time for which a search for vehicles waits for the router: 2 s. Beyond it, the routes are straight lines.
/// - Time for which calls may continue after the server begins to shut down: 10 s. Beyond it, the calls are cut off.
/// - Verified tokens that are remembered: `AccessGate.remembered`, each of at most `AccessGate.rememberedBytes`. Other tokens are verified
///   again.
/// - Trips and vehicles of one account: no limit by default. Beyond it, RESOURCE_EXHAUSTED.
/// - Trips, vehicles and their contents: `engine`. Beyond it, RESOURCE_EXHAUSTED.
public struct ServerLimits: Hashable, Sendable {
    /// Limits of each port. `headerBytes` applies to gRPC calls too.
    public var port = PortLimits()
    /// Size of an HTTP request's body, in bytes.
    public var bodyBytes = 1 << 20
    /// Size of a gRPC message, in bytes. The limit applies before and after decompression.
    public var messageBytes = 4 << 20
    /// Memory for tokens and messages of unanswered calls and for unread answers, in bytes. All gRPC connections share it.
    public var waitingBytes = 64 << 20
    /// Memory that each gRPC connection has in addition to `waitingBytes`, in bytes.
    public var ownBytes = 64 << 10
    /// Total size of the unread answers of one gRPC connection, in bytes. A single answer may be larger.
    public var unreadBytes = 8 << 20
    /// Maximum time for which a gRPC client may read nothing while answers are waiting for it, in seconds.
    public var unreadSeconds = 60.0
    /// Number of calls that one gRPC connection may have under way.
    public var callsPerConnection = 1_000
    /// Number of health watches that one gRPC connection may have.
    public var watchesPerConnection = 16
    /// Maximum time from a gRPC call's header to the end of its message, in seconds.
    public var requestSeconds = 60.0
    /// Maximum time for the TLS handshake of a gRPC connection, in seconds. The handshake of an HTTP connection counts towards
    /// `PortLimits.headerSeconds`.
    public var handshakeSeconds = 30.0
    /// Maximum time until the first call on a gRPC connection, in seconds.
    public var firstCallSeconds = 30.0
    /// Maximum time between two calls on a gRPC connection, in seconds.
    public var idleSeconds = 300.0
    /// Maximum time for a gRPC client to react to GOAWAY before its connection is closed, in seconds.
    public var goodbyeSeconds = 3.0
    /// Maximum time for which calls may continue after the server begins to shut down, in seconds.
    public var drainSeconds = 10.0
    /// Time for which a search for vehicles waits for a router.
    public static let searchPatience = Duration.seconds(2)
    /// Limits of the engine behind the ports: for example 100,000 trips and 20,000 vehicles.
    public var engine = EngineLimits()

    /// Creates the limits listed above.
    public init() {}
}
