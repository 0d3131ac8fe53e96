import AsyncHTTPClient
import NIOCore
import Synchronization

/// How connections for a kind of requests are made, shared and closed. Redirects come back as answers: callers know where they may be sent.
package struct HTTPPolicy: Hashable, Sendable {
    /// For a connection to be made, seconds.
    package var connectSeconds: Int64
    /// A connection on which an answer falls silent for so long is closed, seconds; nil for no limit.
    package var silenceSeconds: Int64?
    /// How many requests use a connection; nil for no limit.
    package var requestsPerConnection: Int?
    /// How many connections to one host requests share; others wait.
    package var connectionsPerHost: Int
    /// An unused connection is closed after so long, seconds.
    package var idleSeconds: Int64
    /// Whether HTTP/2 is spoken where the server speaks it.
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

    /// Tokens and bookings are rare, and a connection that the server closed while it idled would make it unclear whether a booking has
    /// been seen.
    package static let once = HTTPPolicy(requestsPerConnection: 1)
    /// For many requests that may be made twice.
    package static let kept = HTTPPolicy(connectionsPerHost: 4, idleSeconds: 30)

    private static let clients = Mutex<[HTTPPolicy: HTTPClient]>([:])

    /// The client that all requests of this policy share. It is made for the first of them and ends with the process.
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
