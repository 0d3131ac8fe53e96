public import FleetEngine
import FoundationEssentials
public import GRPCNIOTransportHTTP2Posix
import NIOCore

/// The client that calls a server over a network socket.
public typealias LiveFleetEngineClient = GRPCFleetEngineClient<HTTP2ClientTransport.Posix>

/// The error for an access token that would be sent without encryption.
public struct PlaintextTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server that would receive the token. It is not this machine.
    public let endpoint: ServerEndpoint

    public var description: String {
        "the token would be sent in plaintext to \(endpoint): use TLS (leave out --plaintext), or set no token"
    }
}

/// Longest time that a client's shutdown waits for its connections to close. A connection attempt may end later, by itself.
private let longestFarewell = Duration.milliseconds(500)

/// Runs `body` with a client connected to `endpoint`, and closes the connection afterwards.
///
/// - Parameter onCall: called with a report after each call.
/// - Throws: `PlaintextTokenError`, a `FleetEngineError` if the CA file cannot be read or contains no certificate, or the error that `body`
///   throws.
public func withFleetEngineClient<Result: Sendable>(
    endpoint: ServerEndpoint, identity: ClientIdentity, tokens: AccessTokenCache?,
    onCall: (@Sendable (CallReport) -> Void)? = nil, _ body: @Sendable (LiveFleetEngineClient) async throws -> Result
) async throws -> Result {
    try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: tokens, onCall: onCall, onAnswer: nil, body)
}

/// Does the same as the public function, with a callback for a recorder.
/// - Parameter onAnswer: called with the answer to each read of a trip, vehicle or shipment, before the caller gets the answer.
package func withFleetEngineClient<Result: Sendable>(
    endpoint: ServerEndpoint, identity: ClientIdentity, tokens: AccessTokenCache?, onCall: (@Sendable (CallReport) -> Void)?,
    onAnswer: (@Sendable (ReceivedAnswer) -> Void)?, _ body: @Sendable (LiveFleetEngineClient) async throws -> Result
) async throws -> Result {
    if tokens != nil, endpoint.security == .plaintext, !endpoint.isLoopback { throw PlaintextTokenError(endpoint: endpoint) }
    let signals = ConnectionSignals()
    let transport: HTTP2ClientTransport.Posix
    do {
        transport = try makeTransport(endpoint, signals)
    } catch let error as FleetEngineError {
        throw error
    } catch {
        guard case .tls(let caFile?) = endpoint.security else { throw error }
        throw FleetEngineError(code: .invalidArgument, message: "the CA file \(caFile) contains no certificate", origin: .tls)
    }
    let client = LiveFleetEngineClient(
        transport: transport, identity: identity, tokens: tokens, server: (endpoint, signals), onCall: onCall, onAnswer: onAnswer)
    let connections = Task { try await client.runConnections() }
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
    client.beginGracefulShutdown()
    await farewell(connections)
    return try outcome.get()
}

private func farewell(_ connections: Task<Void, any Error>) async {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let ending = Task {
        _ = await connections.result
        continuation.finish()
    }
    let waiting = Task {
        try? await Task.sleep(for: longestFarewell)
        continuation.finish()
    }
    for await _ in ends {}
    waiting.cancel()
    ending.cancel()
    connections.cancel()
}

private func makeTransport(
    _ endpoint: ServerEndpoint, _ signals: ConnectionSignals
) throws -> HTTP2ClientTransport.Posix {
    let security: HTTP2ClientTransport.Posix.TransportSecurity
    switch endpoint.security {
    case .plaintext: security = .plaintext
    case .tls(nil): security = .tls
    case .tls(let caFile?):
        guard FileManager.default.isReadableFile(atPath: caFile) else {
            throw FleetEngineError(code: .invalidArgument, message: "the CA file \(caFile) cannot be read", origin: .tls)
        }
        security = .tls(.defaults { $0.trustRoots = .certificates([.file(path: caFile, format: .pem)]) })
    }
    let config = HTTP2ClientTransport.Posix.Config.defaults {
        $0.backoff = .init(initial: .seconds(1), max: .seconds(5), multiplier: 1.6, jitter: 0.2)
        $0.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
            channel.eventLoop.makeCompletedFuture { try ConnectionWatch.install(in: channel, signals: signals) }
        }
        $0.channelDebuggingCallbacks.onCreateHTTP2Stream = { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(AnswerMark(onAnswer: signals.answered), position: .first)
                try ConnectionWatch.count(stream)
            }
        }
        // Servers close a connection that is idle for five minutes, and a call that starts at that moment would fail. The client therefore
        // closes an idle connection a little earlier, at a moment at which no poll is due.
        $0.connection.maxIdleTime = .seconds(277)
        // A request is sent at once. A wait for more data would wake the thread once more.
        $0.connection.flushCoalescing?.maxFlushDelay = .zero
    }
    // TLS cannot send an IP address as the server name. For a host that is an address, the certificate is checked against the address.
    let target: any ResolvableTarget
    switch try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port) {
    case .v4:
        target = .ipv4(address: endpoint.host, port: endpoint.port)
    case .v6:
        target = .ipv6(address: endpoint.host, port: endpoint.port)
    case .unixDomainSocket, nil:
        target = .dns(host: endpoint.host, port: endpoint.port)
    }
    return try .init(target: target, transportSecurity: security, config: config)
}
