import AsyncHTTPClient
import NIOCore
import Synchronization

/// The rules for opening, sharing and closing connections. Redirects are not followed: callers get them as answers, and decide where to
/// send secrets.
package struct HTTPPolicy: Hashable, Sendable {
    /// Time limit for connecting, in seconds.
    package var connectSeconds: Int64
    /// Maximum time during which no byte of an answer arrives, in seconds; nil for no limit. Beyond it, the connection is closed.
    package var silenceSeconds: Int64?
    /// Maximum number of requests on one connection; nil for no limit.
    package var requestsPerConnection: Int?
    /// Maximum number of connections to one host. Further requests wait.
    package var connectionsPerHost: Int
    /// Time after which an unused connection is closed, in seconds.
    package var idleSeconds: Int64
    /// Whether HTTP/2 is used if the server offers it.
    package var allowsHTTP2: Bool
    /// Maximum number of bytes received on one HTTP/2 connection after the server's settings; nil for no limit. Beyond this limit, the
    /// connection is closed.
    package var receivedBytesPerConnection: Int?

    package init(
        connectSeconds: Int64 = 5, silenceSeconds: Int64? = nil, requestsPerConnection: Int? = nil, connectionsPerHost: Int = 8,
        idleSeconds: Int64 = 60, allowsHTTP2: Bool = false, receivedBytesPerConnection: Int? = nil
    ) {
        self.connectSeconds = connectSeconds
        self.silenceSeconds = silenceSeconds
        self.requestsPerConnection = requestsPerConnection
        self.connectionsPerHost = connectionsPerHost
        self.idleSeconds = idleSeconds
        self.allowsHTTP2 = allowsHTTP2
        self.receivedBytesPerConnection = receivedBytesPerConnection
    }

    /// Rules with one request per connection, for tokens and bookings. If a server closed a kept connection, the client could not
    /// know whether a booking had arrived.
    package static let once = HTTPPolicy(requestsPerConnection: 1)
    /// Rules that keep connections open, for many requests that can be repeated.
    package static let kept = HTTPPolicy(connectionsPerHost: 4, idleSeconds: 30)

    private static let clients = Mutex<[HTTPPolicy: HTTPClient]>([:])

    /// The client that all requests with this policy share. The first request creates it, and it exists until the process ends.
    var client: HTTPClient {
        Self.clients.withLock { clients in
            if let client = clients[self] { return client }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            clients[self] = client
            return client
        }
    }

    private var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = allowsHTTP2 ? .automatic : .http1Only
        configuration.timeout.connect = .seconds(connectSeconds)
        configuration.timeout.read = silenceSeconds.map { .seconds($0) }
        configuration.maximumUsesPerConnection = requestsPerConnection
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        configuration.connectionPool.idleTimeout = .seconds(idleSeconds)
        if let receivedBytesPerConnection {
            configuration.http2ConnectionDebugInitializer = { channel in
                channel.eventLoop.submit {
                    let limit = ReceivedBytesLimit(byteCount: receivedBytesPerConnection)
                    try channel.pipeline.syncOperations.addHandler(limit, position: .first)
                }
            }
        }
        return configuration
    }
}
