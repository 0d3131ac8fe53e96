public import FleetEngine
import FoundationEssentials
public import GRPCNIOTransportHTTP2Posix

/// The live client over a real socket.
public typealias LiveFleetEngineClient = GRPCFleetEngineClient<HTTP2ClientTransport.Posix>

/// A token would go over the wire in the clear.
public struct PlaintextTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    public let endpoint: ServerEndpoint

    public var description: String {
        "an access token is not sent in plaintext to \(endpoint): use TLS (leave out --plaintext), or leave out the token source"
    }
}

/// Runs `body` with a client connected to `endpoint`, and closes the connection afterwards.
///
/// - Throws: `PlaintextTokenError`, or a `FleetEngineError` when the CA file cannot be read; else what `body` throws.
public func withFleetEngineClient<Result: Sendable>(
    endpoint: ServerEndpoint, identity: ClientIdentity, tokens: AccessTokenCache?,
    _ body: @Sendable (LiveFleetEngineClient) async throws -> Result
) async throws -> Result {
    if tokens != nil, endpoint.security == .plaintext, !endpoint.isLoopback { throw PlaintextTokenError(endpoint: endpoint) }
    let transport: HTTP2ClientTransport.Posix
    do {
        transport = try makeTransport(endpoint)
    } catch let error as FleetEngineError {
        throw error
    } catch {
        guard case .tls(let caFile?) = endpoint.security else { throw error }
        throw FleetEngineError(code: .invalidArgument, message: "the CA file \(caFile) holds no certificate", origin: .certificate)
    }
    let client = LiveFleetEngineClient(transport: transport, identity: identity, tokens: tokens)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await client.runConnections() }
        defer { client.beginGracefulShutdown() }
        return try await body(client)
    }
}

private func makeTransport(_ endpoint: ServerEndpoint) throws -> HTTP2ClientTransport.Posix {
    let security: HTTP2ClientTransport.Posix.TransportSecurity
    switch endpoint.security {
    case .plaintext: security = .plaintext
    case .tls(nil): security = .tls
    case .tls(let caFile?):
        guard FileManager.default.isReadableFile(atPath: caFile) else {
            throw FleetEngineError(code: .invalidArgument, message: "the CA file \(caFile) cannot be read", origin: .certificate)
        }
        security = .tls(.defaults { $0.trustRoots = .certificates([.file(path: caFile, format: .pem)]) })
    }
    let config = HTTP2ClientTransport.Posix.Config.defaults {
        $0.backoff = .init(initial: .seconds(1), max: .seconds(5), multiplier: 1.6, jitter: 0.2)
        // Pings only while a call waits: a dead link is noticed before the call's deadline, an idle one costs nothing.
        $0.connection.keepalive = .init(time: .seconds(10), timeout: .seconds(4), allowWithoutCalls: false)
    }
    if endpoint.host.contains(":") {
        return try .init(target: .ipv6(address: endpoint.host, port: endpoint.port), transportSecurity: security, config: config)
    }
    return try .init(target: .dns(host: endpoint.host, port: endpoint.port), transportSecurity: security, config: config)
}
