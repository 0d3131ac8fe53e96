import AsyncHTTPClient
import NIOCore
import Synchronization

/// The rules for opening, sharing and closing connections. Redirects are returned as answers, because callers decide where to send secrets.
package struct HTTPPolicy: Hashable, Sendable {
    /// Time limit for connecting, seconds.
    package var connectSeconds: Int64
    /// Longest pause within an answer, seconds; nil for no limit. A longer pause closes the connection.
    package var silenceSeconds: Int64?
    /// Largest number of requests on one connection; nil for no limit.
    package var requestsPerConnection: Int?
    /// Largest number of connections to one host. Further requests wait.
    package var connectionsPerHost: Int
    /// Time after which an unused connection is closed, seconds.
    package var idleSeconds: Int64
    /// Whether HTTP/2 is used if the server offers it.
    package var allowsHTTP2: Bool

    package init(
        connectSeconds: Int64 = 5, silenceSeconds: Int64? = nil, requestsPerConnection: Int? = nil, connectionsPerHost: Int = 8,
        idleSeconds: Int64 = 60, allowsHTTP2: Bool = false
    ) {
        self.connectSeconds = connectSeconds
        self.silenceSeconds = silenceSeconds
        self.requestsPerConnection = requestsPerConnection
        self.connectionsPerHost = connectionsPerHost
        self.idleSeconds = idleSeconds
        self.allowsHTTP2 = allowsHTTP2
    }

    /// One request per connection, for tokens and bookings. These requests are rare. If the server closed an idle connection, it would be
    /// unclear whether a booking had arrived.
    package static let once = HTTPPolicy(requestsPerConnection: 1)
    /// Connections that are kept open, for many requests that can be repeated.
    package static let kept = HTTPPolicy(connectionsPerHost: 4, idleSeconds: 30)

    private static let clients = Mutex<[HTTPPolicy: HTTPClient]>([:])

    /// The client that all requests of this policy share. The first request creates it, and it lives until the process ends.
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
        return configuration
    }
}
